"""Bindings for functions of a square board: CS50 AI's, and a course's. Used in the process of the submission only."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from copy import copy, deepcopy
from dataclasses import replace
from math import isqrt
from types import CodeType

from noughts.games import Game, Position
from noughts.teaching.grading.cells import Cells, cells_of, mark_cell, moves_to
from noughts.teaching.grading.programs.bindings import Arguments, Binding, RuleCall, SubmittedFunction
from noughts.teaching.grading.programs.boards import BoardReader, contents_of, find_readers
from noughts.teaching.grading.programs.program_code import takes
from noughts.teaching.grading.runtime.modules import Modules
from noughts.teaching.grading.styles import STYLES

__all__ = ["BOARD_FUNCTIONS", "BoardBinding", "CourseBinding", "Cs50Binding"]

BOARD_FUNCTIONS = ("player", "actions", "result", "terminal", "utility")


def has_functions_of_a_board(names: Modules) -> bool:
    """Whether a submission defines the functions by which the styles with a board of rows are recognised."""
    return all(callable(names.get(name)) for name in BOARD_FUNCTIONS)


class BoardBinding(Binding):
    """Styles whose states have a square board, in the form in which the submission makes the first one."""

    def __init__(self, names: Modules) -> None:
        super().__init__(names)
        self.marks = {"X": names.get("X", "X"), "O": names.get("O", "O"), None: names.get("EMPTY")}
        self._result = self.function("result")
        names["result"] = self._counted_result  # the search looks it up here, so its nodes are counted
        self._boards: dict[Game, tuple[object, BoardReader]] = {}
        """The state at the start of each game, and the reader of its board."""
        self._has_our_start = False
        self._board(Game("3x3"))

    @property
    def taken(self) -> str:
        return "our initial_state, because its own makes no empty board" if self._has_our_start else ""

    def turn_of(self, state: object) -> object:
        return self.function("player")(state)

    def _exchange(self, name: str, function: SubmittedFunction) -> SubmittedFunction:
        if name == "result":
            before, self._result = self._result, function
            return before
        before = self.function(name)
        self.names[name] = function
        return before

    def _run(self, codes: Iterable[CodeType]) -> None:
        self.names["result"] = self._result
        super()._run(codes)
        self._result = self.function("result")
        self.names["result"] = self._counted_result

    def _counted_result(self, *arguments: object, **named: object) -> object:
        self.count.add()
        return self._result(*arguments, **named)

    def _own_start(self, game: Game) -> object:
        """Return the state at the start that the submission makes."""
        raise NotImplementedError

    def _our_start(self, game: Game, empty: object) -> object:
        """Return a usual state at the start, with this for empty cells."""
        raise NotImplementedError

    def _board(self, game: Game) -> tuple[object, BoardReader]:
        if game not in self._boards:
            starts = [self._our_start(game, empty) for empty in (self.marks[None], None)]
            try:
                starts.insert(0, self._own_start(game))
            except Exception:  # an exercise that is not finished
                self._has_our_start = True
            found = ((start, reader) for start in starts for reader in find_readers(start, isqrt(game.cells)))
            start, reader = next(found)
            self._has_our_start = self._has_our_start or start is not starts[0]
            self._boards[game] = start, replace(reader, marks=(self.marks["X"], self.marks["O"]))
            self.marks[None] = reader.empty[0]
        return self._boards[game]

    def state_of(self, position: Position) -> object:
        """Return the state of a position."""
        return self._write(cells_of(position), position.game)

    def _write(self, cells: Cells, game: Game) -> object:
        start, reader = self._board(game)
        return reader.write(deepcopy(start) if reader.path else copy(start), cells)  # all its cells are written

    def state_after(self, state: object, cell: int) -> object:
        cells = self.cells_of(state)
        assert cells is not None
        game = next(game for game in self._boards if game.cells == len(cells))
        return self._write(mark_cell(cells, cell), game)

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        state = self.state_of(position)
        before = contents_of(deepcopy(state))
        return Arguments((state,), lambda: "" if contents_of(state) == before else "the board it was given has changed")

    def call_rule(self, name: str, position: Position, *more: object) -> RuleCall:
        state = self.state_of(position)
        return RuleCall.of(self._result if name == "result" else self.function(name), state, *more)

    def cells_of(self, state: object) -> Cells | None:
        found = (reader.cells_of(state) for _, reader in self._boards.values())
        return next((cells for cells in found if cells is not None), None)


class Cs50Binding(BoardBinding):
    """The functions of CS50 AI's tictactoe project."""

    style = STYLES["cs50"]

    @classmethod
    def fits(cls, names: Modules, function: SubmittedFunction | None) -> bool:
        return has_functions_of_a_board(names) and _takes_rows(names)

    def _own_start(self, game: Game) -> object:
        return self.function("initial_state")() if "initial_state" in self.names else self._our_start(game, None)

    def _our_start(self, game: Game, empty: object) -> object:
        return [[empty] * 3 for _ in range(3)]


