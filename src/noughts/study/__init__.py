"""Studying games and searches: advice, judgements, hints, reviews, traces, trees, comparisons and grading."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.study.advice import Advice, Advisor, Source, Worth, advise
    from noughts.study.comparison import Comparison, compare
    from noughts.study.exact import ExactValues
    from noughts.study.grading import Failure, Grade, grade
    from noughts.study.hints import Hint, hint
    from noughts.study.judging import Judge, JudgedMove, Judgement, Proposal, Verdict
    from noughts.study.lessons import check, reveal
    from noughts.study.puzzles import Puzzle, check_puzzle, make_puzzle, shipped_puzzles
    from noughts.study.reviews import MoveReview, Review, review
    from noughts.study.trace import Trace, TraceTooLarge, load_trace, record, trace_from_json, trace_to_json
    from noughts.study.tree import Node, SearchTree, TreeSize, tree_size

__all__ = [
    "Advice",
    "Advisor",
    "Comparison",
    "ExactValues",
    "Failure",
    "Grade",
    "Hint",
    "Judge",
    "JudgedMove",
    "Judgement",
    "MoveReview",
    "Node",
    "Proposal",
    "Puzzle",
    "Review",
    "SearchTree",
    "Source",
    "Trace",
    "TraceTooLarge",
    "TreeSize",
    "Verdict",
    "Worth",
    "advise",
    "check",
    "check_puzzle",
    "compare",
    "grade",
    "hint",
    "load_trace",
    "make_puzzle",
    "record",
    "reveal",
    "review",
    "shipped_puzzles",
    "trace_from_json",
    "trace_to_json",
    "tree_size",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Advice": ".advice",
        "Advisor": ".advice",
        "Comparison": ".comparison",
        "ExactValues": ".exact",
        "Failure": ".grading",
        "Grade": ".grading",
        "Hint": ".hints",
        "Judge": ".judging",
        "JudgedMove": ".judging",
        "Judgement": ".judging",
        "MoveReview": ".reviews",
        "Node": ".tree",
        "Proposal": ".judging",
        "Puzzle": ".puzzles",
        "Review": ".reviews",
        "SearchTree": ".tree",
        "Source": ".advice",
        "Trace": ".trace",
        "TraceTooLarge": ".trace",
        "TreeSize": ".tree",
        "Verdict": ".judging",
        "Worth": ".advice",
        "advise": ".advice",
        "check": ".lessons",
        "check_puzzle": ".puzzles",
        "compare": ".comparison",
        "grade": ".grading",
        "hint": ".hints",
        "load_trace": ".trace",
        "make_puzzle": ".puzzles",
        "record": ".trace",
        "reveal": ".lessons",
        "review": ".reviews",
        "shipped_puzzles": ".puzzles",
        "trace_from_json": ".trace",
        "trace_to_json": ".trace",
        "tree_size": ".tree",
    },
)
