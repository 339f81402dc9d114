"""Matches against earlier selves, the levels and peers, with paired openings and error bars.

``python -m bench.strength --game ultimate:3 --against REV --seconds 0.05 --pairs 100`` plays the engine as it is
against the one of a revision; ``--against insane`` (a level), ``uct``, ``easyai``, ``mcts`` or ``alphabeta`` against
others. ``--patience 10`` gives the opponent ten times the time.
"""

from __future__ import annotations

import argparse
import json
from math import isinf
from typing import Any

from bench.elo import Estimate
from bench.match import Match, play_match
from bench.players import PlayerSpec
from noughts import LEVELS

__all__ = ["main"]

PEERS = ("uct", "easyai", "mcts", "alphabeta")


def main(arguments: list[str] | None = None) -> None:
    """Play one match and print what it says."""
    options = _parser().parse_args(arguments)
    limit = {"seconds": options.seconds, "nodes": options.nodes, "depth": options.depth}
    weights = dict(json.loads(options.weights)) if options.weights else None
    first = PlayerSpec("engine", threads=options.threads, hash_mb=options.hash_mb, weights=weights, **limit)
    match = Match(options.game, first, _opponent(options), options.pairs, options.seed)
    found = play_match(match, options.concurrency, tuple(options.sprt) if options.sprt else None)
    print(json.dumps(summary(match, found)) if options.json else f"{match}\n{found}")


def summary(match: Match, found: Estimate) -> dict[str, Any]:
    """Return a match and its result as plain data."""
    counts = {"pairs": found.pairs, "wins": found.wins, "draws": found.draws, "losses": found.losses}
    bounds = {"elo": found.elo, "elo_low": found.elo_low, "elo_high": found.elo_high}
    # JSON has no infinity.
    elo = {name: None if isinf(value) else round(value, 1) for name, value in bounds.items()}
    return (
        {"game": match.game, "first": str(match.first), "second": str(match.second)}
        | {"score": found.score}
        | counts
        | elo
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__)
    parser.add_argument("--game", default="ultimate:3")
    parser.add_argument("--against", default="HEAD", help="a git revision, a level or a peer: " + ", ".join(PEERS))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--depth", type=int)
    parser.add_argument("--patience", type=float, default=1, help="how many times its limit the opponent gets")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash-mb", type=int, default=32)
    parser.add_argument("--weights", help="weights of the first player, as JSON")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="end early when settled")
    parser.add_argument("--json", action="store_true")
    return parser


def _opponent(options: argparse.Namespace) -> PlayerSpec:
    name, more = options.against, options.patience
    limit: dict[str, Any] = {
        "seconds": options.seconds and options.seconds * more,
        "nodes": options.nodes and round(options.nodes * more),
        "depth": options.depth,
    }
    if name in PEERS or name == "master":
        return PlayerSpec(name, **limit)
    if name in LEVELS:
        return PlayerSpec(name)
    return PlayerSpec("engine", revision=None if name == "." else name, hash_mb=options.hash_mb, **limit)


if __name__ == "__main__":
    main()
