"""Answers about positions, playthroughs and friend games: the models behind ``/openapi.json``.

``docs/web-api.md`` shows them with examples. Answers about games are in ``game_answers.py``, those about
the quality of moves in ``study_answers.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from noughts.analysis.region_names import block_name
from noughts.games import Playthrough, Position, Side
from noughts.match import Clock, Offer, TimeControl
from noughts.web.game_answers import GameData, OutcomeAnswer, cell_names, title_of_id

if TYPE_CHECKING:
    from noughts.store import Summary

__all__ = [
    "AboutAnswer",
    "ClockAnswer",
    "ErrorAnswer",
    "ExportAnswer",
    "FriendAnswer",
    "FriendState",
    "IdAnswer",
    "ImportAnswer",
    "JoinAnswer",
    "PlaythroughAnswer",
    "PositionAnswer",
    "Presence",
    "SavedGame",
    "SavedGamesAnswer",
    "SavedPlaythroughAnswer",
    "TimeControlAnswer",
]

Presence = Literal["here", "away", "open"]


class ErrorAnswer(BaseModel):
    """Every error looks like this."""

    error: str = Field(examples=["ply 3: b2 is taken by X"])


class RequestLimitsAnswer(BaseModel):
    """Upper bounds for the fields of a request."""

    move_seconds: float
    analyse_seconds: float
    review_seconds: float
    solve_seconds: float
    compare_seconds: float
    trace_nodes: int
    trace_simulations: int
    learning_playthroughs: int
    moves: int


class TimeControlAnswer(BaseModel):
    """A time control; times in seconds."""

    text: str = Field(examples=["5+3"])
    seconds: float
    increment: float

    @classmethod
    def parse(cls, text: str) -> TimeControlAnswer:
        """Return the answer for the text of a time control."""
        control = TimeControl.parse(text)
        return cls(text=text, seconds=control.base, increment=control.increment)


class AboutAnswer(BaseModel):
    """The server, its features and its limits."""

    version: str
    levels: list[str]
    algorithms: list[str]
    orders: list[str]
    evaluations: list[str]
    labels: list[str]
    time_controls: list[TimeControlAnswer] = Field(description="Usual time controls, to choose from.")
    is_local: bool
    has_friends: bool = Field(description="Whether friends can be invited by a link.")
    checks_proofs: bool = Field(description="Whether the page can check certificates.")
    limits: RequestLimitsAnswer


class PositionAnswer(BaseModel):
    """Everything needed to draw and to announce a position."""

    game: str
    start: str | None
    moves: list[int]
    names: list[str]
    position: str = Field(examples=["o2/1x1/3 x"])
    ply: int
    turn: Side | None
    cells: str = Field(examples=["O...X...."])
    legal: list[int]
    last: int | None
    is_over: bool
    winner: Side | None
    outcome: OutcomeAnswer | None
    winning_line: list[int] | None
    winning_cells: list[int]
    blocks: str | None
    open_blocks: list[int] | None
    block_to_play: int | None
    place_to_play: str | None = Field(description="The block to play, in words.", examples=["the middle block"])
    threats: dict[Side, list[int]]
    status: str = Field(examples=["X to move"])
    announcement: str = Field(examples=["O plays a3."])

    @classmethod
    def of(cls, position: Position) -> PositionAnswer:
        """Return the answer for a position."""
        game, moves, all_names = position.game, position.moves, cell_names(position.game)
        names = [all_names[move] for move in moves]
        outcome, line = position.outcome, position.winning_line
        ended = OutcomeAnswer.if_over(outcome, position)
        is_ultimate = game.is_ultimate
        return cls(
            game=game.id,
            start=position.start_text,
            moves=moves,
            names=names,
            position=position.text,
            ply=len(moves),
            turn=position.turn,
            cells="".join(["." if mark is None else mark for mark in position.cells]),
            legal=position.legal_moves,
            last=position.last_move,
            is_over=outcome is not None,
            winner=position.winner,
            outcome=ended,
            winning_line=None if line is None else list(line),
            winning_cells=_winning_cells(position),
            blocks=_block_owners(position) if is_ultimate else None,
            open_blocks=position.open_blocks if is_ultimate else None,
            block_to_play=position.block_to_play if is_ultimate else None,
            place_to_play=None if position.block_to_play is None else block_name(game, position.block_to_play),
            threats={side: position.threats(side) for side in Side} if outcome is None else {side: [] for side in Side},
            status=_turn(position) if ended is None else ended.text,
            announcement=f"{_last_mover(position)} plays {names[-1]}." if names else "",
        )


def _block_owners(position: Position) -> str:
    """Return one letter per block: its owner, ``.`` if it is open, ``-`` if it is full without an owner."""
    open_blocks, is_over = position.open_blocks, position.is_over
    return "".join(
        owner or ("." if block in open_blocks or is_over else "-") for block, owner in enumerate(position.blocks)
    )


def _winning_cells(position: Position) -> list[int]:
    line = position.winning_line
    if line is None:
        return []
    if not position.game.is_ultimate:
        return list(line)
    return [cell for cell in range(position.game.cells) if position.game.block_of(cell) in line]


def _last_mover(position: Position) -> Side:
    marks = position.cells
    return Side.O if marks.count(Side.X) == marks.count(Side.O) else Side.X


def _turn(position: Position) -> str:
    block = position.block_to_play
    where = "" if block is None else f" in {block_name(position.game, block)}"
    return f"{position.turn} to move{where}"


class PlaythroughAnswer(BaseModel):
    """A playthrough."""

    game: str
    data: GameData
    start: str | None
    moves: list[int]
    names: list[str]
    tags: dict[str, str]
    result: str
    outcome: OutcomeAnswer | None
    comments: dict[str, str]
    evals: dict[str, str]
    clocks: list[float | None]

    @classmethod
    def of(cls, play: Playthrough) -> PlaythroughAnswer:
        """Return the answer for a playthrough."""
        return cls(
            game=play.game.id,
            data=play.game.to_data(),
            start=play.start,
            moves=list(play.moves),
            names=[play.game.format_cell(move) for move in play.moves],
            tags=play.tags,
            result=play.result,
            outcome=OutcomeAnswer.if_over(play.outcome),
            comments={str(ply): text for ply, text in play.comments.items()},
            evals={str(ply): str(evaluation) for ply, evaluation in play.evals.items()},
            clocks=list(play.clocks),
        )


class ImportAnswer(BaseModel):
    """The playthroughs of a file."""

    plays: list[PlaythroughAnswer]


class ExportAnswer(BaseModel):
    """A file."""

    text: str
    filename: str


class SavedGame(BaseModel):
    """Summary of a saved game."""

    id: int
    game: str
    title: str = Field(description="The name of the game for people.", examples=["Qubic"])
    x: str
    o: str
    plies: int
    started: str
    updated: str
    outcome: OutcomeAnswer | None
    source: str

    @classmethod
    def of(cls, summary: Summary) -> SavedGame:
        """Return the answer for a summary."""
        return cls(
            id=summary.id,
            game=summary.game,
            title=title_of_id(summary.game),
            x=summary.x,
            o=summary.o,
            plies=summary.plies,
            started=summary.started.isoformat(),
            updated=summary.updated.isoformat(),
            outcome=OutcomeAnswer.if_over(summary.outcome),
            source=summary.source,
        )


class SavedGamesAnswer(BaseModel):
    """The saved games, the most recent first."""

    games: list[SavedGame]


class SavedPlaythroughAnswer(PlaythroughAnswer):
    """A saved game."""

    id: int
    x: str
    o: str


class IdAnswer(BaseModel):
    """The id of a saved game."""

    id: int


class JoinAnswer(BaseModel):
    """A side of a friend game. The token gives control of that side: keep it secret."""

    friend: str
    side: Side
    token: str


class FriendAnswer(JoinAnswer):
    """A new friend game: your side, and the invitation for the other one."""

    invite: str


class OfferState(BaseModel):
    """An offer that has not been answered."""

    what: Offer
    side: Side


class ClockAnswer(BaseModel):
    """The clocks at the time of the answer, in seconds; ``running`` is the side whose clock runs."""

    control: str = Field(examples=["5+3"])
    left: dict[Side, float]
    running: Side | None

    @classmethod
    def of(cls, clock: Clock) -> ClockAnswer:
        """Return the answer for the clocks of a match, which have the same time control."""
        left = {side: round(clock.left(side), 3) for side in Side}
        return cls(control=str(clock.controls[Side.X]), left=left, running=clock.running)


class SeriesAnswer(BaseModel):
    """The score of a game and the games before it, of which it is the rematch."""

    won: dict[Side, int] = Field(description="Games won by the player of each side of this game.")
    drawn: int


class FriendState(BaseModel):
    """A friend game as everyone may see it."""

    friend: str
    version: int
    data: GameData
    position: PositionAnswer
    players: dict[Side, str]
    presence: dict[Side, Presence]
    watching: int
    offer: OfferState | None
    outcome: OutcomeAnswer | None
    clock: ClockAnswer | None
    series: SeriesAnswer
    next: str | None
