"""The tree that a search visited or grew: nodes, passes, the principal line; and the size of the whole tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from random import Random

from noughts.games import Game, Position, Side
from noughts.teaching.tree.typed_tree import TypedTree
from noughts.textbook.common import Phase, plies_to_search

__all__ = [
    "WRONG",
    "Family",
    "GrowthStep",
    "Node",
    "NodeBound",
    "Numbers",
    "SearchTree",
    "TreeSize",
    "cells_at",
    "count_nodes",
    "estimate_nodes",
    "find_bound",
    "format_number",
    "format_value",
    "tree_size",
]
MAX_COUNTED_NODES = 20_000_000
"""Trees up to about this size are counted, by the compiled core, in a second or so."""
MAX_MOVES_OF_PROBES = 20_000_000
"""The walks of an estimate end after this number of legal moves: a second, and more than 400 walks on 15x15 need."""


WRONG = "✗"
"""The beginning of the note at a node whose value is wrong, in the tree of a student's search."""
Numbers = dict[str, int | float | None]
"""The named numbers at a node of a grown tree, such as ``visits`` or ``proof``; None stands for infinity."""


class Family(StrEnum):
    """The kinds of search trees, which differ in the numbers at their nodes."""

    DEPTH_FIRST = "depth_first"
    MONTE_CARLO = "monte_carlo"
    PROOF_NUMBER = "proof_number"


class NodeBound(StrEnum):
    """What is known of the exact value of a node: that it is the value found, at least that, or at most that."""

    EXACT = ""
    LOWER = "≥"
    UPPER = "≤"


@dataclass(slots=True)
class Node:
    """One visit of a search to one position. Values, alpha and beta are from X's side; None stands for infinity.

    ``entered`` and ``left`` come from one counter of both events, so sorting by them replays the search. A node of a
    grown tree is entered at the step that added it and never left; ``numbers`` holds its latest numbers. The root of a
    proof-number tree knows the ``attacker``, the side whose win is to be proved. The values of a tree ``is_typed`` are
    plain numbers, which have no plus sign.
    """

    id: int
    parent: Node | None
    move: int | None
    side: Side | None
    alpha: float | None
    beta: float | None
    legal: list[int]
    entered: int
    left: int | None = None
    value: float | None = None
    note: str = ""
    winner: Side | None = None
    numbers: Numbers = field(default_factory=dict)
    attacker: Side | None = None
    bound: NodeBound = NodeBound.EXACT
    is_typed: bool = False
    children: list[Node] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether play is over here."""
        return self.side is None

    @property
    def is_max(self) -> bool:
        """Whether X, who wants the highest value, is to move."""
        return self.side == Side.X

    @property
    def is_chance(self) -> bool:
        """Whether the move here is left to chance, so that the value is an average."""
        return self.note == "chance"

    @property
    def is_wrong(self) -> bool:
        """Whether this is the first wrong node of a student's search."""
        return self.note.startswith(WRONG)

    @property
    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        return [self] if self.parent is None else [*self.parent.path, self]

    @property
    def pruned(self) -> list[int]:
        """The legal moves that a cutoff left out: never searched, although others were."""
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
            return f"{self.format(self.value)} ≥ β {self.format(self.beta)}"
        if not self.is_max and self.alpha is not None and self.value is not None and self.value <= self.alpha:
            return f"{self.format(self.value)} ≤ α {self.format(self.alpha)}"
        return "not searched"

    def format(self, value: float | None, infinity: str = "∞") -> str:
        """Return a value as drawn in this tree."""
        if self.is_typed:
            return infinity if value is None else format_number(value)
        return format_value(value, infinity)

    def format_result(self, unknown: str) -> str:
        """Return the value of this node, with ≥ or ≤ if it is only a bound."""
        value = self.format(self.value, unknown)
        return f"{self.bound} {value}" if self.bound else value

    @property
    def best(self) -> Node | None:
        """The best child: the first whose value, when last searched, is the value of this node.

        In a grown tree it is the child with the most visits, or the child that is most proving.
        """
        if "visits" in self.numbers:
            return max(self.children, key=lambda child: child.numbers.get("visits") or 0, default=None)
        if "proof" in self.numbers:
            return self.most_proving
        first = next((child for child in self.children if child.value == self.value), None)
        return first and next(child for child in reversed(self.children) if child.move == first.move)

    @property
    def most_proving(self) -> Node | None:
        """The first child with the smallest proof number at an OR node, with the smallest disproof number at AND."""
        name = "proof" if self.is_or else "disproof"
        return min(self.children, key=lambda child: _or_infinity(child.numbers.get(name)), default=None)

    @property
    def is_or(self) -> bool:
        """Whether the side whose win is to be proved is to move here."""
        root = self
        while root.parent is not None:
            root = root.parent
        return self.side == root.attacker

    @property
    def depth(self) -> int:
        """The number of moves from the root."""
        return 0 if self.parent is None else 1 + self.parent.depth

    def child(self, move: int) -> Node | None:
        """Return the first child reached by a move, or None."""
        return next((child for child in self.children if child.move == move), None)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it in the order of the search."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def find_bound(node: Node) -> NodeBound:
    """Return whether the value of a node is exact, from the bounds of its children, which the search has left.

    A pruned branch may have any value. A node that was not searched in full and in turn (its note says so) is judged by
    its window: a value outside it is a bound.
    """
    if node.value is None or node.is_chance:
        return NodeBound.EXACT
    if node.note:
        return _bound_by_window(node, node.value)
    if not node.children:
        return NodeBound.EXACT
    known: dict[int | None, tuple[float, float]] = {}
    for child in node.children:
        lowest, highest = known.get(child.move, (-inf, inf))
        least, most = _interval(child)
        known[child.move] = max(lowest, least), min(highest, most)
    intervals = [*known.values(), *([(-inf, inf)] if node.pruned else [])]
    choose = max if node.is_max else min
    lowest, highest = (choose(ends) for ends in zip(*intervals, strict=True))
    if lowest < highest == node.value:
        return NodeBound.UPPER
    return NodeBound.LOWER if highest > lowest == node.value else NodeBound.EXACT


