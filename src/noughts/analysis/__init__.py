"""What is best in a position, and is it proven: advice, judgements, hints, reviews, exact values and puzzles."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.analysis.advice import Advice, Advisor, advise
    from noughts.analysis.evaluation import Evaluation, Source
    from noughts.analysis.exact import ExactValues
    from noughts.analysis.hints import Hint, hint
    from noughts.analysis.judging import Judge, JudgedMove, Judgement, Proposal, Verdict
    from noughts.analysis.puzzles import Puzzle, check_puzzle, make_puzzle, shipped_puzzles
    from noughts.analysis.reviews import MoveReview, Review, review

__all__ = [
    "Advice",
    "Advisor",
    "Evaluation",
    "ExactValues",
    "Hint",
    "Judge",
    "JudgedMove",
    "Judgement",
    "MoveReview",
    "Proposal",
    "Puzzle",
    "Review",
    "Source",
    "Verdict",
    "advise",
    "check_puzzle",
    "hint",
    "make_puzzle",
    "review",
    "shipped_puzzles",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Advice": ".advice",
        "Advisor": ".advice",
        "Evaluation": ".evaluation",
        "ExactValues": ".exact",
        "Hint": ".hints",
        "Judge": ".judging",
        "JudgedMove": ".judging",
        "Judgement": ".judging",
        "MoveReview": ".reviews",
        "Proposal": ".judging",
        "Puzzle": ".puzzles",
        "Review": ".reviews",
        "Source": ".evaluation",
        "Verdict": ".judging",
        "advise": ".advice",
        "check_puzzle": ".puzzles",
        "hint": ".hints",
        "make_puzzle": ".puzzles",
        "review": ".reviews",
        "shipped_puzzles": ".puzzles",
    },
)
