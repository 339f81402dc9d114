"""Search trees as text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.study.tree.layout import Item, choose_items
from noughts.study.tree.search_tree import Node, SearchTree, format_value

__all__ = ["tree_text"]


def tree_text(trace: SearchTree, most_nodes: int = 400) -> str:
    """Return the last pass of a trace as an indented tree, the principal line marked by a star.

    ::

        MAX 0  α −∞ β +∞ *
        ├─ a3 MIN 0  α −∞ β +∞ *
        │  └─ … 59 more
        └─ ✕ b3, c3 pruned: 0 ≥ β 0
    """
    names = [trace.start.format_move(cell) for cell in range(trace.game.cells)]
    principal = {node.id for node in trace.principal}
    top = choose_items(trace.root, trace.principal, most_nodes)
    return "\n".join(_lines(top, "", names, principal)) + "\n"


def _lines(item: Item, indent: str, names: list[str], principal: set[int]) -> Iterator[str]:
    """Yield the lines of an item and all below it, which are prefixed with ``indent``."""
    yield _words(item, names, principal)
    for child in item.children:
        is_last = child is item.children[-1]
        first, *rest = _lines(child, "", names, principal)
        yield f"{indent}{'└─' if is_last else '├─'} {first}"
        yield from (f"{indent}{'  ' if is_last else '│ '} {line}" for line in rest)


def _words(item: Item, names: list[str], principal: set[int]) -> str:
    if item.kind == "more":
        return f"… {item.left_out:,} more"
    if item.kind == "pruned":
        return f"✕ {', '.join(names[move] for move in item.moves)} pruned: {item.drawn.cutoff}"
    node = item.drawn
    move = "" if node.move is None else f"{names[node.move]} "
    return f"{move}{_role(node)} {format_value(node.value, '?')}{_window(node)}{' *' if node.id in principal else ''}"


def _role(node: Node) -> str:
    if node.is_over:
        return f"{node.winner} has won" if node.winner else "draw"
    return node.note or ("MAX" if node.is_max else "MIN")


def _window(node: Node) -> str:
    if not node.children or (node.alpha is None and node.beta is None):
        return ""
    return f"  α {format_value(node.alpha, '−∞')} β {format_value(node.beta, '+∞')}"
