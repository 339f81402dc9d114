"""From what a request says to a position."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from noughts.games import Game, Playthrough, Position
from noughts.games.cache import SizedCache
from noughts.games.errors import IllegalMove, InvalidNotation
from noughts.games.game import CACHED_CELLS
from noughts.games.outcome import decide
from noughts.web.errors import Refused
from noughts.web.schemas import Place, Result

__all__ = ["find_game", "find_playthrough", "find_position", "find_unfinished"]


def find_game(reference: str | dict[str, Any]) -> Game:
    """Return the game of an id, an alias or the data of one's own; raises InvalidGame."""
    if isinstance(reference, str):
        return _by_id(reference)
    return _by_data(json.dumps(reference, sort_keys=True))


def _by_id(id: str) -> Game:
    return _GAMES.get(id, lambda: Game(id))


def _by_data(data: str) -> Game:
    return _GAMES.get(data, lambda: _read(data))


def _size(game: Game) -> int:
    return game.cells + sum(map(len, game.lines)) + sum(map(len, game.guards))


_GAMES = SizedCache[str, Game](CACHED_CELLS, _size)
"""Games by id or data, so that questions about one game share what is derived from it."""


def _read(data: str) -> Game:
    try:
        return Game.from_data(json.loads(data))
    except RecursionError:
        raise ValueError("expected the data of a game, got something nested too deep") from None


def find_position(place: Place) -> Position:
    """Return the position a place names, with its moves behind it; ValueError says what is wrong."""
    game = find_game(place.game)
    position = game.start() if place.start is None else game.parse(place.start)
    play_all(position, place.moves)
    return position


def play_all(position: Position, moves: Sequence[int | str]) -> None:
    """Play moves; the error names the ply."""
    for ply, move in enumerate(moves, start=position.ply + 1):
        try:
            position.play(move)
        except (IllegalMove, InvalidNotation) as error:
            raise ValueError(f"ply {ply}: {error}") from None


def find_unfinished(place: Place) -> Position:
    """Return a position that is not over."""
    position = find_position(place)
    if position.is_over:
        raise Refused(422, "expected a position to move in, but the game is over")
    return position


def find_playthrough(place: Place, tags: dict[str, str], result: Result | None = None, **more: Any) -> Playthrough:
    """Return the playthrough that leads to a place."""
    position = find_position(place)
    outcome = None if result is None else decide(position, result.reason, result.winner)
    return Playthrough.of(position, tags, outcome=outcome, **more)
