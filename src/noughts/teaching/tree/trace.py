"""Traces: the search tree of a real run as the search itself reported it, and its file formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, log, sqrt
from pathlib import Path
from typing import Annotated, Any, Self

from noughts.games import Game, Position, Side
from noughts.games.atomic_file import write_file
from noughts.games.custom import GameData
from noughts.games.quoting import quote
from noughts.schema import Shape, encode, plain
from noughts.teaching.tree import Family, GrowthStep, Node, Numbers, SearchTree
from noughts.teaching.tree.search_tree import NodeBound, find_bound
from noughts.teaching.tree.typed_tree import TypedTree, evaluate_leaf
from noughts.textbook import INFINITY, Phase

__all__ = [
    "Trace",
    "TraceData",
    "TraceTooLarge",
    "load_trace",
    "record",
    "record_typed",
    "shown_options",
    "trace_from_json",
    "trace_to_json",
]

Number = int | float | None

MAX_NODES = 1_000_000
"""Largest trace; beyond this, recording raises TraceTooLarge before it fills the memory."""
MAX_STEPS = 250_000
"""Most steps of a search that grows a tree: a few seconds, and 15,000 simulations on 3x3."""
PROGRESS_NODES = 1_000
"""Nodes between two calls of ``progress``."""
INFINITE = (float("inf"), -float("inf"))
FORMAT = "noughts-trace"
VERSION = 4
READABLE_VERSIONS = (1, 2, 3, 4)
"""Version 1 has no grown trees: neither ``steps`` nor the ``numbers`` of a node. Before version 4, there are no typed
trees, and every trace has a game.
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
        typed: TypedTree | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(algorithm, options, typed, names)
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
        self._base = len(position.moves)
        if self.typed is None:
            self._game, self._start = position.game, position.text

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
            is_typed=self.typed is not None,
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
        node.bound = find_bound(node)

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
        if not steps:
            for node in reversed(nodes):
                node.bound = find_bound(node)
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
            write_file(path, encode(TraceData.of(self)) + "\n")
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
        """The picture for a notebook, with an alternative text; as HTML, a wide one can be scrolled."""
        svg = self._repr_svg_()
        scrolled = svg.replace("max-width:100%;", "max-width:none;", 1)
        html = f'<div style="overflow-x:auto;max-width:100%">{scrolled}</div>'
        picture = {"text/html": html, "image/svg+xml": svg, "text/plain": repr(self)}
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
    search: Callable[..., object], position: Position, progress: Callable[[int], None] | None = None, **options: object
) -> Trace:
    """Return the trace of a search: runs ``search(position, trace=..., **options)``.

    The search may be any function that takes a ``trace`` and calls its ``enter`` and ``leave``, or its ``step``.
    ``progress`` is called regularly with the number of nodes.
    """
    trace = Trace(getattr(search, "__name__", "search"), shown_options(options), position, progress)
    search(position, trace=trace, **options)
    return trace


def record_typed(search: Callable[..., object], typed: TypedTree, trace: Trace | None = None) -> Trace:
    """Return the trace of a search of a typed tree, one of TYPED_SEARCHES."""
    trace = trace or Trace(getattr(search, "__name__", "search"), typed=typed)
    search(typed.start(), trace=trace, evaluate=evaluate_leaf)
    return trace


