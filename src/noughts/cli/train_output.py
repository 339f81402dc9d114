"""The progress of ``noughts train``: text on standard error, or JSON events."""

from __future__ import annotations

from noughts.cli.output import print_event, say
from noughts.cli.progress import ProgressDisplay
from noughts.games.quoting import count
from noughts.learn.run import TrainingRun, TrainingWatcher

__all__ = ["TrainingJsonWatcher", "TrainingTextWatcher", "make_watcher"]


def make_watcher(as_json: bool) -> TrainingWatcher:
    """Return the watcher that reports progress: as JSON on standard output, else as text on standard error."""
    return TrainingJsonWatcher() if as_json else TrainingTextWatcher()


def _headline(run: TrainingRun) -> str:
    settings = run.settings
    rounds, steps = count(settings.rounds, "round"), count(settings.steps, "step")
    amounts = f"{rounds} of {count(settings.playthroughs, 'playthrough')} and {steps}"
    return f"{settings.game.name}: {amounts}, in {run.folder.path}" + (" (continued)" if run.is_resumed else "")


def _stage_name(round_number: int | None, name: str) -> str:
    return name if round_number is None else f"round {round_number}, {name}"


class TrainingTextWatcher:
    """A line on standard error for the result of each stage, and the progress of the one at work."""

    def __init__(self) -> None:
        self._name, self._total, self._display = "", 0, ProgressDisplay()

    def begin(self, run: TrainingRun) -> None:
        say(_headline(run), err=True)

    def stage(self, round_number: int | None, name: str, total: int, done: int) -> None:
        self._name, self._total = _stage_name(round_number, name), total
        self._display = ProgressDisplay(self._name)
        self.advance(done)

    def advance(self, done: int, note: str = "") -> None:
        self._display.show_count(done, self._total, note)

    def result(self, round_number: int | None, text: str) -> None:
        self._display.clear()
        say(f"{self._name}: {text}", err=True)

    def end(self) -> None:
        self._display.clear()


class TrainingJsonWatcher:
    """One JSON object per line: ``begin``, ``stage`` and ``result`` for each stage."""

    def __init__(self) -> None:
        self._name = ""

    def begin(self, run: TrainingRun) -> None:
        print_event("begin", folder=str(run.folder.path), settings=run.settings, continued=run.is_resumed)

    def stage(self, round_number: int | None, name: str, total: int, done: int) -> None:
        self._name = name
        print_event("stage", round=round_number, stage=name, total=total, done=done)

    def advance(self, done: int, note: str = "") -> None:
        pass

    def result(self, round_number: int | None, text: str) -> None:
        print_event("result", round=round_number, stage=self._name, text=text)

    def end(self) -> None:
        pass
