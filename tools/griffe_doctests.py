"""Extension of the documentation's reader: examples in docstrings become code blocks."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^[ \t]*>>> .*\n?)(?:^[ \t]*\S.*\n?)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Put a fence around every paragraph that begins with a prompt."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(_fence, obj.docstring.value + "\n")


def _fence(example: re.Match[str]) -> str:
    lines = example[0].strip("\n").split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(["```pycon", *(line[indent:] for line in lines), "```", ""])
