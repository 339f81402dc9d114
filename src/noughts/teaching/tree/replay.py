"""The replay of any search: its steps in words, for the nodes that are drawn."""

from __future__ import annotations

from noughts.teaching.tree.depth_first_replay import DepthFirstReplay
from noughts.teaching.tree.growth_replay import GrowthReplay
from noughts.teaching.tree.layout import choose_items
from noughts.teaching.tree.search_tree import Node, SearchTree
from noughts.teaching.tree.steps import Step

__all__ = ["replay"]


def replay(trace: SearchTree, most_nodes: int = 400, root: Node | None = None) -> list[Step]:
    """Return the steps of a pass, given by its root, or else of the last one, for the nodes that are drawn."""
    root = root or trace.root
    top = choose_items(root, trace.principal if root is trace.root else [root], most_nodes)
    if trace.steps:
        return list(GrowthReplay(trace, top).steps())
    return DepthFirstReplay(trace).run(top)
