"""What is best in a position, and is it proven: advice, judgements, hints, reviews, exact values and puzzles."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.analysis.advice import Advice, Advisor, advise
    from noughts.analysis.evaluation import Evaluation, Source
    from noughts.analysis.exact import ExactValues
    from noughts.analysis.hints import Hint, hint
    from noughts.analysis.judging import Judge, JudgedMove, Judgement, Proposal, Verdict
    from noughts.analysis.losing_move import LosingMove, find_losing_move
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
    "LosingMove",
    "MoveReview",
    "Proposal",
    "Puzzle",
    "Review",
    "Source",
    "Verdict",
    "advise",
    "check_puzzle",
    "find_losing_move",
    "hint",
    "make_puzzle",
    "review",
    "shipped_puzzles",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".advice": ["Advice", "Advisor", "advise"],
        ".evaluation": ["Evaluation", "Source"],
        ".exact": ["ExactValues"],
        ".hints": ["Hint", "hint"],
        ".judging": ["Judge", "JudgedMove", "Judgement", "Proposal", "Verdict"],
        ".losing_move": ["LosingMove", "find_losing_move"],
        ".puzzles": ["Puzzle", "check_puzzle", "make_puzzle", "shipped_puzzles"],
        ".reviews": ["MoveReview", "Review", "review"],
    },
)
