"""The pages of the documentation: their fenced blocks, and the commands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from paths import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^(?P<indent> *)```(?P<kind>[^\n`]*)\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"\bSave this as `([^`]+)`[^`]*\Z")
MARK = re.compile(r"<!-- (slow|not run) -->\s*\Z")


class Block(NamedTuple):
    """A fenced block, and what the text before it says about it."""

    kind: str
    text: str
    file: str | None
    mark: str | None
    """``slow``, or ``not run`` for what takes hours or a graphics card."""


class Command(NamedTuple):
    """A command line after a prompt, and the lines shown below it."""

    line: str
    shown: list[str]


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page in their order."""
    text, end = page.read_text(encoding="utf-8"), 0
    for fence in FENCE.finditer(text):
        before, end = text[end : fence.start()], fence.end()
        file, mark = FILE.search(before), MARK.search(before)
        yield Block(fence["kind"].strip(), fence["text"], file and file[1], mark and mark[1])


def commands(text: str) -> list[Command]:
    """Return the commands of a console block; a line that ends in a backslash continues on the next."""
    found: list[Command] = []
    for line in text.replace("\\\n", "").splitlines():
        if line.lstrip().startswith("$ "):
            found.append(Command(line.lstrip().removeprefix("$ "), []))
        elif line.strip():
            found[-1].shown.append(line)
    return found
