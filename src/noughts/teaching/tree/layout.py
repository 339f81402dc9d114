"""The layout of a drawn tree, for all file formats: the nodes that are drawn, their places, and their boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Literal

from noughts.games import Game
from noughts.teaching.tree.search_tree import Node

__all__ = ["MAX_PRUNED_APART", "Item", "Point", "Sizes", "choose_items", "place_items", "project_cells"]

Point = tuple[float, float]
Kind = Literal["node", "pruned", "more"]
MAX_PRUNED_APART = 6
"""More pruned branches than this at one node are drawn as one."""


@dataclass(slots=True)
class Item:
    """An item of the drawing: a node, the pruned branches of a node, or a stub for nodes left out.

    ``x`` and ``y`` are the middle of its top side if the tree grows down, of its left side if it grows right.
    """

    kind: Kind
    parent: Item | None
    depth: int
    node: Node | None = None
    moves: list[int] = field(default_factory=list)
    left_out: int = 0
    children: list[Item] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    @property
    def drawn(self) -> Node:
        """The node that is drawn, or the node whose branches were pruned or left out."""
        item = self if self.node is not None or self.parent is None else self.parent
        assert item.node is not None
        return item.node

    def walk(self) -> list[Item]:
        """Return this item and all below it, parents first, left to right."""
        items, stack = [], [self]
        while stack:
            item = stack.pop()
            items.append(item)
            stack.extend(reversed(item.children))
        return items


def choose_items(root: Node, principal: list[Node], most: int) -> Item:
    """Return the tree to draw: at most ``most`` nodes, first those on the way to a wrong node and the principal line.

    The others follow level by level.

    In a Monte-Carlo tree, the nodes with the most visits follow instead. Nodes left out are counted in stubs;
    pruned branches of drawn nodes are items of their own.
    """
    wanted = _choose_nodes(root, principal, most)
    sizes = _count_below(root)
    top = Item("node", None, 0, root)
    stack = [top]
    while stack:
        item = stack.pop()
        _add_children(item, wanted, sizes)
        stack.extend(child for child in item.children if child.kind == "node")
    return top


def _choose_nodes(root: Node, principal: list[Node], most: int) -> set[int]:
    wrong = next((node.path for node in root.walk() if node.is_wrong), [])
    wanted = {node.id for node in [*wrong, *principal][:most]} | {root.id}
    if "visits" in root.numbers:
        others = (node for node in root.walk() if node.id not in wanted)
        by_visits = sorted(others, key=lambda node: -(node.numbers.get("visits") or 0))
        return wanted | {node.id for node in by_visits[: most - len(wanted)]}
    level = [root]
    while level:
        for node in level:
            if len(wanted) >= most:
                return wanted
            wanted.add(node.id)
        level = [child for node in level for child in node.children]
    return wanted


def _count_below(root: Node) -> dict[int, int]:
    """Return for each node the size of its subtree, itself included."""
    sizes: dict[int, int] = {}
    for node in reversed(list(root.walk())):
        sizes[node.id] = 1 + sum(sizes[child.id] for child in node.children)
    return sizes


def _add_children(item: Item, wanted: set[int], sizes: dict[int, int]) -> None:
    node = item.drawn
    shown = [child for child in node.children if child.id in wanted]
    left_out = sum(sizes[child.id] for child in node.children if child.id not in wanted)
    depth = item.depth + 1
    item.children = [Item("node", item, depth, child) for child in shown]
    if left_out:
        item.children.append(Item("more", item, depth, left_out=left_out))
    if pruned := node.pruned:
        item.children.append(Item("pruned", item, depth, moves=pruned))


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of items in pixels: ``across`` the direction in which the tree grows, and the step ``along`` it.

    Parents are centred over their children or, unless ``centered``, placed beside the first of them.
    """

    node: float
    leaf: float
    more: float
    pruned_each: float
    letter: float
    gap: float
    along: float
    centered: bool

    def across(self, item: Item) -> float:
        """Return the space that one item needs across."""
        if item.kind == "node":
            return self.node if item.children else self.leaf
        if item.kind == "more":
            return self.more
        apart = len(item.moves) if len(item.moves) <= MAX_PRUNED_APART else 1
        return max(self.letter * len(item.drawn.cutoff), apart * self.pruned_each)


def place_items(top: Item, sizes: Sizes) -> float:
    """Set every item's place across (``x``) and along (``y``) the tree, and return the space needed across."""
    room: dict[int, float] = {}
    items = top.walk()
    for item in reversed(items):
        below = sum(room[id(child)] for child in item.children) + sizes.gap * max(0, len(item.children) - 1)
        room[id(item)] = max(sizes.across(item), below)
    edges = {id(top): 0.0}
    for item in items:
        item.y = item.depth * sizes.along
        edge = edges[id(item)]
        for child in item.children:
            edges[id(child)] = edge
            edge += room[id(child)] + sizes.gap
    for item in reversed(items):
        item.x = _middle(item, edges[id(item)], room[id(item)], sizes)
    return room[id(top)]


def _middle(item: Item, edge: float, room: float, sizes: Sizes) -> float:
    """Return the place of an item within the space of its subtree; its children are already placed."""
    if not item.children:
        return edge + room / 2
    if sizes.centered:
        return max(edge + sizes.across(item) / 2, (item.children[0].x + item.children[-1].x) / 2)
    return max(edge + sizes.across(item) / 2, item.children[0].x)


def project_cells(game: Game) -> list[Point]:
    """Return the place of each cell on a flat picture, in cells."""
    spots = game.coordinates or _square(game.cells)
    extents = [max(axis) - min(axis) + 2 for axis in zip(*spots, strict=True)]
    return [_project(spot, extents) for spot in spots]


def _square(cells: int) -> list[Point]:
    """Return places for the cells of a game without a layout, in a grid that is nearly square."""
    side = ceil(sqrt(cells))
    return [(cell % side, cell // side) for cell in range(cells)]


def _project(spot: Sequence[float], extents: Sequence[float]) -> Point:
    """Return the place on the flat picture of a cell with any number of coordinates."""
    flat, stride = [0.0, 0.0], [1.0, 1.0]
    for axis, (value, extent) in enumerate(zip(spot, extents, strict=True)):
        flat[axis % 2] += value * stride[axis % 2]
        stride[axis % 2] *= extent
    return flat[0], flat[1]
