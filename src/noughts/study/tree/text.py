"""Search trees as text, for the terminal, and in the DOT language, for Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.games import Side
from noughts.study.tree.layout import Item, choose_items, project_cells
from noughts.study.tree.search_tree import Node, SearchTree, cells_at, format_value

__all__ = ["tree_dot", "tree_text"]


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


def tree_dot(trace: SearchTree, most_nodes: int = 400) -> str:
    """Return the last pass of a trace in the DOT language, with at most ``most_nodes`` nodes."""
    names = [trace.start.format_move(cell) for cell in range(trace.game.cells)]
    principal = {node.id for node in trace.principal}
    title = f"{trace.algorithm or 'search'} on {trace.game.id}: {trace.visited:,} nodes visited"
    lines = [
        "digraph search {",
        f"  label={_quote(title)};",
        '  node [fontname="monospace" fontsize=10]; edge [arrowhead=none fontsize=10];',
    ]
    for number, item in enumerate(choose_items(trace.root, trace.principal, most_nodes).walk()):
        lines += _item(trace, item, number, names, principal)
    return "\n".join([*lines, "}", ""])


def _item(trace: SearchTree, item: Item, number: int, names: list[str], principal: set[int]) -> list[str]:
    parent = f"n{item.parent.drawn.id}" if item.parent else ""
    if item.kind == "more":
        return [
            f"  s{number} [shape=plaintext label={_quote(f'… {item.left_out:,} more')}];",
            f"  {parent} -> s{number} [style=dotted];",
        ]
    if item.kind == "pruned":
        return [line for move in item.moves for line in _pruned(parent, f"p{number}_{move}", names[move], item.drawn)]
    node = item.drawn
    thick = " penwidth=3 color=orange" if node.id in principal else ""
    lines = [f"  n{node.id} [shape={_shape(node)} label={_quote(_label(trace, node))}{thick}];"]
    if parent and node.move is not None:
        lines.append(f"  {parent} -> n{node.id} [label={_quote(names[node.move])}{thick}];")
    return lines


def _pruned(parent: str, name: str, move: str, node: Node) -> list[str]:
    return [
        f'  {name} [shape=plaintext label="✕"];',
        f"  {parent} -> {name} [style=dashed label={_quote(f'{move}: {node.cutoff}')}];",
    ]


def _shape(node: Node) -> str:
    if not node.children:
        return "box"
    return "house" if node.is_max else "invhouse"


def _label(trace: SearchTree, node: Node) -> str:
    window = f"α {format_value(node.alpha, '−∞')}  β {format_value(node.beta, '+∞')}" if node.children else node.note
    lines = [*_board(trace, node), format_value(node.value, "?"), window]
    return "\n".join(line for line in lines if line)


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
