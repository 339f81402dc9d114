"""Bindings: the functions of a submission, called in its style. Used in the process of the submission only.

A binding turns a position into the arguments of the student's function. The style of a file is recognised by the names
that it defines.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from copy import deepcopy
from math import isqrt
from typing import Any, ClassVar, NamedTuple, Protocol, TypeGuard

from noughts.games import Game, Position, Side
from noughts.teaching.grading.recording_position import NodeCount, RecordingPosition, VisitedNode
from noughts.teaching.grading.reference_rules import ReferenceRules
from noughts.teaching.grading.styles import STYLES, Cells, SubmissionStyle

__all__ = ["Arguments", "Binding", "NoughtsBinding", "SubmittedFunction", "find_binding"]

SubmittedFunction = Callable[..., object]


class Arguments(NamedTuple):
    """A position as the arguments of a function, and the means to see what the function did with it."""

    values: tuple[object, ...]
    changes: Callable[[], str]
    """Says how the function has left the position changed; empty if it is as it was."""
    tree: VisitedNode | None = None
    """The moves that the function tries, if the style can see them."""


class RuleCall(NamedTuple):
    """The state that a function of the rules was called with, its answer, and whether it has changed the state."""

    state: object
    answer: object
    has_changed: bool

    @classmethod
    def of(cls, function: SubmittedFunction, state: object, *more: object) -> RuleCall:
        """Call a function with a state."""
        before = repr(state)
        answer = function(state, *more)
        return cls(state, answer, repr(state) != before)


class Binding:
    """The names that a submission defines, called in a style."""

    style: ClassVar[SubmissionStyle]

    def __init__(self, names: MutableMapping[str, object]) -> None:
        self.names = names
        self.count = NodeCount(1 << 60)
        self.marks: dict[str | None, object] = {"X": "X", "O": "O", None: None}
        self.reference = ReferenceRules(self)
        self._replaced: dict[str, SubmittedFunction] = {}
        """The submission's own functions in whose place there are ours."""

    @classmethod
    def fits(cls, names: Mapping[str, object], function: SubmittedFunction | None) -> bool:
        """Whether a file that defines these names is written in this style; a function may have been named."""
        raise NotImplementedError

    def function(self, name: str) -> SubmittedFunction:
        """Return a function that the submission defines."""
        found = self.names[name]
        assert callable(found)
        return found

    @property
    def has_rules(self) -> bool:
        """Whether the submission brings the functions of the rules with it."""
        return bool(self.style.rules)

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        """Return a position as arguments; if it is watched, and the style can do that, moves are recorded."""
        raise NotImplementedError

    def moves_argument(self, position: Position) -> tuple[object, ...]:
        """Return the legal moves as the second argument of an order, in the style whose orders take it."""
        return ()

    def cells_of(self, state: object) -> Cells | None:
        """Return the marks on the board of a state, or None if it is not a state."""
        raise NotImplementedError

    def call_rule(self, name: str, position: Position, *more: object) -> RuleCall:
        """Call a function of the rules that the submission defines for a position."""
        raise NotImplementedError

    def turn_of(self, state: object) -> object:
        """Return the side to move in a state, by the submission's own function."""
        raise NotImplementedError

    def note_answer(self, rule: str, answer: object) -> None:
        """Remember the form of an answer, so that ours has the same."""
        if rule == "actions" and type(answer) in (list, tuple, set):
            self.reference.container = type(answer)

    def replace_rule(self, name: str, is_ours: bool) -> None:
        """Put our function of the rules in the place of the submission's own, or the own one back."""
        if is_ours and name not in self._replaced:
            self._replaced[name] = self._exchange(name, self.reference.function(name))
        elif not is_ours and name in self._replaced:
            self._exchange(name, self._replaced.pop(name))

    def _exchange(self, name: str, function: SubmittedFunction) -> SubmittedFunction:
        """Replace a function of the rules wherever the submission uses it; return the one that was there."""
        raise NotImplementedError


