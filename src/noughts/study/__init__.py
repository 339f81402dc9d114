"""Studying games and searches: advice, hints, reviews, traces, trees, comparisons and grading."""

from noughts.study.advice import Advice, Advisor, Source, Worth, advise
from noughts.study.comparison import Comparison, compare
from noughts.study.grading import Failure, Grade, grade
from noughts.study.hints import Hint, hint
from noughts.study.reviews import MoveReview, Review, review
from noughts.study.trace import Node, Trace, TraceTooLarge, record
from noughts.study.trace_json import load_trace, trace_from_json, trace_to_json
from noughts.study.tree_count import TreeSize, tree_size

__all__ = [
    "Advice",
    "Advisor",
    "Comparison",
    "Failure",
    "Grade",
    "Hint",
    "MoveReview",
    "Node",
    "Review",
    "Source",
    "Trace",
    "TraceTooLarge",
    "TreeSize",
    "Worth",
    "advise",
    "compare",
    "grade",
    "hint",
    "load_trace",
    "record",
    "review",
    "trace_from_json",
    "trace_to_json",
    "tree_size",
]
