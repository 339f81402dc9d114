"""Request models, and the games, positions and playthroughs that requests describe."""

from __future__ import annotations

import json
import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, StringConstraints

from noughts._core import MAX_CELLS
from noughts.analysis.advice import DEFAULT_LINES
from noughts.engine import LEVELS, MAX_ELO, MIN_ELO, ClockReading, Level, Limit, is_level_name
from noughts.games import Game, Playthrough, Position, Side
from noughts.games.outcome import DECISIONS, decide
from noughts.limit import DEFAULT_SECONDS
from noughts.match import Clock, ClockState, TimeControl
from noughts.teaching.comparison import ALGORITHMS, EVALUATIONS, ORDERS
from noughts.web.refusals import InvalidRequest, WebError
from noughts.web.request_limits import BODY_BYTES, REQUEST_LIMITS

__all__ = [
    "AnalyseRequest",
    "ClaimRequest",
    "CompareRequest",
    "ExportRequest",
    "FriendRequest",
    "GameRequest",
    "HintRequest",
    "ImportRequest",
    "LearnRequest",
    "MoveRequest",
    "MoveText",
    "PositionRequest",
    "PuzzleRequest",
    "ResignRequest",
    "ReviewRequest",
    "SaveRequest",
    "SetupRequest",
    "SolveRequest",
    "TraceRequest",
    "check_change",
    "check_game_size",
    "clean_name",
]

