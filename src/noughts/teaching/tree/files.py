"""Files with the tree of one search, or of two searches side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from noughts.games.atomic_file import atomic_file
from noughts.games.quoting import quote
from noughts.teaching.tree.animation import Animation
from noughts.teaching.tree.html import tree_html
from noughts.teaching.tree.raster import check_installed, gif_bytes, raster_bytes
from noughts.teaching.tree.search_tree import SearchTree
from noughts.teaching.tree.svg import MAX_WIDTH, Picture, sheet_svg
from noughts.teaching.tree.text import tree_dot, tree_text

__all__ = ["FRAME_KINDS", "SUFFIXES", "check_suffix", "save_frames", "save_tree"]

FRAME_KINDS = ("svg", "png", "pdf")
RENDERED = (".png", ".pdf", ".gif")
RENDERERS = ("matplotlib", "typst")
Progress = Callable[[int, int], None]
"""Called with the number of pictures made so far and the number of all."""


def save_tree(
    path: str | Path,
    traces: Sequence[SearchTree],
    most_nodes: int = 400,
    animate: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write the last pass of one trace or two as a file whose suffix is one of SUFFIXES.

    A ``.gif`` shows the steps of the search, and so does an ``.svg`` with ``animate``. Raises ValueError for another
    suffix, if the extra ``plot`` is missing, and if there are too many steps to show.
    """
    path = Path(path)
    suffix = check_suffix(path)
    if most_nodes < 1:
        raise ValueError(f"expected at least 1 node to draw, got {most_nodes}")
    if animate and suffix not in (".svg", ".gif"):
        raise ValueError(f"expected an animation in a file ending in .svg or .gif, got {quote(path.name)}")
    contents = _contents(suffix, traces, most_nodes, animate, progress)
    with atomic_file(path) as file:
        file.write(contents.encode() if isinstance(contents, str) else contents)


def _contents(
    suffix: str, traces: Sequence[SearchTree], most_nodes: int, animate: bool, progress: Progress | None
) -> str | bytes:
    if suffix == ".html":
        return tree_html(traces[0], most_nodes, *traces[1:])
    if suffix == ".txt":
        return "\n".join(tree_text(trace, most_nodes) for trace in traces)
    if suffix == ".dot":
        return "\n".join(tree_dot(trace, most_nodes) for trace in traces)
    if suffix == ".gif":
        animation = Animation(traces, most_nodes)
        return gif_bytes(list(animation.drawings()), progress=progress)
    if animate:
        return Animation(traces, most_nodes).animate()
    svg = sheet_svg([Picture(trace, most_nodes, max_width=MAX_WIDTH / len(traces)) for trace in traces])
    return svg if suffix == ".svg" else raster_bytes(svg, suffix[1:])


def save_frames(
    folder: str | Path,
    traces: Sequence[SearchTree],
    kind: str = "svg",
    most_nodes: int = 40,
    progress: Progress | None = None,
) -> int:
    """Write a numbered picture of each step (``001.svg``, ``002.svg``, …) into a folder; return their number.

    The kind is one of FRAME_KINDS. Raises ValueError as ``save_tree`` does.
    """
    if kind not in FRAME_KINDS:
        raise ValueError(f"expected pictures of a kind out of {', '.join(FRAME_KINDS)}, got {quote(kind)}")
    if kind != "svg":
        check_installed(f"{kind.upper()} pictures", *RENDERERS)
    animation, folder = Animation(traces, most_nodes), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    digits = max(3, len(str(animation.length)))
    for number, svg in enumerate(animation.drawings(), 1):
        contents = svg.encode() if kind == "svg" else raster_bytes(svg, kind)
        (folder / f"{number:0{digits}}.{kind}").write_bytes(contents)
        if progress is not None:
            progress(number, animation.length)
    return animation.length


SUFFIXES = (".svg", ".html", ".png", ".pdf", ".gif", ".dot", ".txt")


def check_suffix(path: Path, further: tuple[str, ...] = ()) -> str:
    """Return the suffix of a file for a tree, one of SUFFIXES or a further one; raises ValueError for any other."""
    suffix = path.suffix.lower()
    if suffix not in (*SUFFIXES, *further):
        raise ValueError(f"expected a file ending in {', '.join((*SUFFIXES, *further))}, got {quote(path.name)}")
    if suffix in RENDERED:
        check_installed(f"{suffix[1:].upper()} pictures", *RENDERERS)
    return suffix
