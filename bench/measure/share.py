"""Measures how often the estimated range of a running solve contains the true share of the work.

``python -m bench.measure.share`` solves positions of both solvers, some of those that the estimates were fitted to and
others that they were not, and compares each report with the truth, which is known at the end. Reports are counted
once in each twentieth of a solve, so that long solves do not count more than short ones. ``--most SECONDS`` leaves
solves that take longer undone.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import exp, log
from statistics import fmean, median, quantiles
from time import process_time
from typing import NamedTuple

from bench.report import format_table
from bench.results import say
from noughts import Game, Position, _core
from noughts.proof.progress_estimate import ProgressEstimate

__all__ = ["Case", "Solved", "main", "measure", "summary"]

MEMORY_MB = 256
REPORT_SECONDS = 0.004
PARTS = 20
MIN_PARTS = 5
"""Solves with reports in fewer twentieths are too short to tell."""


class Case(NamedTuple):
    """A position: the game after some random moves."""

    id: str
    plies: int = 0
    seed: int = 1

    def position(self) -> Position:
        position, dice = Game(self.id).start(), random.Random(self.seed)
        for _ in range(self.plies):
            position.play(dice.choice(position.legal_moves))
        return position

    def __str__(self) -> str:
        return f"{self.id} after {self.plies} random moves ({self.seed})" if self.plies else self.id


def _cases(text: str) -> list[Case]:
    """``8x4:4@2,3`` is 8x4:4 after two random moves of seed 3."""
    found = (word.partition("@") for word in text.split())
    return [Case(id, *map(int, numbers.split(",") if numbers else ())) for id, _, numbers in found]


FITTED, OTHERS = "fitted to", "others"
CASES = {
    ("proof numbers", FITTED): _cases(
        "7x4:4 8x4:4 7x4:4@1,2 8x4:4@1,1 8x4:4@1,2 8x4:4@2,3 8x4:4+exact 4x4x4@4,1 4x4x4@4,2 8x6:5@3,1 10x5:5 "
        "10x5:5@1,1 10x5:5@1,2"
    ),
    ("proof numbers", OTHERS): _cases(
        "9x4:4 9x4:4@2,1 9x4:4@3,2 9x4:4@4,1 7x7:5 7x7:5@1,2 7x7:5@2,2 7x7:5+exact 9x5:5 9x5:5@2,2 11x5:5@2,1 "
        "9x6:5@2,1 8x7:5@4,1 10x4:4@4,2 10x4:4@5,1 7x5:4@1,1"
    ),
    ("exhaustive", FITTED): _cases("6x5:4+gravity 5x6:4+gravity 7x5:4+gravity 5x4:4+misere"),
    ("exhaustive", OTHERS): _cases(
        "6x6:4+gravity@2,2 6x6:4+gravity@3,1 6x6:4+gravity@4,3 7x5:4+gravity@1,1 7x5:4+gravity@2,2 7x5:4+gravity@3,3 "
        "8x5:4+gravity@5,2 5x4:3+misere 5x4:3+misere@1,2 5x4:4+misere@1,1 ultimate:3@42,3 ultimate:3+misere@47,1 "
        "ultimate:3+misere@48,3"
    ),
}
"""The solves by method and by their use in the fit."""


class Report(NamedTuple):
    """A report in the middle of a solve, and the true share that it should have told."""

    share: ProgressEstimate | None
    truth: float


class Solved(NamedTuple):
    """One solve: at most one report for each twentieth of it."""

    case: Case
    nodes: int
    seconds: float
    reports: list[Report]

    @property
    def known(self) -> list[tuple[ProgressEstimate, float]]:
        return [(report.share, report.truth) for report in self.reports if report.share is not None]

    @property
    def coverage(self) -> float:
        return fmean(share.low <= truth <= share.high for share, truth in self.known)

    @property
    def width(self) -> float:
        return fmean(share.high - share.low for share, _ in self.known)

    @property
    def error(self) -> float:
        return fmean(abs(share.estimate - truth) for share, truth in self.known)

    @property
    def fall(self) -> float:
        """The sum of all falls of the estimate."""
        estimates = [share.estimate for share, _ in self.known]
        return sum(max(0.0, before - after) for before, after in pairwise(estimates))


def measure(case: Case, most_seconds: float) -> Solved | None:
    """Solve a position; None if that takes too long, or was too short to tell."""
    position = case.position()
    solver = _core.Solver(position, position.game.symmetry, MEMORY_MB)
    seen: list[tuple[int, ProgressEstimate | None]] = []
    began = process_time()

    def note(found: _core.SolveProgress) -> bool:
        seen.append((found.nodes, None if found.share is None else ProgressEstimate(*found.share)))
        return process_time() - began < most_seconds

    result = solver.solve(0.0, 0, note, REPORT_SECONDS)
    reports = list(_thinned(seen, result.nodes)) if result.lower == result.upper else []
    solved = Solved(case, result.nodes, process_time() - began, reports)
    return solved if len(solved.known) >= MIN_PARTS else None


def _thinned(seen: Iterable[tuple[int, ProgressEstimate | None]], total: int) -> Iterator[Report]:
    part = -1
    for nodes, share in seen:
        if (now := int(PARTS * nodes / total)) > part:
            part = now
            yield Report(share, nodes / total)


HEADS = ["solves", "known", "contains the truth", "width", "error", "falls"]


def _row(name: str, solved: Sequence[Solved]) -> list[str]:
    def mean(values: Iterable[float], unit: str = "") -> str:
        return f"{100 * fmean(values):.0f}{unit}"

    return [
        name,
        mean((len(each.known) / len(each.reports) for each in solved), " %"),
        mean((each.coverage for each in solved), " %"),
        mean(each.width for each in solved),
        mean(each.error for each in solved),
        mean(each.fall for each in solved),
    ]


def summary(found: dict[tuple[str, str], list[Solved]]) -> str:
    """Return a table with a row for each method and use; widths, errors and falls are in points."""
    rows = [_row(f"{method}, {use} ({len(solved)})", solved) for (method, use), solved in found.items() if solved]
    return format_table(HEADS, rows)


def correction(solved: Sequence[Solved]) -> str:
    """Return by how much the odds would have to be multiplied, and the error factor that holds 80 % of the truth."""
    residuals = [
        log(truth / (1 - truth)) - log(share.estimate / (1 - share.estimate))
        for each in solved
        for share, truth in each.known
        if 0 < truth < 1 and 0 < share.estimate < 1
    ]
    middle = median(residuals)
    factor = quantiles([abs(residual - middle) for residual in residuals], n=5)[3]
    return f"odds times {exp(middle):.2f}, error factor {exp(factor):.1f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure the estimated shares of running solves.")
    parser.add_argument("--most", type=float, default=30.0, metavar="SECONDS", help="processor time for one solve")
    parser.add_argument("--method", choices=sorted({method for method, _ in CASES}), help="only this solver")
    options = parser.parse_args(arguments)
    found: dict[tuple[str, str], list[Solved]] = {}
    for key, cases in CASES.items():
        if options.method not in (None, key[0]):
            continue
        found[key] = []
        for case in cases:
            solved = measure(case, options.most)
            if solved is None:
                say(f"{case}: too long, or too short")
                continue
            found[key].append(solved)
            say(f"{' | '.join(_row(str(case), [solved]))} | {solved.nodes:,} nodes, {solved.seconds:.1f} s")
        say(f"{' '.join(key)}: {correction(found[key])}")
    say(summary(found))


if __name__ == "__main__":
    main()
