"""Checks a search on one position: records its moves and compares its value with plain minimax."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from noughts.games import Game, Position, Side
from noughts.study.tree import format_value
from noughts.study.tree.search_tree import count_nodes
from noughts.textbook import Evaluate, alphabeta
from noughts.textbook.common import plies_to_search

__all__ = ["Failure", "Judge", "SearchCheck"]


@dataclass(frozen=True, slots=True)
class Failure:
    """One property that fails on one position."""

    property: str
    position: str
    message: str


class Judge:
    """The exact values of positions: plain minimax with memoization, to the end or to a depth."""

    def __init__(self, game: Game, depth: int | None, evaluate: Evaluate) -> None:
        self.game, self.depth, self._evaluate = game, depth, evaluate
        self._values: dict[tuple[int, int], int] = {}
        self._nodes: dict[tuple[str, bool], int] = {}

    def value(self, position: Position, ply: int = 0) -> int:
        """Return the value, from X's side, of a position ``ply`` plies below the root of a search."""
        left = -1 if self.depth is None else self.depth - ply
        if position.is_over or left == 0:
            return self._evaluate(position)
        key = position.hash, left
        if key not in self._values:
            values = []
            for move in position.legal_moves:
                position.play(move)
                values.append(self.value(position, ply + 1))
                position.undo()
            self._values[key] = _best(position, values)
        return self._values[key]

    def nodes_allowed(self, text: str, prunes: bool) -> int:
        """Return the number of nodes that a search may visit on a position."""
        if (text, prunes) not in self._nodes:
            self._nodes[text, prunes] = self._count_allowed(self.game.parse(text), prunes)
        return self._nodes[text, prunes]

    def _count_allowed(self, position: Position, prunes: bool) -> int:
        if not prunes:
            return count_nodes(position, plies_to_search(position, self.depth))
        left = None if self.depth is None else self.depth - 1
        following = (position.after(move) for move in position.legal_moves)
        return 2 * (1 + sum(alphabeta(after, depth=left, evaluate=self._evaluate).nodes for after in following))


class SearchCheck:
    """The check of one search on one position."""

    def __init__(self, search: Callable[..., Any], judge: Judge, text: str, prunes: bool) -> None:
        self.judge, self.text, self.position = judge, text, judge.game.parse(text)
        self.value: Any = None
        self._search = search
        self._options = {} if judge.depth is None else {"depth": judge.depth}
        self._count = _NodeCount(5 * judge.nodes_allowed(text, prunes) + 100)

    @property
    def nodes(self) -> int:
        return self._count.nodes

    def run(self) -> Failure | None:
        """Return the first property that fails."""
        watched = WatchedPosition(self.position, self._count)
        try:
            answer = self._search(watched, **self._options)
        except _TooManyNodes:
            return self._failure("nodes", f"stopped after {self.nodes:,} nodes, five times as many as expected")
        except (Exception, SystemExit) as error:  # an exception in the graded search is a finding, not an error
            return self._failure_of(error)
        if self.position.text != self.text:
            return self._failure("undo", self._moves_left())
        found = _unpack(answer)
        if found is None:
            return self._failure("runs", f"expected a Result or (value, move), got {answer!r}")
        self.value = found[0]
        return self._check_value(watched.tree, found[0]) or self._check_move(found[1])

    def _failure(self, name: str, message: str) -> Failure:
        return Failure(name, self.text, message)

    def _failure_of(self, error: BaseException) -> Failure:
        message = f"{type(error).__name__}: {error}"
        if self.position.text != self.text:
            return self._failure("undo", f"{self._moves_left()}, then {message}")
        return self._failure("runs", message)

    def _moves_left(self) -> str:
        moves = ", ".join(self.position.format_move(move) for move in self.position.moves)
        return f"left on the board: {moves}"

    def _check_value(self, tree: VisitedNode, value: Any) -> Failure | None:
        exact = self.judge.value(self.position)
        if value == exact:
            return None
        shown = value if isinstance(value, int | float) else repr(value)
        wrong = f"expected {format_value(exact)}, got {shown}"
        reason = _explain_cuts(self.judge, self.position, tree)
        return self._failure("cuts", f"{wrong}: {reason}") if reason else self._failure("value", wrong)

    def _check_move(self, move: Any) -> Failure | None:
        position, exact = self.position, self.judge.value(self.position)
        best = [m for m in position.legal_moves if self.judge.value(position.after(m), 1) == exact]
        if not hasattr(move, "__index__"):
            example = f"such as {best[0]} for {position.format_move(best[0])}"
            return self._failure("move", f"expected the move as an integer, {example}, got {move!r}")
        if move in best:
            return None
        names = " or ".join(position.format_move(m) for m in best)
        shown = position.format_move(move) if move in position.legal_moves else repr(move)
        return self._failure("move", f"expected {names}, got {shown}")


