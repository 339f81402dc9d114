"""The progress of ``noughts train``: a bar that is redrawn, lines, or JSON events."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from noughts.cli.output import capabilities_of, say
from noughts.games.quoting import count, terminal_json
from noughts.learn.run import Run, Watcher

__all__ = ["JsonWatcher", "LineWatcher", "LiveWatcher", "make_watcher"]

LINE_SECONDS = 10.0
"""Time between two lines about the same stage."""


def make_watcher(as_json: bool) -> Watcher:
    """Return the watcher that reports progress: as JSON on standard output, else as text on standard error."""
    if as_json:
        return JsonWatcher()
    return LiveWatcher() if capabilities_of(sys.stderr).can_rewrite else LineWatcher()


def _headline(run: Run) -> str:
    settings = run.settings
    rounds, steps = count(settings.rounds, "round"), count(settings.steps, "step")
    amounts = f"{rounds} of {count(settings.playthroughs, 'playthrough')} and {steps}"
    return f"{settings.game.name}: {amounts}, in {run.folder.path}" + (" (continued)" if run.is_resumed else "")


def _stage_name(round_number: int | None, name: str) -> str:
    return name if round_number is None else f"round {round_number}, {name}"


class LineWatcher:
    """Lines on standard error: one for the start and the result of each stage, and one every few seconds."""

    def __init__(self) -> None:
        self._name, self._total, self._printed = "", 0, 0.0

    def begin(self, run: Run) -> None:
        say(_headline(run), err=True)

    def stage(self, round_number: int | None, name: str, total: int, done: int) -> None:
        self._name, self._total, self._printed = _stage_name(round_number, name), total, monotonic()
        say(f"{self._name}: {done:,} of {total:,}", err=True)

    def advance(self, done: int, note: str = "") -> None:
        if monotonic() - self._printed >= LINE_SECONDS:
            self._printed = monotonic()
            say(f"{self._name}: {done:,} of {self._total:,}{note and ', '}{note}", err=True)

    def result(self, round_number: int | None, text: str) -> None:
        say(f"{self._name}: {text}", err=True)

    def end(self) -> None:
        pass


class LiveWatcher:
    """A line for each finished stage, and a bar for the one in progress."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(24), MofNCompleteColumn(), TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"), console=self._console, transient=True,
        )  # fmt: skip
        self._task: TaskID | None = None
        self._name = ""

    def begin(self, run: Run) -> None:
        self._console.print(_headline(run), markup=False)
        self._progress.start()

    def stage(self, round_number: int | None, name: str, total: int, done: int) -> None:
        self._remove_task()
        self._name = _stage_name(round_number, name)
        self._task = self._progress.add_task(self._name, total=total, completed=done, note="")

    def advance(self, done: int, note: str = "") -> None:
        if self._task is not None:
            self._progress.update(self._task, completed=done, note=note)

    def result(self, round_number: int | None, text: str) -> None:
        self._remove_task()
        self._progress.console.print(f"{self._name}: {text}", markup=False)

    def _remove_task(self) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None

    def end(self) -> None:
        self._progress.stop()


class JsonWatcher:
    """One JSON object per line: ``begin``, ``stage`` and ``result`` for each stage."""

    def __init__(self) -> None:
        self._name = ""

    def begin(self, run: Run) -> None:
        self._print("begin", folder=str(run.folder.path), settings=run.settings.to_data(), continued=run.is_resumed)

    def stage(self, round_number: int | None, name: str, total: int, done: int) -> None:
        self._name = name
        self._print("stage", round=round_number, stage=name, total=total, done=done)

    def advance(self, done: int, note: str = "") -> None:
        pass

    def result(self, round_number: int | None, text: str) -> None:
        self._print("result", round=round_number, stage=self._name, text=text)

    def end(self) -> None:
        pass

    @staticmethod
    def _print(event: str, **data: Any) -> None:
        click.echo(terminal_json({"event": event, **data}))
