"""Opponents of every strength: five levels, every rating between them, and the engine at full strength.

A player below the engine has a skill: how far it looks ahead, and how often it makes a mistake. Depth alone makes
little difference on some boards, so each level has its rate of mistakes. Between two levels a player has the
skill of the stronger one for some of its moves; how many follows from the ratings measured for each game.
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from noughts import _core
from noughts.engine.engine import Engine
from noughts.engine.ratings import ratings_of
from noughts.engine.results import SearchResult, symmetric_moves, uses_symmetry
from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.limit import DEFAULT_LIMIT, Limit, as_seed

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = [
    "LEVELS",
    "MAX_ELO",
    "MIN_ELO",
    "RANDOM",
    "EnginePlayer",
    "Level",
    "LevelPlayer",
    "LimitedPlayer",
    "Skill",
    "is_level_name",
    "level",
    "rating_of",
]


class Level(StrEnum):
    """The levels, from the weakest to the strongest. Prints as and equals its text."""

    BEGINNER = "beginner"
    EASY = "easy"
    DIFFICULT = "difficult"
    INSANE = "insane"
    MASTER = "master"


LEVELS = tuple(Level)
"""All levels, from the weakest to the strongest."""
RANDOM = "random"
"""The lowest mark of the scale: any legal move."""
MIN_ELO, MAX_ELO = 0, 3000
_ELO = re.compile("elo:([0-9]{1,4})")


class Skill(NamedTuple):
    """How a player chooses a move: the probabilities of its mistakes, and its search otherwise.

    ``blunders`` are random moves. ``oversights`` serve the player's own lines, regardless of threats; they take a win
    in one move. ``slips`` are random moves that take a win and do not lose at once.
    """

    blunders: float = 0.0
    oversights: float = 0.0
    slips: float = 0.0
    plies: int = 2
    nodes: int | None = None
    """Nodes of the engine's search; None for a plain search of ``plies``."""


SKILLS: dict[str, Skill] = {
    RANDOM: Skill(blunders=1),
    Level.BEGINNER: Skill(oversights=0.35, slips=0.5),
    Level.EASY: Skill(slips=0.3),
    Level.DIFFICULT: Skill(slips=0.14, plies=4),
    Level.INSANE: Skill(slips=0.06, nodes=4_000),
    Level.MASTER: Skill(nodes=100_000),
}
"""The marks of the scale, weakest first. The level ``master`` is the whole engine; its skill here is for ratings."""
MAX_WORK = 6_000_000
"""A plain search ends before this number of nodes times cells, however deep its level wants to look."""
NODES_PER_CELL = 16
"""Added to the nodes of a search: enough to look at every move of a large board."""
NODES_SPREAD = 0.3
"""The nodes vary by this share at random, so that an opponent does not play the same game every time."""
MAX_TRIES = 12
"""Random moves that are tried before a slip is given up because they all lose at once."""


def is_level_name(name: str) -> bool:
    """Whether a name is that of a level, or a rating such as ``elo:1500``.

    >>> is_level_name("easy"), is_level_name("elo:1500"), is_level_name("elo:high")
    (True, True, False)
    """
    return name in LEVELS or (_ELO.fullmatch(name) is not None and MIN_ELO <= int(name[4:]) <= MAX_ELO)


def _check_level_name(name: str) -> None:
    if not is_level_name(name):
        ratings = f"a rating from elo:{MIN_ELO} to elo:{MAX_ELO}"
        raise ValueError(f"expected a level of {', '.join(LEVELS)}, or {ratings}, got {quote(name)}")


def level(
    name: Level | str, seed: SupportsIndex | None = None, limit: Limit | None = None, engine: Engine | None = None
) -> LevelPlayer:
    """Return the player of a level, of ``random``, or of a rating such as ``elo:1500``.

    With a seed it plays the same way every time.

    A rating is on the scale of the game played, see ``noughts.engine.ratings``; beyond its ends it gives the weakest or
    the strongest player. ``limit`` is used by ``master`` when its caller gives none: one second by default.
    ``engine`` is the engine of ``master``, by default a new one.
    """
    from random import Random  # takes half as long to import as the rest of the package

    if name != RANDOM:
        _check_level_name(name)
    if name == Level.MASTER:
        return EnginePlayer(limit, engine)
    return LimitedPlayer(str(name), Random(as_seed(seed)))


