"""Search trees as text, for the terminal, and in the DOT language, for Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.games import Side
from noughts.teaching.tree.layout import Item, choose_items, project_cells
from noughts.teaching.tree.notation import notation_of
from noughts.teaching.tree.search_tree import Node, SearchTree, cells_at

__all__ = ["tree_dot", "tree_text"]


def tree_text(trace: SearchTree, most_nodes: int = 400) -> str:
    """Return the last pass of a trace as an indented tree, the principal line marked by a star.

    ::

        MAX 0  α −∞ β +∞ *
        ├─ a3 MIN 0  α −∞ β +∞ *
        │  └─ … 59 more
        └─ ✕ b3, c3 pruned: 0 ≥ β 0
    """
    return "\n".join(_Outline(trace).lines(choose_items(trace.root, trace.principal, most_nodes))) + "\n"


class _Outline:
    def __init__(self, trace: SearchTree) -> None:
        self.trace = trace
        self.names = trace.names
        self.principal = {node.id for node in trace.principal}
        self.notation = notation_of(trace)

    def lines(self, item: Item) -> Iterator[str]:
        """Yield the lines of an item and all below it."""
        yield self._words(item)
        for child in item.children:
            is_last = child is item.children[-1]
            first, *rest = self.lines(child)
            yield f"{'└─' if is_last else '├─'} {first}"
            yield from (f"{'  ' if is_last else '│ '} {line}" for line in rest)

    def _words(self, item: Item) -> str:
        if item.kind == "more":
            return f"… {item.left_out:,} more"
        if item.kind == "pruned":
            return f"✕ {self.trace.describe_branches(item.moves)} pruned: {item.drawn.cutoff}"
        node = item.drawn
        move = "" if node.move is None else f"{self.names[node.move]} "
        star = " *" if node.id in self.principal else ""
        wrong = f"  {node.note}" if node.is_wrong else ""
        return f"{move}{self._role(node)} {self.notation.summary(node)}{star}{wrong}"

    def _role(self, node: Node) -> str:
        if node.is_over:
            return f"{node.winner} has won" if node.winner else ("leaf" if node.is_typed else "draw")
        return self.notation.role(node) if node.is_chance or node.is_wrong or not node.note else node.note


def tree_dot(trace: SearchTree, most_nodes: int = 400) -> str:
    """Return the last pass of a trace in the DOT language, with at most ``most_nodes`` nodes."""
    outline = _Dot(trace)
    title = f"{trace.algorithm or 'search'} on {trace.subject}: {trace.visited:,} nodes visited"
    lines = [
        "digraph search {",
        f"  label={_quote(title)};",
        '  node [fontname="monospace" fontsize=10]; edge [arrowhead=none fontsize=10];',
    ]
    for number, item in enumerate(choose_items(trace.root, trace.principal, most_nodes).walk()):
        lines += outline.item(item, number)
    return "\n".join([*lines, "}", ""])


class _Dot:
    def __init__(self, trace: SearchTree) -> None:
        self.trace, self.notation = trace, notation_of(trace)
        self.names = trace.names
        self.principal = {node.id for node in trace.principal}

    def item(self, item: Item, number: int) -> list[str]:
        """Return the lines of one item and of the edge to it."""
        parent = f"n{item.parent.drawn.id}" if item.parent else ""
        if item.kind == "more":
            return [
                f"  s{number} [shape=plaintext label={_quote(f'… {item.left_out:,} more')}];",
                f"  {parent} -> s{number} [style=dotted];",
            ]
        if item.kind == "pruned":
            branches = (
                _pruned(parent, f"p{number}_{move}", self.trace.describe_branches([move]), item.drawn)
                for move in item.moves
            )
            return [line for branch in branches for line in branch]
        return self._node(item.drawn, parent)

    def _node(self, node: Node, parent: str) -> list[str]:
        colour = "red" if node.is_wrong else "orange" if node.id in self.principal else ""
        thick = f" penwidth=3 color={colour}" if colour else ""
        shape = SHAPES.get(self.notation.shape(node), "box")
        lines = [f"  n{node.id} [shape={shape} label={_quote(self._label(node))}{thick}];"]
        if parent and node.move is not None:
            lines.append(f"  {parent} -> n{node.id} [label={_quote(self.names[node.move])}{thick}];")
        return lines

    def _label(self, node: Node) -> str:
        value, *others = self.notation.texts(node).values()
        board = [] if self.trace.typed else _board(self.trace, node)
        lines = [*board, value, "  ".join(others)]
        return "\n".join(line for line in lines if line.strip())


def _pruned(parent: str, name: str, move: str, node: Node) -> list[str]:
    return [
        f'  {name} [shape=plaintext label="✕"];',
        f"  {parent} -> {name} [style=dashed label={_quote(f'{move}: {node.cutoff}')}];",
    ]


SHAPES = {"max": "house", "min": "invhouse", "chance": "octagon"}
"""The shapes of Graphviz."""


def _board(trace: SearchTree, node: Node) -> list[str]:
    """Return the board as rows of letters."""
    spots = project_cells(trace.game)
    rows: dict[float, dict[float, str]] = {}
    for (x, y), mark in zip(spots, cells_at(trace.start, node), strict=True):
        rows.setdefault(y, {})[x] = {Side.X: "X", Side.O: "O"}.get(mark, "·") if mark else "·"
    return ["".join(row[x] for x in sorted(row)) for _, row in sorted(rows.items())]


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
