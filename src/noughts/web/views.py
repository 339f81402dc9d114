"""What a client needs to draw a game and a position: plain data."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from noughts.games import Game, Outcome, Playthrough, Position, Side, catalogue
from noughts.games.cache import once_per_game
from noughts.games.rendering.layout import panels, spots
from noughts.plural import count
from noughts.study.advice import Advice, Worth
from noughts.study.hints import line_name

__all__ = ["catalogue_data", "game_data", "outcome_data", "play_data", "position_data", "worth_data"]

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
REMEMBERED = 1000
"""Lines up to which the description of a game is kept in memory."""
OPTION_WORDS = {
    "gravity": "with gravity",
    "misere": "misère",
    "exact": "exact",
    "wrap": "on a torus",
    "count": "counting blocks",
    "open": "with open blocks",
}


def title_of(game: Game) -> str:
    """Return a name for people: ``5×5, 4 in a row, misère``."""
    if game.id in TITLES or game.is_custom:
        return TITLES.get(game.id, game.id)
    base, *options = game.id.split("+")
    if game.is_ultimate:
        size = f"{game.block_size}×{game.block_size}"
        parts = [f"Ultimate {size}"]
    else:
        assert game.dimensions is not None
        parts = ["×".join(map(str, game.dimensions)), *([f"{game.k} in a row"] if ":" in base else [])]
    return ", ".join([*parts, *(OPTION_WORDS[option] for option in options)])


def family_of(game: Game) -> str:
    """Return how to draw it: flat, cube, hyper, ultimate or own."""
    if game.is_ultimate:
        return "ultimate"
    if game.dimensions is None:
        return "own"
    return {2: "flat", 3: "cube"}.get(len(game.dimensions), "hyper")


@lru_cache(maxsize=1)
def catalogue_data() -> dict[str, Any]:
    """Return the catalogue with what a chooser shows."""
    return {"games": [_entry_data(entry.id, entry.name, entry.about) for entry in catalogue()]}


def _entry_data(id: str, name: str, about: str) -> dict[str, Any]:
    game = Game(id)
    shown = {"id": id, "name": name, "title": title_of(game), "about": about, "family": family_of(game)}
    return shown | {"cells": game.cells, "k": game.k}


def game_data(game: Game) -> dict[str, Any]:
    """Return everything about a game that drawing it takes; remembered for all but the largest."""
    return _small_game_data(game) if len(game.lines) <= REMEMBERED else _game_data(game)


@once_per_game
def _small_game_data(game: Game) -> dict[str, Any]:
    return _game_data(game)


def _game_data(game: Game) -> dict[str, Any]:
    about = next((entry.about for entry in catalogue() if entry.id == game.id), "")
    return {
        "id": game.id,
        "name": game.name,
        "title": title_of(game),
        "about": about,
        "family": family_of(game),
        "cells": game.cells,
        "k": game.k,
        "dimensions": None if game.dimensions is None else list(game.dimensions),
        "block_size": game.block_size,
        "blocks": game.blocks,
        "has_gravity": game.has_gravity,
        "is_misere": game.is_misere,
        "options": [] if game.is_custom else game.id.split("+")[1:],
        "names": list(cell_names(game)),
        "coordinates": _coordinates(game),
        "panels": [panel._asdict() | {"cells": [list(row) for row in panel.cells]} for panel in panels(game)],
        "lines": [list(line) for line in game.lines],
        "outer_lines": [list(line) for line in game.outer_lines] if game.is_ultimate else None,
        "block_of": [game.block_of(cell) for cell in range(game.cells)] if game.is_ultimate else None,
        "how": game.how_to_type,
        "data": game.to_data(),
    }


@once_per_game
def cell_names(game: Game) -> tuple[str, ...]:
    """Return the names of all cells."""
    return tuple(game.format_cell(cell) for cell in range(game.cells))


def _coordinates(game: Game) -> list[list[float]]:
    """Where the cells are; for a game of one's own that does not say, somewhere."""
    if game.coordinates:
        return [list(point) for point in game.coordinates]
    places = spots(game, invent=True)[0].points
    return [[round(at, 4) for at in places[cell]] for cell in range(game.cells)]