def shown_options(options: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments of a search for its trace: functions by their names, without a time that never ends."""
    return {name: getattr(option, "__name__", option) for name, option in options.items() if option not in INFINITE}


# --- JSON, described in docs/trace-format.md -------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class TraceGame(Shape):
    """The game of a trace."""

    id: str
    data: GameData
    cells: int
    dimensions: tuple[int, ...] | None
    block_size: int | None
    coordinates: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, kw_only=True)
class TraceNode(Shape):
    """A node of a trace; values are from X's side, null stands for infinity or unknown."""

    id: int
    parent: int | None
    move: str | None
    cell: int | None
    side: Side | None
    winner: Side | None
    alpha: int | None
    beta: int | None
    value: Number
    bound: Annotated[NodeBound, "≥ or ≤ if the exact value is only known to be at least or at most `value`."]
    note: str
    entered: int
    left: int | None
    legal: tuple[int, ...]
    pruned: tuple[int, ...]
    cutoff: str
    attacker: Side | None
    numbers: Annotated[Numbers, "In a grown tree, by name: visits, value, proof, …"]

    @classmethod
    def of(cls, names: Sequence[str], node: Node) -> TraceNode:
        return cls.from_attributes(
            node,
            parent=None if node.parent is None else node.parent.id,
            move=None if node.move is None else names[node.move],
            cell=node.move,
            value=_value(node),
            legal=tuple(node.legal),
            pruned=tuple(node.pruned),
        )


@dataclass(frozen=True, kw_only=True)
class TraceStep(Shape):
    """A step of a search that grows a tree."""

    phase: str
    node: int
    numbers: Numbers
    rollout: tuple[int, ...]
    bounds: tuple[Numbers, ...]

    @classmethod
    def of(cls, step: GrowthStep) -> TraceStep:
        bounds = [{"node": node.id, **terms} for node, terms in step.bounds]
        return cls.from_attributes(step, node=step.node.id, rollout=tuple(step.rollout), bounds=tuple(bounds))


@dataclass(frozen=True, kw_only=True)
class TraceBranch(Shape):
    """A branch of a typed tree, visited or not."""

    value: Annotated[int | None, "Null unless it ends in a leaf."]
    children: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class TraceCounts(Shape):
    """Totals of a trace."""

    visited: int
    pruned: int
    cutoffs: int
    passes: int


@dataclass(frozen=True, kw_only=True)
class TraceData(Shape):
    """All passes of a trace, as files and answers hold them."""

    format: str
    version: int
    game: Annotated[TraceGame | None, "Null for a typed tree."]
    position: str
    leaves: Annotated[str | None, "The text of a typed tree."]
    branches: Annotated[tuple[TraceBranch, ...], "All of a typed tree, by their numbers; the first is the root."]
    marks: tuple[Side | None, ...]
    names: tuple[str, ...]
    algorithm: str
    family: Family
    options: dict[str, str | int | float | bool | None]
    value: Number
    principal: tuple[int, ...]
    counts: TraceCounts
    nodes: tuple[TraceNode, ...]
    steps: tuple[TraceStep, ...]

    @classmethod
    def of(cls, trace: Trace, **more: Any) -> Self:
        """Return the data of a trace; ``more`` are the fields of a subclass."""
        names = trace.names
        nodes = [TraceNode.of(names, node) for node in sorted(trace.nodes, key=lambda node: node.id)]
        return cls.from_attributes(
            trace,
            format=FORMAT,
            version=VERSION,
            **_ground(trace),
            names=tuple(names),
            value=_value(trace.root),
            principal=tuple([node.id for node in trace.principal]),
            counts=TraceCounts(
                visited=trace.visited,
                pruned=trace.count_pruned(),
                cutoffs=trace.count_cutoffs(),
                passes=len(trace.passes),
            ),
            nodes=tuple(nodes),
            steps=tuple([TraceStep.of(step) for step in trace.steps]),
            **more,
        )


def _ground(trace: Trace) -> dict[str, Any]:
    """Return the fields that say what was searched: a position of a game, or a typed tree."""
    if trace.typed is not None:
        branches = [TraceBranch(value=node.value, children=tuple(node.children)) for node in trace.typed.nodes]
        return {"game": None, "position": "", "leaves": trace.typed.text, "branches": tuple(branches), "marks": ()}
    game = TraceGame.from_attributes(trace.game, data=trace.game.to_data())
    marks = tuple(trace.start.cells)
    return {"game": game, "position": trace.start.text, "leaves": None, "branches": (), "marks": marks}


def trace_to_json(trace: Trace) -> dict[str, Any]:
    """Return all passes of a trace as plain data."""
    data: dict[str, Any] = plain(TraceData.of(trace))
    return data


def _value(node: Node) -> Number:
    return None if node.value in INFINITE else node.value


def trace_from_json(data: dict[str, Any]) -> Trace:
    """Return the trace of plain data; raises ValueError if it is not a trace, or one of another version."""
    if data.get("format") != FORMAT:
        raise ValueError(f"expected a file whose format is {FORMAT!r}, got {quote(data.get('format'))}")
    if data.get("version") not in READABLE_VERSIONS:
        versions = " or ".join(map(str, READABLE_VERSIONS))
        raise ValueError(f"expected version {versions} of {FORMAT}, got {quote(data.get('version'))}")
    typed = TypedTree.parse(data["leaves"]) if data.get("leaves") else None
    start = typed.start() if typed else Game.from_data(data["game"]["data"]).parse(data["position"])
    names = data.get("names")
    if names is not None and typed is None and len(names) != start.game.cells:
        raise ValueError(f"expected a name for each of the {start.game.cells} cells, got {len(names)}")
    trace = Trace(data["algorithm"], data["options"], typed=typed, names=names)
    nodes: dict[int, Node] = {}
    for item in data["nodes"]:
        parent = None if item["parent"] is None else nodes[item["parent"]]
        nodes[item["id"]] = _node_from_json(item, parent)
        nodes[item["id"]].is_typed = typed is not None
    steps = [_step_from_json(item, nodes) for item in data.get("steps", [])]
    trace.restore(start, list(nodes.values()), steps)
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
