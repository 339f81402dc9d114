r"""Values in messages: untrusted text (typed, read from files, sent by programs and browsers) and numbers.

``quote`` is for messages: short, on one line, in quotation marks. The escaping functions keep the whole text and only
escape what could harm its reader: a terminal or a page. ``nearest`` corrects a mistyped name, ``count`` writes a number
with its noun.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = [
    "count",
    "escape_control_characters",
    "escape_lines",
    "listed",
    "nearest",
    "quote",
    "script_json",
    "shorten",
    "shorten_words",
]

SIMILARITY = 0.6
MIN_LETTERS = 3
"""Words with fewer letters resemble too many others for a suggestion."""

_UNSAFE_IN_SCRIPT = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
"""Characters that end or change a script element (``</script``, ``<!--``) or a line of JavaScript."""


def quote(value: object, limit: int = 40) -> str:
    r"""Return a value for a message: text in quotation marks, other data as JSON, shortened to ``limit`` characters.

    >>> print(quote("b2\x1b[2J"), quote("x" * 50, limit=10), quote(["a", 1]))
    'b2\x1b[2J' 'xxxxxxx...' ["a", 1]
    """
    if isinstance(value, str):
        return repr(shorten(value, limit, "..."))
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = str(value)
    return escape_control_characters(shorten(text, limit, "..."))


def shorten(text: str, limit: int, mark: str = "…") -> str:
    """Return a text of at most ``limit`` characters: a longer one is cut, and ends with a mark."""
    return text if len(text) <= limit else text[: limit - len(mark)] + mark


def shorten_words(words: Iterable[str], limit: int) -> str:
    """Return words as a text of about ``limit`` characters: a longer one is cut after a whole word.

    >>> shorten_words(["b2", "a1", "c3"], 7)
    'b2 a1 …'
    """
    text = " ".join(words)
    return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + " …"


def escape_control_characters(text: str) -> str:
    r"""Return the text on one line, with control characters and lone surrogates escaped.

    >>> escape_control_characters("hello\n\x1b[2J")
    'hello\\n\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def escape_lines(text: str) -> str:
    r"""Return a text of several lines with the control characters in each line escaped.

    >>> escape_lines("hello\nyou\x07")
    'hello\nyou\\x07'
    """
    return "\n".join(map(escape_control_characters, text.split("\n")))


def script_json(data: object) -> str:
    r"""Return data as JSON for a ``<script>`` element of a page.

    >>> script_json(["<!--<script>", "a & b"])
    '["\\u003c!--\\u003cscript\\u003e","a \\u0026 b"]'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE_IN_SCRIPT)


def count(number: int, noun: str) -> str:
    """Return a number of things: ``1 game``, ``2,000 games``, ``3 plies``, ``4 branches``, ``5 losses``."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith(('ch', 's')) else 's'}"


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: ``a1``, ``a1 and b2``, ``a1, b2 and c3``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that a mistyped word probably meant, or None when nothing is near.

    >>> nearest("ultimat", ["qubic", "ultimate"])
    'ultimate'
    """
    found = get_close_matches(word.lower(), [*names], n=1, cutoff=SIMILARITY) if len(word) >= MIN_LETTERS else []
    return found[0] if found else None
