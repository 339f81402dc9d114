"""Styles of submissions: how each course writes positions and moves, and which functions it expects.

A style reads the answers of a submission, which are plain data. Its counterpart in ``bindings`` calls the submission's
functions in that style, in the process of the submission.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isqrt

from noughts.games import Position
from noughts.teaching.grading.answers import OpaqueResult
from noughts.teaching.grading.tasks import RULES, TASKS, Assignment, Property

__all__ = ["STYLES", "SubmissionStyle", "usual_names"]

MOVE_ONLY = "it returns a move, and raises nothing"


@dataclass(frozen=True)
class SubmissionStyle:
    """How a course writes positions and moves."""

    id: str
    title: str
    functions: Mapping[str, tuple[str, ...]]
    """The tasks that can be graded in this style, with the names of their functions; those of the task if empty."""
    first: int = 0
    """The number of the first row and column, or of the first cell."""
    has_pairs: bool = False
    """Whether moves are pairs (row, column); otherwise they are numbers of cells."""
    rules: tuple[str, ...] = ()
    """Functions of the rules that the submission brings with it; each is graded."""
    unseen: frozenset[str] = frozenset()
    """Properties of searches that cannot be seen in this style."""
    has_values: bool = True
    """Whether a search returns a value beside the move."""
    has_our_positions: bool = False
    """Whether submissions are given positions of ours, which record the moves that are tried on them."""
    refuses_illegal: bool = False
    """Whether ``result`` must raise an exception when the move is illegal."""
    is_3x3_only: bool = False
    arguments: int = 1
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
        if not self.has_values:
            return None, answer
        if isinstance(answer, OpaqueResult):
            return answer.value, answer.move
        if isinstance(answer, tuple | list) and len(answer) >= 2:
            return answer[0], answer[1]
        return None

    def cell_of(self, position: Position, move: object) -> int | None:
        """Return the cell of a move, legal or not (−1 outside the board), or None if it is not a move in this style."""
        if not self.has_pairs:
            return max(-1, move - self.first) if isinstance(move, int) and not isinstance(move, bool) else None
        side = isqrt(position.game.cells)
        match list(move) if isinstance(move, Iterable) else None:
            case [int(row), int(column)]:
                row, column = row - self.first, column - self.first
                return row * side + column if 0 <= row < side and 0 <= column < side else -1
            case _:
                return None

    def action_of(self, position: Position, cell: int) -> object:
        """Return the move that marks a cell."""
        return self.write_move(cell, isqrt(position.game.cells))

    def write_move(self, cell: int, side: int) -> object:
        """Return the move that marks a cell of a square board with this side."""
        row, column = divmod(cell, side)
        return (row + self.first, column + self.first) if self.has_pairs else cell + self.first

    def with_moves(self, has_pairs: bool, first: int) -> SubmissionStyle:
        """Return this style with moves that are written in another way."""
        return replace(self, has_pairs=has_pairs, first=first)

    @property
    def first_on_boards(self) -> int | None:
        """The first number beside rows and columns of drawn boards; None where moves have the names of the game."""
        return None if self.has_our_positions else self.first

    def format_move(self, position: Position, cell: int) -> str:
        """Return a move as the student writes it."""
        return position.format_move(cell) if self.has_our_positions else str(self.action_of(position, cell))


BOARD_RULES = ("player", "actions", "result", "winner", "terminal", "utility")
"""The rules of styles with a square board as a list of rows."""
UNRECORDED = frozenset({"cuts", "explores", "replies", "visits"})
"""Properties that only the moves on our own positions show."""
ALPHABETA_NAMES = (
    "alphabeta",
    "alpha_beta",
    "alphabeta_search",
    "alpha_beta_search",
    "alpha_beta_pruning",
    "minimax_alpha_beta",
    "minimax_alphabeta",
    "minimax_with_pruning",
    "alphabeta_decision",
    "alpha_beta_decision",
)
CUTOFF_NAMES = ("alphabeta_cutoff_search", "alpha_beta_cutoff_search", "h_alphabeta_search")
"""AIMA's names of searches to a depth, which see the end of 3x3."""
LIMITED_NAMES = (
    "depth_limited_search",
    "depth_limited",
    "depth_limited_minimax",
    "limited_search",
    "limited",
    "minimax_limited",
    "minimax_depth",
    "h_minimax",
    "heuristic_minimax",
)

STYLES = {
    style.id: style
    for style in (
        # Pure functions of a state with the keys board, m, k and moves, as in noughts.textbook.functional.
        SubmissionStyle(
            "course",
            "a state with board, m, k and moves",
            {
                "minimax": ("minimax",),
                "alphabeta": ("minimax_ab", *ALPHABETA_NAMES, "minimax"),
                "depth-limited": ("search", *LIMITED_NAMES),
                "heuristic": ("evaluate", "heuristic", "evaluation", "eval_fn"),
                "ordering": ("order_moves", "order", "ordering"),
                "player": ("search", "minimax_ab", "minimax"),
            },
            has_pairs=True,
            rules=BOARD_RULES,
            unseen=UNRECORDED,
        ),
        # The functions of CS50 AI's project: minimax(board) returns the action.
        SubmissionStyle(
            "cs50",
            "CS50 AI's tictactoe",
            {"minimax": ("minimax",), "alphabeta": ("minimax", *ALPHABETA_NAMES), "player": ("minimax",)},
            has_pairs=True,
            rules=BOARD_RULES,
            unseen=UNRECORDED | {"value"},
            has_values=False,
            refuses_illegal=True,
            is_3x3_only=True,
        ),
        # Searches called as alpha_beta_search(state, game), which return the action; perhaps with a Game class.
        SubmissionStyle(
            "aima",
            "AIMA's Game class",
            {
                "minimax": ("minmax_decision", "minimax_decision", "minmax", "minimax", "minimax_search"),
                "alphabeta": ("alpha_beta_search", *ALPHABETA_NAMES, *CUTOFF_NAMES),
                "mcts": ("monte_carlo_tree_search", "mcts"),
            },
            has_pairs=True,
            first=1,
            rules=("to_move", "actions", "result", "terminal_test", "utility"),
            unseen=UNRECORDED | {"value"},
            has_values=False,
            arguments=2,
        ),
        # Programs with boards, moves and names of their own, which are found by trying them.
        SubmissionStyle(
            "own",
            "a program with boards and names of its own",
            {"minimax": (), "alphabeta": (), "player": ()},
            unseen=UNRECORDED | {"value"},
            has_values=False,
            is_3x3_only=True,
        ),
        # Functions of a noughts position.
        SubmissionStyle("noughts", "noughts", dict.fromkeys(TASKS, ()), has_our_positions=True),
    )
}
"""The styles by their id, in the order in which they are tried."""


def usual_names(task: str) -> set[str]:
    """Return the names that the function of a task has in any style."""
    return {*TASKS[task].functions, *(name for style in STYLES.values() for name in style.functions.get(task, ()))}
