"""Driving noughts through a real pseudo-terminal or a pipe, for the tests of the command line."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, Any, NamedTuple
from unittest.mock import patch

import click
import pexpect  # type: ignore[import-untyped]
import pytest

from noughts.cli import main
from paths import TESTS

PROGRAM = "from noughts.cli import main; main()"
TRANSCRIPTS = TESTS / "cli" / "transcripts"
PROMPT = re.compile(r"(?:to move[^:\n]*|your move [^:\n]*|FILE or quit|yes or no|enter to continue): ")
PROGRESS = re.compile(r"\r[^\r\n]*\x1b\[[JK]")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def environment(data: Path, **more: str) -> dict[str, str]:
    """Return an environment with its own data folder and without the user's preferences."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    return inherited | {"NOUGHTS_DATA": str(data), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"} | more


class Terminal:
    """A noughts command on a pseudo-terminal; ``setting`` is an environment variable, such as TERM=dumb."""

    def __init__(self, data: Path, *arguments: str, columns: int = 80, setting: str = "") -> None:
        name, _, value = setting.partition("=")
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-c", PROGRAM, *arguments],
            env=environment(data, **({name: value} if setting else {})),
            cwd=data,
            dimensions=(50, columns),
            encoding="utf-8",
            timeout=60,
        )
        self.seen = ""

    def wait_for(self, text: str) -> str:
        """Wait for a text; returns the output before it since the last call."""
        self.child.expect_exact(text)
        before: str = self.child.before
        self.seen += before + text
        return before

    def type(self, line: str) -> None:
        """Type a line and the enter key."""
        self.child.sendline(line)

    def answer(self, prompt: str, *lines: str) -> None:
        """Type each line when the prompt appears."""
        for line in lines:
            self.wait_for(prompt)
            self.type(line)

    def type_all(self, *lines: str) -> None:
        """Type each line when the session shows any prompt."""
        for line in lines:
            self.child.expect(PROMPT)
            self.seen += self.child.before + self.child.after
            self.type(line)

    def end(self) -> int:
        """Wait for the end; returns the exit code."""
        self.child.expect(pexpect.EOF)
        self.seen += self.child.before
        self.child.close()
        status: int = self.child.exitstatus if self.child.exitstatus is not None else -self.child.signalstatus
        return status

    @property
    def text(self) -> str:
        """All output so far, without colours and progress, with plain line ends."""
        return ESCAPES.sub("", PROGRESS.sub("", self.seen)).replace("\r\n", "\n")


def through_pipe(data: Path, *arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run a noughts command in a folder with its answers from a pipe."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        env=environment(data, **{"COLUMNS": "80"} | more),
        cwd=data,
        timeout=60,
        check=False,
    )


class Process(subprocess.Popen[str]):
    """A noughts command that runs, with pipes; ``program`` starts it, and ``shell`` runs the program."""

    stdin: IO[str]
    stdout: IO[str]
    stderr: IO[str]

    def __init__(self, data: Path, *arguments: str, program: str = PROGRAM, shell: Sequence[str] = ()) -> None:
        pipe = subprocess.PIPE
        super().__init__(
            [*shell, sys.executable, "-c", program, *arguments],
            env=environment(data), cwd=data, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1,
        )  # fmt: skip

    def __exit__(self, *error: Any) -> None:
        self.kill()
        super().__exit__(*error)


def parameters(command: click.Command, *words: str) -> Iterator[tuple[str, click.Parameter]]:
    """Yield all arguments and options of a command and its commands, each with the words before it."""
    for parameter in command.params:
        yield " ".join((*words, parameter.name or "")), parameter
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from parameters(found, *words, name)


def processor_seconds(command: Callable[[], object]) -> float:
    """The processor time of the processes that a call starts, the least of three: other processes may be busy."""
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def start_of_python() -> float:
    """The processor time of starting Python on this machine now."""
    return processor_seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], timeout=60, check=True))


def without_spaces(text: str) -> str:
    """A text without spaces and line ends, to find texts that may have been wrapped, such as paths."""
    return "".join(text.split())


class Result(NamedTuple):
    """The result of a command."""

    returncode: int
    stdout: str
    stderr: str


def in_process(data: Path, *arguments: str, typed: str = "", columns: int = 80) -> Result:
    """Run a noughts command here, with its answers from a text: as ``through_pipe``, without starting a process."""
    streams = [TextIOWrapper(BytesIO(text), encoding="utf-8") for text in (typed.encode(), b"", b"")]
    changed = environment(data, COLUMNS=str(columns))
    with (
        patch.dict(os.environ, changed),
        patch.multiple(sys, argv=["noughts", *arguments], stdin=streams[0], stdout=streams[1], stderr=streams[2]),
        pytest.raises(SystemExit) as exit_code,
    ):
        main()
    written = []
    for stream in streams[1:]:
        stream.flush()
        stream.seek(0)
        written.append(stream.read())
    return Result(int(exit_code.value.code or 0), *written)


def run_here(*arguments: str | Path) -> Result:
    """Run a noughts command as ``in_process`` does, with the data of the test."""
    return in_process(Path(os.environ["NOUGHTS_DATA"]), *map(str, arguments))


def run(data: Path, *arguments: str, typed: str = "", columns: int = 80) -> Result:
    """Run a noughts command as ``in_process`` does, in the folder of its data."""
    with chdir(data):
        return in_process(data, *arguments, typed=typed, columns=columns)


def golden(name: str) -> str:
    """Return the expected transcript."""
    return (TRANSCRIPTS / name).read_text(encoding="utf-8")


def check_golden(name: str, text: str) -> None:
    """Compare a transcript with the stored one; with ``UPDATE_TRANSCRIPTS`` set, store this one instead."""
    path = TRANSCRIPTS / name
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        path.write_text(text, encoding="utf-8")
    assert text == golden(name)
