"""A solve that signals can interrupt and that continues from a file."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from noughts.cli.output import print_message, show_status, system_reason, warn
from noughts.cli.solve_output import SolveWatcher
from noughts.cli.types import Start
from noughts.engine import Limit
from noughts.games import Position
from noughts.games.atomic_file import remove_leftovers

if TYPE_CHECKING:
    from noughts.proof.solver import Solution, SolveProgress

__all__ = [
    "MEMORY_MB",
    "ResumableSolve",
    "SolveOptions",
    "Terminated",
    "signals_raise",
]

MEMORY_MB = 1024
SAVE_EVERY_SECONDS = 300.0
"""Interval between saves of a long solve, if --save or --resume names a file."""
WORK_PER_SAVE = 20
"""A save is followed by at least this many times as much work."""
CHECK_SECONDS = 60.0
"""Time to check a value that rests on a saved solve."""


class SolveOptions(NamedTuple):
    """The options of the command."""

    limit: Limit | None
    memory: int
    threads: int
    proof: Path | None
    resume: Path | None
    save: Path | None
    fresh: bool
    as_json: bool
    events: bool
    on: str | None = None

    @property
    def is_json(self) -> bool:
        """Whether the output is JSON, with events or without."""
        return self.as_json or self.events


class Terminated(BaseException):
    """A signal has asked the command to end; ``code`` is the exit code."""

    def __init__(self, number: int) -> None:
        self.code = 128 + number

    @classmethod
    def of(cls, end: BaseException) -> Terminated:
        """Return the exception itself, or the one that stands for Ctrl-C."""
        return end if isinstance(end, Terminated) else cls(SIGINT)


@contextmanager
def signals_raise() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP raise Terminated, if they exist and are not ignored."""

    def end(number: int, frame: object) -> None:
        raise Terminated(number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handled = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in handled:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


class ResumableSolve:
    """A solver with a file to resume from: saved every few minutes if one was named, and when the solve must end."""

    def __init__(self, game: Start, position: Position, options: SolveOptions) -> None:
        from noughts.proof.solver import Solver

        self.solver = Solver(position, options.memory, options.threads)
        if options.resume:
            self.solver.load(options.resume)
        self._watcher = SolveWatcher(position, options.events, is_continued=options.resume is not None)
        self._game, self._position, self._options = game, position, options
        self._pause, self._saved = SAVE_EVERY_SECONDS, monotonic()
        remove_leftovers(self._path())  # as large as the table, and the next save may be far away

    def solve(self) -> Solution:
        """Solve within the limit, showing the progress."""
        return self.solver.solve(self._options.limit, self.report)

    def bounds(self) -> Solution:
        """Return what is known after an interruption."""
        return self.solver.solve(Limit(nodes=1))

    def report(self, progress: SolveProgress) -> None:
        """Show the progress, and save when it is time."""
        self._watcher.report(progress)
        if (self._options.save or self._options.resume) and monotonic() - self._saved >= self._pause:
            began = monotonic()
            self.save()
            self._saved = monotonic()
            self._pause = max(SAVE_EVERY_SECONDS, WORK_PER_SAVE * (self._saved - began))

    def clear(self) -> None:
        """Make room for other output."""
        self._watcher.clear()

    def is_checked(self, solution: Solution) -> bool:
        """Whether a proven value may be stored: it rests on this process alone, or on a certificate that was checked.

        Raises InvalidProof if the certificate is wrong. One that would take too long leaves the value unchecked.
        """
        if self._options.resume is None:
            return True
        from noughts.proof.proof import InvalidProof

        deadline = monotonic() + CHECK_SECONDS

        def watch(*_: object) -> None:
            if monotonic() > deadline:
                raise TimeoutError

        show_status("checking the value ...")
        try:
            self._check(solution, watch)
        except InvalidProof:
            raise
        except (TimeoutError, ValueError):  # no time, or no certificate: it is too long
            return False
        finally:
            show_status("")
        return True

    def _check(self, solution: Solution, watch: Callable[..., object], processes: int = 1) -> None:
        """Write the certificate and check it; raises InvalidProof, and ValueError if it is too long."""
        from noughts.proof.verify import verify

        proof = solution.prove(watch)
        assert proof is not None
        verify(proof, watch, processes)

    def save(self) -> bool:
        """Save the state and return whether that worked; a failure is reported on standard error."""
        path = self._path()
        show_status(f"saving to {path} ...")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.solver.save(path)
        except OSError as error:
            show_status("")
            warn(f"cannot save to {path}: {system_reason(error)}; an earlier save there is unchanged")
            return False
        show_status("")
        return True

    def print_how_to_continue(self, message: str) -> None:
        """Print the command that continues from the file just saved."""
        print_message(f"{message}: {self._command()}")

    def remove_default_file(self) -> None:
        """Remove the file that a finished solve was resumed from, if the path was our choice."""
        if self._options.resume and self._options.resume == default_file(self._position):
            self._options.resume.unlink(missing_ok=True)

    def _path(self) -> Path:
        return self._options.save or self._options.resume or default_file(self._position)

    def _command(self) -> str:
        """The command that continues, as it can be typed."""
        from shlex import join

        position, options = self._position, self._options
        words = ["noughts", "solve", self._game.text]
        if (position.start_text is not None or position.moves) and self._game.last is None:
            words.append(position.text)
        words += ["--memory", str(options.memory)] if options.memory != MEMORY_MB else []
        words += ["--threads", str(options.threads)] if options.threads != 1 else []
        words += ["--on", options.on] if options.on else []
        words += ["--proof", str(options.proof)] if options.proof else []
        return join([*words, "--resume", str(self._path())])


def default_file(position: Position) -> Path:
    from hashlib import sha1

    from noughts.store import data_folder

    name = "".join(letter if letter.isalnum() or letter in "x+-" else "-" for letter in position.game.id)
    key = json.dumps([position.game.to_data(), position.text])  # two custom games may share a name
    return data_folder() / "unfinished" / f"{name}-{sha1(key.encode()).hexdigest()[:8]}.solve"
