"""Styles of submissions: how each course represents positions and moves, and which functions it expects.

A style turns a position into the arguments of the student's function and its answer back into a value and a move. It
is recognised by the names that a file defines.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from copy import deepcopy
from math import isqrt
from operator import index
from typing import Any, ClassVar, NamedTuple

from noughts.games import Game, Position, Side
from noughts.study.grading.tasks import RULES, Property, Task
from noughts.study.grading.watching import NodeCount, VisitedNode, WatchedPosition

__all__ = ["STYLES", "AimaStyle", "CourseStyle", "Cs50Style", "NoughtsStyle", "Question", "Style", "find_style"]

MOVE_ONLY = "it returns a move, and raises nothing"
Cells = tuple[str | None, ...]
"""The marks on the cells of a board: "X", "O" or None."""


class Question(NamedTuple):
    """A position as the arguments of a function, and the means to see what the function did with it."""

    arguments: tuple[Any, ...]
    changes: Callable[[], str]
    """Says how the function has left the position changed; empty if it is as it was."""
    tree: VisitedNode | None = None
    """The moves that the function tries, if the style can see them."""


class Style:
    """How a course represents positions and moves."""

    id: ClassVar[str]
    title: ClassVar[str]
    rules: ClassVar[tuple[str, ...]] = ()
    """Functions of the rules that the submission brings with it; each is graded."""
    functions: ClassVar[Mapping[str, tuple[str, ...]]]
    """The tasks that can be graded in this style, with the names of their functions; those of the task if empty."""
    unseen: ClassVar[frozenset[str]] = frozenset()
    """Properties of searches that cannot be seen in this style."""
    has_values: ClassVar[bool] = True
    """Whether a search returns a value beside the move."""
    refuses_illegal: ClassVar[bool] = False
    """Whether ``result`` must raise an exception when the move is illegal."""
    is_3x3_only: ClassVar[bool] = False
    arguments: ClassVar[int] = 1
    """The number of arguments that stand for a position."""

    def __init__(self, names: MutableMapping[str, Any]) -> None:
        self.names = names
        self.count = NodeCount(1 << 60)
        self.marks: dict[str | None, Any] = {"X": "X", "O": "O", None: None}

    @classmethod
    def fits(cls, names: Mapping[str, Any], function: Callable[..., Any] | None) -> bool:
        """Whether a file that defines these names is written in this style; a function may have been named."""
        raise NotImplementedError

    def properties(self, task: Task) -> tuple[Property, ...]:
        """Return the properties of a task that can be seen in this style, after those of the rules."""
        seen = [each for each in task.properties if each.id not in self.unseen]
        if not self.has_values:
            seen = [each._replace(description=MOVE_ONLY) if each.id == "runs" else each for each in seen]
        return (*(RULES[name] for name in self.rules_found()), *seen)

    def rules_found(self) -> tuple[str, ...]:
        """Return the functions of the rules that are graded."""
        return self.rules

    def function_names(self, task: Task) -> tuple[str, ...]:
        """Return the names under which the function of a task is looked for."""
        if task.id not in self.functions:
            raise ImportError(f"cannot grade {task.id} in the style of {self.title}; try {', '.join(self.functions)}")
        return self.functions[task.id] or task.functions

    def question(self, position: Position, is_watched: bool) -> Question:
        """Return a position as arguments; if it is watched, and the style can do that, moves are recorded."""
        raise NotImplementedError

    def unpack(self, answer: Any) -> tuple[Any, Any] | None:
        """Return the value and the move of a search's answer, or None if it has another form."""
        if hasattr(answer, "value") and hasattr(answer, "move"):
            return answer.value, answer.move
        if isinstance(answer, tuple | list) and len(answer) >= 2:
            return answer[0], answer[1]
        return None

    def cell_of(self, position: Position, move: Any) -> int | None:
        """Return the cell of a move, legal or not, or None if it is not a move in this style."""
        raise NotImplementedError

    def format_move(self, position: Position, cell: int) -> str:
        """Return a move as the student writes it."""
        raise NotImplementedError

    def cells_of(self, state: Any) -> Cells | None:
        """Return the marks on the board of a state, or None if it is not a state."""
        raise NotImplementedError

    def cells_of_position(self, position: Position) -> Cells:
        """Return the marks on the board of a position."""
        return tuple(None if mark is None else str(mark) for mark in position.cells)

    def action_of(self, position: Position, cell: int) -> Any:
        """Return the move that marks a cell."""
        return cell

    def call_rule(self, name: str, position: Position, *more: Any) -> Any:
        """Call a function of the rules that the submission defines; ``result`` returns the old and the new state."""
        raise NotImplementedError


