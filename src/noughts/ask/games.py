"""The questions about games: the catalogue, and everything needed to draw a game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

from noughts import games
from noughts.analysis.region_names import describe_line, line_name
from noughts.ask.question import lookup
from noughts.ask.requests import GameRequest, NoRequest
from noughts.ask.samples import sample_moves
from noughts.games import Game, Position, Side, Termination
from noughts.games.cache import once_per_game
from noughts.games.custom import GameData
from noughts.games.outcome import decide, describe_outcome
from noughts.games.rendering.layout import panels, spots
from noughts.games.titles import title_of
from noughts.schema import Shape

__all__ = [
    "CATALOGUE",
    "GAME",
    "CatalogueAnswer",
    "GameAnswer",
    "OutcomeAnswer",
    "cell_names",
    "family_of",
    "kind_of",
]

Family = Literal["flat", "cube", "hyper", "ultimate", "custom"]

CACHED_LINES = 1000
"""Games with more lines are described again for each request: their descriptions are too large to keep."""


@dataclass(frozen=True, kw_only=True)
class OutcomeAnswer(Shape):
    """The outcome of a playthrough."""

    winner: Side | None
    reason: Termination
    points: Annotated[tuple[int, ...], "Of X, then of O."]
    text: Annotated[str, "For example `X wins on the diagonal`."]
    how: Annotated[str, "How the winner won, to follow a name and `wins`: `on the diagonal`."]

    @classmethod
    def of(cls, outcome: games.Outcome, how: str | None = None) -> OutcomeAnswer:
        """Return the answer for an outcome; ``how`` replaces the wording of its reason."""
        text = describe_outcome(outcome, how=how)
        return cls.from_attributes(outcome, text=text, how="" if outcome.winner is None else how or outcome.reason.how)

    @classmethod
    def if_over(cls, outcome: games.Outcome | None, position: Position | None = None) -> OutcomeAnswer | None:
        """Return the answer for an outcome, or None if there is none yet; the position says how it was won."""
        if outcome is None:
            return None
        return cls.of(outcome, None if position is None else _how_ended(position, outcome))


def _how_ended(position: Position, outcome: games.Outcome) -> str | None:
    """How the position was won, by its line or points; None if the reason says it all."""
    line, game = position.winning_line, position.game
    if outcome.reason is Termination.COUNT and outcome.winner is not None:
        more, fewer = max(outcome.points), min(outcome.points)
        return f"with {more} boards to {fewer}"
    if outcome.reason is not Termination.LINE or outcome.winner is None or line is None:
        return None
    if game.is_misere:
        return f"because {outcome.winner.opponent} completed {line_name(game, line)}"
    return describe_line(game, line)


@dataclass(frozen=True, kw_only=True)
class GameSummary(Shape):
    """A game in a few words."""

    id: Annotated[str, "For example `4x4x4`."]
    name: Annotated[str, "An alias if there is one: `qubic`."]
    title: Annotated[str, "The name for people: `Qubic`."]
    about: str
    family: Family
    kind: Annotated[str, "The same for all games with these rules on boards of other sizes: `flat+gravity`."]
    cells: Annotated[int, "The number of cells."]
    k: Annotated[int, "The number of marks in a line."]


@dataclass(frozen=True, kw_only=True)
class CatalogueEntry(GameSummary):
    """A game of the catalogue."""

    sample: Annotated[tuple[int, ...], "The cells of a short playthrough, for a small picture of the game."]


@dataclass(frozen=True, kw_only=True)
class CatalogueAnswer(Shape):
    """The catalogue."""

    games: tuple[CatalogueEntry, ...]


Described = TypeVar("Described", bound=GameSummary)


@lru_cache(maxsize=1)
def _catalogue() -> CatalogueAnswer:
    ids = [entry.id for entry in games.catalogue()]
    return CatalogueAnswer(
        games=tuple([_summary(CatalogueEntry, Game(id), sample=tuple(sample_moves(id))) for id in ids])
    )


def _summary(kind: type[Described], game: Game, **more: Any) -> Described:
    title = title_of(game)
    described = {"about": _about(game.id, title), "family": family_of(game), "kind": kind_of(game)}
    return kind.from_attributes(game, title=title, **described, **more)


@dataclass(frozen=True, kw_only=True)
class PanelAnswer(Shape):
    """A flat part of a board, top row first."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, kw_only=True)
