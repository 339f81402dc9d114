"""Text from files, bots, names and networks, so that it can be shown on a terminal and kept."""

from __future__ import annotations

__all__ = ["plain"]


def plain(text: str) -> str:
    r"""Return a text on one line and without what a terminal would obey or no file could hold: each as it is escaped.

    >>> plain("hello\n\x1b[2J")
    'hello\\n\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)