def position_data(position: Position) -> dict[str, Any]:
    """Return everything about a position that drawing and announcing it takes."""
    game, moves, all_names = position.game, position.moves, cell_names(position.game)
    names = [all_names[move] for move in moves]
    outcome = position.outcome
    return {
        "game": game.id,
        "start": position.start_text,
        "moves": moves,
        "names": names,
        "position": position.text,
        "ply": len(moves),
        "turn": position.turn,
        "cells": "".join(["." if mark is None else mark for mark in position.cells]),
        "legal": position.legal_moves,
        "last": position.last_move,
        "is_over": outcome is not None,
        "winner": position.winner,
        "outcome": outcome_data(outcome),
        "winning_line": position.winning_line,
        "winning_cells": _winning_cells(position),
        "threats": {side.value: position.threats(side) for side in Side} if outcome is None else {"X": [], "O": []},
        "status": _status(position, outcome),
        "said": f"{_mover(position)} plays {names[-1]}." if names else "",
    } | _block_data(position)


def _block_data(position: Position) -> dict[str, Any]:
    if not position.game.is_ultimate:
        return {"blocks": None, "open_blocks": None, "block_to_play": None}
    open_blocks = position.open_blocks
    owners = [
        owner or ("." if block in open_blocks or position.is_over else "-")
        for block, owner in enumerate(position.blocks)
    ]
    return {"blocks": "".join(owners), "open_blocks": open_blocks, "block_to_play": position.block_to_play}


def _winning_cells(position: Position) -> list[int]:
    line = position.winning_line
    if line is None:
        return []
    if not position.game.is_ultimate:
        return list(line)
    return [cell for cell in range(position.game.cells) if position.game.block_of(cell) in line]


def _mover(position: Position) -> Side:
    """Who made the last move."""
    marks = position.cells
    return Side.O if marks.count(Side.X) == marks.count(Side.O) else Side.X


def _status(position: Position, outcome: Outcome | None) -> str:
    if outcome is None:
        block = position.block_to_play
        where = "" if block is None else f" in block {block + 1}"
        return f"{position.turn} to move{where}"
    if outcome.reason == "line":
        line, game = position.winning_line, position.game
        if line is None or game.is_ultimate:
            how = "" if line is None else " with blocks " + "–".join(str(block + 1) for block in line)
            return f"{outcome.winner} wins{how}"
        if game.is_misere:
            return f"{outcome.winner} wins: {Side(str(outcome.winner)).opponent} completed {line_name(game, line)}"
        return f"{outcome.winner} wins with {line_name(game, line)}"
    if outcome.reason == "count":
        return f"{_who(outcome)} by blocks, {outcome.points[0]}–{outcome.points[1]}"
    return _who(outcome)


def _who(outcome: Outcome) -> str:
    return "A draw" if outcome.winner is None else f"{outcome.winner} wins"


def outcome_data(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return how it ended."""
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "reason": outcome.reason,
        "points": list(outcome.points),
        "text": str(outcome),
    }


def worth_data(worth: Worth) -> dict[str, Any]:
    """Return what something is worth to a side, with a text to show."""
    text = f"{worth.score:+d}" if worth.value is None else worth.value
    if worth.plies:
        text += f" in {count(worth.plies, 'ply')}"
    return worth.to_data() | {"text": text}


def line_data(position: Position, found: Advice) -> dict[str, Any]:
    """Return a line of an analysis."""
    worth = found.worth
    return {
        "move": found.move,
        "name": position.format_move(found.move),
        "worth": worth_data(worth),
        "x_chance": round(worth.chance if position.turn is Side.X else 1 - worth.chance, 4),
        "pv": found.pv,
        "pv_names": [position.format_move(move) for move in found.pv],
    }


def play_data(play: Playthrough) -> dict[str, Any]:
    """Return a playthrough."""
    return {
        "game": play.game.id,
        "data": play.game.to_data(),
        "start": play.start,
        "moves": list(play.moves),
        "names": [play.game.format_cell(move) for move in play.moves],
        "tags": play.tags,
        "result": play.result,
        "outcome": outcome_data(play.outcome),
        "comments": {str(ply): text for ply, text in play.comments.items()},
        "evals": {str(ply): str(opinion) for ply, opinion in play.evals.items()},
        "clocks": list(play.clocks),
    }
