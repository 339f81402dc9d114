"""Makes the puzzles that come with the package: ``python -m bench.train.puzzles [--out FILE] [GAME …]``.

The engine plays weak games against itself; positions with a short win, or in which few moves hold the draw, become
puzzles if their only solution is proven. New puzzles are added to the file, so the run can be interrupted.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

import noughts as no
from noughts.analysis.puzzles import SHIPPED, Goal, Puzzle, load_puzzles, make_puzzle, save_puzzles
from noughts.packaged import packaged_path

MOVE_NODES = 300
LOOK_NODES = 3000
MAX_PLIES_TO_WIN = 7
MAX_PLAYTHROUGHS = 600


class Job(NamedTuple):
    """The puzzles wanted of a game, and the share of random moves in the games they come from."""

    wins: int
    draws: int = 0
    randomness: float = 0.3
    most_moves: int = 4


JOBS = {
    "3x3": Job(8, 12, 0.8),
    "3x3+misere": Job(0, 8, 0.9),
    "4x4:3": Job(8, 0, 0.6),
    "5x5:4": Job(30, 15, 0.5),
    "6x6:4": Job(20, 0, 0.5),
    "3x3x3": Job(10, 0, 0.7),
    "4x4x4": Job(60, 0, 0.25, 3),
    "4x4x4+gravity": Job(40, 0, 0.3, 3),
    "7x6:4+gravity": Job(80, 40, 0.35),
    "5x4:4+gravity": Job(10, 15, 0.5),
    "15x15:5": Job(60, 0, 0.15, 3),
    "ultimate:2": Job(5, 10, 0.7),
    "ultimate:3": Job(40, 0, 0.3, 3),
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


def make(id: str, job: Job, puzzles: list[Puzzle], out: Path) -> None:
    """Add the missing puzzles of a game to the list and to the file, at most one of each playthrough."""
    id = no.Game(id).id
    known = {puzzle.position().canonical_text for puzzle in puzzles if puzzle.game == id}
    wants = {Goal.WIN: job.wins, Goal.DRAW: job.draws}
    for puzzle in puzzles:
        if puzzle.game == id:
            wants[puzzle.goal] -= 1
    engine, chance = no.Engine(hash_mb=8, book=False), random.Random(f"{id} {len(known)}")
    for number, positions in enumerate(playthroughs(id, chance, job.randomness)):
        if max(wants.values()) <= 0 or number == MAX_PLAYTHROUGHS:
            return
        for position in positions:
            found = find_puzzle(position, engine, wants, job.most_moves)
            if found is not None and position.canonical_text not in known:
                known.add(position.canonical_text)
                wants[found.goal] -= 1
                puzzles.append(found)
                save_puzzles(puzzles, out)
                break


def main() -> None:
    """Make the puzzles of the games named on the command line, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--out", type=Path, default=packaged_path(SHIPPED))
    arguments = parser.parse_args()
    puzzles = load_puzzles(arguments.out) if arguments.out.exists() else []
    for id in arguments.games or JOBS:
        began, before = process_time(), len(puzzles)
        make(id, JOBS[id], puzzles, arguments.out)
        print(f"{id:16} {len(puzzles) - before:4} new, {process_time() - began:6.1f} s", flush=True)


if __name__ == "__main__":
    main()
