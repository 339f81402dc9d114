"""Openings for matches: a few seeded random plies, of several tries the one a shallow search calls most even."""

from __future__ import annotations

from random import Random

from noughts import Engine, Game, Limit, Position

__all__ = ["JUDGE", "TRIES", "opening", "plies_of", "random_moves"]

TRIES = 16
LARGE = 100
"""Cells from which random marks would lie too far apart to matter, and are kept near each other."""
JUDGE = Limit(nodes=1_500)


def plies_of(game: Game) -> int:
    """Return how many random plies open a playthrough: enough for variety, too few to decide it."""
    if game.is_ultimate:
        return 4 + 2 * (game.block_size or 0) - 2
    if game.cells <= 9 or (len(game.dimensions or ()) > 2 and not game.has_gravity):
        return 2  # a cube is soon won: more random marks and one side has a forced win
    return 4 if game.cells <= 30 else 6


def opening(game: Game, seed: int, engine: Engine | None = None) -> list[int]:
    """Return the moves of an opening; the same seed gives the same one (as long as the engine is the same)."""
    judge = engine or Engine(hash_mb=1)
    random = Random(f"{game.id} {seed}")
    tries = [random_moves(game, random, plies_of(game) + seed % 2) for _ in range(TRIES)]
    return min(tries, key=lambda moves: _unevenness(game, moves, judge))


def random_moves(game: Game, random: Random, plies: int) -> list[int]:
    """Random plies after which it goes on and nobody completes a line at once; fewer when that is not to be had."""
    while True:
        position = game.start()
        for _ in range(plies):
            position.play(random.choice(_sensible(position)))
            if position.is_over:
                break
        if not position.is_over:
            return position.moves
        plies = max(0, plies - 1)


def _sensible(position: Position) -> list[int]:
    """The legal moves; on large flat boards those near a mark, or near the middle when there is none."""
    game, moves = position.game, position.legal_moves
    if game.is_ultimate or game.cells < LARGE or game.has_gravity:
        return moves
    points = game.coordinates
    middle = tuple((side - 1) / 2 for side in game.dimensions or ())
    marks = [points[move] for move in position.moves] or [middle]
    near = [m for m in moves if any(_distance(points[m], mark) <= 2 for mark in marks)]
    return near or moves


def _distance(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def _unevenness(game: Game, moves: list[int], judge: Engine) -> tuple[bool, int]:
    position = game.start()
    for move in moves:
        position.play(move)
    judge.clear()
    found = judge.search(position, JUDGE)
    return found.value in ("win", "loss"), abs(found.score)
