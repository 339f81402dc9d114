"""Writes balanced openings: ``python -m bench.openings 15x15:5 --count 200 --seed 7 > FILE``.

Each line has the moves of an opening, as ``[openings] file`` of a tournament and ``noughts arena run --openings`` take
them. Openings are random, found even by a short search, and kept only if a long one agrees: it proves nothing, and its
score is at most ``--balance`` for either side. Positions that differ by a symmetry are written once.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from functools import partial

from noughts import Game
from noughts.arena.openings import random_opening
from noughts.engine import Engine, Limit
from noughts.process.tasks import LocalTasks, run_tasks

__all__ = ["balanced_openings", "main"]

MAX_TRIES = 100
"""Tries for each opening wanted."""


def _opening(game_id: str, seed: int, plies: int | None, balance: int, nodes: int, number: int) -> list[int] | None:
    """Opening ``number``, or None if a long search finds it uneven."""
    game = Game(game_id)
    opening = random_opening(game, f"{seed} {number}", plies, balance)
    found = Engine(hash_mb=16, book=False).search(opening.position(game), Limit(nodes=nodes))
    return None if found.value is not None or abs(found.score) > balance else list(opening.moves)


def balanced_openings(
    game: Game,
    count: int,
    seed: int = 1,
    plies: int | None = None,
    balance: int = 120,
    nodes: int = 2_000_000,
    processes: int = 1,
) -> Iterator[list[int]]:
    """Yield the moves of ``count`` openings, none of which is another one turned or mirrored; fewer if there are none.

    The same arguments give the same openings, with any number of processes, as long as the engine does not change.
    """
    tasks: LocalTasks[int] = LocalTasks(partial(_opening, game.id, seed, plies, balance, nodes), processes)
    waiting: dict[int, list[int] | None] = {}
    seen: set[str] = set()
    following = 0
    for number, found in run_tasks(tasks, ((number, (number,)) for number in range(count * MAX_TRIES))):
        waiting[number] = found
        while following in waiting:
            moves = waiting.pop(following)
            following += 1
            if moves is None:
                continue
            position = game.start()
            position.play_all(moves)
            if position.canonical_text in seen:
                continue
            seen.add(position.canonical_text)
            yield moves
            if len(seen) == count:
                return


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.openings", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, help="random moves; by default the usual number for the game")
    parser.add_argument("--balance", type=int, default=120, help="the highest score for either side")
    parser.add_argument("--nodes", type=int, default=2_000_000, help="nodes of the long search")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = vars(parser.parse_args(arguments))
    game = Game(options.pop("game"))
    for moves in balanced_openings(game, **options):
        print(" ".join(map(game.format_cell, moves)), flush=True)


if __name__ == "__main__":
    # The processes find the function by the name of its module, which is not that of a program.
    from bench.openings import main as run

    run()
