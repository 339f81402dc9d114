"""The features of the evaluation: how often each weight counts in a position.

The evaluation is linear in its weights, so the score of a position with one weight set to 1 and all others to 0 is the
count of that weight. The counts of lines and blocks come from the core in this way and are not written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from noughts import Game, Position, Side
from noughts.games.evaluation import Weights

__all__ = ["counts_along", "feature_names", "from_vector", "to_vector"]

Name = tuple[str, int]
"""A field of the weights, and for a tuple the index in it."""


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
    values = [(getattr(weights, field), index) for field, index in names]
    return [float(value[index] if isinstance(value, tuple) else value) for value, index in values]


def from_vector(names: Sequence[Name], vector: Sequence[float], rest: Weights) -> Weights:
    """Return weights rounded from a list; those that ``names`` lacks are taken from ``rest``."""
    fields = {field: list(value) if isinstance(value, tuple) else value for field, value in rest._asdict().items()}
    for (field, index), value in zip(names, vector, strict=True):
        if isinstance(fields[field], list):
            fields[field][index] = round(value)
        else:
            fields[field] = round(value)
    return Weights.from_data(fields)


def _unit_games(game: Game, names: Sequence[Name]) -> list[Game | None]:
    """For each weight of the incremental score, the game in which it alone counts."""
    zero = Weights.from_data(
        {f: [0] * len(v) if isinstance(v, tuple) else 0 for f, v in game.weights._asdict().items()}
    )
    units = [[float(i == j) for j in range(len(names))] for i in range(len(names))]
    return [
        Game(game.id, from_vector(names, unit, zero)) if field in ("line", "outer", "block") else None
        for (field, _), unit in zip(names, units, strict=True)
    ]


def counts_along(game: Game, names: Sequence[Name]) -> Callable[[Sequence[int]], Iterator[list[int]]]:
    """Return a function from the moves of a playthrough to the counts in the position before each move.

    Counts are for the side to move.
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
    """The terms that core/search/evaluate.cpp adds to the incremental score in Ultimate, with unit weights."""
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
    """Whether winning a block would complete an outer line of a side."""
    owners = position.blocks
    lines = (line for line in position.game.outer_lines if block in line)
    return any(all(owners[b] is side for b in line if b != block) for line in lines)
