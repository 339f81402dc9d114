"""Builds the book that comes with the package: ``python -m bench.train.book [--out FILE] [GAME …]``.

The games are those of docs/solved.md. The build continues from the entries of the file, so it can be interrupted. From
an empty file it takes about an hour, most of it for Connect Four and for the proof of Qubic.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time
from typing import NamedTuple

import noughts as no
from noughts.engine import Book
from noughts.engine.book.book import SHIPPED
from noughts.engine.book.builder import BookBuilder
from noughts.engine.book.strategy import Strategy
from noughts.packaged import packaged_path

SECONDS_PER_SAVE = 60


class Job(NamedTuple):
    """How the positions of a game are chosen: both sides follow the book, or the winner of a proof."""

    most_plies: int | None = None
    nodes: int | None = None
    """The limit for each position; positions that take more are left out."""
    memory_mb: int = 256
    from_proof: bool = False


SMALL = [
    "3x3", "4x3:3", "4x4:3", "4x4", "5x5", "6x5:5", "3x3x3", "3x3+misere", "4x3:3+misere", "4x4:3+misere", "4x4+misere",
    "5x5:4", "6x5:4", "6x6:4", "5x4:4", "6x4:4", "4x4:4+gravity", "5x4:4+gravity", "4x5:4+gravity",
    "5x5:4+gravity", "6x4:4+gravity", "4x6:4+gravity", "6x5:4+gravity", "5x6:4+gravity", "ultimate:2",
    "ultimate:2+misere", "ultimate:2+open", "4x4:3+exact", "5x5:4+exact", "4x4:3+wrap", "5x5:4+wrap",
]  # fmt: skip
JOBS = {
    **dict.fromkeys(SMALL, Job()),
    "6x6:5": Job(most_plies=6, nodes=100_000),
    "7x4:4": Job(most_plies=5, nodes=300_000),
    "8x4:4": Job(most_plies=1, nodes=400_000),
    "9x4:4": Job(nodes=300_000, from_proof=True),
    "7x7:5": Job(most_plies=3, nodes=50_000),
    "4x4x4": Job(nodes=1_000_000, from_proof=True),
    "7x6:4+gravity": Job(most_plies=12, memory_mb=2048),
}


def build(book: Book, out: Path, id: str, job: Job) -> tuple[int, int]:
    """Add the positions of a game; returns how many were solved, and how many were not."""
    start, strategy = no.Game(id).start(), None
    sides = tuple(no.Side)
    if job.from_proof:
        proof = no.solve(start).proof
        assert proof is not None
        no.verify(proof)
        strategy = Strategy(proof)
        assert strategy.side is not None
        sides = (strategy.side,)
    builder = BookBuilder(book, None if job.nodes is None else no.Limit(nodes=job.nodes), job.memory_mb, strategy)
    solved = unsolved = 0
    saved = process_time()
    for _, entry in builder.build(start, sides, most_plies=job.most_plies):
        solved, unsolved = solved + (entry is not None), unsolved + (entry is None)
        if process_time() - saved > SECONDS_PER_SAVE:
            book.save(out)
            saved = process_time()
    book.save(out)
    return solved, unsolved


def main() -> None:
    """Build the book of the games named on the command line, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--out", type=Path, default=packaged_path(SHIPPED))
    arguments = parser.parse_args()
    book = Book.load(arguments.out) if arguments.out.exists() else Book()
    for id in arguments.games or JOBS:
        began = process_time()
        solved, unsolved = build(book, arguments.out, id, JOBS.get(id, Job()))
        print(f"{id:16} {solved:6} new, {unsolved:4} not solved, {process_time() - began:7.1f} s", flush=True)
    print(f"{arguments.out}: {len(book):,} positions, {arguments.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
