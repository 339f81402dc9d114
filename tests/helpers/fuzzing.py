"""Fuzzing: hostile inputs for anything that reads text, bytes or data, and the rules that every reader must follow.

A reader takes an input and returns a value or raises a ``ValueError`` with a one-line message; no other exception is
allowed, and no input may take a second. There are two kinds of inputs, both seeded, so that every run is the same:

* :func:`fuzz` mutates valid samples and adds noise. ``NOUGHTS_SLOW=1`` turns the short run into a long one.
* :func:`check_linear` gives 100 kB of each kind of repetition and bounds the CPU time.

::

    fuzz("game ids", no.Game, ["3x3", "5x5:4+misere"])
    check_linear("game ids", no.Game, ["3x3", "5x5:4+misere"])
"""

from __future__ import annotations

import json
import os
import random
import signal
import string
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

SLOW = bool(os.environ.get("NOUGHTS_SLOW"))

QUICK_INPUTS = 400
SLOW_INPUTS = 60_000
INPUT_SECONDS = 1.0
"""CPU time limit for one mutated input."""

REPETITION_BYTES = 100_000
LINEAR_SECONDS = 0.05
"""CPU time limit for 100 kB on an idle machine."""
BUSY_FACTOR = 6
"""Allowance for a busy machine. A quadratic reader takes seconds for 100 kB, an exponential one never ends."""
HANG_SECONDS = 20
"""Wall time after which a reader counts as hanging."""

UNITS = {
    "digits": "9",
    "zeros": "0",
    "spaces": " ",
    "tabs": "\t",
    "newlines": "\n",
    "carriage returns": "\r",
    "letters": "a",
    "capitals": "W",
    "marks": "xo",
    "x": "x",
    "opening brackets": "[",
    "closing brackets": "]",
    "parentheses": "(",
    "braces": "{",
    "closing braces": "}",
    "slashes": "/",
    "bars": "|",
    "backslashes": "\\",
    "double quotes": '"',
    "quotes": "'",
    "commas": ",",
    "commas and spaces": " , ",
    "digits and spaces": "1 ",
    "digits and commas": "1,",
    "dots": ".",
    "pluses": "+",
    "minuses": "-",
    "colons": ":",
    "semicolons": ";",
    "percent signs": "%",
    "unicode digits": "٣",
    "superscripts": "²",
    "combining marks": "\u0301",
    "wide spaces": "\u3000",
    "line separators": "\u2028",
    "dotted capital i": "İ",
    "nulls": "\x00",
    "escapes": "\x1b[",
}
"""Texts to repeat, by name: every character with a meaning in one of our grammars, and troublemakers of Unicode."""

NOISE = sorted(set("".join(UNITS.values()) + string.printable + "é€\u202e\ufeff\x7f\x85\U0001f600\ud800"))
PIECES = ["99999999999999999999", "-1", "1e999", "NaN", "null", "true", "..", "%s", "\\u0000", "\r\n", "x" * 300]
LEAVES: list[Any] = [None, True, -1, 0, 1, 2**31, 2**63, -(2**64), 10**400, 0.5, -0.0, 1e308, "", "x", "3x3", [], {}]


def mutate_text(rng: random.Random, samples: Sequence[str]) -> str:
    """Return a sample with a few pieces dropped, doubled, moved, replaced or mixed with another; sometimes noise."""
    if rng.random() < 0.1:
        return "".join(rng.choices(NOISE, k=rng.randrange(60)))
    text = rng.choice(samples)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        end = at + rng.choice((0, 1, 1, 2, 5, 30))
        text = text[:at] + _middle(rng, text[at:end], samples) + text[end:]
    return text


def _middle(rng: random.Random, piece: str, samples: Sequence[str]) -> str:
    match rng.randrange(7):
        case 0:
            return ""
        case 1:
            return piece * rng.choice((2, 3, 50))
        case 2:
            return rng.choice(NOISE)
        case 3:
            return rng.choice(PIECES)
        case 4:
            return rng.choice(NOISE) * rng.choice((2, 20, 400))
        case 5:
            return piece[::-1].swapcase()
        case _:
            other = rng.choice(samples)
            start = rng.randint(0, len(other))
            return other[start : start + rng.choice((1, 5, 40))]


def mutate_bytes(rng: random.Random, samples: Sequence[bytes]) -> bytes:
    """Return a sample with a few bytes dropped, doubled, replaced, flipped or cut off; for binary files."""
    data = bytearray(rng.choice(samples))
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(data))
        length = rng.choice((1, 1, 2, 4, 8, 64))
        match rng.randrange(6):
            case 0:
                del data[at : at + length]
            case 1:
                data[at:at] = data[at : at + length]
            case 2:
                data[at : at + length] = rng.randbytes(length)
            case 3:
                data[at : at + length] = bytes([rng.choice((0, 1, 127, 128, 255))]) * length
            case 4 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case _ if rng.random() < 0.3:
                del data[at:]
    return bytes(data)


def mutate_data(rng: random.Random, samples: Sequence[Any]) -> Any:
    """Return a sample of plain data (what JSON can hold) with a few of its parts replaced, dropped or doubled."""
    data = json.loads(json.dumps(rng.choice(samples)))
    for _ in range(rng.randint(1, 3)):
        data = _mutated_part(rng, data)
    return data


