"""Simulations per second of the tree search, by evaluator and size of the batches."""

from __future__ import annotations

from functools import partial
from time import process_time
from typing import Any

import numpy as np

from bench.measure.scope import Scope
from bench.measure.speed import middle_positions
from bench.results import Record, Results
from noughts import Engine, Game, Limit, Position
from noughts.engine.evaluator import Evaluate

__all__ = ["run"]

GAMES = ("4x4x4", "7x6:4+gravity", "ultimate:3", "15x15:5")
BATCHES = (1, 16, 64)
NODES = 4000
UNITS = 64
ROUNDS = 3


def run(results: Results, scope: Scope) -> None:
    """Measure every evaluator in every game that it can evaluate."""
    for id in scope.select_games(GAMES):
        results.measure(f"simulations {id}", partial(_speeds, Game(id), 1 if scope.quick else ROUNDS))


def _know_nothing(positions: list[Position]) -> tuple[list[float], None]:
    """The cheapest function: what is measured is the way to Python and back."""
    return [0.0] * len(positions), None


def _small_network(game: Game) -> Evaluate:
    """A function with a layer of 64 units in NumPy, as a researcher might write it; its weights are random."""
    random = np.random.default_rng(1)
    inputs = int(np.prod(game.observation_shape))
    first, value, policy = (
        random.normal(size=shape).astype(np.float32) / shape[0] ** 0.5
        for shape in ((inputs, UNITS), (UNITS, 1), (UNITS, game.cells))
    )

    def evaluate(positions: list[Position]) -> tuple[Any, Any]:
        planes = np.stack([position.planes() for position in positions]).reshape(len(positions), inputs)
        units = np.maximum(planes.astype(np.float32) @ first, 0)
        return np.tanh(units @ value), np.exp(units @ policy)

    return evaluate


def _speeds(game: Game, rounds: int) -> Record:
    """Simulations per second of processor time, by evaluator and batch; the best of some rounds counts."""
    positions = middle_positions(game, 3, seed=1)
    kinds: dict[str, Any] = {"rollouts": "rollouts", "weights": "weights"}
    if _has_network(game):
        kinds["network"] = "network"
    kinds |= {"function": _know_nothing, "NumPy": _small_network(game)}
    return {
        name: {str(batch): max(_speed(positions, kind, batch) for _ in range(rounds)) for batch in BATCHES}
        for name, kind in kinds.items()
    }


def _has_network(game: Game) -> bool:
    try:
        Engine(hash_mb=1, search="mcts", evaluator="network").scale_of(game)
    except ValueError:
        return False
    return True


def _speed(positions: list[Position], evaluator: Any, batch: int) -> float:
    engine, simulations = Engine(hash_mb=64, book=False, search="mcts", evaluator=evaluator, batch=batch), 0
    start = process_time()
    for position in positions:
        simulations += engine.search(position, Limit(nodes=NODES)).nodes
    return simulations / (process_time() - start)