class CourseBinding(BoardBinding):
    """Pure functions of a state with a board, made by the submission's own ``initial_state(m, k)`` and ``result``."""

    style = STYLES["course"]

    @classmethod
    def fits(cls, names: Modules, function: SubmittedFunction | None) -> bool:
        if not has_functions_of_a_board(names):
            return False
        if "initial_state" not in names:
            names.import_more(["initial_state"])
        return takes(names.get("initial_state"), 2)

    def _own_start(self, game: Game) -> object:
        return self.function("initial_state")(isqrt(game.cells), game.k)

    def _our_start(self, game: Game, empty: object) -> object:
        side = isqrt(game.cells)
        return {"board": [[empty] * side for _ in range(side)], "m": side, "k": game.k, "moves": 0}

    def _board(self, game: Game) -> tuple[object, BoardReader]:
        if game not in self._boards:
            start, reader = super()._board(game)
            cells = ("X", "O", *[None] * (game.cells - 2))
            with suppress(Exception):  # a mistake in result, which is graded for itself
                learned = replace(reader, marks=None).learn_marks(self._state_by_moves(cells, game), cells)
                if learned is not None and learned.marks is not None:
                    self._boards[game] = start, learned
                    self.marks = {"X": learned.marks[0], "O": learned.marks[1], None: learned.empty[0]}
        return self._boards[game]

    def _state_by_moves(self, cells: Cells, game: Game) -> object:
        state = deepcopy(self._board(game)[0])
        for cell in moves_to(cells, game):
            state = self._result(state, divmod(cell, isqrt(game.cells)))
        return state

    def state_of(self, position: Position) -> object:
        """Return the state of a position, reached by the submission's own moves; written if they do not lead there."""
        cells, (_, reader) = cells_of(position), self._board(position.game)
        with suppress(Exception):  # a mistake in result, which is graded for itself
            state = self._state_by_moves(cells, position.game)
            if reader.cells_of(state) == cells:
                return state
        return self._write(cells, position.game)

    def call_rule(self, name: str, position: Position, *more: object) -> RuleCall:
        found, empty = super().call_rule(name, position, *more), self.marks[None]
        has_no_winner = name == "winner" and type(found.answer) is type(empty) and found.answer == empty
        return found._replace(answer=None) if has_no_winner else found

    def moves_argument(self, position: Position) -> tuple[object, ...]:
        return ([self.style.action_of(position, move) for move in position.legal_moves],)


def _takes_rows(names: Modules) -> bool:
    """Whether the board of a submission is a list of rows; one without ``initial_state`` says it by its actions."""
    start, actions = names.get("initial_state"), names.get("actions")
    assert callable(actions)
    try:
        if callable(start):
            return len(start()) == 3 and all(len(row) == 3 for row in start())
        empty = names.get("EMPTY")
        return all(len(action) == 2 for action in actions([[empty] * 3 for _ in range(3)]))
    except NotImplementedError:
        return True
    except Exception:
        return callable(start) and takes(start, 0)  # not finished