def _mutated_part(rng: random.Random, data: Any) -> Any:
    if rng.random() < 0.25 or not data or not isinstance(data, list | dict):
        return _leaf(rng, data)
    parts: dict[Any, Any] = dict(data if isinstance(data, dict) else enumerate(data))
    key = rng.choice(list(parts))
    match rng.randrange(6):
        case 0:
            del parts[key]
        case 1 if isinstance(data, list):
            return data + data[: rng.choice((1, 3, 100))]
        case 1:
            parts[mutate_text(rng, [str(key)])] = parts[key]
        case _:
            parts[key] = _mutated_part(rng, parts[key])
    return parts if isinstance(data, dict) else list(parts.values())


def _leaf(rng: random.Random, data: Any) -> Any:
    if isinstance(data, str) and rng.random() < 0.7:
        return mutate_text(rng, [data])
    if isinstance(data, int) and rng.random() < 0.5:
        return data + rng.choice((-1, 1, 7, -1000, 1000))
    return rng.choice([*LEAVES, [data], {"x": data}])


def repetitions(samples: Iterable[str], size: int = REPETITION_BYTES) -> Iterator[tuple[str, str]]:
    """Yield a name and a text for each kind of repetition: alone, and around and inside each of the samples."""
    contexts = [("", "")]
    for sample in samples:
        middle = len(sample) // 2
        contexts += [(sample, ""), ("", sample), (sample[:1], sample[1:]), (sample[:middle], sample[middle:])]
    for before, after in dict.fromkeys(contexts):
        for name, unit in UNITS.items():
            run = unit * (size // len(unit.encode()))
            for bad in ("", "!"):  # an unreadable end makes regular expressions backtrack
                yield f"{before[-20:]!r}, {name}, {(bad + after)[:20]!r}", before + run + bad + after


def fuzz(
    name: str,
    reader: Callable[[Any], object],
    samples: Sequence[Any],
    *,
    mutate: Callable[[random.Random, Sequence[Any]], Any] | None = None,
    quick: int = QUICK_INPUTS,
    slow: int = SLOW_INPUTS,
    allowed: type[Exception] | tuple[type[Exception], ...] = ValueError,
) -> int:
    """Give a reader seeded mutations of valid samples and fail at the first that breaks the rules; returns the count.

    The samples themselves must be readable. They are texts, bytes or plain data; ``mutate`` overrides the mutation.
    """
    mutate = mutate or _mutation_of(samples[0])
    for sample in samples:
        reader(sample)
    rng = random.Random(zlib.crc32(name.encode()))
    inputs = slow if SLOW else quick
    worst = 0.0
    for number in range(inputs):
        given = mutate(rng, samples)
        worst = max(worst, _read(f"{name}, input {number}", reader, given, INPUT_SECONDS, allowed))
    if SLOW:
        print(f"fuzz: {name}: {inputs} inputs, the slowest {worst:.3f} s", file=sys.stderr, flush=True)
    return inputs


def check_linear(
    name: str,
    reader: Callable[[str], object],
    samples: Iterable[str],
    *,
    size: int = REPETITION_BYTES,
    allowed: type[Exception] | tuple[type[Exception], ...] = ValueError,
) -> None:
    """Give a reader 100 kB of each kind of repetition and fail if it takes more CPU time than a linear one."""
    for kind, text in repetitions(samples, size):
        _read(f"{name}: {kind}", reader, text, LINEAR_SECONDS * BUSY_FACTOR, allowed)


def _mutation_of(sample: object) -> Callable[[random.Random, Sequence[Any]], Any]:
    if isinstance(sample, str):
        return mutate_text
    return mutate_bytes if isinstance(sample, bytes) else mutate_data


def _read(
    what: str,
    reader: Callable[[Any], object],
    given: Any,
    seconds: float,
    allowed: type[Exception] | tuple[type[Exception], ...],
) -> float:
    """Read one input and return its CPU time; if it is too long, the best of three."""
    taken = seconds + 1
    for _ in range(3):
        taken = min(taken, _measure(what, reader, given, allowed))
        if taken <= seconds:
            return taken
    raise AssertionError(f"{what}: took {taken:.3f} s of CPU time, more than {seconds:g}: {_format_input(given)}")


def _measure(
    what: str,
    reader: Callable[[Any], object],
    given: Any,
    allowed: type[Exception] | tuple[type[Exception], ...],
) -> float:
    begun = time.process_time()
    try:
        _read_or_refuse(reader, given, allowed)
    except AssertionError as failure:
        raise AssertionError(f"{what}: {failure}, given {_format_input(given)}") from failure
    except Exception as error:
        raise AssertionError(f"{what}: {type(error).__name__} from {_format_input(given)}") from error
    return time.process_time() - begun


def _read_or_refuse(
    reader: Callable[[Any], object], given: Any, allowed: type[Exception] | tuple[type[Exception], ...]
) -> None:
    try:
        with _no_longer_than(HANG_SECONDS):
            reader(given)
    except allowed as error:
        check_message(str(error), "refused")


def check_message(message: str, what: str) -> None:
    """Fail unless an error message is one line of printable characters."""
    assert message.strip(), f"{what}: empty message"
    assert len(message.splitlines()) == 1, f"{what}: message of several lines: {message[:200]!r}"
    assert len(message) < 2_000, f"{what}: message of {len(message)} characters"
    assert message.isprintable(), f"{what}: control characters: {message!r}"


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """Fail after some wall time; signals also interrupt regular expressions. Only in the main thread."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"hangs for {seconds:g} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _format_input(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 300 else f"{text[:200]} ... {text[-80:]} ({len(text)} characters)"
