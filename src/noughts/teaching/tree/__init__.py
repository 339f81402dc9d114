"""Search trees as pictures and text, and their sizes."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names
from noughts.teaching.tree.search_tree import (
    Family,
    GrowthStep,
    Node,
    Numbers,
    SearchTree,
    TreeSize,
    format_value,
    tree_size,
)

if TYPE_CHECKING:
    from noughts.teaching.tree.html import tree_html
    from noughts.teaching.tree.svg import tree_svg
    from noughts.teaching.tree.text import tree_dot, tree_text

__all__ = [
    "Family",
    "GrowthStep",
    "Node",
    "Numbers",
    "SearchTree",
    "TreeSize",
    "format_value",
    "tree_dot",
    "tree_html",
    "tree_size",
    "tree_svg",
    "tree_text",
]

__getattr__, __dir__ = lazy_names(
    __name__, {".html": ["tree_html"], ".svg": ["tree_svg"], ".text": ["tree_dot", "tree_text"]}
)
