"""Makes the positions and openings of ``noughts bench agents``: ``python -m bench.train.agent_suite [--out FILE]``.

Positions come from playthroughs of a level that plays some random moves. A position is taken if every move in it has a
proven value, the values differ, and no earlier position is the same up to symmetry.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from time import process_time
from typing import NamedTuple

import noughts as no
from noughts.analysis import ExactValues
from noughts.arena.agents import SUITE, VALUES
from noughts.arena.openings import random_opening
from noughts.games.atomic_file import write_file
from noughts.packaged import packaged_path

VERSION = 1
OPENINGS = 50
RANDOM_SHARE = 0.35
MAX_TRIES = 20_000
LETTERS = {value: letter for letter, value in VALUES.items()}


class Job(NamedTuple):
    """The number of positions wanted of a game, and the plies at which they are taken."""

    positions: int
    plies: range
    limit: no.Limit = no.Limit(nodes=50_000_000)


JOBS = {
    "3x3": Job(100, range(6)),
    "7x6:4+gravity": Job(150, range(6, 33)),
    "4x4x4": Job(50, range(8, 40), no.Limit(nodes=5_000)),
    "ultimate:3": Job(0, range(0)),
}


def positions_of(game: no.Game, job: Job) -> list[tuple[str, str]]:
    """Return position strings with the values of their legal moves as letters."""
    chance, level = random.Random(f"agents {game.id}"), no.level("difficult", seed=1)
    values, found = ExactValues(job.limit), dict[int, tuple[str, str]]()
    for _ in range(MAX_TRIES):
        if len(found) == job.positions:
            break
        position = play_to(game, chance.choice(job.plies), chance, level)
        if not position.is_over and position.canonical_hash not in found:
            letters = letters_of(position, values)
            if letters is not None and len(set(letters)) > 1:
                found[position.canonical_hash] = (position.text, letters)
    return list(found.values())


def play_to(game: no.Game, ply: int, chance: random.Random, level: no.LevelPlayer) -> no.Position:
    """Return a position after some plies of a level that plays some random moves; earlier if the game ends."""
    position = game.start()
    while not position.is_over and position.ply < ply:
        is_random = chance.random() < RANDOM_SHARE
        position.play(chance.choice(position.legal_moves) if is_random else level.choose(position))
    return position


def letters_of(position: no.Position, values: ExactValues) -> str | None:
    """Return the values of the legal moves as letters, or None if one is not proven within the limit."""
    letters = ""
    for move in position.legal_moves:
        value = values.of_move(position, move)
        if value is None:
            return None
        letters += LETTERS[value]
    return letters


def openings_of(game: no.Game) -> list[list[int]]:
    """Return openings that differ in more than symmetry; fewer than wanted in a small game."""
    found = dict[int, list[int]]()
    for number in range(2 * OPENINGS):
        opening = random_opening(game, f"agents {number}")
        found.setdefault(opening.position(game).canonical_hash, list(opening.moves))
        if len(found) == OPENINGS:
            break
    return list(found.values())


def main() -> None:
    """Make the suite."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=packaged_path(SUITE))
    arguments = parser.parse_args()
    lines = []
    for id, job in JOBS.items():
        began, game = process_time(), no.Game(id)
        openings, positions = openings_of(game), positions_of(game, job)
        lines.append(f"{json.dumps(id)}: {json.dumps({'openings': openings, 'positions': positions})}")
        counts = f"{len(positions)} positions, {len(openings)} openings"
        print(f"{id:16} {counts}, {process_time() - began:.1f} s", flush=True)
    separator = ",\n"
    text = f'{{"version": {VERSION}, "games": {{\n{separator.join(lines)}\n}}}}\n'
    write_file(arguments.out, text)


if __name__ == "__main__":
    main()
