"""Makes text from files, bots, names and networks safe to show on a terminal and to keep."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["plain", "plain_json", "plain_lines"]


def plain(text: str) -> str:
    r"""Return a text on one line, with control characters and lone surrogates escaped.

    >>> plain("hello\n\x1b[2J")
    'hello\\n\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def plain_lines(text: str) -> str:
    r"""Return a text of several lines, each of them plain.

    >>> plain_lines("hello\nyou\x07")
    'hello\nyou\\x07'
    """
    return "\n".join(map(plain, text.split("\n")))


def plain_json(data: Any, indent: int | None = None) -> str:
    r"""Return data as JSON that can be shown on a terminal: letters of all languages as they are, the rest escaped.

    >>> plain_json("é\x9b")
    '"é\\u009b"'
    """
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text)