def _unpack(answer: Any) -> tuple[Any, Any] | None:
    if hasattr(answer, "value") and hasattr(answer, "move"):
        return answer.value, answer.move
    if isinstance(answer, tuple | list) and len(answer) >= 2:
        return answer[0], answer[1]
    return None


def _best(position: Position, values: Iterable[int]) -> int:
    return max(values) if position.turn is Side.X else min(values)


class _TooManyNodes(Exception):
    pass


class _NodeCount:
    """Counts nodes over all copies of a watched position and stops a search that visits too many."""

    def __init__(self, limit: int) -> None:
        self.limit, self.nodes = limit, 1

    def add(self) -> None:
        self.nodes += 1
        if self.nodes > self.limit:
            raise _TooManyNodes


class VisitedNode:
    """A node of the tree that a search visited: the moves it tried, each with the node after it."""

    __slots__ = ("tried",)

    def __init__(self) -> None:
        self.tried: dict[int, VisitedNode] = {}

    def step(self, move: int) -> VisitedNode:
        """Return the node after a move, which is new the first time."""
        return self.tried.setdefault(move, VisitedNode())


class WatchedPosition:
    """Wraps a position and records every move that a search tries on it."""

    def __init__(self, position: Position, count: _NodeCount, tree: VisitedNode | None = None) -> None:
        self._position, self._count = position, count
        self.tree = tree or VisitedNode()
        self._path = [self.tree]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._position, name)

    # Used at every node: written out, because __getattr__ is three times as slow.

    @property
    def is_over(self) -> bool:
        """Whether play is over."""
        return self._position.is_over

    @property
    def turn(self) -> Side | None:
        """The side to move."""
        return self._position.turn

    @property
    def legal_moves(self) -> list[int]:
        """The legal moves."""
        return self._position.legal_moves

    def __str__(self) -> str:
        return str(self._position)

    def play(self, move: int | str) -> None:
        """Play a move and record it."""
        self._position.play(move)
        self._count.add()
        self._path.append(self._path[-1].step(move if isinstance(move, int) else self._position.moves[-1]))

    def undo(self) -> None:
        """Take back a move."""
        self._position.undo()
        self._path.pop()

    def copy(self) -> WatchedPosition:
        """Return a copy that is watched too."""
        return WatchedPosition(self._position.copy(), self._count, self._path[-1])

    def after(self, move: int | str) -> WatchedPosition:
        """Return the position after a move, watched too."""
        following = self.copy()
        following.play(move)
        following.tree = following._path[-1]
        return following


def _explain_cuts(judge: Judge, position: Position, tree: VisitedNode) -> str:
    """Describe the cut that made the value wrong; returns "" if the visited tree has the right value."""
    if _value_of_visited(judge, position, tree) == judge.value(position):
        return ""
    path: list[str] = []
    while (move := _child_to_blame(judge, position, tree, len(path))) is not None:
        path.append(position.format_move(move))
        position, tree = position.after(move), tree.tried[move]
    exact = judge.value(position, len(path))
    missed = [
        position.format_move(move)
        for move in position.legal_moves
        if move not in tree.tried and judge.value(position.after(move), len(path) + 1) == exact
    ]
    where = f"after {', '.join(path)} " if path else ""
    return f"{where}{' and '.join(missed)} was pruned, worth {format_value(exact)}"


def _value_of_visited(judge: Judge, position: Position, tree: VisitedNode, ply: int = 0) -> int:
    """Return the minimax value of the visited tree; a node with nothing below it has its exact value."""
    if position.is_over or not tree.tried:
        return judge.value(position, ply)
    values = []
    for move, child in tree.tried.items():
        position.play(move)
        values.append(_value_of_visited(judge, position, child, ply + 1))
        position.undo()
    return _best(position, values)


def _child_to_blame(judge: Judge, position: Position, tree: VisitedNode, ply: int) -> int | None:
    """Return the tried move below which a cut is wrong, or None if it is wrong at this node."""
    exact = judge.value(position, ply)
    for move, child in tree.tried.items():
        following = position.after(move)
        below = _value_of_visited(judge, following, child, ply + 1)
        tempting = below > exact if position.turn is Side.X else below < exact
        if tempting or (judge.value(following, ply + 1) == exact and below != exact):
            return move
    return None
