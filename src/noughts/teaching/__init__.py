"""Teaching search: recorded searches, their pictures, comparisons, grading, autograders, the class cup and lessons."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.teaching.comparison import Comparison, compare
    from noughts.teaching.grading import Grade, PropertyFailure, grade
    from noughts.teaching.lessons import check, reveal
    from noughts.teaching.tree import Node, SearchTree, TreeSize, tree_size
    from noughts.teaching.tree.trace import Trace, TraceTooLarge, load_trace, record, trace_from_json, trace_to_json

__all__ = [
    "Comparison",
    "Grade",
    "Node",
    "PropertyFailure",
    "SearchTree",
    "Trace",
    "TraceTooLarge",
    "TreeSize",
    "check",
    "compare",
    "grade",
    "load_trace",
    "record",
    "reveal",
    "trace_from_json",
    "trace_to_json",
    "tree_size",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".comparison": ["Comparison", "compare"],
        ".grading": ["Grade", "PropertyFailure", "grade"],
        ".lessons": ["check", "reveal"],
        ".tree": ["Node", "SearchTree", "TreeSize", "tree_size"],
        ".tree.trace": ["Trace", "TraceTooLarge", "load_trace", "record", "trace_from_json", "trace_to_json"],
    },
)
