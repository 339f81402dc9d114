"""The output of ``noughts solve`` while it runs: a display on standard error, or JSON events on standard output."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Protocol

from noughts.ask.solve import SolveProgressAnswer, done_of
from noughts.cli.output import format_time, print_json
from noughts.cli.progress import ProgressDisplay
from noughts.games import Position
from noughts.proof.solver import ProofProgress, SolveProgress

__all__ = ["EventWatcher", "ProofWatcher", "SolveWatcher", "TextWatcher", "make_watcher"]

EVENT_SECONDS = 2.0
"""Time between two progress events."""


class SolveWatcher(Protocol):
    """Reports the progress of a solve."""

    def report(self, progress: SolveProgress) -> None:
        """Report it, if it is time to."""

    def clear(self) -> None:
        """Make room for other output."""


def make_watcher(position: Position, has_events: bool, is_continued: bool = False) -> SolveWatcher:
    """Return the watcher for the solve of a position."""
    return EventWatcher(position) if has_events else TextWatcher(position, is_continued)


class TextWatcher:
    """A bar on a terminal, else a line a minute, on standard error."""

    def __init__(self, position: Position, is_continued: bool) -> None:
        name = "" if sys.stderr.isatty() else f"{position.game.label} {position.text}"
        self._display = ProgressDisplay(name, is_continued)

    def report(self, progress: SolveProgress) -> None:
        facts = [f"{progress.nodes:,} nodes", f"{round(progress.rate):,} a second", format_time(progress.seconds)]
        unknown = ["share unknown so far"] if progress.share is None else []
        self._display.show([*unknown, *facts], progress.share, _details(progress))

    def clear(self) -> None:
        self._display.clear()


def _details(progress: SolveProgress) -> list[str]:
    table = f"table {progress.hashfull / 10:.0f} % full, {progress.table_bytes / (1 << 20):,.0f} MB"
    if progress.proof == progress.disproof == 0:  # an exhaustive search has no such numbers
        return [table, progress.line_text]
    question = f"can {progress.attacker} win? {progress.proof:,} to show it, {progress.disproof:,} to refute it"
    return [table, question, progress.line_text]


class EventWatcher:
    """A JSON object every few seconds."""

    def __init__(self, position: Position) -> None:
        self._position, self._next = position, monotonic()

    def report(self, progress: SolveProgress) -> None:
        if monotonic() < self._next:
            return
        self._next = monotonic() + EVENT_SECONDS
        seconds, position = round(progress.seconds, 3), self._position
        found = SolveProgressAnswer.of(position.game, progress)
        print_json({"event": "progress", "seconds": seconds, "position": position.text, "progress": found})

    def clear(self) -> None:
        pass


class ProofWatcher:
    """Shows how a proof is written, as the watchers above show a solve; as a context manager it clears the bar."""

    def __init__(self, position: Position, has_events: bool) -> None:
        self._position = position
        self._display = None if has_events else ProgressDisplay("writing the proof")
        self._next = monotonic()

    def __enter__(self) -> ProofWatcher:
        if self._display is not None:
            self._display.show([""])
        return self

    def __exit__(self, *_: object) -> None:
        if self._display is not None:
            self._display.clear()

    def report(self, progress: ProofProgress) -> None:
        """Report it, if it is time to."""
        rate = round(progress.nodes / max(progress.seconds, 0.001))
        if self._display is not None:
            facts = [f"{progress.nodes:,} nodes", f"{rate:,} a second", format_time(progress.seconds)]
            self._display.show(facts, progress.share)
        elif monotonic() >= self._next:
            self._next = monotonic() + EVENT_SECONDS
            event = {"event": "proof", "seconds": round(progress.seconds, 3), "position": self._position.text}
            print_json(event | {"nodes": progress.nodes, "nodes_per_second": rate, "done": done_of(progress.share)})
