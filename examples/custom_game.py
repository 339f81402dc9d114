"""A custom game: make it, save it as a file, play it, and save the playthrough.

Run it with a folder to write to: python examples/custom_game.py FOLDER
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import noughts as no


def make() -> no.Game:
    """Return three in a row on a triangle of six cells, where the sides and the middle triangle are lines."""
    layout = [(1, 0), (0.5, 1), (1.5, 1), (0, 2), (1, 2), (2, 2)]
    return no.Game.from_lines("triangle", 6, [[0, 1, 3], [0, 2, 5], [3, 4, 5], [1, 2, 4]], layout=layout)


def main(folder: Path) -> None:
    """Write triangle.json and triangle.ngn, and show how the play went."""
    no.save_game(make(), folder / "triangle.json")
    position = no.find_game(str(folder / "triangle.json")).start()
    dice = random.Random(1)
    while not position.is_over:
        position.play(dice.choice(position.legal_moves))
    no.save(no.Playthrough.of(position, {"X": "dice", "O": "dice"}), folder / "triangle.ngn")
    print(no.load(folder / "triangle.ngn"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
