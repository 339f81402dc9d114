"""The move that lost: the last one before which a side had not lost yet, with the line of play that refutes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.analysis.exact import ExactValues
from noughts.analysis.pv import complete_pv
from noughts.games import Position, ProvenValue, Side, Value

__all__ = ["LosingMove", "find_losing_move"]


@dataclass(frozen=True)
class LosingMove:
    """The move that lost, by proof."""

    ply: int
    """The number of moves before it."""
    move: int
    before: Value | None
    """The value of the position before it for the side that moves: a win, a draw, or None if that is not known.

    If it is not known, an earlier move may have lost already.
    """
    better: int | None
    """A move that keeps the value of the position before, if one is known."""
    refutation: tuple[int, ...]
    """The moves with which the other side wins after it, and the answers, to the end of play or as far as is known."""


def find_losing_move(
    start: Position, moves: Sequence[int], side: Side, values: ExactValues, first: int = 0
) -> LosingMove | None:
    """Return the move that lost among those of a side, from the move number ``first`` on.

    Returns None if it made none: its last move is not proven to lose, or it had lost before the first.

    >>> from noughts import Game
    >>> start = Game("3x3").start()
    >>> found = find_losing_move(start, [0, 1, 4, 8, 3, 5, 6], Side.O, ExactValues())
    >>> found.ply, found.move, str(found.before), found.refutation[:1]
    (1, 1, 'draw', (3,))
    """
    position = start.copy()
    for move in moves:
        position.play(move)
    lost: LosingMove | None = None
    for ply in range(len(moves) - 1, first - 1, -1):
        after = position.copy()
        position.undo()
        if position.turn is not side:
            continue
        if values.of(after) is not _lost_for_mover(after, side):
            break
        before = values.proven(position)
        if before is not None and before.value is Value.LOSS:
            continue
        value, better = (None, None) if before is None else (before.value, before.move)
        refutation = complete_pv(after, [], side.opponent, lambda each: _with_move(each, values))
        lost = LosingMove(ply, moves[ply], value, better, tuple(refutation))
        break
    return lost


def _with_move(position: Position, values: ExactValues) -> ProvenValue | None:
    """Return a proven value with a move: one that keeps a win or, where every move loses, the first."""
    found = values.proven(position)
    if found is None or found.move is not None or position.is_over:
        return found
    moves = position.legal_moves
    if found.value is Value.LOSS:
        return found._replace(move=moves[0])
    return found._replace(move=next((move for move in moves if values.of_move(position, move) is found.value), None))


def _lost_for_mover(after: Position, side: Side) -> Value:
    """The value, for the side to move, of a position that ``side`` has lost."""
    return Value.LOSS if after.side_to_move is side else Value.WIN
