"""Studying games and searches: traces, trees, comparisons, grading and reviews."""

from noughts.study.comparison import Comparison, compare
from noughts.study.grading import Failure, Grade, grade
from noughts.study.trace import Node, Trace, TraceTooLarge, record
from noughts.study.trace_json import load_trace, trace_from_json, trace_to_json
from noughts.study.tree_count import TreeSize, tree_size

__all__ = [
    "Comparison",
    "Failure",
    "Grade",
    "Node",
    "Trace",
    "TraceTooLarge",
    "TreeSize",
    "compare",
    "grade",
    "load_trace",
    "record",
    "trace_from_json",
    "trace_to_json",
    "tree_size",
]
