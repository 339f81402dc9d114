"""Matches between networks at equal nodes, which give the same result every time, or at equal time.

The loop over turns is one of its own: the arena plays by the clock, in processes that it supervises and with records on
disk. That would take longer than these short searches, whose result must depend on nodes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from math import isfinite
from typing import NamedTuple

from noughts.arena.openings import Opening, default_plies, random_opening
from noughts.arena.ratings import PairScore, Rating, rate
from noughts.engine import Engine, Limit
from noughts.games import Game, Side

__all__ = ["START", "Contest", "distinct_openings", "elo_difference", "elo_text", "play_contest", "score_text"]

START = "the game's own evaluation"
"""The name of the evaluation that the game comes with."""
HASH_MB = 4
MAX_TRIES = 3
"""Openings that are tried for each one that is wanted; in a small game there are not many different ones."""
LENGTHS = 5
"""Openings have the usual number of plies plus 0 to ``LENGTHS - 1``."""


def distinct_openings(game: Game, seed: int, wanted: int, threads: int = 1) -> list[Opening]:
    """Return even openings that differ in more than symmetry; fewer than wanted if not enough are found.

    An opening that comes twice would count the same two playthroughs twice.
    """
    found: dict[int, Opening] = {}
    with _pool(threads) as pool:
        for first in range(0, MAX_TRIES * wanted, wanted):
            numbers = range(first, first + wanted)
            for opening in pool.map(partial(_random_opening, game, seed), numbers):
                found.setdefault(opening.position(game).canonical_hash, opening)
            if len(found) >= wanted:
                break
    return list(found.values())[:wanted]


def _random_opening(game: Game, seed: int, number: int) -> Opening:
    return random_opening(game, f"train {seed} {number}", default_plies(game) + number % LENGTHS)


class Contest(NamedTuple):
    """A match of one evaluation against another: each a network, or None for the one that the game comes with.

    Each opening is played twice, with both sides.
    """

    game: Game
    openings: Sequence[Opening]
    first: bytes | None
    second: bytes | None
    limit: Limit


def play_contest(
    contest: Contest,
    threads: int = 1,
    points: Sequence[float] = (),
    progress: Callable[[list[float]], object] = lambda _: None,
) -> list[float]:
    """Return the points of the first evaluation with each opening, from 0 to 2; those already played are given.

    ``progress`` is called with the points so far after each opening, and may raise to end the match.
    """
    found = list(points)
    with _pool(threads) as pool:
        for pair in [pool.submit(_play_pair, contest, opening) for opening in contest.openings[len(found) :]]:
            found.append(pair.result())
            progress(found)
    return found


@contextmanager
def _pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that leave out what is not begun when the block is left by an exception, such as Ctrl-C."""
    with ThreadPoolExecutor(threads) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _play_pair(contest: Contest, opening: Opening) -> float:
    return sum(_points(contest, opening, first_side) for first_side in Side)


def _points(contest: Contest, opening: Opening, first_side: Side) -> float:
    networks = {first_side: contest.first, first_side.opponent: contest.second}
    engines = {side: Engine(hash_mb=HASH_MB, book=False, network=network) for side, network in networks.items()}
    position = opening.position(contest.game)
    while position.turn is not None:
        position.play(engines[position.turn].search(position, contest.limit).move)
    return 0.5 if position.winner is None else float(position.winner is first_side)


def elo_difference(points: Sequence[float]) -> Rating:
    """Return how much stronger the first evaluation is, by its points with each opening."""
    return rate(2, [PairScore(0, 1, each, 2) for each in points]).difference(0, 1)


def score_text(points: Sequence[float]) -> str:
    """Return the points of the first evaluation and how many there were.

    >>> score_text([2, 0.5])
    '2.5 of 4'
    """
    return f"{sum(points):g} of {2 * len(points)}"


def elo_text(points: Sequence[float]) -> str:
    """Return how much stronger the first evaluation is, with its 95% interval, if there is one.

    >>> elo_text([2, 2])
    '+382 Elo ± 508'
    >>> elo_text([])
    'no rating'
    """
    elo = elo_difference(points)
    return f"{elo.text} Elo ± {elo.error:.0f}" if points and isfinite(elo.error) else "no rating"
