"""The signature of the search: the nodes of a fixed set of positions, each searched to a fixed depth.

It is the same on every run and machine, and changes whenever the search behaves differently. The expected one is in
``bench/signature``, which ``make signature`` rewrites.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from noughts.engine import Engine, Limit
from noughts.games import Game, Position

__all__ = ["CASES", "Case", "Measurement", "measure_cases", "signature"]

HASH_MB = 16


class Case(NamedTuple):
    """A position and the depth to search it to."""

    game: str
    position: str
    depth: int

    def parse(self) -> Position:
        return (_triangle() if self.game == "triangle" else Game(self.game)).parse(self.position)


@dataclass(frozen=True)
class Measurement:
    """The measurement of a case: its nodes, and the processor time of its fastest run, in seconds."""

    case: Case
    nodes: int
    seconds: float


def measure_cases(progress: Callable[[int, int, Case], object] | None = None, repeats: int = 1) -> list[Measurement]:
    """Search every case with one thread, each time on a fresh engine, and keep the fastest of ``repeats`` runs.

    Processor time is measured because other programs hardly affect it. ``progress`` is called with the number of the
    case, the number of cases, and the case.
    """
    found = []
    for number, case in enumerate(CASES, start=1):
        if progress is not None:
            progress(number, len(CASES), case)
        found.append(min((_measure(case) for _ in range(repeats)), key=lambda each: each.seconds))
    return found


def _measure(case: Case) -> Measurement:
    position, engine = case.parse(), Engine(threads=1, hash_mb=HASH_MB, book=False)
    start = time.process_time()
    result = engine.search(position, Limit(depth=case.depth))
    return Measurement(case, result.nodes, time.process_time() - start)


def signature(measurements: list[Measurement]) -> int:
    """Return the nodes of all cases together."""
    return sum(measurement.nodes for measurement in measurements)


def _triangle() -> Game:
    """A custom game: three in a row on a triangle of 28 cells, which loses."""
    places = [(row, place) for row in range(7) for place in range(row + 1)]
    runs = [
        [(row + down * step, place + right * step) for step in range(3)]
        for row, place in places
        for down, right in ((0, 1), (1, 0), (1, 1))
    ]
    lines = [[places.index(at) for at in run] for run in runs if all(at in places for at in run)]
    return Game.from_lines("triangle", cells=len(places), lines=lines, misere=True)


CASES = (
    Case("3x3", "3/3/3 x", 9),
    Case("3x3+misere", "3/3/x2 o", 8),
    Case("4x4:3", "4/4/4/4 x", 6),
    Case("4x4+misere", "4/4/4/xox1 o", 10),
    Case("5x5:4", "5/5/5/5/5 x", 10),
    Case("5x5:4", "4x/3o1/2xx1/4o/5 o", 20),
    Case("6x6:4", "3x2/o5/x2o2/6/6/6 x", 9),
    Case("3x3x3+misere", "3/3/3|3/x2/2o|1x1/2x/1o1 o", 9),
    Case("4x4x4", "4/4/4/4|4/4/4/4|4/4/4/4|4/4/4/4 x", 6),
    Case("4x4x4", "x3/4/o3/x3|4/4/1o2/4|o3/1x2/4/4|ox2/4/4/4 x", 6),
    Case("4x4x4", "3o/4/3x/4|3x/1xo1/4/4|xx1o/1xx1/1oo1/4|o2o/1o2/4/3x x", 9),
    Case("4x4x4", "o3/x2o/1x2/o2x|ox2/xoxo/xooo/xo1x|4/ox2/1x2/ooxo|3x/x3/4/o2x x", 8),
    Case("4x4x4+gravity", "x2o/oo1x/4/x1ox|4/1o2/4/2x1|4/4/4/4|4/4/4/4 x", 10),
    Case("7x6:4+gravity", "7/7/7/7/7/7 x", 13),
    Case("7x6:4+gravity", "7/7/7/3o3/3x3/oxoox1x x", 13),
    Case("7x6:4+gravity", "7/3x3/1oox3/xxxo3/ooox3/oxoox1x x", 17),
    Case("7x6:4+gravity+misere", "7/2o4/2x4/2o4/x1x2ox/xoo2ox x", 13),
    Case("15x15:5", "15/15/15/15/15/15/15/3x2o8/15/15/15/15/15/15/15 x", 6),
    Case("15x15:5", "15/15/15/15/15/15/5x9/3x2o8/4x2o7/6x8/6oo7/15/15/15/15 x", 8),
    Case(
        "15x15:5",
        "15/15/15/15/5o9/5xx8/4oxo8/5xox7/6xox6/5o1x7/6oxoo5/7o7/15/11x3/15 x",
        11,
    ),
    Case("15x15:5+exact", "15/15/15/15/15/15/4x10/3x2o8/4x10/4oo9/15/15/15/15/15 x", 7),
    Case("10x10:5+wrap", "10/10/10/10/o6xxx/10/7o2/10/10/8o1 x", 7),
    Case("ultimate:3", "9/9/9/9/9/9/9/9/9 x -", 9),
    Case("ultimate:3", "x8/o8/6x1o/5x2o/7x1/3o5/o8/7ox/2x6 x 4", 13),
    Case("ultimate:3", "x3x3o/o7x/1x1o1ox1o/1oo2xo1o/1x5x1/3oo4/ox6x/x2x3ox/o1xxo4 x 3", 16),
    Case("ultimate:3", "x3x1x1o/oo3x2x/xx1o1ox1o/1oo1oxooo/1x5x1/3oox1x1/ox1o4x/x1oxx2ox/ooxxo1x1o x 2", 19),
    Case("ultimate:3+open", "x8/o8/6x1o/5x2o/1x5x1/3oo4/o8/7ox/2x6 x 8 .........", 14),
    Case("ultimate:3+count", "x3x1x1o/oo6x/xx1o1ox1o/1oo2xo1o/1x5x1/3oox1x1/ox1o4x/x1ox3ox/ooxxo1x1o x 8", 17),
    Case("ultimate:3+misere", "x8/o8/6x1o/1o3x2o/1x5x1/3oo4/o8/3x3ox/2x6 x 2", 13),
    Case(
        "ultimate:4",
        "11o4/2x6x6/1o14/14o1/6x1x7/1o4o9/10o5/16/3xo11/16/6x9/8x2o4/2o13/12x3/1x14/11xo3 x 4",
        9,
    ),
    Case(
        "ultimate:4+count",
        "4oo5o2oo/x1xx5x3xx1/1o5x8/9x3xo1/6x1x7/1ox3o9/1o3o2o1oo2o1/4o9x1/"
        "3xo2xo4x2/11o4/6xxx7/ox1o4x2o1oo1/1xo4o3x4/7oo3xx2/1xx1x5x5/6o4xo3 x 8",
        13,
    ),
    Case(
        "4x4x4x4",
        "3o/4/4/4|4/4/4/4|4/4/4/4|3o/4/4/4|4/4/4/4|4/4/4/4|4/4/4/4|4/4/4/2o1|"
        "3x/4/4/4|4/4/4/4|4/4/4/4|4/4/4/4|3x/4/4/4|4/4/4/4|4/4/4/4|4/4/4/x3 x",
        4,
    ),
    Case("triangle", "28 x", 9),
)
"""Positions from the opening to the ending, one or two for each family."""
