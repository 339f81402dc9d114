#!/usr/bin/env python3
"""Writes the figures of docs/figures.toml into the pages that repeat them.

Usage: tools/figures.py

A page marks the place of a figure: ``<!--=NAME-->the value<!--=-->``.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
FIGURES = tomllib.loads((ROOT / "docs" / "figures.toml").read_text(encoding="utf-8"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PLACE = re.compile(r"(<!--=([\w-]+)-->).*?(<!--=-->)")


def names(page: str) -> set[str]:
    """Return the names of the figures that a page repeats."""
    return {name for _, name, _ in PLACE.findall(page)}


def with_figures(page: str) -> str:
    """Return a page with the values of the data file; KeyError for a figure that the file lacks."""
    return PLACE.sub(lambda place: f"{place[1]}{FIGURES[place[2]]['value']}{place[3]}", page)


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(with_figures(path.read_text(encoding="utf-8")), encoding="utf-8")
