"""Grading a search: which property fails, and on which position.

>>> from noughts.study import grade
>>> from noughts.textbook import alphabeta
>>> print(grade(alphabeta).passed)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from noughts.games import Game, Position, Side
from noughts.study.trace import format_value
from noughts.study.tree_count import count_nodes
from noughts.textbook import Evaluate, alphabeta, evaluate_lines, evaluate_outcome
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

MOST_POSITIONS = 20_000
SAMPLE = 60
"""With a depth, a search is tried on this many positions of random playthroughs."""
FROM_THE_SIDE_TO_MOVE = "every value is right for the side to move: return it from X's side instead, +1 when X wins"
WITH_THE_WRONG_SIGN = "every value has the wrong sign: +1 means that X wins, -1 that O does"

Progress = Callable[[str], object]
"""Called with the position string of each position before the search is tried on it."""


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
    depth: int | None = None
    advice: str = ""
    """The one mistake that explains all wrong values, where there is one; else empty."""

    @property
    def passed(self) -> bool:
        """Whether every property holds on every position."""
        return not self.failures

    def __str__(self) -> str:
        held = len(self.checked - set(self.failures))
        title = f"{self.name}: {held} of {len(PROPERTIES)} properties hold on {self.positions} positions of {self.game}"
        lines = [title + ("" if self.depth is None else f" at depth {self.depth}")]
        lines += [line for name in PROPERTIES for line in self._lines(name)]
        return "\n".join([*lines, *([f"  {self.advice}"] if self.advice else [])])

    def to_data(self) -> dict[str, Any]:
        """Return the grade as plain data, for JSON."""
        return {
            "name": self.name,
            "game": self.game,
            "depth": self.depth,
            "positions": self.positions,
            "passed": self.passed,
            "properties": {name: self._state(name) for name in PROPERTIES},
            "failures": [
                {"property": name, "count": len(found), "position": found[0].position, "message": found[0].message}
                for name, found in self.failures.items()
            ],
            "advice": self.advice,
        }

    def _state(self, name: str) -> str:
        return "fails" if name in self.failures else "holds" if name in self.checked else "unchecked"

    def _lines(self, name: str) -> list[str]:
        found = self.failures.get(name, [])
        if not found:
            sign, doubt = ("✓", "") if name in self.checked else ("·", " (could not be checked)")
            return [f"  {sign} {name}: {PROPERTIES[name]}{doubt}"]
        lines = [f"  ✗ {name}: {PROPERTIES[name]}", f"      {found[0].position}   {found[0].message}"]
        return lines + ([f"      and on {len(found) - 1:,} more"] if len(found) > 1 else [])

    __repr__ = __str__


def grade(
    search: Callable[..., Any],
    game: str = "3x3",
    prunes: bool = True,
    seconds: float | None = None,
    depth: int | None = None,
    evaluate: Evaluate | None = None,
) -> Grade:
    """Return how a search does on every unfinished position of a small game, one of each symmetric kind.

    The search is called with a position and must return a ``Result``, or a tuple that begins with the value (from X's
    side) and the move. It may play and undo on the position or make new ones with ``after``; visited nodes are
    counted by watching it do so. With ``prunes=False`` it may visit as many as plain minimax; otherwise, on all
    positions together, twice as many as alpha-beta, row by row, that opens a new window for each first move. A search
    that visits five times as many on one position is stopped, and so is the grading. Small positions come first,
    so the one reported is about as simple as the mistake allows.

    With a ``depth`` the search is also called with ``depth=``, must use ``evaluate`` (``evaluate_lines`` unless given)
    at that depth, and is tried on 60 positions of random playthroughs, so any game can be used.

    With ``seconds`` all of this happens in a process of its own, which is ended after that time; a search that is
    then still running fails. Without, a search that loops without touching the position is waited for.
    """
    if depth is not None and depth < 1:
        raise ValueError(f"expected a depth of 1 or more, got {depth}")
    if depth is None and evaluate is not None:
        raise ValueError("expected a depth with an evaluation: without a depth only the outcome counts")
    task = Task(search, Game(game).id, prunes, depth, evaluate)
    if seconds is None:
        return task.run()
    from noughts.study.grading_process import run_within

    return run_within(task, seconds)


@dataclass(frozen=True)
class Task:
    """A search to be graded, and how."""

    search: Callable[..., Any]
    game: str
    prunes: bool = True
    depth: int | None = None
    evaluate: Evaluate | None = None

    @property
    def name(self) -> str:
        """What the search is called."""
        return str(getattr(self.search, "__name__", "search"))

    @property
    def judge(self) -> Judge:
        """The judge of the values the search must find."""
        default = evaluate_outcome if self.depth is None else evaluate_lines
        return judge_of(Game(self.game), self.depth, self.evaluate or default)

    def texts(self) -> list[str]:
        """Return the positions to try the search on."""
        rules = Game(self.game)
        if self.depth is not None:
            return sample_positions(rules)
        # Without pruning, the empty board alone would take longer than all other positions together.
        return [text for text in unfinished_positions(rules) if self.prunes or text != rules.start().text]

    def run(self, progress: Progress | None = None) -> Grade:
        """Try the search on every position and return the outcome."""
        judge, texts = self.judge, self.texts()
        outcome = Grade(self.name, self.game, len(texts), depth=self.depth)
        visited: dict[str, int] = {}
        signs = _Signs()
        for text in texts:
            if progress is not None:
                progress(text)
            check = _Check(self, judge, text)
            failure = check.run()
            visited[text] = check.nodes
            signs.add(check)
            reached = list(PROPERTIES).index(failure.property if failure else "move")
            outcome.checked |= set(list(PROPERTIES)[: reached + 1])
            if failure is not None:
                outcome.failures.setdefault(failure.property, []).append(failure)
            if failure is not None and failure.property == "nodes":
                return outcome
        outcome.advice = signs.advice
        if outcome.checked > {"runs", "undo"}:
            _check_nodes(outcome, judge, visited, self.prunes)
        return outcome


class _Signs:
    """Tells values of the wrong sign from other wrong values."""

    def __init__(self) -> None:
        self._negated: set[Side | None] = set()
        self._right: set[Side | None] = set()
        self._is_other = False

    def add(self, check: _Check) -> None:
        """Note what the search said about a position, where it is worth something to one side."""
        if check.value is None or not (exact := check.judge.value(check.position)):
            return
        turn = check.position.turn
        if check.value == exact:
            self._right.add(turn)
        elif check.value == -exact:
            self._negated.add(turn)
        else:
            self._is_other = True

    @property
    def advice(self) -> str:
        """What to change, where one mistake explains every wrong value."""
        if self._is_other or self._negated & self._right:
            return ""
        return {(Side.O,): FROM_THE_SIDE_TO_MOVE, (Side.O, Side.X): WITH_THE_WRONG_SIGN}.get(
            tuple(sorted(side for side in self._negated if side is not None)), ""
        )


def _check_nodes(outcome: Grade, judge: Judge, visited: dict[str, int], prunes: bool) -> None:
    outcome.checked.add("nodes")
    allowed = {text: judge.nodes_allowed(text, prunes) for text in visited}
    total, most = sum(visited.values()), sum(allowed.values())
    if total > most:
        worst = max(visited, key=lambda text: visited[text] / allowed[text])
        message = f"{visited[worst]:,} nodes here, {total:,} in all, expected at most {most:,}"
        outcome.failures.setdefault("nodes", []).append(Failure("nodes", worst, message))


class Judge:
    """The exact values of positions: plain minimax with a memory, to the end or to a depth."""

    def __init__(self, game: Game, depth: int | None, evaluate: Evaluate) -> None:
        self._game, self._depth, self._evaluate = game, depth, evaluate
        self._values: dict[tuple[int, int], int] = {}
        self._nodes: dict[tuple[str, bool], int] = {}

    def value(self, position: Position, ply: int = 0) -> int:
        """Return the value, from X's side, of a position that a search meets ``ply`` plies below where it began."""
        left = -1 if self._depth is None else self._depth - ply
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
        """Return how many nodes a search may visit on a position."""
        if (text, prunes) not in self._nodes:
            self._nodes[text, prunes] = self._count_allowed(self._game.parse(text), prunes)
        return self._nodes[text, prunes]

    def _count_allowed(self, position: Position, prunes: bool) -> int:
        if not prunes:
            return count_nodes(position, plies_to_search(position, self._depth))
        left = None if self._depth is None else self._depth - 1
        following = (position.after(move) for move in position.legal_moves)
        return 2 * (1 + sum(alphabeta(after, depth=left, evaluate=self._evaluate).nodes for after in following))