def _interval(node: Node) -> tuple[float, float]:
    """Return the least and the most that the exact value of a node can be."""
    if node.value is None:
        return -inf, inf
    least = -inf if node.bound is NodeBound.UPPER else node.value
    return least, inf if node.bound is NodeBound.LOWER else node.value


def _bound_by_window(node: Node, value: float) -> NodeBound:
    if node.beta is not None and value >= node.beta:
        return NodeBound.LOWER
    return NodeBound.UPPER if node.alpha is not None and value <= node.alpha else NodeBound.EXACT


def _or_infinity(number: float | None) -> float:
    return inf if number is None else number


@dataclass(slots=True)
class GrowthStep:
    """One step of a search that grows a tree: the phase, its node, the numbers reported there, and a rollout.

    The rollout has the moves that a simulation played from the node to the end; they are not part of the tree.
    ``bounds`` has the terms of the upper confidence bounds that were compared in a selection, for all children.
    """

    phase: Phase
    node: Node
    numbers: Numbers = field(default_factory=dict)
    rollout: list[int] = field(default_factory=list)
    bounds: list[tuple[Node, Numbers]] = field(default_factory=list)


class SearchTree:
    """The nodes that a search visited. A search that starts at the root several times has a tree for each *pass*.

    A search that grows one tree (Monte-Carlo tree search, proof-number search) has ``steps`` as well. The search of a
    ``typed`` tree has neither a game nor boards. Moves may have other ``names`` than in the game's notation.
    """

    def __init__(
        self,
        algorithm: str = "",
        options: dict[str, object] | None = None,
        typed: TypedTree | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.options = options or {}
        self.typed = typed
        self._names = names
        self.passes: list[Node] = []
        self.steps: list[GrowthStep] = []
        self.visited = 0
        self._game: Game | None = None
        self._start = ""

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
    def subject(self) -> str:
        """What was searched: the id of the game, or the text of a typed tree."""
        return self.game.id if self.typed is None else self.typed.text

    @property
    def names(self) -> list[str]:
        """The name of each move, by its number."""
        if self.typed is not None:
            return self.typed.names
        if self._names is not None:
            return list(self._names)
        return [self.game.format_cell(cell) for cell in range(self.game.cells)]

    def leaf_value(self, move: int) -> str:
        """Return the value of a branch of a typed tree that ends in a leaf; empty for any other move."""
        value = None if self.typed is None else self.typed.nodes[move].value
        return "" if value is None else format_number(value)

    def describe_branches(self, moves: Sequence[int]) -> str:
        """Return the names of moves, with the values of leaves in a typed tree, which are known without a search."""
        return ", ".join(f"{self.names[move]} {self.leaf_value(move)}".strip() for move in moves)

    @property
    def root(self) -> Node:
        """The root of the last pass."""
        if not self.passes:
            raise ValueError("nothing recorded: the search never called enter")
        return self.passes[-1]

    @property
    def family(self) -> Family:
        """The kind of this tree, by the numbers at its nodes."""
        if not self.steps:
            return Family.DEPTH_FIRST
        has_proof_numbers = any("proof" in step.numbers for step in self.steps)
        return Family.PROOF_NUMBER if has_proof_numbers else Family.MONTE_CARLO

    @property
    def nodes(self) -> Iterator[Node]:
        """All nodes of all passes, parents before children; without ``steps`` in the order of the search."""
        return (node for root in self.passes for node in root.walk())

    @property
    def principal(self) -> list[Node]:
        """The principal line of the last pass: from the root, always the best child."""
        line, node = [], self.root if self.passes else None
        while node is not None:
            line.append(node)
            node = node.best
        return line

    def count_pruned(self, root: Node | None = None) -> int:
        """Return the number of branches that were never searched, in one pass or in all."""
        return sum(len(node.pruned) for node in (root.walk() if root else self.nodes))

    def count_cutoffs(self, root: Node | None = None) -> int:
        """Return the number of nodes that pruned something, in one pass or in all."""
        return sum(bool(node.pruned) for node in (root.walk() if root else self.nodes))


def cells_at(start: Position, node: Node) -> Sequence[Side | None]:
    """Return the marks on the board at a node: those at the root and the moves from there."""
    cells = list(start.cells)
    while node.parent is not None:
        assert node.move is not None
        cells[node.move] = node.parent.side
        node = node.parent
    return cells


def format_value(value: float | None, infinity: str = "∞") -> str:
    """Return a value with its sign, as drawn in trees: +1, 0, −1; means with two decimals: +0.33."""
    if value is None:
        return infinity
    text = f"{value:+}" if isinstance(value, int) else f"{value:+.2f}"
    return text.replace("-", "−") if float(text) else "0"


def format_number(number: float | None) -> str:
    """Return a number without a sign unless it is negative; None is infinite: 3, 0.62, ∞."""
    if number is None:
        return "∞"
    text = str(number) if isinstance(number, int) else f"{number:.2f}"
    return (text if float(text) else text.lstrip("-")).replace("-", "−")


@dataclass(frozen=True, slots=True)
class TreeSize:
    """The number of nodes plain minimax would visit, root included: exact, or an estimate."""

    nodes: int
    is_exact: bool

    def __str__(self) -> str:
        if self.is_exact or self.nodes < 10_000:
            return f"{'' if self.is_exact else 'about '}{self.nodes:,}"
        exponent = len(str(self.nodes)) - 1
        return f"about {self.nodes // 10 ** (exponent - 1) / 10}·10^{exponent}"


def tree_size(position: Position, depth: int | None = None) -> TreeSize:
    """Return the size of the tree below a position down to a depth, or to the end of every playthrough."""
    plies = plies_to_search(position, depth)
    estimate = estimate_nodes(position, plies)
    if estimate > MAX_COUNTED_NODES:
        return TreeSize(estimate, is_exact=False)
    return TreeSize(count_nodes(position, plies), is_exact=True)


def count_nodes(position: Position, plies: int) -> int:
    """Return the exact number of nodes down to ``plies``."""
    return sum(position.perft(depth) for depth in range(plies + 1))


def estimate_nodes(position: Position, plies: int, probes: int = 400, seed: int = 1) -> int:
    """Return an estimate of the number of nodes by Knuth's method: random walks in which each branch stands for all.

    A walk with b1, then b2, then b3 legal moves counts 1 + b1 + b1*b2 + b1*b2*b3 nodes; the mean over all walks is an
    unbiased estimate. It is an integer, the same for the same seed. On very large boards there are fewer walks.
    """
    random = Random(seed)
    found: list[int] = []
    moves_seen = 0
    while len(found) < probes and moves_seen < MAX_MOVES_OF_PROBES:
        nodes, seen = _probe(position, plies, random)
        found.append(nodes)
        moves_seen += seen
    return sum(found) // len(found)


def _probe(position: Position, plies: int, random: Random) -> tuple[int, int]:
    """The estimate of one walk, and the number of legal moves along it."""
    nodes = width = 1
    played = seen = 0
    while played < plies and (moves := position.legal_moves):
        width *= len(moves)
        nodes += width
        seen += len(moves)
        position.play(random.choice(moves))
        played += 1
    for _ in range(played):
        position.undo()
    return nodes, seen
