"""The JSON form of a trace, described in docs/trace-format.md: what the web page and other programs read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from noughts.games import Game, Side
from noughts.study.trace import Node, Trace

FORMAT = "noughts-trace"
VERSION = 1


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
    """Return the trace that was written.

    Raises ValueError when the data are no trace, or one of a later version.
    """
    if data.get("format") != FORMAT:
        raise ValueError(f"expected a file whose format is {FORMAT!r}, got {data.get('format')!r}")
    if data.get("version") != VERSION:
        raise ValueError(f"expected version {VERSION} of {FORMAT}, got {data.get('version')!r}")
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
