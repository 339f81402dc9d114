"""The questions about puzzles: those that come with the package, the one of a day, and one made of a position."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date
from typing import Annotated

from noughts.analysis.puzzles import Goal, Puzzle, make_puzzle, puzzle_of_day, shipped_puzzles
from noughts.ask.evaluations import line_of
from noughts.ask.games import title_of
from noughts.ask.question import Context, Job, PublicBounds, Question, Report, lookup
from noughts.ask.requests import NoRequest, PositionRequest
from noughts.games import Side
from noughts.games.quoting import quote
from noughts.schema import Example, InvalidData, Length, Shape

__all__ = ["DAILY_PUZZLE", "PUZZLE", "PUZZLES", "MadePuzzleAnswer", "PuzzleAnswer", "PuzzlesAnswer"]

MAX_CELLS = 400
NODES = 100_000
SECONDS = 10.0
"""Bounds for making a puzzle; a search of ``NODES`` takes a second or two."""


@dataclass(frozen=True, kw_only=True)
class PuzzleAnswer(Shape):
    """A position with one solution. The first ``steps`` moves of the solver in ``line`` are the only right ones."""

    id: str
    game: str
    title: Annotated[str, "The name of the game."]
    start: str
    turn: Side
    text: Annotated[str, "The task: `X wins in 3 moves`."]
    goal: Goal
    line: tuple[str, ...]
    cells: tuple[int, ...]
    steps: int
    rating: int

    @classmethod
    def of(cls, puzzle: Puzzle) -> PuzzleAnswer:
        position = puzzle.position()
        return cls.from_attributes(
            puzzle,
            title=title_of(position.game),
            turn=position.side_to_move,
            **line_of(position.game, puzzle.line),
        )


@dataclass(frozen=True, kw_only=True)
class PuzzlesAnswer(Shape):
    """The puzzles that come with the package, in an order that stays the same."""

    puzzles: tuple[PuzzleAnswer, ...]


@dataclass(frozen=True, kw_only=True)
class DayRequest(Shape):
    """A day."""

    date: Annotated[str, Length(40), Example("2026-11-16")]

    def find_date(self) -> Date:
        """Return the day; raises InvalidData."""
        try:
            return Date.fromisoformat(self.date)
        except ValueError:
            raise InvalidData(f"expected a date such as 2026-11-16, got {quote(self.date)}") from None


@dataclass(frozen=True, kw_only=True)
class PuzzleRequest(PositionRequest):
    """A position that may be a puzzle."""


@dataclass(frozen=True, kw_only=True)
class MadePuzzleAnswer(Shape):
    """The puzzle made of a position; null if its solution is not the only one, or not proven to be."""

    puzzle: PuzzleAnswer | None


def prepare_puzzle(request: PuzzleRequest) -> Job[MadePuzzleAnswer]:
    position = request.find_unfinished()

    def work(context: Context, _: Report) -> MadePuzzleAnswer:
        context.check()
        puzzle = None if position.game.cells > MAX_CELLS else make_puzzle(position, NODES, most_moves=3)
        return MadePuzzleAnswer(puzzle=None if puzzle is None else PuzzleAnswer.of(puzzle))

    return Job(work, SECONDS, is_long=True)


def describe_puzzle(answer: PuzzleAnswer) -> str:
    """Return the task and its solution."""
    return f"{answer.title} ({answer.game}), {answer.start}: {answer.text}. Solution: {' '.join(answer.line)}"


def _words(answer: MadePuzzleAnswer) -> str:
    return (
        "This position has no single solution that is proven."
        if answer.puzzle is None
        else describe_puzzle(answer.puzzle)
    )


PUZZLES = lookup(
    "puzzles",
    NoRequest,
    PuzzlesAnswer,
    lambda _: PuzzlesAnswer(puzzles=tuple([PuzzleAnswer.of(puzzle) for puzzle in shipped_puzzles()])),
    "List the puzzles.",
    words=lambda answer: "\n".join(map(describe_puzzle, answer.puzzles)),
    reads_query=True,
)
DAILY_PUZZLE = lookup(
    "daily_puzzle",
    DayRequest,
    PuzzleAnswer,
    lambda request: PuzzleAnswer.of(puzzle_of_day(request.find_date())),
    "Return the puzzle of a day, which is the same on every server.",
    words=describe_puzzle,
    reads_query=True,
)
PUZZLE = Question(
    "puzzle",
    PuzzleRequest,
    MadePuzzleAnswer,
    prepare_puzzle,
    "Make a puzzle of a position, if it has one solution that can be proven in seconds.",
    _words,
    public=PublicBounds(),
)
