"""Fits the win probability as a function of the score to self-play, for each game.

``python -m bench.tune.fit_win_probability [SECONDS] [GAME ...]`` prints the scale of the logistic curve that makes the
results most likely; ``noughts.analysis`` has the scales as data. The engine plays itself with few nodes, after some
random moves and with a random move now and then, so that positions of every kind occur.
"""

from __future__ import annotations

import math
import random
import sys
import time

import noughts as no

GAMES = ("3x3x3+misere", "5x5:4", "connect4", "4x4x4", "8x8:5", "15x15:5", "ultimate:3", "ultimate:4+count")
NODES = 2000
RANDOM_MOVE_PROBABILITY = 0.12

Sample = tuple[int, float]  # a score for X, and X's result: 1, ½ or 0


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    for game in sys.argv[2:] or GAMES:
        samples = gather(no.Game(game), seconds)
        print(f"{game:24} {len(samples):6} positions  scale {fit(samples):6.0f}", flush=True)


def gather(game: no.Game, seconds: float) -> list[Sample]:
    """Return scores and results of playthroughs, played for the given time."""
    samples: list[Sample] = []
    engine, end, seed = no.Engine(hash_mb=8), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        samples += play(game, engine, random.Random(seed))
        seed += 1
    return samples


def play(game: no.Game, engine: no.Engine, dice: random.Random) -> list[Sample]:
    """Return the scores of a playthrough with its result; it ends as soon as a value is proven."""
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
        position.play(dice.choice(position.legal_moves) if dice.random() < RANDOM_MOVE_PROBABILITY else found.move)
    share = 0.5 if position.winner is None else float(position.winner is no.Side.X)
    return [(score, share) for score in scores]


def fit(samples: list[Sample]) -> float:
    """Return the scale with the highest likelihood, to within ten percent."""
    return min((20 * 1.1**step for step in range(80)), key=lambda scale: negative_log_likelihood(samples, scale))


def negative_log_likelihood(samples: list[Sample], scale: float) -> float:
    total = 0.0
    for score, share in samples:
        probability = 1 / (1 + math.exp(-max(-12.0, min(12.0, score / scale))))
        total -= share * math.log(probability) + (1 - share) * math.log(1 - probability)
    return total


if __name__ == "__main__":
    main()
