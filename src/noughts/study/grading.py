"""Grading a search of one's own: which property fails, and on which position.

>>> from noughts.study import grade
>>> from noughts.textbook import alphabeta
>>> print(grade(alphabeta).passed)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from noughts.games import Game, Position, Side
from noughts.study.trace import format_value
from noughts.study.tree_count import count_nodes
from noughts.textbook import alphabeta
from noughts.textbook.common import plies_to_search

PROPERTIES = {
    "runs": "it returns a value and a move, and raises nothing",
    "undo": "it leaves the position as it was",
    "value": "its value is that of minimax",
    "cuts": "what it prunes does not change the value",
    "move": "its move is one of the best",
    "nodes": "it visits few enough nodes",
}
"""What is checked, in this order, and what each means."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One property that fails on one position."""

    property: str
    position: str
    message: str


@dataclass(slots=True)
class Grade:
    """The outcome of grading. Printing it says everything."""

    name: str
    game: str
    positions: int
    failures: dict[str, list[Failure]] = field(default_factory=dict)
    checked: set[str] = field(default_factory=set)

    @property
    def passed(self) -> bool:
        """Whether every property holds on every position."""
        return not self.failures

    def __str__(self) -> str:
        held = len(self.checked - set(self.failures))
        title = f"{self.name}: {held} of {len(PROPERTIES)} properties hold on {self.positions} positions of {self.game}"
        return "\n".join([title, *(line for name in PROPERTIES for line in self._lines(name))])

    def _lines(self, name: str) -> list[str]:
        found = self.failures.get(name, [])
        if not found:
            sign, doubt = ("✓", "") if name in self.checked else ("·", " (could not be checked)")
            return [f"  {sign} {name}: {PROPERTIES[name]}{doubt}"]
        lines = [f"  ✗ {name}: {PROPERTIES[name]}", f"      {found[0].position}   {found[0].message}"]
        return lines + ([f"      and on {len(found) - 1:,} more"] if len(found) > 1 else [])

    __repr__ = __str__


def grade(search: Callable[[Any], Any], game: str = "3x3", prunes: bool = True) -> Grade:
    """Return how a search does on every unfinished position of a small game, one of each symmetric kind.

    The search is called with a position and must return a ``Result``, or a tuple that begins with the value (from X's
    side) and the move. It may play and undo on the position or make new ones with ``after``; visited nodes are
    counted by watching it do so. With ``prunes=False`` it may visit as many as plain minimax; otherwise, on all
    positions together, twice as many as alpha-beta, row by row, that opens a new window for each first move. A search
    that visits five times as many on one position is stopped, and so is the grading. Small positions come first,
    so the one reported is about as simple as the mistake allows.
    """
    rules = Game(game)
    # Without pruning, the empty board alone would take longer than all other positions together.
    texts = [text for text in unfinished_positions(rules) if prunes or text != rules.start().text]
    outcome = Grade(getattr(search, "__name__", "search"), rules.id, len(texts))
    visited: dict[str, int] = {}
    for text in texts:
        check = _Check(search, rules.parse(text), 5 * nodes_allowed(rules, text, prunes) + 100)
        failure = check.run()
        visited[text] = check.nodes
        reached = list(PROPERTIES).index(failure.property if failure else "move")
        outcome.checked |= set(list(PROPERTIES)[: reached + 1])
        if failure is not None:
            outcome.failures.setdefault(failure.property, []).append(failure)
        if failure is not None and failure.property == "nodes":
            return outcome
    if outcome.checked > {"runs", "undo"}:
        _check_nodes(outcome, rules, visited, prunes)
    return outcome


def _check_nodes(outcome: Grade, game: Game, visited: dict[str, int], prunes: bool) -> None:
    outcome.checked.add("nodes")
    allowed = {text: nodes_allowed(game, text, prunes) for text in visited}
    total, most = sum(visited.values()), sum(allowed.values())
    if total > most:
        worst = max(visited, key=lambda text: visited[text] / allowed[text])
        message = f"{visited[worst]:,} nodes here, {total:,} in all, expected at most {most:,}"
        outcome.failures.setdefault("nodes", []).append(Failure("nodes", worst, message))


@lru_cache(maxsize=100_000)
def nodes_allowed(game: Game, text: str, prunes: bool) -> int:
    """Return how many nodes a search may visit on a position."""
    position = game.parse(text)
    if not prunes:
        return count_nodes(position, _count_empty(position))
    return 2 * (1 + sum(alphabeta(position.after(move)).nodes for move in position.legal_moves))


@lru_cache(maxsize=8)
def unfinished_positions(game: Game) -> list[str]:
    """Return every position where play goes on, one of each symmetric kind, the fullest boards first."""
    seen: dict[int, str] = {}
    _collect(game.start(), seen)
    texts = list(seen.values())
    if len(texts) > 20_000:
        raise ValueError(f"expected a game of at most 20,000 positions to grade on, got {game.id}")
    return sorted(texts, key=lambda text: _count_empty(game.parse(text)))


def _collect(position: Position, seen: dict[int, str]) -> None:
    if position.is_over or position.canonical_hash in seen or len(seen) > 20_000:
        return
    seen[position.canonical_hash] = position.text
    for move in position.legal_moves:
        position.play(move)
        _collect(position, seen)
        position.undo()


def _count_empty(position: Position) -> int:
    return plies_to_search(position, None)


