"""The question ``move``: a move of the engine, at a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from noughts.ask.evaluations import move_of
from noughts.ask.positions import PositionAnswer, describe_position
from noughts.ask.question import Context, Job, PublicBounds, Question, Report
from noughts.ask.requests import SearchRequest
from noughts.engine import (
    LEVELS,
    MAX_ELO,
    MIN_ELO,
    RANDOM,
    ClockReading,
    Level,
    Limit,
    all_ratings,
    is_level_name,
    level,
    rating_of,
)
from noughts.games import Game, Position, Side
from noughts.limit import DEFAULT_SECONDS
from noughts.match import Clock, ClockState, TimeControl
from noughts.schema import Bound, CheckedBy, Example, InvalidData, Length, Shape

__all__ = ["MOVE", "ClockRequest", "LevelName", "MoveAnswer", "MoveRequest", "TimeControlText", "is_light"]

QUICK_SECONDS = 0.25
"""Longest search that counts as quick."""
LEVEL_SECONDS = 2.0
"""Time that a move of a level below master may take, on a busy machine."""
MAX_SECONDS = 10.0
"""Longest search for a move with a clock."""
MAX_LIGHT_CELLS, MAX_LIGHT_LINES = 400, 4000
"""Largest game whose searches may count as quick."""
MAX_SEED = 2**32

LEVEL_NAMES = f"{', '.join([RANDOM, *LEVELS])}, or a rating from elo:{MIN_ELO} to elo:{MAX_ELO}"


def _check_level(name: str) -> str:
    word = name.strip().lower()
    if word != RANDOM and not is_level_name(word):
        raise ValueError(f"expected {LEVEL_NAMES}")
    return word


LevelName = Annotated[str, CheckedBy(_check_level), f"Playing strength: {LEVEL_NAMES}.", Example("easy")]
TimeControlText = Annotated[str, Length(40), "Minutes plus seconds per move, or with units: `5+3`, `90s`, `40/5`."]


@dataclass(frozen=True, kw_only=True)
class ClockRequest(Shape):
    """The clocks of the match that a move is for: its time control, and the seconds that each side has left."""

    control: TimeControlText
    left: Annotated[dict[Side, Annotated[float, Bound(at_least=0)]], Example({"X": 290.5, "O": 300})]

    def find_reading(self, position: Position) -> ClockReading:
        """Return the clocks for the side to move, on which all moves of the position were made; raises ValueError."""
        control = TimeControl.parse(self.control)
        if self.left.keys() != set(Side):
            raise InvalidData("expected the time left of X and O")
        side = position.side_to_move
        made = {side: position.ply // 2, side.opponent: (position.ply + 1) // 2}
        return Clock(control, ClockState(self.left, made)).reading(side)


@dataclass(frozen=True, kw_only=True)
class MoveRequest(SearchRequest):
    """A position for the engine to move in."""

    level: LevelName = Level.MASTER.value
    clock: Annotated[ClockRequest | None, "The engine chooses how much of its time to spend."] = None
    seed: Annotated[
        int | None, Bound(at_least=0, at_most=MAX_SEED), "Makes the moves of levels below master repeatable."
    ] = None

    def find_limit(self, default_seconds: float) -> Limit:
        """Return the limit for the move, which depends on the clock if there is one; raises ValueError."""
        if self.clock is None:
            return super().find_limit(default_seconds)
        return Limit(seconds=MAX_SECONDS, clock=self.clock.find_reading(self.find_position()))


@dataclass(frozen=True, kw_only=True)
class MoveAnswer(Shape):
    """A move of a level, and the position after it."""

    move: str
    cell: int
    level: str
    rating: Annotated[int, "The Elo rating of the level in this game."]
    is_measured: Annotated[bool, "Whether the ratings of this game were measured; others are estimates."]
    book: Annotated[
        Literal["proven", "not proven"] | None, "Whether the value of a move from the book is proven; null for others."
    ]
    position: Annotated[PositionAnswer, "The position after the move."]


def prepare_move(request: MoveRequest) -> Job[MoveAnswer]:
    position = request.find_unfinished()
    limit, game = request.find_limit(DEFAULT_SECONDS), position.game
    seconds = limit.max_thinking_seconds(position) or MAX_SECONDS
    if request.level != Level.MASTER:  # these levels ignore the time, and need little
        seconds = max(seconds, LEVEL_SECONDS)
    is_quick = (request.level != Level.MASTER or seconds <= QUICK_SECONDS) and is_light(game)

    def work(context: Context, _: Report) -> MoveAnswer:
        if not limit.is_timed:
            context.engine.clear()
        player = level(request.level, engine=context.engine, seed=request.seed)
        cell = player.choose(position, limit, watch=context.check)
        if not limit.is_timed:
            context.check()
        entry = context.engine.find_in_book(position) if request.level == Level.MASTER else None
        is_from_book = entry is not None and entry.move == cell
        return MoveAnswer(
            **move_of(game, cell),
            level=request.level,
            rating=rating_of(game, request.level),
            is_measured=game.id in all_ratings(),
            book=None if not is_from_book or entry is None else "not proven" if entry.value is None else "proven",
            position=PositionAnswer.of(position.after(cell)),
        )

    return Job(work, seconds, is_quick=is_quick)


def is_light(game: Game) -> bool:
    """Return whether a search of a game ends soon after its time is up; in a heavy one, a single node takes long."""
    return game.cells <= MAX_LIGHT_CELLS and len(game.lines) <= MAX_LIGHT_LINES


def _words(answer: MoveAnswer) -> str:
    return f"{answer.level} (rating {answer.rating}) plays {answer.move}.\n{describe_position(answer.position)}"


MOVE = Question(
    "move",
    MoveRequest,
    MoveAnswer,
    prepare_move,
    "Return a move at a level, and the position after it.",
    _words,
    public=PublicBounds(seconds=MAX_SECONDS, nodes=1_000_000),
)