class NoughtsBinding(Binding):
    """Functions of a ``noughts`` position."""

    style = STYLES["noughts"]

    @classmethod
    def fits(cls, names: Mapping[str, object], function: SubmittedFunction | None) -> bool:
        return True

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        watched = RecordingPosition(position, self.count)
        text = position.text

        def changes() -> str:
            if position.text == text:
                return ""
            moves = ", ".join(position.format_move(move) for move in position.moves)
            return f"left on the board: {moves}" if moves else "the board has changed"

        return Arguments((watched,), changes, watched.tree) if is_watched else Arguments((position,), changes)

    def cells_of(self, state: object) -> Cells | None:
        if not isinstance(state, Position | RecordingPosition):
            return None
        return tuple(None if mark is None else str(mark) for mark in state.cells)


class BoardBinding(Binding):
    """Styles with a square board as a list of rows."""

    def __init__(self, names: MutableMapping[str, object]) -> None:
        super().__init__(names)
        self.marks = {"X": names.get("X", "X"), "O": names.get("O", "O"), None: names.get("EMPTY")}
        self._result = self.function("result")
        names["result"] = self._counted_result  # the search looks it up here, so its nodes are counted

    def turn_of(self, state: object) -> object:
        return self.function("player")(state)

    def _exchange(self, name: str, function: SubmittedFunction) -> SubmittedFunction:
        if name == "result":
            before, self._result = self._result, function
            return before
        before = self.function(name)
        for module in list(sys.modules.values()):  # other files of the submission may have imported it by name
            names = getattr(module, "__dict__", {})
            if names.get(name) is before:
                names[name] = function
        self.names[name] = function
        return before

    def _counted_result(self, *arguments: object, **named: object) -> object:
        self.count.add()
        return self._result(*arguments, **named)

    def board_of(self, position: Position) -> list[list[object]]:
        marks = [self.marks[None if mark is None else str(mark)] for mark in position.cells]
        side = isqrt(len(marks))
        return [marks[i : i + side] for i in range(0, len(marks), side)]

    def state_of(self, position: Position) -> object:
        raise NotImplementedError

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        state = self.state_of(position)
        before = deepcopy(state)
        return Arguments((state,), lambda: "" if state == before else "the board it was given has changed")

    def call_rule(self, name: str, position: Position, *more: object) -> RuleCall:
        state = self.state_of(position)
        return RuleCall.of(self._result if name == "result" else self.function(name), state, *more)

    def _cells_of_board(self, board: object) -> Cells | None:
        if not isinstance(board, list | tuple) or not all(
            isinstance(row, list | tuple) and len(row) == len(board) for row in board
        ):
            return None
        names = {mark: name for name, mark in self.marks.items()}
        try:
            return tuple(names[mark] for row in board for mark in row)
        except (KeyError, TypeError):
            return None


class Cs50Binding(BoardBinding):
    """The functions of CS50 AI's tictactoe project."""

    style = STYLES["cs50"]

    @classmethod
    def fits(cls, names: Mapping[str, object], function: SubmittedFunction | None) -> bool:
        return has_functions_of_a_board(names)

    def state_of(self, position: Position) -> object:
        return self.board_of(position)

    def cells_of(self, state: object) -> Cells | None:
        return self._cells_of_board(state)


class CourseBinding(BoardBinding):
    """Pure functions of a state with the keys board, m, k and moves."""

    style = STYLES["course"]

    @classmethod
    def fits(cls, names: Mapping[str, object], function: SubmittedFunction | None) -> bool:
        return has_functions_of_a_board(names) and takes(names.get("initial_state"), 2)

    def state_of(self, position: Position) -> object:
        game = position.game
        state: Any = deepcopy(self.function("initial_state")(isqrt(game.cells), game.k))
        state["board"] = self.board_of(position)
        state["moves"] = sum(mark is not None for mark in position.cells)
        return state

    def moves_argument(self, position: Position) -> tuple[object, ...]:
        return ([self.style.action_of(position, move) for move in position.legal_moves],)

    def cells_of(self, state: object) -> Cells | None:
        return self._cells_of_board(state.get("board")) if isinstance(state, Mapping) else None


