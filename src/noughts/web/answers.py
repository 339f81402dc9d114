"""Answers about games, positions, playthroughs and friend games: the models behind ``/openapi.json``.

``docs/web-api.md`` shows them with examples. Answers about the quality of moves are in ``study_answers.py``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from noughts import games, store
from noughts.games import Game, Playthrough, Position, Side, Termination
from noughts.games.cache import once_per_game
from noughts.games.outcome import decide, describe_outcome
from noughts.games.rendering.layout import panels, spots
from noughts.match import Clock, Offer, TimeControl
from noughts.study.hints import line_name

__all__ = [
    "AboutAnswer",
    "CatalogueAnswer",
    "ClockAnswer",
    "ErrorAnswer",
    "ExportAnswer",
    "FriendAnswer",
    "FriendState",
    "GameAnswer",
    "GameData",
    "IdAnswer",
    "ImportAnswer",
    "JoinAnswer",
    "OutcomeAnswer",
    "PlaythroughAnswer",
    "PositionAnswer",
    "Presence",
    "SavedGame",
    "SavedGamesAnswer",
    "SavedPlaythroughAnswer",
    "TimeControlAnswer",
]

Family = Literal["flat", "cube", "hyper", "ultimate", "custom"]
Presence = Literal["here", "away", "open"]
GameData = Annotated[
    str | dict[str, Any], Field(description="A game as requests name it: an id, or the object of a custom game.")
]
CACHED_LINES = 1000
"""Games with more lines are described again for each request: their descriptions are too large to keep."""

TITLES = {
    "3x3": "Tic-tac-toe",
    "4x4x4": "Qubic",
    "4x4x4+gravity": "Score Four",
    "15x15:5": "Gomoku",
    "15x15:5+exact": "Gomoku, exactly five",
    "7x6:4+gravity": "Connect Four",
    "7x6:4+gravity+misere": "Connect Four, misère",
    "ultimate:3": "Ultimate",
    "ultimate:4+count": "Ultimate 4×4",
}
OPTION_WORDS = {
    "gravity": "with gravity",
    "misere": "misère",
    "exact": "exact",
    "wrap": "on a torus",
    "count": "counting blocks",
    "open": "with open blocks",
}


class ErrorAnswer(BaseModel):
    """Every error looks like this."""

    error: str = Field(examples=["ply 3: b2 is taken by X"])


class OutcomeAnswer(BaseModel):
    """The outcome of a playthrough."""

    winner: Side | None
    reason: Termination
    points: tuple[int, int]
    text: str = Field(examples=["X wins with a line"])
    text_for: dict[Side, str] = Field(
        description="The text for the player of each side.",
        examples=[{"X": "You win with a line", "O": "You lose: X wins with a line"}],
    )

    @classmethod
    def of(cls, outcome: games.Outcome, how: str | None = None) -> OutcomeAnswer:
        """Return the answer for an outcome; ``how`` replaces the wording of its reason."""
        return cls(
            winner=outcome.winner,
            reason=outcome.reason,
            points=outcome.points,
            text=describe_outcome(outcome, how=how),
            text_for={side: describe_outcome(outcome, viewer=side, how=how) for side in Side},
        )

    @classmethod
    def if_over(cls, outcome: games.Outcome | None) -> OutcomeAnswer | None:
        """Return the answer for an outcome, or None if there is none yet."""
        return None if outcome is None else cls.of(outcome)


class RequestLimitsAnswer(BaseModel):
    """Upper bounds for the fields of a request."""

    move_seconds: float
    analyse_seconds: float
    review_seconds: float
    solve_seconds: float
    compare_seconds: float
    trace_nodes: int
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
    limits: RequestLimitsAnswer


class CatalogueEntry(BaseModel):
    """A game of the catalogue."""

    id: str = Field(examples=["4x4x4"])
    name: str = Field(examples=["qubic"])
    title: str = Field(examples=["Qubic"])
    about: str
    family: Family
    cells: int
    k: int


class CatalogueAnswer(BaseModel):
    """The catalogue."""

    games: list[CatalogueEntry]

    @staticmethod
    @lru_cache(maxsize=1)
    def make() -> CatalogueAnswer:
        """Return the catalogue."""
        return CatalogueAnswer(games=[_catalogue_entry(entry) for entry in games.catalogue()])


def _catalogue_entry(entry: games.Entry) -> CatalogueEntry:
    game = Game(entry.id)
    return CatalogueEntry(
        id=entry.id,
        name=entry.name,
        title=title_of(game),
        about=entry.about,
        family=family_of(game),
        cells=game.cells,
        k=game.k,
    )


class Panel(BaseModel):
    """A flat part of a board, top row first."""

    title: str
    columns: list[str]
    rows: list[str]
    cells: list[list[int]]


class GameAnswer(CatalogueEntry):
    """Everything needed to draw a game."""

    dimensions: list[int] | None
    block_size: int | None
    blocks: int
    has_gravity: bool
    is_misere: bool
    options: list[str]
    names: list[str]
    coordinates: list[list[float]]
    panels: list[Panel]
    lines: list[list[int]]
    outer_lines: list[list[int]] | None
    block_of: list[int] | None
    how_to_type: str = Field(description="How to type a move.")
    forfeits: list[OutcomeAnswer] = Field(description="The outcomes by resignation and on time, for each winner.")
    data: GameData

    @classmethod
    def of(cls, game: Game) -> GameAnswer:
        """Return the answer for a game; cached for all but the largest games."""
        return _cached_game_answer(game) if len(game.lines) <= CACHED_LINES else _game_answer(game)


@once_per_game
def _cached_game_answer(game: Game) -> GameAnswer:
    return _game_answer(game)


def _game_answer(game: Game) -> GameAnswer:
    return GameAnswer(
        id=game.id,
        name=game.name,
        title=title_of(game),
        about=next((entry.about for entry in games.catalogue() if entry.id == game.id), ""),
        family=family_of(game),
        cells=game.cells,
        k=game.k,
        dimensions=None if game.dimensions is None else list(game.dimensions),
        block_size=game.block_size,
        blocks=game.blocks,
        has_gravity=game.has_gravity,
        is_misere=game.is_misere,
        options=[] if game.is_custom else game.id.split("+")[1:],
        names=list(cell_names(game)),
        coordinates=_coordinates(game),
        panels=[
            Panel(
                title=panel.title,
                columns=list(panel.columns),
                rows=list(panel.rows),
                cells=[list(row) for row in panel.cells],
            )
            for panel in panels(game)
        ],
        lines=[list(line) for line in game.lines],
        outer_lines=[list(line) for line in game.outer_lines] if game.is_ultimate else None,
        block_of=[game.block_of(cell) for cell in range(game.cells)] if game.is_ultimate else None,
        how_to_type=game.how_to_type,
        forfeits=[
            OutcomeAnswer.of(decide(game.start(), reason, winner))
            for reason in (Termination.RESIGN, Termination.TIME)
            for winner in Side
        ],
        data=game.to_data(),
    )


def title_of(game: Game) -> str:
    """Return the name of a game for people: ``5×5, 4 in a row, misère``."""
    if game.id in TITLES or game.is_custom:
        return TITLES.get(game.id, game.id)
    base, *options = game.id.split("+")
    if game.is_ultimate:
        parts = [f"Ultimate {game.block_size}×{game.block_size}"]
    else:
        assert game.dimensions is not None
        parts = ["×".join(map(str, game.dimensions)), *([f"{game.k} in a row"] if ":" in base else [])]
    return ", ".join([*parts, *(OPTION_WORDS[option] for option in options)])


def family_of(game: Game) -> Family:
    """Return the family of a game, which decides how it is drawn."""
    if game.is_ultimate:
        return "ultimate"
    if game.dimensions is None:
        return "custom"
    match len(game.dimensions):
        case 2:
            return "flat"
        case 3:
            return "cube"
        case _:
            return "hyper"


@once_per_game
def cell_names(game: Game) -> tuple[str, ...]:
    """Return the names of all cells."""
    return tuple(game.format_cell(cell) for cell in range(game.cells))


def _coordinates(game: Game) -> list[list[float]]:
    """Return where to draw the cells; for a custom game without a layout, invented points."""
    if game.coordinates:
        return [list(point) for point in game.coordinates]
    points = spots(game, invent=True)[0].points
    return [[round(coordinate, 4) for coordinate in points[cell]] for cell in range(game.cells)]


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
    threats: dict[Side, list[int]]
    status: str = Field(examples=["X to move"])
    announcement: str = Field(examples=["O plays a3."])

    @classmethod
    def of(cls, position: Position) -> PositionAnswer:
        """Return the answer for a position."""
        game, moves, all_names = position.game, position.moves, cell_names(position.game)
        names = [all_names[move] for move in moves]
        outcome, line = position.outcome, position.winning_line
        ended = None if outcome is None else OutcomeAnswer.of(outcome, _how_ended(position, outcome))
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
    where = "" if block is None else f" in block {block + 1}"
    return f"{position.turn} to move{where}"


def _how_ended(position: Position, outcome: games.Outcome) -> str | None:
    """How the position was won, with its line or points; None if there is no more to say than the reason."""
    line, game = position.winning_line, position.game
    if outcome.reason is Termination.COUNT:
        return f"{outcome.reason.how}, {outcome.points[0]}–{outcome.points[1]}"
    if outcome.reason is not Termination.LINE or outcome.winner is None or line is None:
        return None
    if game.is_ultimate:
        return "with blocks " + "–".join(str(block + 1) for block in line)
    if game.is_misere:
        return f"because {outcome.winner.opponent} completed {line_name(game, line)}"
    return f"with {line_name(game, line)}"


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
    x: str
    o: str
    plies: int
    started: str
    updated: str
    outcome: OutcomeAnswer | None
    source: str

    @classmethod
    def of(cls, summary: store.Summary) -> SavedGame:
        """Return the answer for a summary."""
        return cls(
            id=summary.id,
            game=summary.game,
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
    next: str | None
