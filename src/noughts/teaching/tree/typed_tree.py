"""Trees with typed leaf values, the exercise of every exam: read from text, and searched like a game."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import cast

from noughts.games import Position, Side
from noughts.games.quoting import quote

__all__ = ["TYPED_SEARCHES", "TypedPosition", "TypedTree", "evaluate_leaf"]

MAX_TYPED_NODES = 1_000
MAX_DEPTH = 12
MAX_VALUE = 10**9
TOKEN = re.compile(r"\s*([\[\]]|/+|[^\s\[\]/,]+|,)")
NUMBER = re.compile(r"[+-]?[0-9]{1,10}")
TOO_LARGE = f"expected a tree of at most {MAX_TYPED_NODES:,} nodes and depth {MAX_DEPTH}, got more"
LETTERS = "abcdefghijklmnopqrstuvwxyz"

TYPED_SEARCHES = ("minimax", "alphabeta", "negamax", "negascout", "expectimax")
"""Searches that evaluate nothing but leaves, and so can search a typed tree."""


@dataclass(slots=True)
class TypedNode:
    """A node of a typed tree: the numbers of its children, or a value if it is a leaf."""

    name: str
    value: int | None = None
    children: list[int] = field(default_factory=list)
    height: int = 0


class TypedTree:
    """A tree whose leaf values were typed: ``TypedTree.parse("3 12 8 / 2 4 6 / 14 5 2")``.

    Values with spaces between them are the leaves of one node. ``/`` separates the nodes above leaves, ``//`` the nodes
    above those, and so on: ``3 5 / 6 9 // 1 2 / 0 -1``. Brackets hold a subtree of any depth: ``[3 [2 4] 7]``. MAX
    moves first, unless the text begins with ``min:``. Branches are named by letters and numbers in turn: b, b1, b1a.
    """

    def __init__(self, text: str, first: Side, root: _Branch) -> None:
        self.text = text
        self.first = first
        self.nodes: list[TypedNode] = []
        self._add(root, "", 0)

    @classmethod
    def parse(cls, text: str) -> TypedTree:
        """Return the tree of a text; raises ValueError."""
        text = " ".join(text.replace("−", "-").split())
        first, colon, rest = text.partition(":")
        if colon and first.strip().lower() not in ("max", "min"):
            raise ValueError(f"expected max: or min: before the leaf values, got {quote(first)}")
        side = Side.O if colon and first.strip().lower() == "min" else Side.X
        return cls(text, side, _Reader(rest if colon else text).read())

    @property
    def root(self) -> TypedNode:
        return self.nodes[0]

    @property
    def names(self) -> list[str]:
        """The name of the branch to each node, by its number; the root has none."""
        return [node.name for node in self.nodes]

    def start(self) -> Position:
        """Return the root, to be searched by one of TYPED_SEARCHES with ``evaluate_leaf``."""
        # The searches use only the part of a position that TypedPosition has.
        return cast(Position, TypedPosition(self))

    def _add(self, branch: _Branch, name: str, depth: int) -> int:
        if len(self.nodes) >= MAX_TYPED_NODES or depth > MAX_DEPTH:
            raise ValueError(TOO_LARGE)
        number = len(self.nodes)
        node = TypedNode(name)
        self.nodes.append(node)
        if isinstance(branch, int):
            node.value = branch
            return number
        for at, child in enumerate(branch):
            label = str(at + 1) if depth % 2 else _letters(at)
            node.children.append(self._add(child, name + label, depth + 1))
        node.height = 1 + max(self.nodes[child].height for child in node.children)
        return number


_Branch = int | list["_Branch"]


def _letters(number: int) -> str:
    """Return a, b, …, z, aa, ab, … for 0, 1, …"""
    letters = LETTERS[number % 26]
    return letters if number < 26 else _letters(number // 26 - 1) + letters


class _Reader:
    """Reads the text of a tree: numbers, brackets and slashes."""

    def __init__(self, text: str) -> None:
        self.tokens = [token for token in TOKEN.findall(text) if token != ","]
        self.at = 0
        self.depth = 0

    def read(self) -> _Branch:
        branch = self._sequence()
        if self.at < len(self.tokens):
            raise ValueError("expected as many [ as ] in the leaf values, got one ] more")
        # Brackets around the whole tree add no node.
        while len(branch) == 1 and isinstance(branch[0], list):
            branch = branch[0]
        return branch

    def _sequence(self) -> list[_Branch]:
        """Return the items up to a closing bracket or the end, grouped by the slashes between them."""
        items: list[_Branch] = []
        slashes: list[tuple[int, int]] = []
        while self.at < len(self.tokens) and self.tokens[self.at] != "]":
            token = self.tokens[self.at]
            self.at += 1
            if token[0] == "/":
                slashes.append((len(items), len(token)))
            else:
                items.append(self._bracket() if token == "[" else _number(token))
        level = max((length for _, length in slashes), default=0)
        if level > MAX_DEPTH:
            raise ValueError(TOO_LARGE)
        return _group(items, slashes, level)

    def _bracket(self) -> list[_Branch]:
        self.depth += 1
        if self.depth > 2 * MAX_DEPTH:
            raise ValueError(TOO_LARGE)
        inside = self._sequence()
        self.depth -= 1
        if self.at == len(self.tokens):
            raise ValueError("expected as many ] as [ in the leaf values, got one ] less")
        self.at += 1
        return inside


def _group(items: list[_Branch], slashes: list[tuple[int, int]], level: int) -> list[_Branch]:
    """Return the items as a tree: slashes of this length separate the children, shorter ones those below."""
    if not items:
        raise ValueError('expected leaf values such as "3 12 8 / 2 4 6", got a node without any')
    if not level:
        return items
    ends = [at for at, length in slashes if length == level]
    groups: list[_Branch] = []
    for begin, end in zip([0, *ends], [*ends, len(items)], strict=True):
        inner = [(at - begin, length) for at, length in slashes if length < level and begin <= at <= end]
        groups.append(_group(items[begin:end], inner, level - 1))
    return groups


def _number(token: str) -> int:
    if NUMBER.fullmatch(token) is None or abs(int(token)) > MAX_VALUE:
        raise ValueError(f"expected whole numbers as leaf values, such as 3 or -2, got {quote(token)}")
    return int(token)


class TypedPosition:
    """A place in a typed tree, with the part of ``Position`` that searches use. A move is the number of a child."""

    def __init__(self, tree: TypedTree) -> None:
        self.tree = tree
        self.moves: list[int] = []

    @property
    def node(self) -> TypedNode:
        """The node of this place."""
        return self.tree.nodes[self.moves[-1] if self.moves else 0]

    @property
    def turn(self) -> Side | None:
        """The side to move: X is MAX, O is MIN; None at a leaf."""
        if self.is_over:
            return None
        return self.tree.first if len(self.moves) % 2 == 0 else self.tree.first.opponent

    @property
    def is_over(self) -> bool:
        """Whether this is a leaf."""
        return not self.node.children

    @property
    def legal_moves(self) -> list[int]:
        """The numbers of the children."""
        return self.node.children

    @property
    def winner(self) -> None:
        """Leaves have values, not winners."""
        return None

    @property
    def cells(self) -> list[None]:
        """As many empty cells as there are moves ahead at most: the depth of a search to the end."""
        return [None] * self.node.height

    def play(self, move: int) -> None:
        """Go to a child."""
        self.moves.append(move)

    def undo(self) -> None:
        """Go back to the parent."""
        self.moves.pop()


def evaluate_leaf(position: Position) -> int:
    """Return the value that was typed for a leaf."""
    value = cast(TypedPosition, position).node.value
    assert value is not None
    return value