class AimaState(NamedTuple):
    """A state like the ``GameState`` of AIMA's tic-tac-toe: the board maps (row, column), from 1, to "X" or "O"."""

    to_move: str
    utility: int
    board: dict[tuple[int, int], str]
    moves: list[tuple[int, int]]


class AimaGame:
    """Tic-tac-toe with the interface of AIMA's ``Game`` class."""

    def __init__(self, game: Game, count: Callable[[], None]) -> None:
        self._game, self._count = game, count
        self._side = isqrt(game.cells)
        self.initial = self.state_of(game.start())

    def state_of(self, position: Position) -> AimaState:
        board = {self.action_of(cell): str(mark) for cell, mark in enumerate(position.cells) if mark is not None}
        empty = [self.action_of(cell) for cell, mark in enumerate(position.cells) if mark is None]
        winner = {Side.X: 1, Side.O: -1}.get(position.winner, 0) if position.winner else 0
        return AimaState("XO"[len(board) % 2], winner, board, empty)

    def action_of(self, cell: int) -> tuple[int, int]:
        """Return the move that marks a cell."""
        row, column = divmod(cell, self._side)
        return row + 1, column + 1

    def actions(self, state: AimaState) -> list[tuple[int, int]]:
        return list(state.moves)

    def result(self, state: AimaState, move: tuple[int, int]) -> AimaState:
        """Return the state after a move; an illegal one changes nothing."""
        self._count()
        if move not in state.moves:
            return state
        board = state.board | {move: state.to_move}
        moves = [each for each in state.moves if each != move]
        won = any(all(board.get(self.action_of(cell)) == state.to_move for cell in line) for line in self._game.lines)
        utility = 0 if not won else 1 if state.to_move == "X" else -1
        return AimaState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state: AimaState, player: str) -> int:
        """Return the value of a finished state to a player."""
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: AimaState) -> bool:
        return state.utility != 0 or not state.moves

    def to_move(self, state: AimaState) -> str:
        return state.to_move


class SubmittedGame(Protocol):
    """A Game class of a submission, with AIMA's methods."""

    @property
    def initial(self) -> object:
        """The state at the start."""

    actions: Callable[[object], Iterable[object]]
    result: Callable[[object, object], object]


class AimaBinding(Binding):
    """Searches called as ``alpha_beta_search(state, game)``, perhaps with a Game class of the submission."""

    style = STYLES["aima"]

    def __init__(self, names: MutableMapping[str, object]) -> None:
        super().__init__(names)
        self.own_class = _find_game_class(names)
        self._own_game: SubmittedGame | None = None

    @classmethod
    def fits(cls, names: Mapping[str, object], function: SubmittedFunction | None) -> bool:
        if function is not None and not isinstance(function, type):
            return _second_is_game(function)
        found = (names.get(name) for options in cls.style.functions.values() for name in options)
        return _find_game_class(names) is not None or any(map(_second_is_game, found))

    @property
    def has_rules(self) -> bool:
        return self.own_class is not None

    def game_of(self, game: Game) -> AimaGame | SubmittedGame:
        """Return the game to search: the submission's own, or one of ours."""
        if self.own_class is None:
            return AimaGame(game, lambda: self.count.add())
        if self._own_game is None:
            self._own_game = self.own_class()
            self._initial = deepcopy(self._own_game.initial)
            self._plain_result: SubmittedFunction = self._own_game.result

            def result(state: object, move: object) -> object:
                self.count.add()
                return self._plain_result(state, move)

            self._own_game.result = result
        return self._own_game

    def state_of(self, position: Position, game: AimaGame | SubmittedGame) -> object:
        """Return the state of a position; in the submission's own game it is reached by moves."""
        if isinstance(game, AimaGame):
            return game.state_of(position)
        state = deepcopy(self._initial)  # a wrong result may have changed the game's own
        for cell in moves_to(position):
            state = game.result(state, self.style.action_of(position, cell))
        return state

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        game = self.game_of(position.game)
        state = self.state_of(position, game)
        self.count.nodes = 1
        before = repr(state)
        return Arguments((state, game), lambda: "" if repr(state) == before else "the state it was given has changed")

    def turn_of(self, state: object) -> object:
        game: Any = self._own_game
        return game.to_move(state)

    def _exchange(self, name: str, function: SubmittedFunction) -> SubmittedFunction:
        game: Any = self._own_game
        if name == "result":
            own, self._plain_result = self._plain_result, function
        else:
            own = getattr(game, name)
            setattr(game, name, function)
        return own

    def call_rule(self, name: str, position: Position, *more: object) -> RuleCall:
        game = self.game_of(position.game)
        state = self.state_of(position, game)
        return RuleCall.of(getattr(game, name), state, *more)

    def cells_of(self, state: object) -> Cells | None:
        board = getattr(state, "board", None)
        if not isinstance(board, dict):
            return None
        return tuple(board.get((row, column)) for row in range(1, 4) for column in range(1, 4))