class NoughtsStyle(Style):
    """Functions of a ``noughts`` position."""

    id = "noughts"
    title = "noughts"
    functions: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(
        ("minimax", "alphabeta", "ordering", "heuristic", "depth-limited", "mcts", "player"), ()
    )

    @classmethod
    def fits(cls, names: Mapping[str, Any], function: Callable[..., Any] | None) -> bool:
        return True

    def question(self, position: Position, is_watched: bool) -> Question:
        watched = WatchedPosition(position, self.count)
        text = position.text

        def changes() -> str:
            if position.text == text:
                return ""
            moves = ", ".join(position.format_move(move) for move in position.moves)
            return f"left on the board: {moves}" if moves else "the board has changed"

        return Question((watched,), changes, watched.tree) if is_watched else Question((position,), changes)

    def cell_of(self, position: Position, move: Any) -> int | None:
        return index(move) if hasattr(move, "__index__") and not isinstance(move, bool) else None

    def format_move(self, position: Position, cell: int) -> str:
        return position.format_move(cell)

    def cells_of(self, state: Any) -> Cells | None:
        return self.cells_of_position(state) if isinstance(state, Position) else watched_cells(state)


class BoardStyle(Style):
    """Styles with a square board as a list of rows, and moves as (row, column) from 0."""

    rules = ("player", "actions", "result", "winner", "terminal", "utility")
    unseen: ClassVar[frozenset[str]] = frozenset({"cuts", "explores", "replies", "visits"})

    def __init__(self, names: MutableMapping[str, Any]) -> None:
        super().__init__(names)
        self.marks = {"X": names.get("X", "X"), "O": names.get("O", "O"), None: names.get("EMPTY")}
        self._result = names["result"]
        names["result"] = self._counted_result  # the search looks it up here, so its nodes are counted

    def _counted_result(self, *arguments: Any, **named: Any) -> Any:
        self.count.add()
        return self._result(*arguments, **named)

    def board_of(self, position: Position) -> list[list[Any]]:
        """Return the rows of a board."""
        marks = [self.marks[None if mark is None else str(mark)] for mark in position.cells]
        side = isqrt(len(marks))
        return [marks[i : i + side] for i in range(0, len(marks), side)]

    def state_of(self, position: Position) -> Any:
        """Return the state of a position."""
        raise NotImplementedError

    def question(self, position: Position, is_watched: bool) -> Question:
        state = self.state_of(position)
        before = deepcopy(state)
        return Question((state,), lambda: "" if state == before else "the board it was given has changed")

    def cell_of(self, position: Position, move: Any) -> int | None:
        return _square_cell(position, move, first=0)

    def format_move(self, position: Position, cell: int) -> str:
        return str(self.action_of(position, cell))

    def action_of(self, position: Position, cell: int) -> Any:
        return divmod(cell, isqrt(position.game.cells))

    def call_rule(self, name: str, position: Position, *more: Any) -> Any:
        state = self.state_of(position)
        function = self._result if name == "result" else self.names[name]
        answer = function(state, *more)
        return (state, answer) if name == "result" else answer

    def _cells_of_board(self, board: Any) -> Cells | None:
        if not isinstance(board, list | tuple) or not all(
            isinstance(row, list | tuple) and len(row) == len(board) for row in board
        ):
            return None
        names = {mark: name for name, mark in self.marks.items()}
        try:
            return tuple(names[mark] for row in board for mark in row)
        except (KeyError, TypeError):
            return None


