"""Tunes evaluation weights: fits them to self-play, then plays a match of the new weights against the old.

``python -m bench.tune.weights ultimate:3 --playthroughs 600 --nodes 4000 --pairs 200 --match-nodes 20000``
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from bench.builds import current_build
from bench.matches import Match, engine, play_match
from bench.results import OUT, Record, append, digest, load, say
from bench.tune.features import counts_along, feature_names, from_vector, to_vector
from bench.tune.regression import fit, loss, sigmoid
from noughts import Engine, Game, Limit, Position
from noughts.arena.openings import random_moves
from noughts.games.evaluation import Weights

__all__ = ["Samples", "main", "propose", "scale_weights", "self_play"]

MAX_LINE_WEIGHT = 8_000
"""The core keeps the worth of a line in 16 bits, with room for sums."""


@dataclass
class Samples:
    """Positions to fit to: feature counts, results and scores of a search, all for the side to move."""

    rows: list[Sequence[float]] = field(default_factory=list)
    results: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)


def self_play(game: Game, index: int, nodes: int, engine: Engine) -> Record:
    """Play one seeded playthrough of the engine against itself; a score is None if the value was proven."""
    random = Random(f"tune {game.id} {index}")
    position = game.start()
    for move in random_moves(game, random, random.randint(1, max(2, min(10, game.cells // 6)))):
        position.play(move)
    first = position.ply
    engine.clear()
    scores: list[int | None] = []
    while not position.is_over:
        found = engine.search(position, Limit(nodes=nodes))
        scores.append(found.score if found.value is None else None)
        position.play(found.move)
    winner = position.winner
    result = 0.5 if winner is None else float(winner == "X")
    return {"index": index, "first": first, "moves": position.moves, "scores": scores, "result": result}


def collect(game: Game, weights: Weights | None, playthroughs: int, nodes: int) -> list[Record]:
    """Return self-play with the given weights; playthroughs that are not on file are played now."""
    path = data_path(game, weights, nodes)
    weighted = Game(game.id, weights)
    records = {record["index"]: record for record in load(path)}
    engine = Engine(hash_mb=8)
    for index in range(playthroughs):
        if index not in records:
            records[index] = self_play(weighted, index, nodes, engine) | {"build": current_build()}
            append(path, records[index])
            if (index + 1) % max(1, playthroughs // 10) == 0:
                say(f"{game.id}: {index + 1}/{playthroughs} playthroughs")
    return [records[index] for index in range(playthroughs)]


def data_path(game: Game, weights: Weights | None, nodes: int) -> Path:
    """Return the file with the self-play of a game."""
    suffix = "" if weights is None else f"-{digest(weights)}"
    return OUT / "tune" / f"{game.id.replace(':', '-')}-{nodes}{suffix}.jsonl"


def load_all(game: Game) -> list[Record]:
    """Return all self-play of a game that is on file, with any weights."""
    files = sorted((OUT / "tune").glob(f"{game.id.replace(':', '-')}-[0-9]*.jsonl"))
    return [record for file in files for record in load(file)]


def samples_of(game: Game, records: Sequence[Record]) -> Samples:
    """Return the quiet positions of playthroughs; in others the search decides, not the evaluation."""
    counts = counts_along(game, feature_names(game))
    samples = Samples()
    for record in records:
        position = game.start()
        for ply, row in enumerate(counts(record["moves"])):
            score = record["scores"][ply - record["first"]] if ply >= record["first"] else None
            if score is not None and is_quiet(position):
                samples.rows.append(row)
                samples.scores.append(score)
                samples.results.append(record["result"] if position.turn == "X" else 1 - record["result"])
            position.play(record["moves"][ply])
    return samples


def is_quiet(position: Position) -> bool:
    """Whether no line can be completed at once: in Ultimate by the side to move, elsewhere by either side."""
    turn = position.turn
    assert turn is not None
    if not position.game.is_ultimate:
        return not position.threats(turn) and not position.threats(turn.opponent)
    return not any(position.is_legal(cell) for cell in position.threats(turn))


def propose(game: Game, old: Weights, samples: Samples, blend: float, pull: float) -> Weights:
    """Return the weights that predict results and scores of the search best.

    ``blend`` is the share of the result in the target; the rest is the score. ``pull`` is the weight of the old
    values, as a share of the observations. The spread of the estimates stays the same, since the margins of the
    search are in their units.
    """
    names = feature_names(game)
    scale = _scale([[score] for score in samples.scores], samples.results)
    both = zip(samples.results, samples.scores, strict=True)
    targets = [blend * result + (1 - blend) * sigmoid(score * scale) for result, score in both]
    before = to_vector(names, old)
    unit = _scale([[_dot(row, before)] for row in samples.rows], targets)
    prior = [value * unit for value in before]
    strength = [pull * sum(row[i] ** 2 for row in samples.rows) * 0.2 for i in range(len(names))]
    found = fit(samples.rows, targets, prior, [max(s, 1e-3) for s in strength])
    errors = [loss(samples.rows, targets, at) for at in (prior, found)]
    say(f"{game.id}: {len(targets)} positions, error {errors[0]:.5f} -> {errors[1]:.5f}")
    ratio = _spread(samples.rows, before) / (_spread(samples.rows, found) or 1)
    return _limited(from_vector(names, [value * ratio for value in found], old))


def _scale(rows: list[list[float]], targets: Sequence[float]) -> float:
    """The factor of a single feature that predicts the targets best."""
    size = sqrt(sum(row[0] ** 2 for row in rows) / len(rows)) or 1.0
    return fit([[row[0] / size] for row in rows], targets, [0.5], [1e-3])[0] / size


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _spread(rows: Sequence[Sequence[float]], weights: Sequence[float]) -> float:
    return sqrt(sum(_dot(row, weights) ** 2 for row in rows) / len(rows))


def _limited(weights: Weights) -> Weights:
    return _map_weights(weights, lambda worth: max(-MAX_LINE_WEIGHT, min(MAX_LINE_WEIGHT, worth)), lambda worth: worth)


def scale_weights(weights: Weights, factor: float) -> Weights:
    """Return weights in another unit, which changes them relative to the margins of the search."""
    return _limited(_map_weights(weights, lambda worth: round(worth * factor), lambda worth: round(worth * factor)))


def _map_weights(weights: Weights, of_tuples: Callable[[int], int], of_others: Callable[[int], int]) -> Weights:
    fields = weights._asdict().items()
    return Weights.from_data(
        {name: [*map(of_tuples, value)] if isinstance(value, tuple) else of_others(value) for name, value in fields}
    )


def compare(game: Game, new: Weights, old: Weights, pairs: int, limit: dict[str, Any], seed: int) -> str:
    """Play new weights against old ones and return the result in words."""
    first, second = (engine(weights=weights, hash_mb=8, **limit) for weights in (new, old))
    return str(play_match(Match(game.id, first, second, pairs, seed)))


def note(text: str) -> None:
    """Print a text and append it to the notes."""
    print(text, flush=True)
    with (OUT / "notes.txt").open("a", encoding="utf-8") as file:
        file.write(text + "\n")


def main(arguments: list[str] | None = None) -> None:
    options = _parser().parse_args(arguments)
    game = Game(options.game)
    given = _parse_weights(options.weights, game.weights) if options.weights else None
    old = given or game.weights
    if options.scale:
        weights = scale_weights(old, options.scale)
    elif options.candidate:
        weights = _parse_weights(options.candidate, old)
    else:
        records = load_all(game) if options.reuse else collect(game, given, options.playthroughs, options.nodes)
        samples = samples_of(game, records)
        weights = propose(game, old, samples, options.blend, options.pull)
    note(f"{game.id} old {json.dumps(old._asdict())}")
    note(f"{game.id} new {json.dumps(weights._asdict())}")
    if options.pairs:
        limit = {"seconds": options.match_seconds} if options.match_seconds else {"nodes": options.match_nodes}
        found = compare(game, weights, old, options.pairs, limit, options.seed)
        note(f"{game.id} new against old at {limit}: {found}")


def _parse_weights(text: str, rest: Weights) -> Weights:
    """Weights from JSON; those that it lacks are taken from ``rest``."""
    return Weights.from_data(rest._asdict() | json.loads(text))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.tune.weights", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--playthroughs", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=4_000, help="nodes per move in self-play")
    parser.add_argument("--weights", help="weights to start from, as JSON; by default those of the game")
    parser.add_argument("--reuse", action="store_true", help="fit to all self-play on file, without more")
    parser.add_argument("--try", dest="candidate", help="weights to play with instead of fitted ones, as JSON")
    parser.add_argument("--scale", type=float, help="only multiply the weights")
    parser.add_argument("--blend", type=float, default=0.5, help="share of the result in the target")
    parser.add_argument("--pull", type=float, default=0.01, help="weight of the old values")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of the match of new against old")
    parser.add_argument("--match-nodes", type=int, default=20_000)
    parser.add_argument("--match-seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    main()
