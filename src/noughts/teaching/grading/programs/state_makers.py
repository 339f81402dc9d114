"""Ways to make the states of a program for given positions: by its own moves, or by writing into its own board.

Used in the process of the submission only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from noughts.games import Game, Position, Side
from noughts.teaching.grading.cells import Cells, cells_of, exchange_sides, moves_to
from noughts.teaching.grading.programs.boards import BoardReader, Marks
from noughts.teaching.grading.programs.call_plans import Moment
from noughts.teaching.grading.programs.move_makers import USUAL_MARKS, MoveMaker, find_move_makers
from noughts.teaching.grading.programs.program_code import constants
from noughts.teaching.grading.programs.starts import Start, find_starts, readers_of, usual_starts
from noughts.teaching.grading.programs.trials import TrialFailed, trial
from noughts.teaching.grading.runtime.modules import Modules

__all__ = ["StateMaker", "find_state_makers"]

MARK_NAMES = (
    ("x", "o"),
    ("player_x", "player_o"),
    ("cross", "nought"),
    ("cross", "circle"),
    ("player1", "player2"),
    ("p1", "p2"),
    ("max", "min"),
)
"""Names of constants for the two marks."""
MAX_MARKS = 3
"""Pairs of marks that are tried."""


class StateMaker(NamedTuple):
    """A way to make the states of a program."""

    make: Callable[[Cells], tuple[object, object]]
    """Returns the state of a board, and the object whose methods know the rules or None."""
    reader: BoardReader
    is_for_mover: bool = False
    """Whether the side to move always has the first of the marks."""
    move: str = ""
    """The function that makes moves, if the program has one."""

    def moment(self, position: Position) -> Moment:
        """Return a position as the program sees it."""
        assert self.reader.marks is not None
        is_x = position.turn is Side.X
        cells = cells_of(position)
        state, game = self.make(exchange_sides(cells) if self.is_for_mover and not is_x else cells)
        x, o = self.reader.marks
        own, other = (x, o) if is_x or self.is_for_mover else (o, x)
        return Moment(state, game, own, other, is_x, cells.count(None))


def find_state_makers(modules: Modules, positions: Sequence[Position]) -> Iterator[StateMaker]:
    """Yield the ways to make states of a program that work for some positions, the likeliest first.

    These are its own moves, then its own board at the start, then usual boards; marks are written into boards.
    """
    boards = [cells_of(position) for position in positions]
    known = constants(modules)
    named = {name.lower(): value for name, value in modules.items() if isinstance(value, str | int)}
    own: list[Marks] = [(named[x], named[o]) for x, o in MARK_NAMES if x in named and o in named]
    pairs: list[Marks] = list(dict.fromkeys((*own, *USUAL_MARKS)))
    pairs = [pair for pair in pairs if all((type(mark), mark) in known for mark in pair)] or pairs
    starts = [*find_starts(modules)]
    for start in starts:
        yield from _by_moves(modules, start, boards)
    for start in [*starts, *usual_starts(modules, known)]:
        yield from _by_writing(start, pairs, boards)


def _by_moves(modules: Modules, start: Start, boards: list[Cells]) -> Iterator[StateMaker]:
    """Yield ways to reach a board by a function of the program that makes a move."""
    readers = readers_of(start)
    for name, move in find_move_makers(modules, start, readers) if readers else ():
        make = partial(_play, start, move)
        if (reader := _find_reader(readers, make, boards)) is not None:
            yield StateMaker(make, reader, move=name)
            return


def _play(start: Start, move: MoveMaker, cells: Cells) -> tuple[object, object]:
    state, game = start()
    for ply, cell in enumerate(moves_to(cells, Game("3x3"))):
        state = move(state, game, cell, ply % 2)
    return state, game


def _by_writing(start: Start, pairs: list[Marks], boards: list[Cells]) -> Iterator[StateMaker]:
    """Yield ways to write the marks of a board into the board at the start."""
    for reader in readers_of(start):
        is_number = isinstance(reader.empty[0], int)
        of_kind = [marks for marks in pairs if isinstance(marks[0], int) is is_number]
        likely = (of_kind if isinstance(reader.empty[0], str) and of_kind else [*of_kind, *pairs])[:MAX_MARKS]
        for x, o in likely:
            for marks, is_for_mover in (((x, o), False), ((x, o), True), ((o, x), True)):
                make = partial(_write, start, replace(reader, marks=marks))
                if (found := _find_reader([reader], make, boards)) is not None:
                    yield StateMaker(make, found, is_for_mover)


def _write(start: Start, reader: BoardReader, cells: Cells) -> tuple[object, object]:
    state, game = start()
    return reader.write(state, cells), game


def _find_reader(
    readers: list[BoardReader], make: Callable[[Cells], tuple[object, object]], boards: list[Cells]
) -> BoardReader | None:
    """Return the reader that reads the boards from the states that are made for them; None if there is none."""
    states = []
    for cells in boards:
        try:
            with trial():
                states.append((make(cells)[0], cells))
        except TrialFailed:
            return None
    for reader in readers:
        learned: BoardReader | None = reader
        for state, cells in states:
            learned = learned and learned.learn_marks(state, cells)
        if learned is not None:
            return learned
    return None
