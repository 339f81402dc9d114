"""What the evaluation counts in a position, one number per weight, read off the core itself.

The evaluation is linear in its weights, so a position judged with one weight set to 1 and the rest to 0 tells how often
that weight counts. No count is written twice, in C++ and here, that could drift apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from bench.engine_server import game_with_weights
from noughts import Game, Position, Side
from noughts.games import weights as weights_module

__all__ = ["Weights", "counts_along", "current_weights", "feature_names", "from_vector", "to_vector"]

Weights = dict[str, Any]
Name = tuple[str, int]
"""A field of the weights and, for a list, the place in it."""


def current_weights(game: Game) -> Weights:
    """Return the weights a game is judged by now."""
    longest = max(len(line) for line in game.lines)
    with patch.object(weights_module, "_core", SimpleNamespace(Weights=dict)):
        found: Any = weights_module.weights_of(game.spec, longest, game.is_misere)
    return dict(found)


def feature_names(game: Game) -> list[Name]:
    """Return the weights that can count in a game."""
    lines = [("line", marks) for marks in range(1, game.k)]
    if not game.is_ultimate:
        return [*lines, ("tempo", 0)]
    outer = [("outer", marks) for marks in range(1, len(game.outer_lines[0]))]
    return [*lines, *outer, ("block", 0), ("tempo", 0), ("free_move", 0), ("exposed", 0)]


def to_vector(names: Sequence[Name], weights: Weights) -> list[float]:
    """Return the weights as a list in the order of ``names``."""
    values = [(weights[field], place) for field, place in names]
    return [float(value[place] if isinstance(value, list) else value) for value, place in values]


def from_vector(names: Sequence[Name], vector: Sequence[float], rest: Weights) -> Weights:
    """Return whole-number weights from a list, and what it does not name from ``rest``."""
    weights = {field: list(value) if isinstance(value, list) else value for field, value in rest.items()}
    for (field, place), value in zip(names, vector, strict=True):
        if isinstance(weights[field], list):
            weights[field][place] = round(value)
        else:
            weights[field] = round(value)
    return weights


def _unit_games(game: Game, names: Sequence[Name]) -> list[Game | None]:
    """For each weight that shows in the running score, the game in which it alone counts."""
    nothing = {f: [0] * len(v) if isinstance(v, list) else 0 for f, v in current_weights(game).items()}
    shown = {"line", "outer", "block"}
    units = [[float(i == j) for j in range(len(names))] for i in range(len(names))]
    return [
        game_with_weights(game.id, from_vector(names, unit, nothing)) if field in shown else None
        for (field, _), unit in zip(names, units, strict=True)
    ]


def counts_along(game: Game, names: Sequence[Name]) -> Any:
    """Return a function from the moves of a playthrough to the counts of each position before a move.

    Counts are from the side of whoever is to move.
    """
    units = _unit_games(game, names)

    def counts(moves: Sequence[int]) -> Iterator[list[int]]:
        position = game.start()
        shadows = [unit.start() if unit else None for unit in units]
        for move in moves:
            yield _row(names, position, shadows)
            for board in (position, *shadows):
                if board is not None:
                    board.play(move)

    return counts


def _row(names: Sequence[Name], position: Position, shadows: Sequence[Position | None]) -> list[int]:
    sign = 1 if position.turn is Side.X else -1
    others = {"tempo": 1, "free_move": 0, "exposed": 0}
    if position.game.is_ultimate:
        others["free_move"] = int(position.block_to_play is None)
        others["exposed"] = -int(_is_exposed(position))
    return [
        sign * shadow._score if shadow is not None else others[field]
        for (field, _), shadow in zip(names, shadows, strict=True)
    ]


def _is_exposed(position: Position) -> bool:
    """Whether the block to be played holds what the opponent needs for an outer line, as core/evaluate.cpp has it."""
    block, turn = position.block_to_play, position.turn
    if block is None or turn is None:
        return False
    rival, owners = turn.opponent, position.blocks
    wanted = any(
        block in line and all(owners[b] is rival for b in line if b != block) for line in position.game.outer_lines
    )
    return wanted and any(position.game.block_of(cell) == block for cell in position.completing(rival))
