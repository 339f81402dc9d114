"""Our own functions of the rules, for the states of a submission: they take the place of functions that are wrong.

Used in the process of the submission only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING

from noughts.games import Game
from noughts.teaching.grading.cells import Cells

if TYPE_CHECKING:
    from noughts.teaching.grading.programs.bindings import Binding, SubmittedFunction

__all__ = ["ReferenceRules"]


@lru_cache(maxsize=8)
def _lines(side: int, k: int) -> tuple[tuple[int, ...], ...]:
    return tuple(Game(f"{side}x{side}:{k}").lines)


class ReferenceRules:
    """The rules for states as a binding reads them."""

    def __init__(self, binding: Binding) -> None:
        self._binding, self._style = binding, binding.style
        self.container: type = set if self._style.refuses_illegal else list
        """The type of the moves: the one that the submission's own ``actions`` returns, if it is known."""

    def function(self, name: str) -> SubmittedFunction:
        """Return the right function of a name."""
        functions: dict[str, Callable[..., object]] = {
            "player": self.player,
            "to_move": self.player,
            "actions": self.actions,
            "result": self.result,
            "winner": self.winner,
            "terminal": self.terminal,
            "terminal_test": self.terminal,
            "utility": self.utility,
        }
        return functions[name]

    def player(self, state: object) -> object:
        """Return the mark of the side to move."""
        return self._binding.marks[self._turn(self._cells(state))]

    def actions(self, state: object) -> object:
        """Return the moves to all empty cells."""
        return self.container(self._empty(self._cells(state)))

    def result(self, state: object, action: object) -> object:
        """Return the state after a move; raises ValueError if the move is not legal."""
        cells = self._cells(state)
        if action not in self._empty(cells):
            raise ValueError(f"expected a legal move, got {action!r}")
        cell = [cell for cell, mark in enumerate(cells) if mark is None][self._empty(cells).index(action)]
        return self._binding.state_after(state, cell)

    def winner(self, state: object) -> object:
        """Return the mark of the side with a line, or None."""
        won = self._winner(state)
        return None if won is None else self._binding.marks[won]

    def terminal(self, state: object) -> bool:
        """Return whether play is over."""
        return self._winner(state) is not None or None not in self._cells(state)

    def utility(self, state: object, player: object = "X") -> int:
        """Return 1 if the player has won, −1 if the opponent has, else 0."""
        won = self._winner(state)
        return 0 if won is None else 1 if self._binding.marks[won] == self._mark(player) else -1

    def _mark(self, player: object) -> object:
        return self._binding.marks["X"] if player == "X" else player

    def _cells(self, state: object) -> Cells:
        cells = self._binding.cells_of(state)
        if cells is None:
            raise TypeError(f"expected a state, got {state!r}")
        return cells

    def _empty(self, cells: Cells) -> list[object]:
        style, side = self._binding.style, isqrt(len(cells))
        return [style.write_move(cell, side) for cell, mark in enumerate(cells) if mark is None]

    @staticmethod
    def _turn(cells: Cells) -> str:
        return "X" if cells.count("X") == cells.count("O") else "O"

    def _winner(self, state: object) -> str | None:
        cells = self._cells(state)
        k = state.get("k", 3) if isinstance(state, Mapping) else 3
        for line in _lines(isqrt(len(cells)), k):
            marks = {cells[cell] for cell in line}
            if len(marks) == 1 and None not in marks:
                return marks.pop()
        return None