def rating_of(game: Game, name: Level | str) -> int:
    """Return the rating in a game of a level, of ``random``, or of a name such as ``elo:1500``.

    A rating beyond the ends of the game's scale is that of the weakest or the strongest player on it. Raises ValueError
    for a name without a rating.

    >>> rating_of(Game("4x4x4"), "easy"), rating_of(Game("3x3"), "elo:2500")
    (1000, 1023)
    """
    ratings = ratings_of(game)
    if name in ratings:
        return ratings[name]
    _check_level_name(name)
    return max(min(ratings.values()), min(max(ratings.values()), int(name[len("elo:") :])))


class LevelPlayer:
    """Plays at a level: ``choose`` returns its move."""

    latest: SearchResult | None = None
    """The result so far while the engine thinks; None otherwise."""

    def __init__(self, name: str) -> None:
        self.name = name
        """The name of the level, or its rating."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def choose(self, position: Position, limit: Limit | None = None, watch: Callable[[], object] | None = None) -> int:
        """Return a legal move; raises GameOver. Only ``master`` uses the limit.

        ``watch`` is called regularly; an exception from it ends the search and is passed on.
        """
        raise NotImplementedError

    def check(self, game: Game) -> None:
        """Raise ValueError if its network is for another game than this one."""

    def stop(self) -> None:
        """Make ``master`` answer with its best move so far, from another thread; other levels ignore this."""


class EnginePlayer(LevelPlayer):
    """The engine at full strength, level ``master``, or any engine.

    ``limit`` holds if ``choose`` is given none; ``nodes`` bounds every move, and is then the only bound by default.
    """

    def __init__(
        self,
        limit: Limit | None = None,
        engine: Engine | None = None,
        name: str = Level.MASTER.value,
        *,
        nodes: int | None = None,
    ) -> None:
        super().__init__(name)
        self.limit = limit or (DEFAULT_LIMIT if nodes is None else Limit(nodes=nodes))
        self._nodes = nodes
        self._engine = engine
        self._is_stopping = False

    def choose(self, position: Position, limit: Limit | None = None, watch: Callable[[], object] | None = None) -> int:
        """Return the best move found within the limit; raises GameOver."""

        def report(found: SearchResult) -> bool:
            self.latest = found
            if watch is not None:
                watch()
            return not self._is_stopping

        try:
            return self.engine.search(position, self._bounded(limit or self.limit), progress=report).move
        finally:
            self.latest = None
            self._is_stopping = False

    def _bounded(self, limit: Limit) -> Limit:
        return limit if self._nodes is None else limit._replace(nodes=min(self._nodes, limit.nodes or self._nodes))

    @property
    def engine(self) -> Engine:
        """Its engine, made when it is first needed."""
        if self._engine is None:
            self._engine = Engine()
        return self._engine

    def check(self, game: Game) -> None:
        """Raise ValueError if its network is for another game than this one."""
        if self._engine is not None:
            self._engine.scale_of(game)

    def stop(self) -> None:
        """Stop the running search, or one that is about to begin, from another thread."""
        self._is_stopping = True
        if self._engine is not None:
            self._engine.stop()


class LimitedPlayer(LevelPlayer):
    """A level below the engine, or a rating: searches as far as its skill allows, and makes mistakes at random."""

    def __init__(self, name: str, random: Random) -> None:
        super().__init__(name)
        self.random = random
        self._engine: Engine | None = None

    def choose(self, position: Position, limit: Limit | None = None, watch: Callable[[], object] | None = None) -> int:
        """Return a legal move; raises GameOver. The limit is ignored."""
        position.require_unfinished()
        skill, dice = self._skill(position.game), self.random.random()
        if dice < skill.blunders:
            return self.random.choice(position.legal_moves)
        if dice < skill.blunders + skill.oversights:
            return self._serve_own_lines(position)
        if dice < skill.blunders + skill.oversights + skill.slips:
            return self._slip(position)
        if skill.nodes is None:
            return self.random.choice(_best_moves(position, skill.plies, watch)[1])
        return self._search(position, skill.nodes, watch)

    def _skill(self, game: Game) -> Skill:
        """The skill for a move: between two marks, that of the upper one with a probability."""
        if self.name in SKILLS:
            return SKILLS[self.name]
        lower, upper, share = _marks_around(game, int(self.name[len("elo:") :]))
        return SKILLS[upper if self.random.random() < share else lower]

    def _serve_own_lines(self, position: Position) -> int:
        """A win in one if there is one, else the move that helps the mover's own lines most, regardless of threats."""
        score, winning = _best_moves(position, 1)
        if score >= _core.DECIDED:
            return self.random.choice(winning)
        gains = {move: _gain(position, move) for move in position.legal_moves}
        best = max(gains.values())
        return self.random.choice([move for move, gain in gains.items() if gain == best])

    def _slip(self, position: Position) -> int:
        """A random move near the marks on the board that does not lose at once; a good one if there is no such move."""
        score, best = _best_moves(position, 2)
        if abs(score) < _core.DECIDED:
            near = [move for move in position.legal_moves if _touches_a_mark(position, move)] or position.legal_moves
            for move in self.random.sample(near, min(MAX_TRIES, len(near))):
                after = position.after(move)
                if after.is_over or _best_moves(after, 1)[0] < _core.DECIDED:
                    return move
        return self.random.choice(best)

    def _search(self, position: Position, nodes: int, watch: Callable[[], object] | None) -> int:
        """The engine's move, or one that is symmetric to it."""
        if self._engine is None:
            self._engine = Engine(hash_mb=1, book=False)
        self._engine.clear()  # the move depends on the position and the seed alone
        spread = self.random.uniform(1 - NODES_SPREAD, 1 + NODES_SPREAD)
        limit = Limit(nodes=round(nodes * spread) + NODES_PER_CELL * position.game.cells)
        progress = None if watch is None else (lambda found: watch() or True)
        found = self._engine.search(position, limit, progress)
        return self.random.choice(symmetric_moves(position, found.move))


