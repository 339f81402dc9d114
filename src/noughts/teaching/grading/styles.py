"""Styles of submissions: how each course writes positions and moves, and which functions it expects.

A style reads the answers of a submission, which are plain data. Its counterpart in ``bindings`` calls the submission's
functions in that style, in the process of the submission.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isqrt
from typing import ClassVar

from noughts.games import Position
from noughts.teaching.grading.answers import OpaqueResult
from noughts.teaching.grading.tasks import RULES, Assignment, Property

__all__ = ["STYLES", "AimaStyle", "Cells", "CourseStyle", "Cs50Style", "NoughtsStyle", "SubmissionStyle"]

MOVE_ONLY = "it returns a move, and raises nothing"
Cells = tuple[str | None, ...]
"""The marks on the cells of a board: "X", "O" or None."""


class SubmissionStyle:
    """How a course writes positions and moves."""

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
    has_our_positions: ClassVar[bool] = False
    """Whether submissions are given positions of ours, which record the moves that are tried on them."""
    refuses_illegal: ClassVar[bool] = False
    """Whether ``result`` must raise an exception when the move is illegal."""
    is_3x3_only: ClassVar[bool] = False
    arguments: ClassVar[int] = 1
    """The number of arguments that stand for a position."""

    def properties(self, task: Assignment, has_rules: bool = True) -> tuple[Property, ...]:
        """Return the properties of a task that can be seen in this style, after those of the rules if it has them."""
        seen = [each for each in task.properties if each.id not in self.unseen]
        if not self.has_values:
            seen = [each._replace(description=MOVE_ONLY) if each.id == "runs" else each for each in seen]
        return (*(RULES[name] for name in self.rules if has_rules), *seen)

    def function_names(self, task: Assignment) -> tuple[str, ...]:
        """Return the names under which the function of a task is looked for."""
        if task.id not in self.functions:
            raise ImportError(f"cannot grade {task.id} in the style of {self.title}; try {', '.join(self.functions)}")
        return self.functions[task.id] or task.functions

    def unpack(self, answer: object) -> tuple[object, object] | None:
        """Return the value and the move of a search's answer, or None if it has another form."""
        if isinstance(answer, OpaqueResult):
            return answer.value, answer.move
        if isinstance(answer, tuple | list) and len(answer) >= 2:
            return answer[0], answer[1]
        return None

    def cell_of(self, position: Position, move: object) -> int | None:
        """Return the cell of a move, legal or not, or None if it is not a move in this style."""
        raise NotImplementedError

    def format_move(self, position: Position, cell: int) -> str:
        """Return a move as the student writes it."""
        return str(self.action_of(position, cell))

    def action_of(self, position: Position, cell: int) -> object:
        """Return the move that marks a cell."""
        return cell

    def cells_of_position(self, position: Position) -> Cells:
        """Return the marks on the board of a position."""
        return tuple(None if mark is None else str(mark) for mark in position.cells)


class NoughtsStyle(SubmissionStyle):
    """Functions of a ``noughts`` position."""

    id = "noughts"
    title = "noughts"
    functions: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(
        ("minimax", "alphabeta", "ordering", "heuristic", "depth-limited", "mcts", "player"), ()
    )
    has_our_positions = True

    def cell_of(self, position: Position, move: object) -> int | None:
        return move if isinstance(move, int) and not isinstance(move, bool) else None

    def format_move(self, position: Position, cell: int) -> str:
        return position.format_move(cell)


class BoardStyle(SubmissionStyle):
    """Styles with a square board as a list of rows, and moves as (row, column) from 0."""

    rules = ("player", "actions", "result", "winner", "terminal", "utility")
    unseen: ClassVar[frozenset[str]] = frozenset({"cuts", "explores", "replies", "visits"})

    def cell_of(self, position: Position, move: object) -> int | None:
        return _square_cell(position, move, first=0)

    def action_of(self, position: Position, cell: int) -> tuple[int, int]:
        return divmod(cell, isqrt(position.game.cells))


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

    def unpack(self, answer: object) -> tuple[object, object] | None:
        return None, answer


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


class AimaStyle(SubmissionStyle):
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

    def unpack(self, answer: object) -> tuple[object, object] | None:
        return None, answer

    def cell_of(self, position: Position, move: object) -> int | None:
        return _square_cell(position, move, first=1)

    def action_of(self, position: Position, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, isqrt(position.game.cells))
        return row + 1, column + 1


def _square_cell(position: Position, move: object, first: int) -> int | None:
    """Return the cell of a pair (row, column) counted from ``first``; −1 if outside, None if it is not a pair."""
    side = isqrt(position.game.cells)
    match list(move) if isinstance(move, Iterable) else None:
        case [int(row), int(column)]:
            row, column = row - first, column - first
            return row * side + column if 0 <= row < side and 0 <= column < side else -1
        case _:
            return None


STYLES: dict[str, SubmissionStyle] = {
    style.id: style for style in (CourseStyle(), Cs50Style(), AimaStyle(), NoughtsStyle())
}
"""The styles by their id, in the order in which they are tried."""
