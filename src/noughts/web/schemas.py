"""What requests hold, checked, and what answers hold, described."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints

from noughts._core import MAX_CELLS
from noughts.engine import Level
from noughts.study.comparison import ALGORITHMS, EVALUATIONS, ORDERS
from noughts.web.settings import BODY_BYTES, MOST

__all__ = [
    "Ask",
    "Claim",
    "Clock",
    "CompareAsk",
    "Empty",
    "EngineAsk",
    "ErrorAnswer",
    "ExportAsk",
    "FriendAsk",
    "GameAsk",
    "ImportAsk",
    "KeepAsk",
    "Place",
    "Result",
    "ReviewAsk",
    "SolveAsk",
    "ThinkAsk",
    "TraceAsk",
]

GameText = Annotated[str, StringConstraints(max_length=80)]
MoveText = Annotated[str, StringConstraints(max_length=40)]
# Neither control characters nor those that turn the direction of writing: names are shown to others.
Name = Annotated[
    str,
    StringConstraints(
        max_length=40, strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]*$"
    ),
]
TagName = Annotated[str, StringConstraints(max_length=60)]
TagText = Annotated[str, StringConstraints(max_length=500)]
Tags = Annotated[dict[TagName, TagText], Field(max_length=30)]
PlyText = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}$")]
CommentText = Annotated[str, StringConstraints(max_length=2000)]
SideName = Literal["X", "O"]


def _seconds(most: str, default: float) -> Any:
    return Field(default, gt=0, le=MOST[most], allow_inf_nan=False, description="How long to think, at most.")


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Empty(_Model):
    """Nothing."""


class ErrorAnswer(BaseModel):
    """Every refusal looks like this."""

    error: str = Field(examples=["ply 3: b2 is taken by X"])


GameRef = Annotated[
    GameText | dict[str, Any],
    Field(description="An id, an alias, or a game of one's own as an object.", examples=["3x3", "qubic"]),
]


class GameAsk(_Model):
    """A game."""

    game: GameRef


class Place(GameAsk):
    """A position: a game, where it starts, and the moves since."""

    start: Annotated[str, StringConstraints(max_length=4 * MAX_CELLS)] | None = Field(
        None, description="A position string; null for the empty board.", examples=[None]
    )
    moves: list[StrictInt | MoveText] = Field(
        [], max_length=int(MOST["moves"]), description="Cell numbers, or texts as typed.", examples=[["b2", 0, "c1"]]
    )


class Ask(Place):
    """A position to look at, for a while."""

    seconds: float = _seconds("move_seconds", 1.0)


class EngineAsk(Ask):
    """A position to move in, at a level."""

    level: Level = Field(Level.MASTER, description="How strong.")


class ThinkAsk(Place):
    """A position to analyse."""

    lines: int = Field(3, ge=1, le=20, description="How many of the best moves.")
    every: bool = Field(False, description="A line for every legal move instead.")
    seconds: float = _seconds("analysis_seconds", 2.0)


class ReviewAsk(Place):
    """A playthrough to review."""

    seconds: float = _seconds("review_seconds", 8.0)
    tags: Tags = Field({}, examples=[{"X": "Ann", "O": "Bob"}])


class SolveAsk(Place):
    """A position to solve."""

    seconds: float = _seconds("solve_seconds", 10.0)


class TraceAsk(Place):
    """A textbook search to be recorded."""

    algorithm: Literal[tuple(ALGORITHMS)] = "alphabeta"  # type: ignore[valid-type]
    order: Literal[tuple(ORDERS)] = "row_by_row"  # type: ignore[valid-type]
    evaluate: Literal[tuple(EVALUATIONS)] = "outcome"  # type: ignore[valid-type]
    depth: int | None = Field(None, ge=0, le=64, description="How deep; null to the end.")
    nodes: int = Field(1000, ge=1, le=int(MOST["trace_nodes"]), description="How many nodes to record at most.")


class CompareAsk(Place):
    """Textbook searches to be compared."""

    depth: int | None = Field(None, ge=0, le=64)
    evaluate: Literal[tuple(EVALUATIONS)] = "outcome"  # type: ignore[valid-type]
    seconds: float = _seconds("compare_seconds", 1.0)


class Result(_Model):
    """How a playthrough ended, where not by its moves."""

    reason: Literal["time", "resign", "agreement", "illegal", "crash"]
    winner: SideName | None = None


class ImportAsk(_Model):
    """A file with playthroughs."""

    text: str = Field(max_length=BODY_BYTES, examples=['[Game "3x3"]\n\n1. b2 *\n'])
    format: Literal["ngn", "sgf"] | None = None


class ExportAsk(Place):
    """A playthrough to be written as a file."""

    tags: Tags = Field({}, examples=[{"X": "Ann", "O": "Bob"}])
    result: Result | None = None
    comments: dict[PlyText, CommentText] = Field({}, max_length=MAX_CELLS + 1)
    format: Literal["ngn", "sgf"] = "ngn"


class KeepAsk(Place):
    """A playthrough to be kept."""

    x: Name = "you"
    o: Name = "friend"
    result: Result | None = None


class Clock(_Model):
    """Thinking time for each side, and what a move adds."""

    seconds: float = Field(ge=1, le=86_400, allow_inf_nan=False, examples=[300])
    increment: float = Field(0, ge=0, le=600, allow_inf_nan=False, examples=[3])


class FriendAsk(Place):
    """A game to be played with a friend."""

    side: Literal["X", "O", "random"] = "X"
    name: Name = ""
    clock: Clock | None = Field(None, examples=[None])


class Claim(_Model):
    """The free seat, taken by whoever has the invitation."""

    invite: str = Field(max_length=100)
    name: Name = ""
