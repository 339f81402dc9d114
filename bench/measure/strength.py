"""Plays the engine as it is against another revision, a level or another player, and prints the Elo difference.

``python -m bench.measure.strength --game ultimate:3 --against REV --nodes 20000 --pairs 100`` plays a revision;
``--against .`` is the engine as it is, to try another ``--network`` or other ``--weights``; ``--against insane`` is a
level and ``mcts`` our tree search; ``easyai``, ``spiel-mcts`` and ``spiel-alphabeta`` are players of other libraries.
``--sprt 0 10`` ends the match once it is decided.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from bench.matches import OPPONENTS, Match, Player, engine, opponent, play_match
from noughts import LEVELS
from noughts.games.evaluation import Weights

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    options = _parser().parse_args(arguments)
    limit = {"seconds": options.seconds, "nodes": options.nodes, "depth": options.depth, "clock": options.clock}
    weights = Weights.from_data(json.loads(options.weights)) if options.weights else None
    first = engine(
        threads=options.threads,
        hash_mb=options.hash_mb,
        weights=weights,
        network=options.network,
        book=options.book,
        **limit,
    )
    sprt = tuple(options.sprt) if options.sprt else None
    match = Match(options.game, first, _opponent(options), options.pairs, options.seed, sprt, openings=options.openings)
    found = play_match(match, options.concurrency)
    print(json.dumps(found.to_data()) if options.json else f"{match}\n{found}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.measure.strength", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", default="ultimate:3")
    parser.add_argument("--against", default="HEAD", help="a git revision, a level, or " + ", ".join(OPPONENTS))
    parser.add_argument("--seconds", type=float, help="seconds per move")
    parser.add_argument("--nodes", type=int, help="nodes per move")
    parser.add_argument("--depth", type=int, help="search depth in plies")
    parser.add_argument("--clock", help="time for all moves of a playthrough, such as 5s+0.05s")
    parser.add_argument("--time-factor", type=float, default=1, help="the opponent's limit as a multiple of ours")
    parser.add_argument("--pairs", type=int, default=50, help="pairs of playthroughs, the maximum with --sprt")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings")
    parser.add_argument("--openings", metavar="FILE", help="openings of a file instead of random ones")
    parser.add_argument("--threads", type=int, default=1, help="threads of the first engine")
    parser.add_argument("--hash-mb", type=int, default=32, help="size of the transposition table")
    parser.add_argument("--weights", help="evaluation weights of the first engine, as JSON")
    parser.add_argument("--network", metavar="FILE|none", help="network of the first engine")
    parser.add_argument("--against-network", metavar="FILE|none", help="network of the other engine")
    parser.add_argument("--no-book", dest="book", action="store_false", help="both engines without the opening book")
    parser.add_argument("--concurrency", type=int, default=1, help="playthroughs at the same time")
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="end early once decided")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _opponent(options: argparse.Namespace) -> Player:
    name, factor = options.against, options.time_factor
    limit: dict[str, Any] = {
        "seconds": options.seconds and options.seconds * factor,
        "nodes": options.nodes and round(options.nodes * factor),
        "depth": options.depth,
        "clock": options.clock,
    }
    if name in OPPONENTS or name == "master":
        return opponent(name, **limit)
    if name in LEVELS:
        return opponent(name)
    revision = None if name == "." else name
    return engine(revision, hash_mb=options.hash_mb, network=options.against_network, book=options.book, **limit)


if __name__ == "__main__":
    main()
