"""Opponents of every strength: fixed-depth searchers that break ties by chance, and the whole engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from noughts import _core
from noughts.engine.engine import Engine
from noughts.engine.limit import DEFAULT_LIMIT, Limit
from noughts.games import Position

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["LEVELS", "Level", "LevelName", "level"]

LevelName = Literal["beginner", "easy", "difficult", "insane", "master"]
LEVELS: tuple[LevelName, ...] = get_args(LevelName)
"""From the weakest to the strongest."""

DEPTHS = {"beginner": 2, "easy": 2, "difficult": 4, "insane": 6}
OVERSIGHT = 0.4
"""How often a beginner is taken up with its own lines and does not look at the opponent's."""


def level(name: LevelName, seed: int | None = None, limit: Limit | None = None) -> Level:
    """Return the opponent of that name; with a seed it plays the same way every time.

    ``limit`` is how long ``master`` thinks without a limit from its caller: a second by default.
    """
    from random import Random  # half as slow to import as the rest of the package

    if name not in LEVELS:
        raise ValueError(f"expected a level of {', '.join(LEVELS)}, got {name!r}")
    return Level(name, Random(seed), limit or DEFAULT_LIMIT)


def _hope(position: Position, move: int) -> int:
    """How much a mark adds to the mover's own lines: those without a mark of the opponent's, the fuller the better."""
    own, cells = position.turn, position.cells
    lines = ([cells[cell] for cell in line] for line in position.game.lines_through(move))
    return sum(4 ** marks.count(own) for marks in lines if set(marks) <= {own, None})


class Level:
    """A bot: ``choose`` returns its move."""

    def __init__(self, name: LevelName, random: Random, limit: Limit) -> None:
        self.name = name
        self.random = random
        self.limit = limit
        self._engine: Engine | None = None

    def __repr__(self) -> str:
        return f"Level({self.name!r})"

    def choose(self, position: Position, limit: Limit | None = None, watch: Callable[[], object] | None = None) -> int:
        """Return a legal move; raises ValueError when the game is over. Only ``master`` heeds the limit.

        The other levels call ``watch`` now and then; an exception from it ends the search and is passed on.
        """
        if position.is_over:
            raise ValueError("expected a position to move in, but the game is over")
        if self.name == "master":
            return self._master(position, limit or self.limit)
        if self.name == "beginner" and self.random.random() < OVERSIGHT:
            return self._own_plans(position)
        return self._at_depth(position, DEPTHS[self.name], watch)

    def _master(self, position: Position, limit: Limit) -> int:
        if self._engine is None:
            self._engine = Engine()
        return self._engine.search(position, limit).move

    def _own_plans(self, position: Position) -> int:
        """A win in one where there is one, else the move that helps the mover's own lines most, whatever threatens."""
        score, winning, _ = _core.fixed_depth_best_moves(position, 1, None)
        if score >= _core.DECIDED:
            return self.random.choice(winning)
        hopes = {move: _hope(position, move) for move in position.legal_moves}
        best = max(hopes.values())
        return self.random.choice([move for move, hope in hopes.items() if hope == best])

    def _at_depth(self, position: Position, depth: int, watch: Callable[[], object] | None) -> int:
        _, moves, _ = _core.fixed_depth_best_moves(position, depth, position.game.symmetry, watch)
        return self.random.choice(moves)
