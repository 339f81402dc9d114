"""The output of ``noughts solve`` while it runs: a display on standard error, or JSON events on standard output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from noughts.ask.solve import SolveProgressAnswer, done_of
from noughts.cli.output import format_time, print_event
from noughts.cli.progress import ProgressDisplay
from noughts.games import Position
from noughts.proof.progress_estimate import ProgressEstimate
from noughts.proof.solver import ProofProgress, SolveProgress

if TYPE_CHECKING:
    from noughts.proof.jobs import JobProgress

__all__ = ["SolveWatcher"]

EVENT_SECONDS = 2.0
"""Time between two progress events."""


class SolveWatcher:
    """Reports the progress of a solve, by itself or by jobs, and of writing its proof."""

    def __init__(self, position: Position, has_events: bool, is_continued: bool = False, name: str = "") -> None:
        """Print events, or show a bar with this name; without one, a line in a file names the position."""
        self._position = position
        default = "" if sys.stderr.isatty() else f"{position.game.label} {position.text}"
        self._display = None if has_events else ProgressDisplay(name or default, is_continued)
        self._next = monotonic()
        if name and self._display is not None:
            self._display.show([""])

    def report(self, progress: SolveProgress) -> None:
        """Report a solve, if it is time to."""
        unknown = ["share unknown so far"] if progress.share is None else []
        found = SolveProgressAnswer.of(self._position.game, progress)
        facts = [*unknown, *_work(progress.nodes, progress.rate, progress.seconds)]
        self._report("progress", progress.seconds, facts, progress.share, _details(progress), progress=found)

    def report_jobs(self, progress: JobProgress) -> None:
        """Report a solve by jobs, if it is time to."""
        jobs = f"{progress.jobs:,} jobs done, {progress.running} running, {progress.leaves:,} positions left"
        facts = [jobs, f"{progress.nodes:,} nodes", format_time(progress.seconds)]
        data = {name: value for name, value in progress._asdict().items() if name != "seconds"}
        self._report("progress", progress.seconds, facts, **data)

    def report_proof(self, progress: ProofProgress) -> None:
        """Report how a proof is written, if it is time to."""
        rate = round(progress.nodes / max(progress.seconds, 0.001))
        facts, done = _work(progress.nodes, rate, progress.seconds), done_of(progress.share)
        self._report(
            "proof", progress.seconds, facts, progress.share, nodes=progress.nodes, nodes_per_second=rate, done=done
        )

    def _report(
        self,
        event: str,
        seconds: float,
        facts: Sequence[str],
        share: ProgressEstimate | None = None,
        details: Sequence[str] = (),
        **data: object,
    ) -> None:
        if self._display is not None:
            self._display.show(facts, share, details)
        elif monotonic() >= self._next:
            self._next = monotonic() + EVENT_SECONDS
            print_event(event, seconds=round(seconds, 3), position=self._position.text, **data)

    def clear(self) -> None:
        """Make room for other output."""
        if self._display is not None:
            self._display.clear()


def _work(nodes: int, rate: float, seconds: float) -> list[str]:
    return [f"{nodes:,} nodes", f"{round(rate):,} a second", format_time(seconds)]


def _details(progress: SolveProgress) -> list[str]:
    table = f"table {progress.hashfull / 10:.0f}% full, {progress.table_bytes / (1 << 20):,.0f} MB"
    if progress.proof == progress.disproof == 0:  # an exhaustive search has no such numbers
        return [table, progress.line_text]
    question = f"can {progress.attacker} win? {progress.proof:,} to show it, {progress.disproof:,} to refute it"
    return [table, question, progress.line_text]