MoveText = Annotated[str, StringConstraints(max_length=40)]
INVISIBLE_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co"))
"""Unicode categories of control, format (zero width, writing direction), surrogate and private characters."""
BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that look like nothing, though Unicode does not call them spaces."""
MAX_MARKS = 2
"""Accents on one letter; more of them would cover the lines above and below."""


def clean_name(text: str) -> str:
    """Return a name as other people may see it: composed, on one line, and without characters that cannot be seen."""
    letters: list[str] = []
    marks = MAX_MARKS  # an accent needs a letter
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if letter in BLANK_LETTERS or (category in INVISIBLE_CATEGORIES and not letter.isspace()):
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            letters.append(letter)
    return " ".join("".join(letters).split())


PersonName = Annotated[
    str,
    StringConstraints(max_length=40),
    BeforeValidator(lambda name: clean_name(name) if isinstance(name, str) else name),
]
Tags = Annotated[
    dict[Annotated[str, StringConstraints(max_length=60)], Annotated[str, StringConstraints(max_length=500)]],
    Field(max_length=30, examples=[{"X": "Ann", "O": "Bob"}]),
]
TimeControlText = Annotated[
    str,
    StringConstraints(max_length=40),
    Field(description="Minutes plus seconds per move, or with units.", examples=["5+3", "90s", "40/5"]),
]
PlyText = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}$")]
CommentText = Annotated[str, StringConstraints(max_length=2000)]
GameReference = Annotated[
    Annotated[str, StringConstraints(max_length=80)] | dict[str, Any],
    Field(description="An id, an alias, or a custom game as an object.", examples=["3x3", "qubic"]),
]


def _seconds(maximum: float, default: float) -> Any:
    return Field(default, gt=0, le=maximum, allow_inf_nan=False, description="Thinking time limit in seconds.")


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class GameRequest(_Request):
    """A game."""

    game: GameReference

    def find_game(self) -> Game:
        """Return the game; raises InvalidGame."""
        try:
            return Game.shared(self.game)
        except RecursionError:
            raise ValueError("expected the data of a game, got something nested too deep") from None


class PositionRequest(GameRequest):
    """A position: a game, its starting position, and the moves played since."""

    start: Annotated[str, StringConstraints(max_length=4 * MAX_CELLS)] | None = Field(
        None, description="A position string; null for the empty board.", examples=[None]
    )
    moves: list[StrictInt | MoveText] = Field(
        [], max_length=REQUEST_LIMITS.moves, description="Cell numbers, or moves as typed.", examples=[["b2", 0, "c1"]]
    )

    def find_position(self) -> Position:
        """Return the position with its moves; raises ValueError."""
        position = self.find_game().start_from(self.start)
        position.play_all(self.moves)
        return position

    def find_unfinished(self) -> Position:
        """Return the position; raises InvalidRequest if the game is over."""
        position = self.find_position()
        if position.is_over:
            raise InvalidRequest("the game is over")
        return position


class HintRequest(PositionRequest):
    """A position to give a hint for."""

    seconds: float = _seconds(REQUEST_LIMITS.move_seconds, DEFAULT_SECONDS)


class ClockRequest(_Request):
    """The clocks of the match that a move is for: its time control, and the seconds that each side has left."""

    control: TimeControlText
    left: dict[Side, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(examples=[{"X": 290.5, "O": 300}])

    def find_reading(self, position: Position) -> ClockReading:
        """Return the clocks for the side to move, on which all moves of the position were made; raises ValueError."""
        control = TimeControl.parse(self.control)
        if self.left.keys() != set(Side):
            raise InvalidRequest("expected the time left of X and O")
        assert position.turn is not None
        made = {position.turn: position.ply // 2, position.turn.opponent: (position.ply + 1) // 2}
        return Clock(control, ClockState(self.left, made)).reading(position.turn)


def _check_level(name: str) -> str:
    if not is_level_name(name):
        raise ValueError(f"expected a level of {', '.join(LEVELS)}, or a rating from elo:{MIN_ELO} to elo:{MAX_ELO}")
    return name


class MoveRequest(PositionRequest):
    """A position for the engine to move in."""

    level: Annotated[str, AfterValidator(_check_level)] = Field(
        Level.MASTER.value,
        description=f"Playing strength: {', '.join(LEVELS)}, or a rating from elo:{MIN_ELO} to elo:{MAX_ELO}.",
        examples=["easy", "elo:1500"],
    )
    seconds: float = _seconds(REQUEST_LIMITS.move_seconds, DEFAULT_SECONDS)
    clock: ClockRequest | None = Field(None, description="The engine chooses how much of its time to spend.")

    def find_limit(self, position: Position) -> Limit:
        """Return the limit for the move in the position of this request; raises ValueError."""
        if self.clock is None:
            return Limit(seconds=self.seconds)
        return Limit(seconds=REQUEST_LIMITS.move_seconds, clock=self.clock.find_reading(position))


class AnalyseRequest(PositionRequest):
    """A position to analyse."""

    lines: int = Field(DEFAULT_LINES, ge=1, le=20, description="Number of lines.")
    every: bool = Field(False, description="Return a line for every legal move instead.")
    seconds: float = _seconds(REQUEST_LIMITS.analyse_seconds, 2.0)
    resumed: bool = Field(False, description="Whether this continues an analysis whose time was up.")


class ReviewRequest(PositionRequest):
    """A playthrough to review."""

    seconds: float = _seconds(REQUEST_LIMITS.review_seconds, 8.0)
    tags: Tags = {}


class SolveRequest(PositionRequest):
    """A position to solve."""

    seconds: float = _seconds(REQUEST_LIMITS.solve_seconds, 10.0)


class PuzzleRequest(PositionRequest):
    """A position that may be a puzzle."""


class SetupRequest(GameRequest):
    """A board that was set up by hand."""

    cells: Annotated[str, StringConstraints(max_length=MAX_CELLS, pattern=r"^[XO.]*$")] = Field(
        description="The mark on each cell; . is an empty one.", examples=["X...O...."]
    )
    block_to_play: int | None = Field(None, description="In Ultimate; null for any block.", ge=0, le=MAX_CELLS)

    def find_position(self) -> Position:
        """Return the position, with the side to move that follows from the marks; raises ValueError."""
        game = self.find_game()
        if len(self.cells) != game.cells:
            raise InvalidRequest(f"expected {game.cells} cells, got {len(self.cells)}")
        x, o = self.cells.count("X"), self.cells.count("O")
        if x not in (o, o + 1):
            raise InvalidRequest(f"place as many X as O, or one X more: now there are {x} X and {o} O")
        turn = Side.X if x == o else Side.O
        position = Position(game, [".XO".index(mark) - 1 for mark in self.cells], turn, self.block_to_play)
        if position.is_over:
            raise InvalidRequest("the game is over in this position")
        return position


class TraceRequest(PositionRequest):
    """A textbook search to record."""

    algorithm: Literal[tuple(ALGORITHMS)] = "alphabeta"  # type: ignore[valid-type]
    order: Literal[tuple(ORDERS)] = "row_by_row"  # type: ignore[valid-type]
    evaluate: Literal[tuple(EVALUATIONS)] = "outcome"  # type: ignore[valid-type]
    depth: int | None = Field(
        None, ge=0, le=64, description="Depth of the search, of rollouts in mcts; null: to the end."
    )
    simulations: int = Field(
        100, ge=1, le=REQUEST_LIMITS.trace_simulations, description="Rounds of Monte-Carlo tree search."
    )
    nodes: int = Field(1000, ge=1, le=REQUEST_LIMITS.trace_nodes, description="Maximum number of nodes to record.")
    replay: bool = Field(False, description="Whether to answer with the steps in words and questions about them, too.")


class LearnRequest(GameRequest):
    """A textbook learner to train."""

    algorithm: Literal["q_learning", "td_learning"] = "q_learning"
    playthroughs: int = Field(5000, ge=1, le=REQUEST_LIMITS.learning_playthroughs)
    exploration: float = Field(0.3, ge=0, le=1, description="Probability of a random move.")
    learning_rate: float = Field(0.3, gt=0, le=1)
    seed: int = Field(1, ge=0, le=2**32)


class CompareRequest(PositionRequest):
    """Textbook searches to compare."""

    depth: int | None = Field(None, ge=0, le=64)
    evaluate: Literal[tuple(EVALUATIONS)] = "outcome"  # type: ignore[valid-type]
    seconds: float = _seconds(REQUEST_LIMITS.compare_seconds, 1.0)


class Result(_Request):
    """The outcome of a playthrough that did not end by the rules of its game."""

    reason: Literal[tuple(map(str, DECISIONS))]  # type: ignore[valid-type]
    winner: Side | None = None


class ImportRequest(_Request):
    """A file with playthroughs."""

    text: str = Field(max_length=BODY_BYTES, examples=['[Game "3x3"]\n\n1. b2 *\n'])
    format: Literal["ngn", "sgf"] | None = None


class PlaythroughRequest(PositionRequest):
    """A playthrough, perhaps with a result that its moves do not show."""

    result: Result | None = None

    def find_playthrough(self, tags: dict[str, str], comments: dict[int, str] | None = None) -> Playthrough:
        """Return the playthrough; raises ValueError."""
        return make_playthrough(self.find_position(), tags, self.result, comments)


class ExportRequest(PlaythroughRequest):
    """A playthrough to write to a file."""

    tags: Tags = {}
    comments: dict[PlyText, CommentText] = Field({}, max_length=MAX_CELLS + 1)
    format: Literal["ngn", "sgf"] = "ngn"


class _TimedRequest(PositionRequest):
    """A game that may have a time control."""

    time_control: TimeControlText | None = None

    def find_time_control(self) -> TimeControl | None:
        """Return the time control; raises ValueError."""
        return None if self.time_control is None else TimeControl.parse(self.time_control)


class SaveRequest(PlaythroughRequest, _TimedRequest):
    """A playthrough to save on the server."""

    key: Annotated[str, StringConstraints(pattern="^[A-Za-z0-9_-]{16,80}$")] | None = Field(
        None, description="A random text chosen by the client: saving again with the same key changes the same game."
    )
    x: PersonName = "you"
    o: PersonName = "friend"
    clocks: list[float | None] = Field(
        [],
        max_length=REQUEST_LIMITS.moves,
        description="The mover's time left after each move, in seconds.",
        examples=[[]],
    )

    def find_playthrough(self, tags: dict[str, str], comments: dict[int, str] | None = None) -> Playthrough:
        """Return the playthrough with its clocks; raises ValueError."""
        return super().find_playthrough(tags, comments).replace(clocks=self.clocks)


class FriendRequest(_TimedRequest):
    """A game to play with a friend."""

    side: Side | Literal["random"] = Side.X
    name: PersonName = ""


class ClaimRequest(_Request):
    """An invitation, exchanged for the free side of a friend game."""

    invite: str = Field(max_length=100)
    name: PersonName = ""


class ResignRequest(_Request):
    """The resignation of the player who holds this token."""

    token: str = Field(max_length=100)


def check_game_size(game: Game) -> None:
    """Raise InvalidRequest if the data of a custom game is too large to be kept for others."""
    size = len(json.dumps(game.to_data()))
    if size > REQUEST_LIMITS.shared_game_bytes:
        raise InvalidRequest(f"expected a custom game of at most {REQUEST_LIMITS.shared_game_bytes} bytes, got {size}")


def check_change(id: int, old: Playthrough, new: Playthrough) -> bool:
    """Return whether the new state of a saved game differs; raises WebError if it is finished or another game."""
    if (old.game, old.start) != (new.game, new.start):
        raise WebError(409, f"game {id} has other rules or another starting position; save a new one")
    if old.outcome is None:
        return True
    if (old.moves, old.outcome) != (new.moves, new.outcome):
        raise WebError(409, f"game {id} is finished and cannot be changed; save a new one")
    return False


def make_playthrough(
    position: Position, tags: dict[str, str], result: Result | None = None, comments: dict[int, str] | None = None
) -> Playthrough:
    """Return the playthrough that leads to a position."""
    outcome = None if result is None else decide(position, result.reason, result.winner)
    return Playthrough.of(position, tags, outcome=outcome, comments=comments or {})
