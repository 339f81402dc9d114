"""Checks the submissions of a cup, several at a time, each in a process that may die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from noughts.arena.check import Check, check_bot
from noughts.process.program import become_subreaper
from noughts.process.sandbox import Sandbox
from noughts.process.tasks import LocalTasks, run_tasks
from noughts.teaching.cup.programs import CupProgram, find_program
from noughts.teaching.cup.submissions import CupSubmission

__all__ = ["check_submissions"]

CAN_BE_RUN = "can be run"
CAN_PLAY = "can play the game"
"""Fails if the program can never play, and so cannot even forfeit: its protocol does not know the game."""
SPEAKS_PROTOCOL = ("speaks a protocol", "protocol given")
FALLBACK_PROTOCOL = "json"
"""Assumed for a submission whose protocol cannot be detected: the simplest one for beginners."""


def check_submissions(
    submissions: Iterable[CupSubmission], home: Path, sandbox: Sandbox, size: int, **arguments: Any
) -> Iterator[CupSubmission]:
    """Yield each submission as soon as it is checked, with its command, its protocol and its checks.

    ``size`` submissions are checked at the same time. ``arguments`` are those of ``check_bot``.
    """
    died = Check("survives the check", False, "the process that checks it died")
    tasks = LocalTasks(check_submission, size, lambda each: each.name, lambda each: replace(each, checks=(died,)))
    calls = ((submission, (submission, home, sandbox, arguments)) for submission in submissions)
    for _, checked in run_tasks(tasks, calls):
        yield checked


def check_submission(
    submission: CupSubmission, home: Path, sandbox: Sandbox, arguments: dict[str, Any]
) -> CupSubmission:
    """Return a submission with its command, its protocol and its checks."""
    become_subreaper()
    try:
        program = find_program(home / submission.folder, sandbox)
    except (ValueError, OSError) as error:
        return replace(submission, checks=(_unable(error),))
    submission = replace(submission, run=program.run, typed=program.typed, folder=str(program.folder.relative_to(home)))
    checks = _run_checks(program, sandbox, arguments)
    if any(check.name == CAN_PLAY for check in checks):
        submission = replace(submission, run="")
    return replace(submission, protocol=_protocol_of(checks), checks=tuple(checks))


def _unable(error: Exception) -> Check:
    """The failed check of a submission without a program; the output of a compiler goes where errors are shown."""
    message, _, output = str(error).partition("\n")
    return Check(CAN_BE_RUN, False, message, stderr=output)


def _run_checks(program: CupProgram, sandbox: Sandbox, arguments: dict[str, Any]) -> list[Check]:
    checks: list[Check] = []
    try:
        for check in check_bot(
            program.run, protocol=program.protocol, sandbox=sandbox, folder=program.folder, **arguments
        ):
            checks.append(check)  # those made before an error count too
    except (ValueError, OSError) as error:
        checks.append(Check(CAN_PLAY, False, str(error)))
    return checks


def _protocol_of(checks: list[Check]) -> str:
    found = (check.detail for check in checks if check.passed and check.name in SPEAKS_PROTOCOL)
    return next(found, FALLBACK_PROTOCOL)
