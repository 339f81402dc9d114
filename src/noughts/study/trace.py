"""A trace: the search tree of a real run, as the search itself reported it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noughts.games import Game, Position, Side
from noughts.textbook import INFINITY

MOST_NODES = 1_000_000
"""A trace that grows beyond this is given up with an error, before it fills the memory."""


@dataclass(slots=True)
class Node:
    """One visit of a search to one position. Values, alpha and beta are from X's side; None stands for infinity.

    ``entered`` and ``left`` are ticks of one clock that counts both, so sorting by them replays the search.
    """

    id: int
    parent: Node | None
    move: int | None
    side: Side | None
    alpha: int | None
    beta: int | None
    legal: list[int]
    entered: int
    left: int | None = None
    value: int | None = None
    note: str = ""
    winner: Side | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether play is over here."""
        return self.side is None

    @property
    def is_max(self) -> bool:
        """Whether X is to move, who wants the highest value."""
        return self.side == Side.X

    @property
    def pruned(self) -> list[int]:
        """The legal moves that were never searched, although others were: what a cutoff removed."""
        if not self.children or self.left is None:
            return []
        searched = {child.move for child in self.children}
        return [move for move in self.legal if move not in searched]

    @property
    def cutoff(self) -> str:
        """Why moves were pruned, such as "1 ≥ β 0"; empty when none were."""
        if not self.pruned:
            return ""
        if self.is_max and self.beta is not None and self.value is not None and self.value >= self.beta:
            return f"{format_value(self.value)} ≥ β {format_value(self.beta)}"
        if not self.is_max and self.alpha is not None and self.value is not None and self.value <= self.alpha:
            return f"{format_value(self.value)} ≤ α {format_value(self.alpha)}"
        return "not searched"

    @property
    def best(self) -> Node | None:
        """The child whose value went up: the first with the value of this node, as it was searched last."""
        first = next((child for child in self.children if child.value == self.value), None)
        return first and next(child for child in reversed(self.children) if child.move == first.move)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it in the order of the search."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


class TraceTooLarge(ValueError):
    """Raised when a search visits more nodes than a trace keeps."""


class Trace:
    """Records a search through the calls ``enter`` and ``leave`` and shows it as a picture::

        trace = Trace("my search")
        my_search(position, trace)       # calls trace.enter(position, alpha, beta) and trace.leave(value)
        trace.save("tree.svg")           # or .html, .dot, .json; in a notebook, simply: trace

    A search may start at the root several times, as iterative deepening does: each start begins a new *pass*, a tree
    of its own. Which node is whose child follows from the moves on the board, so a search that is given up halfway
    leaves a trace that is still right as far as it goes.
    """

    def __init__(self, algorithm: str = "", options: dict[str, Any] | None = None) -> None:
        self.algorithm = algorithm
        self.options = options or {}
        self.passes: list[Node] = []
        self.visited = 0
        self._game: Game | None = None
        self._start = ""
        self._clock = 0
        self._path: list[Node] = []
        self._base = 0

    def enter(self, position: Position, alpha: int | None = None, beta: int | None = None) -> None:
        """Record that the search has come to this position with this window (from X's side)."""
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

    def leave(self, value: int, note: str = "") -> None:
        """Record that the search goes back up from the node entered last and not left yet, with this value."""
        if not self._path:
            raise ValueError("expected enter before leave: no node is open")
        node = self._path.pop()
        node.value, node.note, node.left = value, note, self._tick()

    def restore(self, start: Position, nodes: list[Node]) -> None:
        """Take over nodes recorded earlier, parents before children, in place of those recorded here."""
        self._game, self._start, self._base = start.game, start.text, len(start.moves)
        self.passes, self.visited, self._path = [], len(nodes), []
        for node in nodes:
            (node.parent.children if node.parent else self.passes).append(node)
        self._clock = max((node.left or node.entered for node in nodes), default=0)

    def _check_is_below_start(self, position: Position, ply: int) -> None:
        depth = ply - self._base
        if depth < 0 or depth > len(self._path):
            raise ValueError("expected a position one move below a node that is open, as play and undo reach it")
        if self.visited >= MOST_NODES:
            raise TraceTooLarge(f"more than {MOST_NODES:,} nodes to trace; give a smaller depth or a later position")

    def _tick(self) -> int:
        self._clock += 1
        return self._clock

    @property
    def game(self) -> Game:
        """The game searched. Raises ValueError while nothing is recorded."""
        if self._game is None:
            raise ValueError("nothing recorded: the search never called enter")
        return self._game

    @property
    def start(self) -> Position:
        """A new position, the one at the root."""
        return self.game.parse(self._start)

    @property
    def root(self) -> Node:
        """The root of the last pass."""
        if not self.passes:
            raise ValueError("nothing recorded: the search never called enter")
        return self.passes[-1]

    @property
    def nodes(self) -> Iterator[Node]:
        """All nodes of all passes, in the order of the search."""
        return (node for root in self.passes for node in root.walk())

    @property
    def principal(self) -> list[Node]:
        """The principal line of the last pass: from the root, always the child whose value went up."""
        line, node = [], self.root if self.passes else None
        while node is not None:
            line.append(node)
            node = node.best
        return line

    def count_pruned(self, root: Node | None = None) -> int:
        """Return how many branches were never searched, in one pass or in all."""
        return sum(len(node.pruned) for node in (root.walk() if root else self.nodes))

    def count_cutoffs(self, root: Node | None = None) -> int:
        """Return how many nodes pruned something, in one pass or in all."""
        return sum(bool(node.pruned) for node in (root.walk() if root else self.nodes))

    def save(self, path: str | Path, most_nodes: int = 400) -> None:
        """Write the last pass as ``.svg``, ``.html``, ``.dot`` or ``.txt``, with at most ``most_nodes`` nodes.

        A ``.json`` file gets all passes and all nodes. Raises ValueError for any other kind of file.
        """
        from noughts.study.tree import write_tree

        write_tree(self, Path(path), most_nodes)

    def _repr_svg_(self) -> str:
        from noughts.study.tree_svg import tree_svg

        return tree_svg(self, most_nodes=200)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """The picture for a notebook, with a text for readers who cannot see it."""
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


def format_value(value: int | None, infinity: str = "∞") -> str:
    """Return a value with its sign, as drawn in trees: +1, 0, −1."""
    if value is None:
        return infinity
    return f"{value:+}".replace("-", "−") if value else "0"


def _finite(bound: int | None) -> int | None:
    return None if bound is None or abs(bound) >= INFINITY else bound
