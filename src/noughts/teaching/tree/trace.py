"""Traces: the search tree of a real run as the search itself reported it, and its file formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isclose, log, sqrt
from pathlib import Path
from typing import Any

from noughts.games import Game, Position, Side
from noughts.games.atomic_file import write_file
from noughts.games.quoting import quote
from noughts.teaching.tree import GrowthStep, Node, Numbers, SearchTree
from noughts.textbook import INFINITY, Phase

__all__ = ["Trace", "TraceTooLarge", "load_trace", "record", "shown_options", "trace_from_json", "trace_to_json"]

MAX_NODES = 1_000_000
"""Largest trace; beyond this, recording raises TraceTooLarge before it fills the memory."""
MAX_STEPS = 250_000
"""Most steps of a search that grows a tree: a few seconds, and 15,000 simulations on 3x3."""
PROGRESS_NODES = 1_000
"""Nodes between two calls of ``progress``."""
INFINITE_SECONDS = float("inf")
FORMAT = "noughts-trace"
VERSION = 3
READABLE_VERSIONS = (1, 2, 3)
"""Version 1 has no grown trees: neither ``steps`` nor the ``numbers`` of a node.
In versions 1 and 2 the ``cell`` of a node is called ``move``, and ``marks`` are called ``cells``."""


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

    A search that grows one tree in memory, such as Monte-Carlo tree search, calls ``step`` instead. Unless ``start``
    gives the root, its first step must be there.
    """

    def __init__(
        self,
        algorithm: str = "",
        options: dict[str, object] | None = None,
        start: Position | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(algorithm, options)
        self._progress = progress
        self._clock = 0
        self._path: list[Node] = []
        self._base = 0
        if start is not None:
            self._begin(start)

    def enter(self, position: Position, alpha: float | None = None, beta: float | None = None) -> None:
        """Record that the search has reached this position with this window (from X's side)."""
        moves = position.moves
        if not self.passes:
            self._begin(position)
        depth = len(moves) - self._base
        if depth < 0 or depth > len(self._path):
            raise ValueError("expected a position one move below a node that is open, as play and undo reach it")
        del self._path[depth:]
        node = self._add(position, self._path[-1] if self._path else None)
        node.alpha, node.beta = _finite(alpha), _finite(beta)
        self._path.append(node)

    def _begin(self, position: Position) -> None:
        self._game, self._start, self._base = position.game, position.text, len(position.moves)

    def _add(self, position: Position, parent: Node | None) -> Node:
        """Add a node for a position, as the last child of its parent or as the root of a new pass."""
        if self.visited >= MAX_NODES:
            raise TraceTooLarge(f"more than {MAX_NODES:,} nodes to trace; give a smaller depth or a later position")
        over = position.is_over
        node = Node(
            id=self.visited,
            parent=parent,
            move=position.moves[-1] if parent else None,
            side=None if over else position.turn,
            alpha=None,
            beta=None,
            legal=position.legal_moves,
            entered=self._tick(),
            winner=position.winner if over else None,
        )
        (parent.children if parent else self.passes).append(node)
        self.visited += 1
        if self._progress is not None and self.visited % PROGRESS_NODES == 0:
            self._progress(self.visited)
        return node

    def leave(self, value: float, note: str = "") -> None:
        """Record that the search returns this value from the innermost open node."""
        if not self._path:
            raise ValueError("expected enter before leave: no node is open")
        node = self._path.pop()
        node.value, node.note, node.left = value, note, self._tick()

    def step(self, phase: Phase, position: Position, numbers: Mapping[str, int | float]) -> None:
        """Record one step of a search that grows a tree, at the node where the position stands.

        A node that is new is added below its parent; an expansion of the root begins a new tree. After a simulation
        the position stands at the end of the rollout, which began at the node of the step before.
        """
        if len(self.steps) >= MAX_STEPS:
            raise TraceTooLarge(f"more than {MAX_STEPS:,} steps to trace; give fewer simulations or a later position")
        if self._game is None:
            self._begin(position)
        moves = position.moves[self._base :]
        if not self.passes or (phase is Phase.EXPAND and not moves):
            self._add(self.start, None)
        step = GrowthStep(phase, self.root, {name: _finite(number) for name, number in numbers.items()})
        if phase is Phase.SIMULATE:
            step.node = self.steps[-1].node if self.steps else self.root
            step.rollout = moves[step.node.depth :]
        else:
            step.node = self._find(position, moves)
            if phase is Phase.SELECT:
                step.bounds = _compare_bounds(step.node, step.numbers)
            _update(step, self.root)
        self.steps.append(step)

    def _find(self, position: Position, moves: list[int]) -> Node:
        """Return the node at a position, a new one if it is one move below the tree."""
        if len(position.moves) < self._base:
            raise ValueError("expected the first step at the root, or a trace that is given its start")
        node = self.root
        for depth, move in enumerate(moves, 1):
            child = node.child(move)
            if child is None and depth < len(moves):
                raise ValueError("expected a position at most one move below the tree that was grown so far")
            node = child or self._add(position, node)
        return node

    def restore(self, start: Position, nodes: list[Node], steps: list[GrowthStep]) -> None:
        """Replace the recorded nodes, parents before children, and the steps."""
        self._begin(start)
        self.passes, self.visited, self._path, self.steps = [], len(nodes), [], steps
        for node in nodes:
            (node.parent.children if node.parent else self.passes).append(node)
        self._clock = max((node.left or node.entered for node in nodes), default=0)

    def _tick(self) -> int:
        self._clock += 1
        return self._clock

    def save(self, path: str | Path, most_nodes: int = 400, animate: bool = False) -> None:
        """Write the last pass as a drawing, with at most ``most_nodes`` nodes, or all passes as ``.json``.

        Drawings are ``.svg``, ``.html`` (which steps through the search), ``.png``, ``.pdf``, ``.dot`` and ``.txt``. A
        ``.gif`` shows the search step by step, and so does an ``.svg`` with ``animate``. Raises ValueError for any
        other kind of file, or if the extra ``plot`` is missing, which ``.png``, ``.pdf`` and ``.gif`` need.
        """
        from noughts.teaching.tree.files import check_suffix, save_tree  # drawing takes long to load

        if check_suffix(Path(path), (".json",)) == ".json":
            write_file(path, json.dumps(trace_to_json(self), separators=(",", ":")) + "\n")
        else:
            save_tree(path, [self], most_nodes, animate)

    def save_frames(self, folder: str | Path, kind: str = "svg", most_nodes: int = 40) -> int:
        """Write a numbered picture of each step into a folder, as "svg", "png" or "pdf"; return their number."""
        from noughts.teaching.tree.files import save_frames

        return save_frames(folder, [self], kind, most_nodes)

    def _repr_svg_(self) -> str:
        from noughts.teaching.tree import tree_svg

        return tree_svg(self, most_nodes=200)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
        """The picture for a notebook, with an alternative text."""
        picture = {"image/svg+xml": self._repr_svg_(), "text/plain": repr(self)}
        return picture, {"image/svg+xml": {"alt": f"{repr(self)[1:-1]}; saved as .txt it can be read as text"}}

    def __repr__(self) -> str:
        name = self.algorithm or "search"
        return f"<Trace of {name}: {self.visited:,} nodes visited, {self.count_pruned():,} branches pruned>"


def _update(step: GrowthStep, root: Node) -> None:
    """Copy the numbers of a step into the tree."""
    node = step.node
    node.numbers |= step.numbers
    node.value = node.numbers.get("value")
    for child, terms in step.bounds:
        child.numbers |= terms
    if "proof" in step.numbers and (root.attacker is None or node.winner is not None):
        root.attacker = _attacker(node) or root.side


def _attacker(node: Node) -> Side | None:
    """Return the side whose win a proof-number search proves, as far as the end of a playthrough shows it."""
    if node.winner is None:
        return None
    return node.winner if node.numbers.get("proof") == 0 else node.winner.opponent


def _compare_bounds(chosen: Node, numbers: Numbers) -> list[tuple[Node, Numbers]]:
    """Return the terms of the upper confidence bounds of all siblings, which the search compared.

    The search reports those of the chosen child, from which the exploration constant follows. Returns an empty list if
    the bounds do not explain the choice, since the search then uses another formula.
    """
    parent = chosen.parent
    explore, visits = numbers.get("explore"), numbers.get("visits")
    if parent is None or not explore or not visits or (parent.numbers.get("visits") or 0) < 2:
        return []
    logarithm = log(parent.numbers["visits"] or 1)
    constant, sign = explore * sqrt(visits / logarithm), 1 if parent.is_max else -1
    bounds: list[tuple[Node, Numbers]] = []
    for child in parent.children:
        count, value = child.numbers.get("visits"), child.numbers.get("value")
        if not count or value is None:
            return []
        terms = sign * value, constant * sqrt(logarithm / count)
        bounds.append((child, {"exploit": terms[0], "explore": terms[1], "ucb": sum(terms)}))
    highest = max(terms["ucb"] or 0 for _, terms in bounds)
    return bounds if isclose(highest, numbers.get("ucb") or 0, abs_tol=1e-9) else []


def record(
    search: Callable[..., object], position: Position, progress: Callable[[int], None] | None = None, **options: Any
) -> Trace:
    """Return the trace of a search: runs ``search(position, trace=..., **options)``.

    The search may be any function that takes a ``trace`` and calls its ``enter`` and ``leave``, or its ``step``.
    ``progress`` is called with the number of nodes now and then.
    """
    trace = Trace(getattr(search, "__name__", "search"), shown_options(options), position, progress)
    search(position, trace=trace, **options)
    return trace


def shown_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a search for its trace: functions by their names, without a time that never ends."""
    return {name: getattr(option, "__name__", option) for name, option in options.items() if option != INFINITE_SECONDS}


# --- JSON, described in docs/trace-format.md -------------------------------------------------------------------------


def trace_to_json(trace: Trace) -> dict[str, Any]:
    """Return all passes of a trace as plain data."""
    start = trace.start
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": _game_to_json(trace.game),
        "position": start.text,
        "marks": tuple([mark and str(mark) for mark in start.cells]),
        "names": tuple([start.format_move(cell) for cell in range(trace.game.cells)]),
        "algorithm": trace.algorithm,
        "family": str(trace.family),
        "options": trace.options,
        "value": trace.root.value,
        "principal": tuple([node.id for node in trace.principal]),
        "counts": {
            "visited": trace.visited,
            "pruned": trace.count_pruned(),
            "cutoffs": trace.count_cutoffs(),
            "passes": len(trace.passes),
        },
        "nodes": [_node_to_json(trace.game, node) for node in sorted(trace.nodes, key=lambda node: node.id)],
        "steps": [_step_to_json(step) for step in trace.steps],
    }


def _game_to_json(game: Game) -> dict[str, object]:
    return {
        "id": game.id,
        "data": game.to_data(),
        "cells": game.cells,
        "dimensions": game.dimensions,
        "block_size": game.block_size,
        "coordinates": tuple([tuple(cell) for cell in game.coordinates]),
    }


def _node_to_json(game: Game, node: Node) -> dict[str, object]:
    return {
        "id": node.id,
        "parent": node.parent and node.parent.id,
        "move": None if node.move is None else game.format_cell(node.move),
        "cell": node.move,
        "side": node.side and str(node.side),
        "winner": node.winner and str(node.winner),
        "alpha": node.alpha,
        "beta": node.beta,
        "value": node.value,
        "note": node.note,
        "entered": node.entered,
        "left": node.left,
        "legal": tuple(node.legal),
        "pruned": tuple(node.pruned),
        "cutoff": node.cutoff,
        "attacker": node.attacker and str(node.attacker),
        "numbers": node.numbers,
    }


def _step_to_json(step: GrowthStep) -> dict[str, object]:
    return {
        "phase": str(step.phase),
        "node": step.node.id,
        "numbers": step.numbers,
        "rollout": tuple(step.rollout),
        "bounds": tuple([{"node": node.id, **terms} for node, terms in step.bounds]),
    }


def trace_from_json(data: dict[str, Any]) -> Trace:
    """Return the trace of plain data; raises ValueError if it is not a trace, or one of another version."""
    if data.get("format") != FORMAT:
        raise ValueError(f"expected a file whose format is {FORMAT!r}, got {quote(data.get('format'))}")
    if data.get("version") not in READABLE_VERSIONS:
        versions = " or ".join(map(str, READABLE_VERSIONS))
        raise ValueError(f"expected version {versions} of {FORMAT}, got {quote(data.get('version'))}")
    game = Game.from_data(data["game"]["data"])
    trace = Trace(data["algorithm"], data["options"])
    nodes: dict[int, Node] = {}
    for item in data["nodes"]:
        parent = None if item["parent"] is None else nodes[item["parent"]]
        nodes[item["id"]] = _node_from_json(item, parent)
    steps = [_step_from_json(item, nodes) for item in data.get("steps", [])]
    trace.restore(game.parse(data["position"]), list(nodes.values()), steps)
    return trace


def _node_from_json(item: dict[str, Any], parent: Node | None) -> Node:
    sides: dict[str, Any] = {name: item.get(name) and Side(item[name]) for name in ("side", "winner", "attacker")}
    plain = {name: item[name] for name in ("id", "alpha", "beta", "legal", "entered", "left", "value", "note")}
    plain["move"] = item["cell"] if "cell" in item else item["move"]
    return Node(parent=parent, numbers=item.get("numbers", {}), **sides, **plain)


def _step_from_json(item: dict[str, Any], nodes: dict[int, Node]) -> GrowthStep:
    bounds = [(nodes[terms.pop("node")], terms) for terms in map(dict, item["bounds"])]
    return GrowthStep(Phase(item["phase"]), nodes[item["node"]], item["numbers"], item["rollout"], bounds)


def load_trace(path: str | Path) -> Trace:
    """Return the trace in a ``.json`` file written by ``Trace.save``. Raises as ``trace_from_json`` does."""
    return trace_from_json(json.loads(Path(path).read_text(encoding="utf-8")))


def _finite(number: float | None) -> float | None:
    return None if number is None or abs(number) >= INFINITY else number
