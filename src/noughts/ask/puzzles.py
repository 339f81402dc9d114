"""The questions about puzzles: those that come with the package, the one of a day, and one made of a position."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date
from typing import Annotated

from noughts.analysis.puzzles import Goal, Puzzle, Theme, make_puzzle, puzzle_of_day, shipped_puzzles
from noughts.ask.evaluations import line_of
from noughts.ask.question import Context, Job, PublicBounds, Question, Report, lookup
from noughts.ask.requests import NoRequest, PositionRequest
from noughts.games import Side
from noughts.games.quoting import quote
from noughts.games.titles import title_of, title_of_id
from noughts.schema import Example, InvalidData, Length, Shape

__all__ = [
    "DAILY_PUZZLE",
    "FIND_PUZZLE",
    "PUZZLE",
    "PUZZLES",
    "MadePuzzleAnswer",
    "PuzzleAnswer",
    "PuzzlesAnswer",
    "describe_task",
]

MAX_CELLS = 400
NODES = 100_000
SECONDS = 10.0
"""Bounds for making a puzzle; a search of ``NODES`` takes a second or two."""


@dataclass(frozen=True, kw_only=True)
class PuzzleEntry(Shape):
    """A puzzle without its position."""

    id: str
    game: str
    title: Annotated[str, "The name of the game."]
    goal: Goal
    moves: Annotated[int, "The number of moves that the solver makes."]
    rating: int
    themes: Annotated[tuple[Theme, ...], "What the solution uses."]


@dataclass(frozen=True, kw_only=True)
class PuzzleAnswer(PuzzleEntry):
    """A position with one solution. The first ``steps`` moves of the solver in ``line`` are the only right ones."""

    start: str
    turn: Side
    text: Annotated[str, "The task: `You play X: win in 3 moves`."]
    line: tuple[str, ...]
    cells: tuple[int, ...]
    steps: int

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

    puzzles: tuple[PuzzleEntry, ...]


def list_puzzles(_: NoRequest) -> PuzzlesAnswer:
    entries = [PuzzleEntry.from_attributes(puzzle, title=title_of_id(puzzle.game)) for puzzle in shipped_puzzles()]
    return PuzzlesAnswer(puzzles=tuple(entries))


@dataclass(frozen=True, kw_only=True)
class FindPuzzleRequest(Shape):
    """A puzzle of the list."""

    puzzle: Annotated[str, Length(40), Example("4491cec06a"), "The id of a puzzle."]


def find_puzzle(request: FindPuzzleRequest) -> PuzzleAnswer:
    for puzzle in shipped_puzzles():
        if puzzle.id == request.puzzle:
            return PuzzleAnswer.of(puzzle)
    raise InvalidData(f"expected the id of a puzzle of the list, got {quote(request.puzzle)}")


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


def describe_entry(entry: PuzzleEntry) -> str:
    """Return a puzzle of the list in a line."""
    themes = f" ({', '.join(entry.themes)})" if entry.themes else ""
    return f"{entry.id}: {entry.title}, {describe_task(entry.goal, entry.moves)}, rating {entry.rating}{themes}"


def describe_task(goal: Goal, moves: int) -> str:
    """Return what a puzzle asks for: ``win in 3 moves``."""
    return "hold the draw" if goal is Goal.DRAW else f"win in {moves} moves"


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
    list_puzzles,
    "List the puzzles, without their positions.",
    words=lambda answer: "\n".join(map(describe_entry, answer.puzzles)),
    reads_query=True,
)
FIND_PUZZLE = lookup(
    "find_puzzle",
    FindPuzzleRequest,
    PuzzleAnswer,
    find_puzzle,
    "Return a puzzle of the list, with its position and solution.",
    words=describe_puzzle,
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
