"""``python -m noughts.teaching.grading.runtime.child``: a submission in a process of its own, which answers JSON lines.

A line of questions has a key, chosen at random when they are asked; each answer is a line with this key and the number
of its question. The submission's prints go to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TextIO

from noughts.json_types import Json
from noughts.process.streams import take_streams
from noughts.teaching.grading.runtime.server import SubmissionServer

__all__ = ["READY", "main", "serve"]

READY = "noughts-grading 1"
"""The first line: the process is ready to load the submission."""
PRINTED_CHARACTERS = 2_000
"""Printed characters of a submission that are shown; the rest is dropped."""


def serve(server: SubmissionServer) -> None:
    """Answer questions from standard input on standard output, until the input ends.

    The functions that read and write are bound before the submission is loaded, so that one which replaces functions of
    the standard library by mistake does not garble its answers.
    """
    questions, answers = _take_streams()
    write, leave = _writer(answers), os._exit
    loads, answer = json.loads, server.answer
    write(READY)
    with os.fdopen(questions, encoding="utf-8") as lines:
        for line in lines:
            asked = loads(line)
            for number, question in enumerate(asked["questions"]):
                write({"key": asked["key"], "number": number, **answer(question)})
    leave(0)  # without the submission's exit handlers


def _take_streams() -> tuple[int, int]:
    """Return private descriptors of standard input and output; the submission has neither of them."""
    questions, answers = take_streams()
    sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stderr = _TruncatingStream(open(2, "w", buffering=1, errors="backslashreplace", closefd=False))  # noqa: SIM115
    return questions, answers


def _writer(answers: int) -> Callable[[Json], None]:
    """Return the function that writes a line."""
    write, dumps, size = os.write, json.dumps, len

    def write_data(data: Json) -> None:
        line = dumps(data).encode() + b"\n"
        while size(line):
            line = line[write(answers, line) :]

    return write_data


class _TruncatingStream:
    """Writes the beginning of a text and drops the rest, for submissions that print at every node."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._left = stream, PRINTED_CHARACTERS

    def write(self, text: str) -> int:
        """Write the text, or its beginning."""
        if self._left > 0:
            self._stream.write(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                self._stream.write("\n... (the rest of its output is not shown)\n")
            self._stream.flush()
        return len(text)

    def __getattr__(self, name: str) -> object:
        attribute: object = getattr(self._stream, name)
        return attribute


def main() -> None:
    """Serve the submission that the first question names."""
    sys.dont_write_bytecode = True
    serve(SubmissionServer(caught=(BaseException,)))


if __name__ == "__main__":
    main()
