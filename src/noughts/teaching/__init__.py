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
        "Comparison": ".comparison",
        "PropertyFailure": ".grading",
        "Grade": ".grading",
        "Node": ".tree",
        "SearchTree": ".tree",
        "Trace": ".tree.trace",
        "TraceTooLarge": ".tree.trace",
        "TreeSize": ".tree",
        "check": ".lessons",
        "compare": ".comparison",
        "grade": ".grading",
        "load_trace": ".tree.trace",
        "record": ".tree.trace",
        "reveal": ".lessons",
        "trace_from_json": ".tree.trace",
        "trace_to_json": ".tree.trace",
        "tree_size": ".tree",
    },
)
