"""Printing: text from outside, a status line, and the capabilities of the terminal or pipe it goes to."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from textwrap import fill
from typing import TYPE_CHECKING, Any, TextIO

import click

from noughts.games.quoting import escape_control_characters, escape_lines
from noughts.games.rendering.text import BOXES, PLAIN, Style
from noughts.settings import resolve
from noughts.settings.table import COLOUR, DRAWING

if TYPE_CHECKING:
    from noughts.analysis.advice import Advisor
    from noughts.ask.question import AnyQuestion

__all__ = [
    "Capabilities",
    "Deleted",
    "ask_timed",
    "board_style",
    "capabilities_of",
    "explained",
    "filled",
    "format_time",
    "paint",
    "print_answer",
    "print_event",
    "print_json",
    "print_message",
    "print_result",
    "rewrite",
    "say",
    "say_filled",
    "show_status",
    "stdout_capabilities",
    "table_width",
    "terminal_width",
    "warn",
]

MIN_COLUMNS, MAX_COLUMNS = 20, 200
BOLD, DIM, REVERSE, UNDERLINED = "1", "2", "7", "4"
CYAN, YELLOW, GREEN, RED = "36", "33", "32", "31"


def system_reason(error: OSError) -> str:
    """Return the reason of a system error in lower case: ``no such file or directory``."""
    return (error.strerror or str(error)).lower()


@contextmanager
def explained(problem: str) -> Iterator[None]:
    """Turn a system error into the one line with which the command ends: ``cannot read FILE: no such file …``."""
    try:
        yield
    except OSError as error:
        raise click.UsageError(f"{problem}: {system_reason(error)}") from None


def say(text: str, err: bool = False) -> None:
    """Print lines with their control characters escaped."""
    click.echo(escape_lines(text), err=err)


def filled(text: str) -> str:
    """Return the lines of a text, each broken at words where it does not fit the terminal; a pipe has no width."""
    width = table_width()
    return "\n".join([fill(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")])


def say_filled(text: str) -> None:
    """Print a text in lines that fit the terminal; an empty line before it stays."""
    click.echo(text[: len(text) - len(text.lstrip())] + fill(text.strip(), terminal_width(), break_on_hyphens=False))


def print_message(text: str) -> None:
    """Write a message to standard error, if there is still a terminal to write it to."""
    with suppress(OSError):
        say(text, err=True)


def warn(text: str) -> None:
    """Write a message of the program itself to standard error; a terminal breaks no word."""
    text = f"noughts: {text}"
    if sys.stderr.isatty():
        lines = text.split("\n")
        text = "\n".join(
            [fill(line, terminal_width(), break_long_words=False, break_on_hyphens=False) for line in lines]
        )
    print_message(text)


def ask_timed(
    question: AnyQuestion, request: object, advisor: Advisor, report: Callable[[Any], object] = lambda _: None
) -> tuple[Any, float]:
    """Return the answer to a question of the table, and how many seconds it took; raises ValueError."""
    from noughts.ask import Context, ask

    began = time.monotonic()
    answer = ask(question, request, Context(advisor), report)
    return answer, time.monotonic() - began


def print_answer(answer: object, seconds: float) -> None:
    """Print an answer as one line of JSON on standard output, and the time it took on standard error."""
    print_json(answer)
    print_message(f"answered in {seconds:.3f} s")


def print_json(data: object) -> None:
    """Print an answer, or data that contains one, as one line of JSON at once."""
    from noughts.schema import encode

    click.echo(encode(data))
    sys.stdout.flush()


def print_result(data: object, text: str, as_json: bool) -> None:
    """Print a result, as one line of JSON or as a text."""
    if as_json:
        print_json(data)
    else:
        say(text)


@dataclass(frozen=True)
class Deleted:
    """The id of a saved game or a tournament that was deleted."""

    deleted: int


def print_event(event: str, **data: object) -> None:
    """Print an event as one line of JSON at once."""
    print_json({"event": event, **data})


def show_status(*lines: str) -> None:
    """Overwrite the last lines of standard error, if it is a terminal that can do that; an empty line clears them.

    Lines are cut off at the width of the terminal.
    """
    if sys.stderr.isatty() and capabilities_of(sys.stderr).can_rewrite:
        width = terminal_width() - 1
        with suppress(OSError):  # a closed terminal
            rewrite(sys.stderr, [escape_control_characters(line)[:width] for line in lines])


def rewrite(out: TextIO, lines: Sequence[str]) -> None:
    """Write lines over the last ones, and leave the cursor on the first."""
    up = f"\x1b[{len(lines) - 1}A\r" if len(lines) > 1 else ""
    out.write("\r" + "\x1b[K\r\n".join(lines) + "\x1b[J" + up)
    out.flush()


def format_time(seconds: float | None) -> str:
    """Return a time in minutes and seconds, and in hours if it is long: ``4:07``, ``1:04:07``."""
    if seconds is None:
        return "–:––"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@dataclass(frozen=True)
class Capabilities:
    """Features of an output stream; ``can_rewrite`` means that a status line can be overwritten in place."""

    is_terminal: bool
    colours: bool
    can_rewrite: bool
    unicode: bool
    boxes: bool
    """Whether boards are drawn with lines."""
    width: int = 80


def capabilities_of(stream: TextIO) -> Capabilities:
    """Return the capabilities of a stream that the settings allow; raises ConfigError.

    ``NO_COLOR`` and ``TERM=dumb`` are respected.
    """
    drawing, tty = resolve(DRAWING).value, stream.isatty()
    dumb = os.environ.get("TERM", "dumb") in ("", "dumb")
    encoding = (stream.encoding or "ascii").lower().replace("-", "")
    can_show_unicode = encoding == "utf8" and not (tty and dumb)
    unicode = drawing == "unicode" or (drawing == "auto" and can_show_unicode)
    return Capabilities(
        is_terminal=tty,
        colours=tty and not dumb and not os.environ.get("NO_COLOR") and resolve(COLOUR).value,
        can_rewrite=tty and not dumb,
        unicode=unicode,
        boxes=unicode and (tty or drawing == "unicode"),
        width=terminal_width(stream),
    )


def terminal_width(stream: TextIO | None = None) -> int:
    """Return the current width in columns: from ``COLUMNS``, from the terminal, or 80."""
    if stream is not None and not stream.isatty() and "COLUMNS" not in os.environ:
        return 80
    return max(MIN_COLUMNS, min(MAX_COLUMNS, shutil.get_terminal_size((80, 24)).columns))


def table_width() -> int:
    """Return the width that tables on standard output must fit into: none in a pipe or a file."""
    is_narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    return terminal_width(sys.stdout) if is_narrow else sys.maxsize


def board_style(capabilities: Capabilities) -> Style:
    """Return the style for drawing boards. Colours add to letters, brackets and stars, they never replace them."""
    style = BOXES if capabilities.boxes else PLAIN
    if not capabilities.colours:
        return style
    return replace(
        style,
        x=paint(CYAN, BOLD),
        o=paint(YELLOW, BOLD),
        last=paint(UNDERLINED),
        winning=paint(REVERSE),
        empty=paint(DIM),
        coordinate=paint(DIM),
        rule=paint(DIM),
        target=paint(GREEN, BOLD),
    )


def paint(*codes: str) -> Callable[[str], str]:
    """Return a function that wraps a text in ANSI codes; codes inside the text do not end the outer ones."""
    begin, end = f"\x1b[{';'.join(codes)}m", "\x1b[0m"

    def apply(text: str) -> str:
        return begin + text.replace(end, end + begin).removesuffix(begin) + ("" if text.endswith(end) else end)

    return apply


def stdout_capabilities() -> Capabilities:
    """Return the capabilities of standard output."""
    return capabilities_of(sys.stdout)