class Cs50Style(BoardStyle):
    """The functions of CS50 AI's tictactoe project: ``minimax(board)`` returns the action."""

    id = "cs50"
    title = "CS50 AI's tictactoe"
    functions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "minimax": ("minimax",),
        "alphabeta": ("minimax", "alphabeta"),
        "player": ("minimax",),
    }
    unseen: ClassVar[frozenset[str]] = BoardStyle.unseen | {"value"}
    has_values = False
    refuses_illegal = True
    is_3x3_only = True

    @classmethod
    def fits(cls, names: Mapping[str, Any], function: Callable[..., Any] | None) -> bool:
        return _has_functions(names, ("player", "actions", "result", "terminal", "utility")) and not takes(
            names.get("initial_state"), 2
        )

    def state_of(self, position: Position) -> Any:
        return self.board_of(position)

    def unpack(self, answer: Any) -> tuple[Any, Any] | None:
        return None, answer

    def cells_of(self, state: Any) -> Cells | None:
        return self._cells_of_board(state)


class CourseStyle(BoardStyle):
    """Pure functions of a state with the keys board, m, k and moves, as in ``noughts.textbook.functional``."""

    id = "course"
    title = "a state with board, m, k and moves"
    functions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "minimax": ("minimax",),
        "alphabeta": ("minimax_ab", "alphabeta", "minimax"),
        "depth-limited": ("search",),
        "heuristic": ("evaluate",),
        "ordering": ("order_moves",),
        "player": ("search", "minimax_ab", "minimax"),
    }

    @classmethod
    def fits(cls, names: Mapping[str, Any], function: Callable[..., Any] | None) -> bool:
        return _has_functions(names, ("player", "actions", "result", "terminal", "utility")) and takes(
            names.get("initial_state"), 2
        )

    def state_of(self, position: Position) -> Any:
        game = position.game
        state = deepcopy(self.names["initial_state"](isqrt(game.cells), game.k))
        state["board"] = self.board_of(position)
        state["moves"] = sum(mark is not None for mark in position.cells)
        return state

    def cells_of(self, state: Any) -> Cells | None:
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
        """Return the state of a position."""
        board = {self.action_of(cell): str(mark) for cell, mark in enumerate(position.cells) if mark is not None}
        empty = [self.action_of(cell) for cell, mark in enumerate(position.cells) if mark is None]
        winner = {Side.X: 1, Side.O: -1}.get(position.winner, 0) if position.winner else 0
        return AimaState("XO"[len(board) % 2], winner, board, empty)

    def action_of(self, cell: int) -> tuple[int, int]:
        """Return the move that marks a cell."""
        row, column = divmod(cell, self._side)
        return row + 1, column + 1

    def actions(self, state: AimaState) -> list[tuple[int, int]]:
        """Return the legal moves."""
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
        """Whether play is over."""
        return state.utility != 0 or not state.moves

    def to_move(self, state: AimaState) -> str:
        """Return the player to move."""
        return state.to_move


