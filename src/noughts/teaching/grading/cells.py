"""Cells: the marks on a square board, in any form."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.games import Game, Position

__all__ = ["Cells", "cells_of", "exchange_sides", "kind_of_line", "mark_cell", "moves_to"]

Cells = tuple[str | None, ...]
"""The marks on the cells of a board: "X", "O" or None."""


def cells_of(position: Position) -> Cells:
    """Return the marks on the board of a position."""
    return tuple(None if mark is None else str(mark) for mark in position.cells)


def exchange_sides(cells: Cells) -> Cells:
    """Return a board with X for O, and O for X."""
    return tuple({"X": "O", "O": "X"}.get(mark or "", mark) for mark in cells)


def mark_cell(cells: Cells, cell: int) -> Cells:
    """Return the board after a move of the side whose turn it is."""
    turn = "X" if cells.count("X") == cells.count("O") else "O"
    return (*cells[:cell], turn, *cells[cell + 1 :])


def moves_to(cells: Cells, game: Game) -> Sequence[int]:
    """Return moves that lead from the empty board to this one; a cell of all winning lines is played last."""
    sides = [[cell for cell, mark in enumerate(cells) if mark == side] for side in "XO"]
    for marked in sides:
        full = [set(line) for line in game.lines if set(line) <= set(marked)]
        if full:
            marked.sort(key=set.intersection(*full).__contains__)
    xs, os = sides
    return [cell for pair in zip(xs, [*os, -1], strict=False) for cell in pair if cell >= 0]


def kind_of_line(line: Sequence[int]) -> str:
    """Return "rows", "columns" or "diagonals" for a line of 3x3."""
    return {1: "rows", 3: "columns"}.get(line[1] - line[0], "diagonals")