@lru_cache(maxsize=8)
def judge_of(game: Game, depth: int | None, evaluate: Evaluate) -> Judge:
    """Return the judge of a game, which remembers from one grading to the next."""
    return Judge(game, depth, evaluate)


@lru_cache(maxsize=8)
def unfinished_positions(game: Game) -> list[str]:
    """Return every unfinished position, one of each symmetric kind, the fullest boards first."""
    seen: dict[int, str] = {}
    _collect(game.start(), seen)
    if len(seen) > MOST_POSITIONS:
        most = f"{MOST_POSITIONS:,}"
        raise ValueError(f"expected a game of at most {most} positions to grade on without a depth, got {game.id}")
    return _fullest_first(game, seen.values())


@lru_cache(maxsize=8)
def sample_positions(game: Game) -> list[str]:
    """Return some unfinished positions of random playthroughs, always the same, the fullest boards first."""
    random, seen = Random(1), dict[int, str]()
    for _ in range(SAMPLE * 10):
        position = game.start()
        for _ in range(random.randrange(game.cells)):
            if not position.is_over:
                position.play(random.choice(position.legal_moves))
        if not position.is_over and len(seen) < SAMPLE:
            seen[position.canonical_hash] = position.text
    return _fullest_first(game, seen.values())


def _fullest_first(game: Game, texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: _count_empty(game.parse(text)))


