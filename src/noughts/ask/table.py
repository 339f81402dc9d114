"""The table of questions. Every interface is an adapter of it; docs/architecture.md says how to add one."""

from __future__ import annotations

from noughts.ask.analyse import ANALYSE
from noughts.ask.compare import COMPARE
from noughts.ask.courses import COURSES
from noughts.ask.files import EXPORT, IMPORT
from noughts.ask.games import CATALOGUE, GAME
from noughts.ask.hint import HINT
from noughts.ask.judge import JUDGE
from noughts.ask.learn import LEARN
from noughts.ask.moves import MOVE
from noughts.ask.positions import POSITION, SETUP
from noughts.ask.puzzles import DAILY_PUZZLE, FIND_PUZZLE, PUZZLE, PUZZLES
from noughts.ask.question import AnyQuestion
from noughts.ask.reasons import REASONS
from noughts.ask.review import REVIEW
from noughts.ask.rules import RULES
from noughts.ask.solve import SOLVE
from noughts.ask.trace import TRACE

__all__ = ["QUESTIONS"]

GAMES = (CATALOGUE, GAME, POSITION, SETUP, RULES, PUZZLES, FIND_PUZZLE, DAILY_PUZZLE)
THINKING = (MOVE, HINT, REASONS, ANALYSE, JUDGE, REVIEW, SOLVE, PUZZLE)
LEARNING = (TRACE, COMPARE, LEARN, COURSES)
FILES = (IMPORT, EXPORT)

QUESTIONS: dict[str, AnyQuestion] = {question.name: question for question in (*GAMES, *THINKING, *LEARNING, *FILES)}
"""All questions by name."""