def moves_to(position: Position) -> list[int]:
    """Return moves that lead from the empty board to a position; a cell of all winning lines is played last."""
    sides: dict[Side, list[int]] = {Side.X: [], Side.O: []}
    for cell, mark in enumerate(position.cells):
        if mark is not None:
            sides[mark].append(cell)
    if position.winner is not None:
        cells = sides[position.winner]
        full = [set(line) for line in position.game.lines if set(line) <= set(cells)]
        cells.sort(key=lambda cell: cell in set.intersection(*full))
    xs, os = sides[Side.X], sides[Side.O]
    return [cell for pair in zip(xs, [*os, -1], strict=False) for cell in pair if cell >= 0]


def has_functions_of_a_board(names: Mapping[str, object]) -> bool:
    """Whether a file defines the functions by which the styles with a board of rows are recognised."""
    return all(callable(names.get(name)) for name in ("player", "actions", "result", "terminal", "utility"))


def takes(function: object, count: int) -> bool:
    """Whether a function can be called with this number of arguments."""
    try:
        _signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def _signature(function: object) -> inspect.Signature:
    """Return the signature of a function; raises TypeError if it is not one, ValueError if it has none."""
    if not callable(function):
        raise TypeError("expected a function")
    return inspect.signature(function)


def _second_is_game(function: object) -> bool:
    try:
        names = list(_signature(function).parameters)
    except (TypeError, ValueError):
        return False
    return len(names) >= 2 and names[1] == "game"


def _is_game_class(thing: object, names: Mapping[str, object]) -> TypeGuard[type[SubmittedGame]]:
    """Whether it is a class of the submission with AIMA's methods that can be made without arguments."""
    wanted = ("actions", "result", "utility", "terminal_test", "to_move")
    if not isinstance(thing, type) or thing.__module__ != names.get("__name__"):
        return False
    own = {name for base in thing.__mro__[:-1] for name in vars(base)}
    overridden = any(name in vars(thing) for name in wanted)
    return overridden and own.issuperset(wanted) and "initial" in _attributes(thing)


def _find_game_class(names: Mapping[str, object]) -> type[SubmittedGame] | None:
    """Return the class of tic-tac-toe: one whose first state has nine moves, of several as in AIMA's own file."""
    found = [each for each in names.values() if _is_game_class(each, names)]
    return next((each for each in found if _count_first_moves(each) == 9), found[0] if found else None)


def _count_first_moves(kind: type[SubmittedGame]) -> int:
    """Return the number of moves at the start of a game, 0 if its functions are not finished."""
    try:
        game = kind()
        return len(list(game.actions(game.initial)))
    except Exception:  # an exercise that is not finished, which is graded as such
        return 0


def _attributes(kind: type) -> set[str]:
    try:
        return set(dir(kind()))
    except Exception:  # it needs arguments, or is not finished
        return set()


BINDINGS: tuple[type[Binding], ...] = (CourseBinding, Cs50Binding, AimaBinding, NoughtsBinding)
"""In the order in which they are tried."""


def find_binding(names: Mapping[str, object], function: SubmittedFunction | None = None) -> type[Binding]:
    """Return the binding for a file that defines these names; a function may have been named."""
    return next(binding for binding in BINDINGS if binding.fits(names, function))
