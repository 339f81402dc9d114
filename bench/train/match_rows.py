"""``python -m bench.train.match_rows STORE > ROWS``: the positions of stored tournaments, to test networks on.

They are for ``bench.train.held_out`` alone: no network may be trained on positions of other programs. There is a row
for every third ply from ``--from`` on at which no line can be completed and a search of ``--nodes`` proves nothing. The
tournaments must be of one game, which has one block.
"""

from __future__ import annotations

import argparse
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from noughts import Game, Position, Side, _core
from noughts.arena.tournaments import Result, Tournaments
from noughts.engine import Engine, Limit
from noughts.store import Store

PLIES = 3
ROW = struct.Struct("<iihhbbBB")


def rows_of(game: Game, result: Result, first: int, engine: Engine, limit: Limit) -> Iterator[bytes]:
    """Yield the rows of a playthrough."""
    position = game.start()
    for ply, move in enumerate(result.moves):
        if ply >= first and (ply + len(result.moves)) % PLIES == 0 and _is_quiet(position):
            found = engine.search(position, limit)
            if found.value is None:
                yield _row(position, found.score, move, result.winner)
        position.play(move)


def _is_quiet(position: Position) -> bool:
    return not any(position.completing(side) for side in Side)


def _row(position: Position, score: int, move: int, winner: Side | None) -> bytes:
    won = 0 if winner is None else 1 if winner is position.turn else -1
    marks = bytes(0 if mark is None else 1 if mark is position.turn else 2 for mark in position.cells)
    return ROW.pack(score, score, move, position.ply, won, -1, 0, 0) + marks + b"\0"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.train.match_rows", description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--from", type=int, default=26, dest="first", metavar="PLY")
    parser.add_argument("--nodes", type=int, default=20_000)
    options = parser.parse_args()
    engine, header = Engine(hash_mb=16, book=False), None
    with Store(options.store) as store:
        tournaments = Tournaments(store)
        for summary in tournaments.list():
            game = tournaments.plan(summary.id).game
            header = header or sys.stdout.buffer.write(_core.rows_header(game._core, strips=True))
            for result in tournaments.results(summary.id):
                engine.clear()
                for row in rows_of(game, result, options.first, engine, Limit(nodes=options.nodes)):
                    sys.stdout.buffer.write(row)


if __name__ == "__main__":
    main()
