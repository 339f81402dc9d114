"""Checks the submissions of a cup, several at a time. ``python -m noughts.arena.cup.checking`` is a checking process.

A checking process reads lines of JSON, each the arguments of ``check_bot``, and answers each with a line: the checks.
When its input ends, it exits at once.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from noughts.arena.check import Check, check_bot
from noughts.arena.child_process import take_streams
from noughts.arena.cup.programs import find_program
from noughts.arena.cup.submissions import InvalidSubmission, Submission
from noughts.process.sandbox import Sandbox

__all__ = ["check_submissions"]

CAN_BE_RUN = "can be run"
CAN_PLAY = "can play the game"
"""Fails if the program can never play, and so cannot even forfeit: its protocol does not know the game."""
SPEAKS_PROTOCOL = ("speaks a protocol", "protocol given")
FALLBACK_PROTOCOL = "json"
"""Assumed for a submission whose protocol cannot be detected: the simplest one for beginners."""


def check_submissions(
    submissions: Iterable[Submission], home: Path, sandbox: Sandbox, size: int, **arguments: Any
) -> Iterator[Submission]:
    """Yield each submission as soon as it is checked, with its command, its protocol and its checks.

    ``size`` submissions are checked at the same time. ``arguments`` are those of ``check_bot``.
    """
    idle: SimpleQueue[_CheckingProcess] = SimpleQueue()
    processes = [_CheckingProcess() for _ in range(size)]
    for process in processes:
        idle.put(process)

    def check(submission: Submission) -> Submission:
        process = idle.get()
        try:
            return _check(submission, home, sandbox, lambda request: process.check(arguments | request))
        finally:
            idle.put(process)

    pool = ThreadPoolExecutor(size)
    try:
        jobs: list[Future[Submission]] = [pool.submit(check, submission) for submission in submissions]
        for job in as_completed(jobs):
            yield job.result()
    finally:
        for process in processes:
            process.close()
        pool.shutdown(cancel_futures=True)


def _check(
    submission: Submission, home: Path, sandbox: Sandbox, ask: Callable[[dict[str, Any]], list[Check]]
) -> Submission:
    folder = home / submission.folder
    try:
        program = find_program(folder, sandbox)
    except (InvalidSubmission, OSError) as error:
        return replace(submission, checks=(_unable(error),))
    submission = replace(submission, run=program.run, typed=program.typed, folder=str(program.folder.relative_to(home)))
    request: dict[str, Any] = {"command": program.run, "protocol": program.protocol, "folder": str(program.folder)}
    request["sandbox"] = sandbox.to_data()
    checks = ask(request)
    if any(check.name == CAN_PLAY for check in checks):
        submission = replace(submission, run="")
    return replace(submission, protocol=_protocol_of(checks), checks=tuple(checks))


def _unable(error: Exception) -> Check:
    """The failed check of a submission without a program; the output of a compiler goes where errors are shown."""
    message, _, output = str(error).partition("\n")
    return Check(CAN_BE_RUN, False, message, stderr=output)


def _protocol_of(checks: list[Check]) -> str:
    found = (check.detail for check in checks if check.passed and check.name in SPEAKS_PROTOCOL)
    return next(found, FALLBACK_PROTOCOL)


class _CheckingProcess:
    """Runs one check after the other in a process of its own, which is restarted if it dies."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False

    def check(self, request: dict[str, Any]) -> list[Check]:
        line = "" if self._is_closed else self._ask(json.dumps(request))
        if not line:
            self._end()
            return [Check("survives the check", False, "the process that checks it died")]
        return [Check(**check) for check in json.loads(line)]

    def _ask(self, line: str) -> str:
        if self._process is None:
            # Its own session: Ctrl-C is for this process, which then ends the check.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "noughts.arena.cup.checking"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True,
            )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            return self._process.stdout.readline()
        except (OSError, ValueError):  # it died, or was closed meanwhile
            return ""

    def close(self) -> None:
        """End the process; a check in progress fails."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


def main() -> None:
    """Answer the requests that come in on standard input."""
    read, write = take_streams()
    while True:
        write([check.to_data() for check in _run_checks(read())])


def _run_checks(request: dict[str, Any]) -> list[Check]:
    checks: list[Check] = []
    command, folder = request.pop("command"), Path(request.pop("folder"))
    sandbox = Sandbox.from_data(request.pop("sandbox"))
    try:
        for check in check_bot(command, folder=folder, sandbox=sandbox, **request):
            checks.append(check)  # those made before an error count too
    except (ValueError, OSError) as error:
        checks.append(Check(CAN_PLAY, False, str(error)))
    return checks


if __name__ == "__main__":
    main()
