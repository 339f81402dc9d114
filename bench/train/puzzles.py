"""Makes the puzzles that come with the package: ``python -m bench.train.puzzles [--out FILE] [--seconds N] [GAME …]``.

The engine plays weak games against itself; positions with a short win, or in which few moves hold the draw, become
puzzles if their only solution is proven. First the puzzles that the file has are proven, rated and named by their
themes again; then missing ones are added. The file is written after each game, so the run can be interrupted.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

import noughts as no
from noughts.analysis.puzzles import MIN_MOVES, SHIPPED, Goal, Puzzle, load_puzzles, make_puzzle, save_puzzles
from noughts.packaged import packaged_path

MOVE_NODES = 300
LOOK_NODES = 3000
MAX_PLIES_TO_WIN = 7
MAX_SECONDS = 240
"""Processor time for one game, unless another is asked for."""
MOST_SHORT = 0.4
"""The share of the wins that may take the fewest moves: there are plenty of those."""
CHECK_NODES = 2_000_000


class Job(NamedTuple):
    """The puzzles wanted of a game, and the share of random moves in the games they come from."""

    wins: int
    draws: int = 0
    randomness: float = 0.3
    most_moves: int = 4


JOBS = {
    "3x3": Job(8, 12, 0.8),
    "3x3+misere": Job(0, 12, 0.9),
    "4x4:3": Job(20, 0, 0.6),
    "4x4": Job(4, 16, 0.6),
    "4x4+wrap": Job(16, 12, 0.6),
    "5x5:4": Job(60, 40, 0.5),
    "6x6:4": Job(60, 0, 0.5),
    "7x7:5": Job(30, 0, 0.4),
    "10x10:5+wrap": Job(16, 0, 0.2, 3),
    "15x15:5": Job(70, 0, 0.15, 3),
    "15x15:5+exact": Job(20, 0, 0.15, 3),
    "3x3x3": Job(30, 0, 0.7),
    "4x4x4": Job(130, 0, 0.25, 3),
    "4x4x4+gravity": Job(100, 0, 0.3, 3),
    "5x5x5": Job(16, 0, 0.2, 3),
    "4x4x4x4": Job(16, 0, 0.2, 3),
    "5x4:4+gravity": Job(40, 40, 0.5),
    "7x6:4+gravity": Job(220, 80, 0.35),
    "7x6:4+gravity+misere": Job(0, 16, 0.5),
    "ultimate:2": Job(8, 20, 0.7),
    "ultimate:3": Job(120, 0, 0.3, 3),
    "ultimate:3+count": Job(20, 0, 0.3, 3),
    "ultimate:3+open": Job(20, 0, 0.3, 3),
    "ultimate:4+count": Job(30, 0, 0.3, 3),
}


def playthroughs(id: str, chance: random.Random, randomness: float) -> Iterator[Iterator[no.Position]]:
    """Yield games of a weak engine against itself, as iterators over their positions."""
    engine = no.Engine(hash_mb=8, book=False)
    while True:
        yield _positions(id, engine, chance, randomness)


def _positions(id: str, engine: no.Engine, chance: random.Random, randomness: float) -> Iterator[no.Position]:
    position = no.Game(id).start()
    engine.clear()
    while not position.is_over:
        yield position
        move = engine.search(position, no.Limit(nodes=MOVE_NODES)).move
        if chance.random() < randomness:
            near = [cell for cell in position.legal_moves if _is_near(position, cell)]
            move = chance.choice(near or position.legal_moves)
        position.play(move)


def _is_near(position: no.Position, cell: int) -> bool:
    """Whether a mark lies within two steps: far from all marks, moves on large boards make no sense."""
    points, last = position.game.coordinates, position.last_move
    if position.game.is_ultimate or not points or last is None:
        return True
    marks = (points[at] for at, mark in enumerate(position.cells) if mark is not None)
    return any(all(abs(a - b) <= 2 for a, b in zip(points[cell], mark, strict=True)) for mark in marks)


def find_puzzle(position: no.Position, engine: no.Engine, wants: dict[Goal, int], most_moves: int) -> Puzzle | None:
    """Return the puzzle of a position, if it is one and puzzles with its goal are wanted."""
    assert position.turn is not None
    if not position.game.is_ultimate and position.threats(position.turn.opponent):
        return None  # the move is forced: anyone finds it
    if wants[Goal.DRAW] <= 0:
        found = engine.search(position, no.Limit(nodes=LOOK_NODES))
        if found.value is not no.Value.WIN or found.plies is None or not 1 < found.plies <= MAX_PLIES_TO_WIN:
            return None
    puzzle = make_puzzle(position, most_moves=most_moves)
    return puzzle if puzzle is not None and wants[puzzle.goal] > 0 else None


def proven_again(puzzles: list[Puzzle]) -> list[Puzzle]:
    """Return the puzzles with themes and ratings of this version, without those that it does not prove."""
    found = (make_puzzle(puzzle.position(), CHECK_NODES, JOBS[as_job(puzzle.game)].most_moves) for puzzle in puzzles)
    return [puzzle for puzzle in found if puzzle is not None]


def as_job(id: str) -> str:
    """Return the key of ``JOBS`` for a canonical id."""
    return next(job for job in JOBS if no.Game(job).id == id)


def make(id: str, job: Job, puzzles: list[Puzzle], seconds: float) -> None:
    """Add the missing puzzles of a game to the list, at most one of each playthrough."""
    id, began = no.Game(id).id, process_time()
    known = {puzzle.position().canonical_text for puzzle in puzzles if puzzle.game == id}
    wants = {Goal.WIN: job.wins, Goal.DRAW: job.draws}
    short = round(MOST_SHORT * job.wins)
    for puzzle in puzzles:
        if puzzle.game == id:
            wants[puzzle.goal] -= 1
            short -= is_short(puzzle)
    engine, chance = no.Engine(hash_mb=8, book=False), random.Random(f"{id} {len(known)}")
    for positions in playthroughs(id, chance, job.randomness):
        if max(wants.values()) <= 0 or process_time() - began > seconds:
            return
        for position in positions:
            found = find_puzzle(position, engine, wants, job.most_moves)
            if found is None or position.canonical_text in known or (is_short(found) and short <= 0):
                continue
            known.add(position.canonical_text)
            wants[found.goal] -= 1
            short -= is_short(found)
            puzzles.append(found)
            break


def is_short(puzzle: Puzzle) -> bool:
    """Whether the puzzle asks for a win in the fewest moves."""
    return puzzle.goal is Goal.WIN and puzzle.moves == MIN_MOVES


def main() -> None:
    """Make the puzzles of the games named on the command line, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--out", type=Path, default=packaged_path(SHIPPED))
    parser.add_argument("--seconds", type=float, default=MAX_SECONDS, help="processor time for each game")
    arguments = parser.parse_args()
    puzzles = proven_again(load_puzzles(arguments.out)) if arguments.out.exists() else []
    for id in arguments.games or JOBS:
        began, before = process_time(), len(puzzles)
        make(id, JOBS[id], puzzles, arguments.seconds)
        save_puzzles(puzzles, arguments.out)
        print(f"{id:20} {len(puzzles) - before:4} new, {process_time() - began:6.1f} s", flush=True)


if __name__ == "__main__":
    main()
