"""Requests that questions share: a game, a position, a position with limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from noughts._core import MAX_CELLS
from noughts.engine import Limit
from noughts.games import Game, Playthrough, Position, Side, Termination
from noughts.games.outcome import decide
from noughts.schema import Bound, Example, InvalidData, Length, Shape

__all__ = [
    "GameReference",
    "GameRequest",
    "GivenResult",
    "MoveText",
    "NoRequest",
    "PlaythroughRequest",
    "PositionRequest",
    "SearchRequest",
    "Tags",
    "playthrough_of",
    "position_fields",
]

MAX_SECONDS = 86_400.0
MAX_NODES = 1 << 62
MAX_PLIES = 10_000

MoveText = Annotated[str, Length(40)]
PositionText = Annotated[str, Length(4 * MAX_CELLS)]
GameReference = Annotated[
    Annotated[str, Length(80)] | dict[str, Any],
    "An id, an alias, or a custom game as an object.",
    Example("3x3"),
]
Tags = Annotated[dict[Annotated[str, Length(60)], Annotated[str, Length(500)]], Length(30)]


@dataclass(frozen=True, kw_only=True)
class NoRequest(Shape):
    """A question without any fields."""


@dataclass(frozen=True, kw_only=True)
class GameRequest(Shape):
    """A game."""

    game: GameReference

    def find_game(self) -> Game:
        """Return the game; raises InvalidGame."""
        try:
            return Game.shared(self.game)
        except RecursionError:
            raise InvalidData("expected the data of a game, got something nested too deep") from None


@dataclass(frozen=True, kw_only=True)
class PositionRequest(GameRequest):
    """A position: a game, its starting position, and the moves played since."""

    start: Annotated[PositionText | None, "A position string; null for the empty board."] = None
    moves: Annotated[
        tuple[int | MoveText, ...], Length(MAX_CELLS), "Cell numbers, or moves as typed.", Example(["b2", 0, "c1"])
    ] = ()
    position: Annotated[
        PositionText | None,
        "The position string, in place of `start` and `moves`; with moves, the position that they lead to.",
    ] = None

    def find_position(self) -> Position:
        """Return the position with its moves; raises ValueError."""
        game = self.find_game()
        if self.position is not None and self.start is None and not self.moves:
            return game.parse(self.position)
        position = game.start_from(self.start)
        position.play_all(self.moves)
        if self.position is not None and position != game.parse(self.position):
            raise InvalidData(f"the moves lead to {position.text!r}, not to `position`; they begin at `start`")
        return position

    def find_unfinished(self) -> Position:
        """Return the position; raises ValueError, also if the game is over."""
        return self.find_position().require_unfinished()


def position_fields(position: Position) -> dict[str, Any]:
    """Return the fields of a request about a position."""
    return {"game": position.game.to_data(), "start": position.start_text, "moves": tuple(position.moves)}


@dataclass(frozen=True, kw_only=True)
class SearchRequest(PositionRequest):
    """A position to think about. With a limit on nodes or depth alone and the same saved values it is reproducible."""

    seconds: Annotated[
        float | None,
        Bound(above=0, at_most=MAX_SECONDS),
        "Thinking time limit in seconds; the default is used if there is no limit at all.",
    ] = None
    depth: Annotated[int | None, Bound(at_least=1, at_most=MAX_PLIES), "Plies to look ahead."] = None
    nodes: Annotated[int | None, Bound(at_least=1, at_most=MAX_NODES), "Positions to visit."] = None

    def find_limit(self, default_seconds: float) -> Limit:
        """Return the limit, or one of ``default_seconds`` if the request has none."""
        if self.seconds is None and self.depth is None and self.nodes is None:
            return Limit(seconds=default_seconds)
        return Limit(self.seconds, self.depth, self.nodes)


@dataclass(frozen=True, kw_only=True)
class GivenResult(Shape):
    """The outcome of a playthrough that did not end by the rules of its game."""

    reason: Termination
    winner: Side | None = None


@dataclass(frozen=True, kw_only=True)
class PlaythroughRequest(PositionRequest):
    """A playthrough, perhaps with a result that its moves do not show."""

    result: GivenResult | None = None

    def find_playthrough(self, tags: dict[str, str], comments: dict[int, str] | None = None) -> Playthrough:
        """Return the playthrough; raises ValueError."""
        return playthrough_of(self.find_position(), self.result, tags, comments)


def playthrough_of(
    position: Position, result: GivenResult | None, tags: dict[str, str], comments: dict[int, str] | None = None
) -> Playthrough:
    """Return the playthrough that leads to a position, perhaps with a result of its own; raises ValueError."""
    outcome = None if result is None else decide(position, result.reason, result.winner)
    return Playthrough.of(position, tags, outcome=outcome, comments=comments or {})