class GameAnswer(GameSummary):
    """Everything needed to draw a game."""

    dimensions: tuple[int, ...] | None
    block_size: int | None
    blocks: int
    has_gravity: bool
    is_misere: bool
    options: tuple[str, ...]
    names: Annotated[tuple[str, ...], "The name of each cell, as moves are written."]
    coordinates: tuple[tuple[float, ...], ...]
    panels: tuple[PanelAnswer, ...]
    lines: Annotated[tuple[tuple[int, ...], ...], "The winning lines."]
    outer_lines: tuple[tuple[int, ...], ...] | None
    block_of: tuple[int, ...] | None
    how_to_type: Annotated[str, "How to type a move."]
    forfeits: Annotated[tuple[OutcomeAnswer, ...], "The outcomes by resignation and on time, for each winner."]
    data: GameData

    @classmethod
    def of(cls, game: Game) -> GameAnswer:
        """Return the answer for a game; cached for all but the largest games."""
        return _cached_game_answer(game) if len(game.lines) <= CACHED_LINES else _game_answer(game)


@once_per_game
def _cached_game_answer(game: Game) -> GameAnswer:
    return _game_answer(game)


def _game_answer(game: Game) -> GameAnswer:
    return _summary(
        GameAnswer,
        game,
        options=tuple(_options(game)),
        names=cell_names(game),
        coordinates=_coordinates(game),
        panels=tuple(
            [
                PanelAnswer(
                    title=each.title,
                    columns=tuple(each.columns),
                    rows=tuple(each.rows),
                    cells=tuple([tuple(row) for row in each.cells]),
                )
                for each in panels(game)
            ]
        ),
        outer_lines=game.outer_lines if game.is_ultimate else None,
        block_of=tuple([game.block_of(cell) for cell in range(game.cells)]) if game.is_ultimate else None,
        forfeits=tuple(
            [
                OutcomeAnswer.of(decide(game.start(), reason, winner))
                for reason in (Termination.RESIGN, Termination.TIME)
                for winner in Side
            ]
        ),
        data=game.to_data(),
    )


def _about(id: str, title: str) -> str:
    """Return the description of a game of the catalogue without its title, which the page shows above it."""
    text = next((entry.about for entry in games.catalogue() if entry.id == id), "")
    head, colon, rest = text.partition(": ")
    text = rest if colon and head.startswith(title) else text
    return text[:1].upper() + text[1:]


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


def kind_of(game: Game) -> str:
    """Return a name for all games with the same rules on boards of other sizes: ``ultimate+open``."""
    return "+".join([family_of(game), *_options(game)])


def _options(game: Game) -> list[str]:
    return [] if game.is_custom else game.id.split("+")[1:]


@once_per_game
def cell_names(game: Game) -> tuple[str, ...]:
    return tuple(game.format_cell(cell) for cell in range(game.cells))


def _coordinates(game: Game) -> tuple[tuple[float, ...], ...]:
    """Return where to draw the cells; for a custom game without a layout, invented points."""
    if game.coordinates:
        return tuple([tuple(point) for point in game.coordinates])
    points = spots(game, invent=True)[0].points
    return tuple([tuple([round(coordinate, 4) for coordinate in points[cell]]) for cell in range(game.cells)])


def _describe(game: GameSummary) -> str:
    return f"{game.id}: {game.title}. {game.about}"


CATALOGUE = lookup(
    "catalogue",
    NoRequest,
    CatalogueAnswer,
    lambda _: _catalogue(),
    "List well-known games.",
    words=lambda answer: "\n".join(map(_describe, answer.games)),
    reads_query=True,
)
GAME = lookup(
    "game",
    GameRequest,
    GameAnswer,
    lambda request: GameAnswer.of(request.find_game()),
    "Describe a game: cells, names, lines, and where to draw them.",
    words=lambda answer: f"{_describe(answer)} It has {answer.cells} cells. A move is {answer.how_to_type}.",
)
