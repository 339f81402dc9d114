"""What answers hold: the models behind ``/openapi.json``. Docs/web-api.md says it with examples."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

SideName = Literal["X", "O"]


class Worth(BaseModel):
    """What a position is worth to a side: an estimated score or a proven value."""

    score: int | None
    value: Literal["win", "draw", "loss"] | None
    plies: int | None = Field(description="At most so many, for a proven win or loss.")
    chance: float = Field(ge=0, le=1)
    text: str = Field(examples=["win in 5 plies", "+35"])


class Outcome(BaseModel):
    """How it ended."""

    winner: SideName | None
    reason: str = Field(examples=["line"])
    points: tuple[int, int]
    text: str = Field(examples=["X wins (line, 2–0)"])


class AboutAnswer(BaseModel):
    """What this server is."""

    version: str
    levels: list[str]
    algorithms: list[str]
    orders: list[str]
    evaluations: list[str]
    labels: list[str]
    is_local: bool
    most: dict[str, int | float]


class Entry(BaseModel):
    """A game of the catalogue."""

    id: str = Field(examples=["4x4x4"])
    name: str = Field(examples=["qubic"])
    title: str = Field(examples=["Qubic"])
    about: str
    family: Literal["flat", "cube", "hyper", "ultimate", "own"]
    cells: int
    k: int


class CatalogueAnswer(BaseModel):
    """The catalogue."""

    games: list[Entry]


class Panel(BaseModel):
    """A flat piece of a board, its top row first."""

    title: str
    columns: list[str]
    rows: list[str]
    cells: list[list[int]]


class GameAnswer(Entry):
    """Everything about a game that drawing it takes."""

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
    how: str = Field(description="How to type a move.")
    data: str | dict[str, Any] = Field(description="What to send as the game of later requests.")


class PositionAnswer(BaseModel):
    """Everything about a position that drawing and announcing it takes."""

    game: str
    start: str | None
    moves: list[int]
    names: list[str]
    position: str = Field(examples=["o2/1x1/3 x"])
    ply: int
    turn: SideName | None
    cells: str = Field(examples=["O...X...."])
    legal: list[int]
    last: int | None
    is_over: bool
    winner: SideName | None
    outcome: Outcome | None
    winning_line: list[int] | None
    winning_cells: list[int]
    blocks: str | None
    open_blocks: list[int] | None
    block_to_play: int | None
    threats: dict[str, list[int]]
    status: str = Field(examples=["X to move"])
    said: str = Field(examples=["O plays a3."])


class EngineAnswer(BaseModel):
    """A move and the position after it."""

    move: int
    name: str
    position: PositionAnswer


class Candidate(BaseModel):
    """A move worth thinking about."""

    move: int
    name: str
    worth: Worth


class HintAnswer(Candidate):
    """A hint, all its steps at once."""

    idea: str
    area: list[int]
    area_name: str
    candidates: list[Candidate]
    why: list[str]


class Line(Candidate):
    """A line of an analysis."""

    x_chance: float
    pv: list[int]
    pv_names: list[str]


class AnalysisAnswer(BaseModel):
    """The best moves with their lines."""

    type: Literal["analysis"]
    done: bool
    depth: int
    nodes: int
    seconds: float
    nps: int
    turn: SideName
    lines: list[Line]
    reason: str


class ReviewedMove(BaseModel):
    """A move under review."""

    ply: int
    side: SideName
    cell: int
    move: str
    label: str
    best_cell: int
    best: str
    line_cells: list[int]
    line: list[str]
    before: Worth
    after: Worth
    before_for_x: Worth
    after_for_x: Worth
    cost: float
    accuracy: float
    choices: int


class GraphPoint(Worth):
    """What the position after so many moves is worth to X."""

    ply: int


class ReviewAnswer(BaseModel):
    """A review of a playthrough."""

    type: Literal["review"]
    game: str
    x: str | None
    o: str | None
    result: str
    termination: str | None
    start: str | None
    limit: str
    accuracy: dict[str, float | None]
    labels: dict[str, dict[str, int]]
    moves: list[ReviewedMove]
    graph: list[GraphPoint]


class SolutionAnswer(BaseModel):
    """What a position is worth with best play, for the side to move."""

    type: Literal["solution"]
    value: Literal["win", "draw", "loss"] | None
    lower: Literal["win", "draw", "loss"]
    upper: Literal["win", "draw", "loss"]
    move: int | None
    name: str | None
    nodes: int
    seconds: float


class TraceAnswer(BaseModel):
    """The search tree of a real run; see docs/trace-format.md."""

    format: str
    version: int
    game: dict[str, Any]
    position: str
    cells: list[SideName | None]
    names: list[str]
    algorithm: str
    options: dict[str, Any]
    value: int | None
    principal: list[int]
    counts: dict[str, int]
    nodes: list[dict[str, Any]]
    is_whole: bool = Field(description="False: the search went on, these are its first nodes.")


class TreeSize(BaseModel):
    """How many nodes plain minimax would visit."""

    nodes: int
    is_exact: bool


class ComparedRow(BaseModel):
    """What one search needed."""

    algorithm: str
    order: str
    label: str
    nodes: int | None
    seconds: float | None
    reduction: float | None
    move: str | None
    value: int | None
    note: str
    nodes_per_second: int | None


class ComparisonAnswer(BaseModel):
    """Textbook searches compared on a position."""

    type: Literal["comparison"]
    name: str
    game: str
    position: str
    depth: int | None
    evaluate: str
    tree: TreeSize
    whole_tree: TreeSize
    rows: list[ComparedRow]


class Play(BaseModel):
    """A playthrough."""

    game: str
    data: str | dict[str, Any]
    start: str | None
    moves: list[int]
    names: list[str]
    tags: dict[str, str]
    result: str
    outcome: Outcome | None
    comments: dict[str, str]
    evals: dict[str, str]
    clocks: list[float | None]


class ImportAnswer(BaseModel):
    """The playthroughs of a file."""

    plays: list[Play]


class ExportAnswer(BaseModel):
    """A file."""

    text: str
    filename: str


class KeptSummary(BaseModel):
    """A line about a kept game."""

    id: int
    game: str
    x: str
    o: str
    plies: int
    started: str
    updated: str
    outcome: Outcome | None
    source: str


class KeptAnswer(BaseModel):
    """The kept games, the latest first."""

    games: list[KeptSummary]


class KeptPlay(Play):
    """A kept game."""

    id: int
    x: str
    o: str


class NumberAnswer(BaseModel):
    """The number of a kept game."""

    id: int


class SeatAnswer(BaseModel):
    """A seat of a friend game. The token is the seat: keep it secret."""

    friend: str
    side: SideName
    token: str


class FriendAnswer(SeatAnswer):
    """One's own seat, and the invitation to the other."""

    invite: str


class FriendState(BaseModel):
    """A friend game as everybody may see it."""

    friend: str
    version: int
    data: str | dict[str, Any]
    position: PositionAnswer
    players: dict[str, str]
    presence: dict[str, Literal["here", "away", "open"]]
    watching: int
    offer: dict[str, str] | None
    outcome: Outcome | None
    clock: dict[str, Any] | None
    next: str | None
