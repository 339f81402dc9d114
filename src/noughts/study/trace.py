"""Traces: the search tree of a real run as the search itself reported it, and its file formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from noughts.games import Game, Position, Side
from noughts.games.atomic_file import write_file
from noughts.games.quoting import quote
from noughts.study.tree import Node, SearchTree, tree_dot, tree_html, tree_svg, tree_text
from noughts.textbook import INFINITY

__all__ = ["Trace", "TraceTooLarge", "check_suffix", "load_trace", "record", "trace_from_json", "trace_to_json"]

MAX_NODES = 1_000_000
"""Largest trace; beyond this, recording raises TraceTooLarge before it fills the memory."""
FORMAT = "noughts-trace"
VERSION = 1


class TraceTooLarge(ValueError):
    """Raised when a search visits more nodes than a trace can hold."""


class Trace(SearchTree):
    """Records a search through the calls ``enter`` and ``leave`` and shows it as a picture::

        trace = Trace("my search")
        my_search(position, trace)       # calls trace.enter(position, alpha, beta) and trace.leave(value)
        trace.save("tree.svg")           # or .html, .dot, .json; in a notebook, simply: trace

    A search may start at the root several times, as iterative deepening does: each start begins a new *pass*, with a
    separate tree. The parent of a node follows from the moves on the board, so an interrupted search leaves a correct
    trace of the part that was searched.
    """

    def __init__(self, algorithm: str = "", options: dict[str, Any] | None = None) -> None:
        super().__init__(algorithm, options)
        self._clock = 0
        self._path: list[Node] = []
        self._base = 0

    def enter(self, position: Position, alpha: int | None = None, beta: int | None = None) -> None:
        """Record that the search has reached this position with this window (from X's side)."""
        moves = position.moves
        if not self.passes:
            self._game, self._start, self._base = position.game, position.text, len(moves)
        self._check_is_below_start(position, len(moves))
        del self._path[len(moves) - self._base :]
        parent = self._path[-1] if self._path else None
        over = position.is_over
        node = Node(
            id=self.visited,
            parent=parent,
            move=moves[-1] if parent else None,
            side=None if over else position.turn,
            alpha=_finite(alpha),
            beta=_finite(beta),
            legal=position.legal_moves,
            entered=self._tick(),
            winner=position.winner if over else None,
        )
        (parent.children if parent else self.passes).append(node)
        self._path.append(node)
        self.visited += 1

    def leave(self, value: float, note: str = "") -> None:
        """Record that the search returns this value from the innermost open node."""
        if not self._path:
            raise ValueError("expected enter before leave: no node is open")
        node = self._path.pop()
        node.value, node.note, node.left = value, note, self._tick()

    def restore(self, start: Position, nodes: list[Node]) -> None:
        """Replace the recorded nodes by these, parents before children."""
        self._game, self._start, self._base = start.game, start.text, len(start.moves)
        self.passes, self.visited, self._path = [], len(nodes), []
        for node in nodes:
            (node.parent.children if node.parent else self.passes).append(node)
        self._clock = max((node.left or node.entered for node in nodes), default=0)

    def _check_is_below_start(self, position: Position, ply: int) -> None:
        depth = ply - self._base
        if depth < 0 or depth > len(self._path):
            raise ValueError("expected a position one move below a node that is open, as play and undo reach it")
        if self.visited >= MAX_NODES:
            raise TraceTooLarge(f"more than {MAX_NODES:,} nodes to trace; give a smaller depth or a later position")

    def _tick(self) -> int:
        self._clock += 1
        return self._clock

    def save(self, path: str | Path, most_nodes: int = 400) -> None:
        """Write the last pass as ``.svg``, ``.html``, ``.dot`` or ``.txt``, with at most ``most_nodes`` nodes.

        A ``.json`` file gets all passes and all nodes. Raises ValueError for any other kind of file.
        """
        path = Path(path)
        suffix = check_suffix(path)
        if most_nodes < 1:
            raise ValueError(f"expected at least 1 node to draw, got {most_nodes}")
        if suffix == ".json":
            text = json.dumps(trace_to_json(self), separators=(",", ":")) + "\n"
        else:
            text = DRAWINGS[suffix](self, most_nodes)
        write_file(path, text)

    def _repr_svg_(self) -> str:
        return tree_svg(self, most_nodes=200)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """The picture for a notebook, with an alternative text."""
        picture = {"image/svg+xml": self._repr_svg_(), "text/plain": repr(self)}
        return picture, {"image/svg+xml": {"alt": f"{repr(self)[1:-1]}; saved as .txt it can be read as text"}}

    def __repr__(self) -> str:
        name = self.algorithm or "search"
        return f"<Trace of {name}: {self.visited:,} nodes visited, {self.count_pruned():,} branches pruned>"


def record(search: Callable[..., Any], position: Position, **options: Any) -> Trace:
    """Return the trace of a search: runs ``search(position, trace=..., **options)``.

    The search may be any function that takes a ``trace`` and calls its ``enter`` and ``leave``.
    """
    shown = {name: getattr(option, "__name__", option) for name, option in options.items()}
    trace = Trace(getattr(search, "__name__", "search"), shown)
    search(position, trace=trace, **options)
    return trace


DRAWINGS: dict[str, Callable[[SearchTree, int], str]] = {
    ".svg": tree_svg,
    ".html": tree_html,
    ".dot": tree_dot,
    ".txt": tree_text,
}
SUFFIXES = (*DRAWINGS, ".json")


def check_suffix(path: Path) -> str:
    """Return the suffix of a file that a trace can be saved to; raises ValueError for any other."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        hint = "; a browser prints .svg as PDF" if suffix == ".pdf" else ""
        raise ValueError(f"expected a file ending in {', '.join(SUFFIXES)}, got {quote(path.name)}{hint}")
    return suffix


# --- JSON, described in docs/trace-format.md -------------------------------------------------------------------------


def trace_to_json(trace: Trace) -> dict[str, Any]:
    """Return all passes of a trace as plain data."""
    start = trace.start
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": _game_to_json(trace.game),
        "position": start.text,
        "cells": [mark and str(mark) for mark in start.cells],
        "names": [start.format_move(cell) for cell in range(trace.game.cells)],
        "algorithm": trace.algorithm,
        "options": trace.options,
        "value": trace.root.value,
        "principal": [node.id for node in trace.principal],
        "counts": {
            "visited": trace.visited,
            "pruned": trace.count_pruned(),
            "cutoffs": trace.count_cutoffs(),
            "passes": len(trace.passes),
        },
        "nodes": [_node_to_json(node) for node in trace.nodes],
    }


def _game_to_json(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "data": game.to_data(),
        "cells": game.cells,
        "dimensions": game.dimensions and list(game.dimensions),
        "block_size": game.block_size,
        "coordinates": [list(cell) for cell in game.coordinates],
    }


def _node_to_json(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "parent": node.parent and node.parent.id,
        "move": node.move,
        "side": node.side and str(node.side),
        "winner": node.winner and str(node.winner),
        "alpha": node.alpha,
        "beta": node.beta,
        "value": node.value,
        "note": node.note,
        "entered": node.entered,
        "left": node.left,
        "legal": node.legal,
        "pruned": node.pruned,
        "cutoff": node.cutoff,
    }


def trace_from_json(data: dict[str, Any]) -> Trace:
    """Return the trace of plain data; raises ValueError if it is not a trace, or one of another version."""
    if data.get("format") != FORMAT:
        raise ValueError(f"expected a file whose format is {FORMAT!r}, got {quote(data.get('format'))}")
    if data.get("version") != VERSION:
        raise ValueError(f"expected version {VERSION} of {FORMAT}, got {quote(data.get('version'))}")
    game = Game.from_data(data["game"]["data"])
    trace = Trace(data["algorithm"], data["options"])
    nodes: dict[int, Node] = {}
    for item in data["nodes"]:
        parent = None if item["parent"] is None else nodes[item["parent"]]
        nodes[item["id"]] = _node_from_json(item, parent)
    trace.restore(game.parse(data["position"]), list(nodes.values()))
    return trace


def _node_from_json(item: dict[str, Any], parent: Node | None) -> Node:
    sides: dict[str, Any] = {name: item[name] and Side(item[name]) for name in ("side", "winner")}
    plain = {name: item[name] for name in ("id", "move", "alpha", "beta", "legal", "entered", "left", "value", "note")}
    return Node(parent=parent, **sides, **plain)


def load_trace(path: str | Path) -> Trace:
    """Return the trace in a ``.json`` file written by ``Trace.save``. Raises as ``trace_from_json`` does."""
    return trace_from_json(json.loads(Path(path).read_text(encoding="utf-8")))


def _finite(bound: int | None) -> int | None:
    return None if bound is None or abs(bound) >= INFINITY else bound