class AimaStyle(Style):
    """Searches called as ``alpha_beta_search(state, game)``, which return the action; perhaps with a Game class."""

    id = "aima"
    title = "AIMA's Game class"
    rules = ("to_move", "actions", "result", "terminal_test", "utility")
    functions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "minimax": ("minmax_decision", "minimax_decision", "minmax", "minimax", "minimax_search"),
        "alphabeta": ("alpha_beta_search", "alphabeta_search", "alphabeta", "alpha_beta"),
        "mcts": ("monte_carlo_tree_search", "mcts"),
    }
    unseen: ClassVar[frozenset[str]] = frozenset({"value", "cuts", "explores", "replies", "visits"})
    has_values = False
    arguments = 2

    def __init__(self, names: MutableMapping[str, Any]) -> None:
        super().__init__(names)
        self.own_class = next((each for each in names.values() if _is_game_class(each, names)), None)
        self._own_game: Any = None

    @classmethod
    def fits(cls, names: Mapping[str, Any], function: Callable[..., Any] | None) -> bool:
        if function is not None and not isinstance(function, type):
            return _second_is_game(function)
        found = (names.get(name) for options in cls.functions.values() for name in options)
        return any(_is_game_class(each, names) for each in names.values()) or any(map(_second_is_game, found))

    def rules_found(self) -> tuple[str, ...]:
        return self.rules if self.own_class is not None else ()

    def game_of(self, game: Game) -> Any:
        """Return the game to search: the submission's own, or one of ours."""
        if self.own_class is None:
            return AimaGame(game, lambda: self.count.add())
        if self._own_game is None:
            self._own_game = self.own_class()
            plain = self._own_game.result

            def result(state: Any, move: Any) -> Any:
                self.count.add()
                return plain(state, move)

            self._own_game.result = result
        return self._own_game

    def state_of(self, position: Position, game: Any) -> Any:
        """Return the state of a position; in the submission's own game it is reached by moves."""
        if isinstance(game, AimaGame):
            return game.state_of(position)
        state = game.initial
        for cell in moves_to(position):
            state = game.result(state, self.action_of(position, cell))
        return state

    def question(self, position: Position, is_watched: bool) -> Question:
        game = self.game_of(position.game)
        state = self.state_of(position, game)
        self.count.nodes = 1
        before = repr(state)
        return Question((state, game), lambda: "" if repr(state) == before else "the state it was given has changed")

    def unpack(self, answer: Any) -> tuple[Any, Any] | None:
        return None, answer

    def cell_of(self, position: Position, move: Any) -> int | None:
        return _square_cell(position, move, first=1)

    def format_move(self, position: Position, cell: int) -> str:
        return str(self.action_of(position, cell))

    def action_of(self, position: Position, cell: int) -> Any:
        row, column = divmod(cell, isqrt(position.game.cells))
        return row + 1, column + 1

    def call_rule(self, name: str, position: Position, *more: Any) -> Any:
        game = self.game_of(position.game)
        state = self.state_of(position, game)
        answer = getattr(game, name)(state, *more)
        return (state, answer) if name == "result" else answer

    def cells_of(self, state: Any) -> Cells | None:
        board = getattr(state, "board", None)
        if not isinstance(board, dict):
            return None
        return tuple(board.get((row, column)) for row in range(1, 4) for column in range(1, 4))


def watched_cells(state: Any) -> Cells | None:
    """Return the marks on a watched position, or None if it is something else."""
    if not isinstance(state, WatchedPosition):
        return None
    return tuple(None if mark is None else str(mark) for mark in state.cells)


def _square_cell(position: Position, move: Any, first: int) -> int | None:
    """Return the cell of a pair (row, column) counted from ``first``; −1 if outside, None if it is not a pair."""
    side = isqrt(position.game.cells)
    try:
        row, column = (index(number) - first for number in move)
    except (TypeError, ValueError):
        return None
    return row * side + column if 0 <= row < side and 0 <= column < side else -1


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


def _has_functions(names: Mapping[str, Any], wanted: Sequence[str]) -> bool:
    return all(callable(names.get(name)) for name in wanted)


def takes(function: Any, count: int) -> bool:
    """Whether a function can be called with this number of arguments."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def _second_is_game(function: Any) -> bool:
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return False
    return len(names) >= 2 and names[1] == "game"


def _is_game_class(thing: Any, names: Mapping[str, Any]) -> bool:
    """Whether it is a class of the submission with AIMA's methods that can be made without arguments."""
    wanted = ("actions", "result", "utility", "terminal_test", "to_move")
    if not isinstance(thing, type) or thing.__module__ != names.get("__name__"):
        return False
    own = {name for base in thing.__mro__[:-1] for name in vars(base)}
    overridden = any(name in vars(thing) for name in wanted)
    return overridden and own.issuperset(wanted) and "initial" in _attributes(thing)


def _attributes(kind: type) -> set[str]:
    try:
        return set(dir(kind()))
    except Exception:  # it needs arguments, or is not finished
        return set()


STYLES: dict[str, type[Style]] = {style.id: style for style in (CourseStyle, Cs50Style, AimaStyle, NoughtsStyle)}
"""The styles by their id, in the order in which they are tried."""


def find_style(names: Mapping[str, Any], function: Callable[..., Any] | None = None) -> type[Style]:
    """Return the style of a file that defines these names; a function may have been named."""
    return next(style for style in STYLES.values() if style.fits(names, function))
