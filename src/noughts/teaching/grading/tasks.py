"""The tasks that can be graded, as data: their properties with points, and the names of the functions to grade."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

__all__ = ["RULES", "TASKS", "Assignment", "Property", "default_task", "find_task", "parse_points", "with_points"]

MAX_DIGITS = 6


class Property(NamedTuple):
    """A property that a submission must have, and the points it is worth."""

    id: str
    description: str
    points: int = 1


class Assignment(NamedTuple):
    """A task: its properties in the order in which they are checked."""

    id: str
    title: str
    properties: tuple[Property, ...]
    functions: tuple[str, ...]
    """The names under which the function is looked for in a file, the preferred one first."""
    game: str = "3x3"
    """The game it is graded on unless another is given."""
    depth: int | None = None
    """The depth at which it is graded unless another is given."""


RUNS = Property("runs", "it returns a value and a move, and raises nothing")
UNDO = Property("undo", "it leaves the position as it was")
LEGAL = Property("legal", "its move is legal", 2)
SEARCH = (
    RUNS,
    UNDO,
    Property("value", "its value is that of minimax", 3),
    Property("cuts", "what it prunes does not change the value", 2),
    Property("move", "its move is one of the best", 2),
    Property("nodes", "it visits few enough nodes"),
)

RULES = {
    "player": Property("player", "player says whose turn it is"),
    "to_move": Property("to_move", "to_move says whose turn it is"),
    "actions": Property("actions", "actions are the empty cells"),
    "result": Property(
        "result", "result makes the move on a new board, leaves its argument as it was and refuses illegal moves", 2
    ),
    "winner": Property("winner", "winner is the side with a line, or None"),
    "terminal": Property("terminal", "terminal says whether play is over"),
    "terminal_test": Property("terminal_test", "terminal_test says whether play is over"),
    "utility": Property("utility", "utility is +1 if X has won, −1 if O has won, otherwise 0"),
}
"""The functions of a submission that brings the rules of the game with it; each is a property."""

TASKS = {
    task.id: task
    for task in (
        Assignment("minimax", "Minimax", SEARCH, ("minimax", "search", "minimax_decision", "minmax_decision")),
        Assignment(
            "alphabeta",
            "Alpha-beta pruning",
            SEARCH,
            ("alphabeta", "alpha_beta", "search", "alphabeta_search", "alpha_beta_search", "minimax_ab", "minimax"),
        ),
        Assignment(
            "ordering",
            "Move ordering",
            (
                Property("runs", "it returns a list of moves, and raises nothing"),
                UNDO,
                Property("moves", "it returns every legal move exactly once", 3),
                Property("same", "it returns the same order when asked again"),
                Property("saves", "alpha-beta visits fewer nodes with it than row by row", 2),
            ),
            ("order", "order_moves", "ordering"),
        ),
        Assignment(
            "heuristic",
            "Heuristic evaluation",
            (
                Property("runs", "it returns a number, and raises nothing"),
                UNDO,
                Property("wins", "a win of X is worth more than 0, a win of O less, a draw 0", 2),
                Property("opposite", "exchanging X and O changes the sign", 2),
                Property("bounded", "no unfinished position is worth as much as a win", 2),
                Property(
                    "sense",
                    "with either side to move, X's won positions are worth more on average than O's",
                    2,
                ),
            ),
            ("evaluate", "heuristic", "evaluation", "eval_fn"),
        ),
        Assignment(
            "depth-limited",
            "Depth-limited search",
            SEARCH,
            ("search", "depth_limited", "limited", "alphabeta", "minimax"),
            game="4x4:3",
            depth=2,
        ),
        Assignment(
            "mcts",
            "Monte-Carlo tree search",
            (
                Property("runs", "it returns a move, and raises nothing"),
                UNDO,
                LEGAL,
                Property("explores", "it tries every move again and again"),
                Property("replies", "at the opponent's nodes it prefers the opponent's best replies", 2),
                Property("visits", "it plays the move that it visited most"),
                Property("wins", "it does not miss a win at once", 2),
                Property("blocks", "it stops the opponent from completing a line", 2),
                Property("strength", "it plays a best move on nine positions out of ten", 2),
            ),
            ("mcts", "uct", "monte_carlo_tree_search", "search"),
        ),
        Assignment(
            "player",
            "A player",
            (
                Property("runs", "it returns a move, and raises nothing"),
                UNDO,
                LEGAL,
                Property("wins", "it completes a line if it can", 2),
                Property("blocks", "it stops the opponent from completing a line", 2),
                Property("unbeaten", "it never loses, neither as X nor as O", 3),
            ),
            ("choose", "player", "play", "best_move", "minimax", "search"),
        ),
    )
}
"""The tasks by their id."""


def find_task(id: str) -> Assignment:
    """Return the task with an id; raises ValueError if there is none."""
    if id not in TASKS:
        raise ValueError(f"expected a task, one of {', '.join(TASKS)}, got {id!r}")
    return TASKS[id]


def default_task(has_values: bool) -> Assignment:
    """Return the task of a search for which none is given, by whether searches of its style return values."""
    return TASKS["alphabeta" if has_values else "minimax"]


def parse_points(text: str, task: str | None = None) -> dict[str, int]:
    """Return the points of properties from a text such as "winner=2,nodes=3"; raises ValueError.

    >>> parse_points("winner=2, nodes=0")
    {'winner': 2, 'nodes': 0}
    """
    tasks = [find_task(task)] if task else list(TASKS.values())
    known = [*RULES, *dict.fromkeys(each.id for one in tasks for each in one.properties)]
    points = {}
    for part in text.split(","):
        id, _, number = (word.strip() for word in part.partition("="))
        if not number.isascii() or not number.isdigit() or len(number) > MAX_DIGITS:
            raise ValueError(f"expected points such as winner=2,nodes=3, in whole numbers, got {part.strip()!r}")
        if id not in known:
            raise ValueError(f"expected a property, one of {', '.join(known)}, got {id!r}")
        points[id] = int(number)
    return points


def with_points(properties: Iterable[Property], points: Mapping[str, int]) -> tuple[Property, ...]:
    """Return properties with the points that are given for some of them."""
    return tuple(each._replace(points=points.get(each.id, each.points)) for each in properties)
