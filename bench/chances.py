"""Fits the curve from scores to chances, per game, to self-play: what ``noughts.study.advice`` has as data.

Run with ``python bench/chances.py [SECONDS] [GAME ...]``. The engine plays itself with few nodes, after some moves at
random and with a random move now and then, so that there are positions of every kind; the scale is the one under which
the results were the likeliest.
"""

from __future__ import annotations

import math
import random
import sys
import time

import noughts as no

GAMES = ("3x3x3+misere", "5x5:4", "connect4", "4x4x4", "8x8:5", "15x15:5", "ultimate:3", "ultimate:4+count")
NODES = 2000
BLUNDERS = 0.12

Sample = tuple[int, float]  # a score for X, and the share of the point X got


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    for game in sys.argv[2:] or GAMES:
        samples = gather(no.Game(game), seconds)
        print(f"{game:24} {len(samples):6} positions  scale {fit(samples):6.0f}", flush=True)


def gather(game: no.Game, seconds: float) -> list[Sample]:
    """Return scores and results of playthroughs for so many seconds."""
    samples: list[Sample] = []
    engine, end, seed = no.Engine(hash_mb=8), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        samples += play(game, engine, random.Random(seed))
        seed += 1
    return samples


def play(game: no.Game, engine: no.Engine, dice: random.Random) -> list[Sample]:
    """Return the unproven scores of a playthrough with the result: as soon as it is proven, that is known."""
    position = game.start()
    scores: list[int] = []
    for _ in range(dice.randint(2, 6)):
        if not position.is_over:
            position.play(dice.choice(position.legal_moves))
    while not position.is_over:
        found = engine.search(position, no.Limit(nodes=NODES))
        sign = 1 if position.turn is no.Side.X else -1
        if found.value is not None:
            share = {"win": 0.5, "draw": 0.0, "loss": -0.5}[found.value] * sign + 0.5
            return [(score, share) for score in scores]
        scores.append(sign * found.score)
        position.play(dice.choice(position.legal_moves) if dice.random() < BLUNDERS else found.move)
    share = 0.5 if position.winner is None else float(position.winner is no.Side.X)
    return [(score, share) for score in scores]


def fit(samples: list[Sample]) -> float:
    """Return the scale, of steps of a tenth, with the highest likelihood."""
    return min((20 * 1.1**step for step in range(80)), key=lambda scale: surprise(samples, scale))


def surprise(samples: list[Sample], scale: float) -> float:
    total = 0.0
    for score, share in samples:
        chance = 1 / (1 + math.exp(-max(-12.0, min(12.0, score / scale))))
        total -= share * math.log(chance) + (1 - share) * math.log(1 - chance)
    return total


if __name__ == "__main__":
    main()
