"""Proofs that take milliseconds: the positions that a book leaves out because they need no entry."""

from __future__ import annotations

from noughts import _core
from noughts.engine.limit import Limit
from noughts.games import Game, Position, ProvenValue, Side, Value

__all__ = ["move_keeps", "solve_at_once", "value_when_over"]

THREAT_MOVES = 2000
"""Moves that the search for a win by threats may try: about a millisecond."""
PROOF_NODES = 240
SEARCH_NODES = 60_000
"""Nodes of the solver, which visits a few dozen a millisecond in games it solves by proof numbers, and some thousands
in games it solves by exhaustive search: 5 to 15 ms."""
MEMORY_MB = 2
SHARE = 8
"""At most one part in this many of a limit is used."""


def solve_at_once(position: Position, limit: Limit | None = None, effort: int = 100) -> ProvenValue | None:
    """Return the value of a position if it can be proven in a few milliseconds, else None.

    At most an eighth of a limit in seconds or nodes is used. ``effort`` is in percent: the builder of books uses less
    than the player, so that every position left out is found again.
    """
    limit = limit or Limit(depth=1)
    nodes = _nodes(position.game) if limit.nodes is None else min(_nodes(position.game), limit.nodes // SHARE)
    if nodes * effort < 100:
        return None
    if _has_direct_threats(position.game):
        moves = _core.forced_win(position, THREAT_MOVES * effort // 100)
        if moves:
            return ProvenValue(Value.WIN, moves[0], len(moves))
    seconds = (limit.thinking_seconds(position) or 0.0) / SHARE
    found = _core.Solver(position, position.game.symmetry, MEMORY_MB).solve(seconds, nodes * effort // 100, None)
    if found.lower != found.upper:
        return None
    value = Value.from_number(found.lower)
    if value is Value.LOSS:
        return ProvenValue(value)
    return ProvenValue(value, found.move) if found.move_is_proven else None


def move_keeps(position: Position, move: int, value: Value) -> bool:
    """Return whether a move is proven at once to reach a value, or a better one."""
    after = position.after(move)
    if after.is_over:
        return value_when_over(after, position.turn).number >= value.number
    found = solve_at_once(after)
    return found is not None and found.value.opposite.number >= value.number


def value_when_over(position: Position, side: Side | None) -> Value:
    """Return the value of a finished game for a side."""
    return Value.DRAW if position.winner is None else Value.WIN if position.winner is side else Value.LOSS


def _has_direct_threats(game: Game) -> bool:
    return not game.is_ultimate and not game.is_misere


def _nodes(game: Game) -> int:
    is_exhaustive = game.has_gravity or game.is_misere or game.is_ultimate
    return SEARCH_NODES if is_exhaustive else PROOF_NODES
