"""What the evaluation counts in a position, one number per weight, read off the core itself.

The evaluation is linear in its weights, so a position judged with one weight set to 1 and the rest to 0 tells how often
that weight counts. No count is written twice, in C++ and here, that could drift apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bench.engine_server import game_with_weights
from noughts import Game, Position, Side

__all__ = ["Weights", "counts_along", "current_weights", "feature_names", "from_vector", "to_vector"]

Weights = dict[str, Any]
Name = tuple[str, int]
"""A field of the weights and, for a list, the place in it."""


def current_weights(game: Game) -> Weights:
    """Return the weights a game is judged by now."""
    found = game.weights._asdict()
    return {name: list(value) if isinstance(value, Sequence) else value for name, value in found.items()}


def feature_names(game: Game) -> list[Name]:
    """Return the weights that can count in a game."""
    lines = [("line", marks) for marks in range(1, game.k)]
    if not game.is_ultimate:
        return [*lines, ("tempo", 0)]
    outer = [("outer", marks) for marks in range(1, len(game.outer_lines[0]))]
    single = ("block", "tempo", "free_move", "exposed", "threatened", "lined_up")
    return [*lines, *outer, *((name, 0) for name in single)]


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
    others = {"tempo": 1} | (_block_terms(position) if position.game.is_ultimate else {})
    return [
        sign * shadow._score if shadow is not None else others[field]
        for (field, _), shadow in zip(names, shadows, strict=True)
    ]


def _block_terms(position: Position) -> dict[str, int]:
    """Terms that core/search/evaluate.cpp adds to the running score in Ultimate, with unit weights, for the mover."""
    turn = position.turn
    assert turn is not None
    rival, sent = turn.opponent, position.block_to_play
    threatened = {side: _threatened_blocks(position, side) for side in (turn, rival)}
    lined_up = {side: _lined_up(position, side, threatened[side]) for side in (turn, rival)}
    is_exposed = sent is not None and sent in threatened[rival] and _would_win(position, rival, sent)
    return {
        "free_move": int(sent is None),
        "exposed": -int(is_exposed),
        "threatened": len(threatened[turn]) - len(threatened[rival]),
        "lined_up": lined_up[turn] - lined_up[rival],
    }


def _threatened_blocks(position: Position, side: Side) -> set[int]:
    return {position.game.block_of(cell) for cell in position.completing(side)}


def _lined_up(position: Position, side: Side, threatened: set[int]) -> int:
    owners = position.blocks
    return sum(all(owners[b] is side or b in threatened for b in line) for line in position.game.outer_lines)


def _would_win(position: Position, side: Side, block: int) -> bool:
    """Whether a block is all that a side lacks of an outer line."""
    owners = position.blocks
    lines = (line for line in position.game.outer_lines if block in line)
    return any(all(owners[b] is side for b in line if b != block) for line in lines)