def _marks_around(game: Game, elo: int) -> tuple[str, str, float]:
    """The marks below and above a rating in a game, and how far between them it lies, from 0 to 1."""
    ratings = ratings_of(game)
    marks = [mark for mark in SKILLS if mark in ratings]
    for lower, upper in pairwise(marks):
        if elo < ratings[upper]:
            return lower, upper, max(0.0, (elo - ratings[lower]) / (ratings[upper] - ratings[lower]))
    return marks[-1], marks[-1], 1.0


def _best_moves(position: Position, plies: int, watch: Callable[[], object] | None = None) -> tuple[int, list[int]]:
    """The score of a plain search, and all moves that have it."""
    most = MAX_WORK // position.game.cells
    symmetry = position.game.symmetry if uses_symmetry(position) else None
    score, moves, _ = _core.fixed_depth_best_moves(position, plies, symmetry, watch, most)
    return score, moves


def _touches_a_mark(position: Position, move: int) -> bool:
    """Whether a line through a cell has a mark on it."""
    cells = position.cells
    return any(cells[cell] is not None for line in position.game.lines_through(move) for cell in line)


def _gain(position: Position, move: int) -> int:
    """The gain for the mover's lines (those without a mark of the opponent); fuller lines count more."""
    own, cells = position.turn, position.cells
    lines = ([cells[cell] for cell in line] for line in position.game.lines_through(move))
    return sum(4 ** marks.count(own) for marks in lines if set(marks) <= {own, None})
