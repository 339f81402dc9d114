"""Openings for matches: a few seeded random plies, of several tries the one a shallow search calls most even."""

from __future__ import annotations

from random import Random

from noughts import Engine, Game, Limit
from noughts.arena.openings import default_plies, random_moves

__all__ = ["JUDGE", "TRIES", "default_plies", "opening", "random_moves"]

TRIES = 16
JUDGE = Limit(nodes=1_500)


def opening(game: Game, seed: int, engine: Engine | None = None) -> list[int]:
    """Return the moves of an opening; the same seed gives the same one (as long as the engine is the same)."""
    judge = engine or Engine(hash_mb=1)
    random = Random(f"{game.id} {seed}")
    tries = [random_moves(game, random, default_plies(game) + seed % 2) for _ in range(TRIES)]
    return min(tries, key=lambda moves: _unevenness(game, moves, judge))


def _unevenness(game: Game, moves: list[int], judge: Engine) -> tuple[bool, int]:
    position = game.start()
    for move in moves:
        position.play(move)
    judge.clear()
    found = judge.search(position, JUDGE)
    return found.value in ("win", "loss"), abs(found.score)