def _collect(position: Position, seen: dict[int, str]) -> None:
    if position.is_over or position.canonical_hash in seen or len(seen) > MOST_POSITIONS:
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

    def __init__(self, task: Task, judge: Judge, text: str) -> None:
        self.judge, self.text, self.position = judge, text, Game(task.game).parse(text)
        self.value: Any = None
        self._search = task.search
        self._options = {} if task.depth is None else {"depth": task.depth}
        self._count = _Count(5 * judge.nodes_allowed(text, task.prunes) + 100)

    @property
    def nodes(self) -> int:
        return self._count.nodes

    def run(self) -> Failure | None:
        """Return the first property that fails."""
        watched = Watched(self.position, self._count)
        try:
            answer = self._search(watched, **self._options)
        except _TooManyNodes:
            return self._failure("nodes", f"stopped after {self.nodes:,} nodes, five times as many as expected")
        except (Exception, SystemExit) as error:  # anything a student's search raises is a finding, not our failure
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

    def _check_value(self, tree: Visited, value: Any) -> Failure | None:
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


def _explain_cuts(judge: Judge, position: Position, tree: Visited) -> str:
    """Return which cut made the value wrong, or "" when the visited tree alone would give the right one."""
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


def _value_of_visited(judge: Judge, position: Position, tree: Visited, ply: int = 0) -> int:
    """Return the minimax value of what was visited; a node with nothing below it counts at its exact value."""
    if position.is_over or not tree.tried:
        return judge.value(position, ply)
    values = []
    for move, child in tree.tried.items():
        position.play(move)
        values.append(_value_of_visited(judge, position, child, ply + 1))
        position.undo()
    return _best(position, values)


def _child_to_blame(judge: Judge, position: Position, tree: Visited, ply: int) -> int | None:
    """Return the tried move below which a cut went wrong, or None when one did here."""
    exact = judge.value(position, ply)
    for move, child in tree.tried.items():
        following = position.after(move)
        below = _value_of_visited(judge, following, child, ply + 1)
        tempting = below > exact if position.turn is Side.X else below < exact
        if tempting or (judge.value(following, ply + 1) == exact and below != exact):
            return move
    return None