class _Check:
    """One search on one position."""

    def __init__(self, search: Callable[[Any], Any], position: Position, most_nodes: int) -> None:
        self.search, self.position, self.text = search, position, position.text
        self.count = _Count(most_nodes)

    @property
    def nodes(self) -> int:
        return self.count.nodes

    def run(self) -> Failure | None:
        """Return the first property that fails."""
        watched = Watched(self.position, self.count)
        try:
            answer = self.search(watched)
        except _TooManyNodes:
            return self._failure("nodes", f"stopped after {self.nodes:,} nodes, five times as many as expected")
        except Exception as error:  # whatever a student's search raises is a finding, not our failure
            return self._failure_of(error)
        if self.position.text != self.text:
            return self._failure("undo", self._moves_left())
        found = _unpack(answer)
        if found is None:
            return self._failure("runs", f"expected a Result or (value, move), got {answer!r}")
        return self._check_value(watched.tree, found[0]) or self._check_move(found[1])

    def _failure(self, name: str, message: str) -> Failure:
        return Failure(name, self.text, message)

    def _failure_of(self, error: Exception) -> Failure:
        message = f"{type(error).__name__}: {error}"
        if self.position.text != self.text:
            return self._failure("undo", f"{self._moves_left()}, then {message}")
        return self._failure("runs", message)

    def _moves_left(self) -> str:
        moves = ", ".join(self.position.format_move(move) for move in self.position.moves)
        return f"left on the board: {moves}"

    def _check_value(self, tree: Visited, value: Any) -> Failure | None:
        exact = exact_value(self.position)
        if value == exact:
            return None
        wrong = f"expected {format_value(exact)}, got {value}"
        reason = _explain_cuts(self.position, tree)
        return self._failure("cuts", f"{wrong}: {reason}") if reason else self._failure("value", wrong)

    def _check_move(self, move: Any) -> Failure | None:
        position, exact = self.position, exact_value(self.position)
        best = [m for m in position.legal_moves if exact_value(position.after(m)) == exact]
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


def exact_value(position: Position) -> int:
    """Return the value of a position of a small game: plain minimax that remembers."""
    return _exact(position, _values(position.game))


@lru_cache(maxsize=8)
def _values(game: Game) -> dict[int, int]:
    return {}


def _exact(position: Position, known: dict[int, int]) -> int:
    if position.is_over:
        return {Side.X: 1, Side.O: -1, None: 0}[position.winner]
    key = position.hash
    if key not in known:
        values = []
        for move in position.legal_moves:
            position.play(move)
            values.append(_exact(position, known))
            position.undo()
        known[key] = _best(position, values)
    return known[key]


def _best(position: Position, values: Iterable[int]) -> int:
    return max(values) if position.turn is Side.X else min(values)


class _TooManyNodes(Exception):
    pass


class _Count:
    """Counts nodes over all copies of a watched position and stops a search that visits too many."""

    def __init__(self, limit: int) -> None:
        self.limit, self.nodes = limit, 1

    def add(self) -> None:
        self.nodes += 1
        if self.nodes > self.limit:
            raise _TooManyNodes


class Visited:
    """A node of the tree a search visited: which moves it tried, and what it visited after each."""

    __slots__ = ("tried",)

    def __init__(self) -> None:
        self.tried: dict[int, Visited] = {}

    def step(self, move: int) -> Visited:
        """Return the node after a move, which is new the first time."""
        return self.tried.setdefault(move, Visited())


class Watched:
    """Behaves like the position it stands for and notes every move a search tries."""

    def __init__(self, position: Position, count: _Count, tree: Visited | None = None) -> None:
        self._position, self._count = position, count
        self.tree = tree or Visited()
        self._path = [self.tree]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._position, name)

    # Asked at every node: spelled out, because __getattr__ is three times as slow.

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
        """Play a move and note it."""
        self._position.play(move)
        self._count.add()
        self._path.append(self._path[-1].step(move if isinstance(move, int) else self._position.moves[-1]))

    def undo(self) -> None:
        """Take back a move."""
        self._position.undo()
        self._path.pop()

    def copy(self) -> Watched:
        """Return a copy that is watched too."""
        return Watched(self._position.copy(), self._count, self._path[-1])

    def after(self, move: int | str) -> Watched:
        """Return the position after a move, watched too."""
        following = self.copy()
        following.play(move)
        following.tree = following._path[-1]
        return following


def _explain_cuts(position: Position, tree: Visited) -> str:
    """Return which cut made the value wrong, or "" when the visited tree alone would give the right one."""
    if _value_of_visited(position, tree) == exact_value(position):
        return ""
    path: list[str] = []
    while (move := _child_to_blame(position, tree)) is not None:
        path.append(position.format_move(move))
        position, tree = position.after(move), tree.tried[move]
    exact = exact_value(position)
    missed = [
        position.format_move(move)
        for move in position.legal_moves
        if move not in tree.tried and exact_value(position.after(move)) == exact
    ]
    where = f"after {', '.join(path)} " if path else ""
    return f"{where}{' and '.join(missed)} was pruned, worth {format_value(exact)}"


def _value_of_visited(position: Position, tree: Visited) -> int:
    """Return the minimax value of what was visited; a node with nothing below it counts at its exact value."""
    if position.is_over or not tree.tried:
        return exact_value(position)
    values = []
    for move, child in tree.tried.items():
        position.play(move)
        values.append(_value_of_visited(position, child))
        position.undo()
    return _best(position, values)


def _child_to_blame(position: Position, tree: Visited) -> int | None:
    """Return the tried move below which a cut went wrong, or None when one did here."""
    exact = exact_value(position)
    for move, child in tree.tried.items():
        following = position.after(move)
        below = _value_of_visited(following, child)
        tempting = below > exact if position.turn is Side.X else below < exact
        if tempting or (exact_value(following) == exact and below != exact):
            return move
    return None
