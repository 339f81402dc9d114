"""Search trees as files: ``.svg``, ``.html``, ``.dot``, ``.txt`` and ``.json``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from noughts.games.files import write_file
from noughts.study.trace import Trace
from noughts.study.trace_json import trace_to_json
from noughts.study.tree_dot import tree_dot
from noughts.study.tree_html import tree_html
from noughts.study.tree_svg import tree_svg
from noughts.study.tree_text import tree_text

WRITERS: dict[str, Callable[[Trace, int], str]] = {
    ".svg": tree_svg,
    ".html": tree_html,
    ".dot": tree_dot,
    ".txt": tree_text,
    ".json": lambda trace, most_nodes: json.dumps(trace_to_json(trace), separators=(",", ":")) + "\n",
}
"""The text of a tree for each kind of file. All but JSON, which is complete, draw at most ``most_nodes`` nodes."""


def check_suffix(path: Path) -> str:
    """Return the suffix of a file a tree can be written to. Raises ValueError for any other."""
    suffix = path.suffix.lower()
    if suffix not in WRITERS:
        hint = "; a browser prints .svg as PDF" if suffix == ".pdf" else ""
        raise ValueError(f"expected a file ending in {', '.join(WRITERS)}, got {path.name!r}{hint}")
    return suffix


def write_tree(trace: Trace, path: Path, most_nodes: int) -> None:
    """Write a trace to a file of the kind its name says."""
    if most_nodes < 1:
        raise ValueError(f"expected at least 1 node to draw, got {most_nodes}")
    write_file(path, WRITERS[check_suffix(path)](trace, most_nodes))
