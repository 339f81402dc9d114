"""Folders of submissions for tests: fair bots of a few lines, and hostile ones."""

from __future__ import annotations

import sys
from pathlib import Path

from mocks import MOCK

__all__ = ["FAILING", "FAIR", "make_class"]

FAIR = """#!/bin/sh
while read -r line; do
  legal=${{line#*'"legal": ["'}}; legal=${{legal%%]*}}
  set -- $(IFS='", '; echo $legal)
  shift $(( {number} % $# ))
  echo "{{\\"move\\": \\"$1\\"}}"
done
"""
"""Plays the legal move of its number, so that equal positions get equal moves."""
SHIFTS = (
    *(743, 36, 796, 504, 607, 681, 522, 310, 562, 13, 6, 402, 577, 221, 664, 329, 324, 797, 426, 526, 702, 171, 109),
    *(1, 618),
)
"""Numbers of the fair bots, with which few matches between them are drawn: in a knockout, drawn ones take longer."""
FAILING = {"crash": "crash-in-the-middle", "flood": "flood-a-line", "hog": "hog-memory", "illegal": "illegal"}
"""Ways of the mock bot that cost a playthrough at once."""


def write_bot(folder: Path, name: str, script: str) -> None:
    """Write a submission that speaks JSON lines, as a folder with a script."""
    place = folder / name
    place.mkdir(parents=True)
    (place / "bot.toml").write_text('run = "./bot.sh"\nprotocol = "json"\n')
    (place / "bot.sh").write_text(script)


def make_class(folder: Path, fair: int, hostile: dict[str, str]) -> None:
    """Write the submissions of a class."""
    for number in range(fair):
        write_bot(folder, f"fair-{number:02}", FAIR.format(number=SHIFTS[number]))
    mock = (MOCK.parent / MOCK.name).read_text()
    for name, way in hostile.items():
        write_bot(folder, name, f"#!/bin/sh\nexec {sys.executable} -S -E mock.py {way}\n")
        (folder / name / "mock.py").write_text(mock)
