"""Proofs that take milliseconds: the positions that a book leaves out because they need no entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noughts import _core
from noughts.games import Game, Position, ProvenValue, Side, Value
from noughts.limit import Limit

if TYPE_CHECKING:
    from noughts.engine.book.strategy import Strategy

__all__ = ["LiveSolver", "move_keeps", "solve_at_once", "value_when_over"]

THREAT_MOVES = 2000
"""Moves that the search for a win by threats may try: about a millisecond."""
PROOF_NODES = 240
SEARCH_NODES = 60_000
"""Nodes of the solver, which visits a few dozen a millisecond in games it solves by proof numbers, and some thousands
in games it solves by exhaustive search: 5 to 15 ms."""
MEMORY_MB = 2
SHARE = 1 / 16
"""The share of a limit that may be used."""
MIN_SECONDS = 0.1
"""With less time for a move, proof numbers are not tried: the search needs all of it."""
WON_SHARE = 3 / 4
WON_EFFORT = 800
"""The share and the effort, in percent, where a win was proven a move ago and has to be found again."""


def solve_at_once(position: Position, effort: int = 100) -> ProvenValue | None:
    """Return the value of a position if it can be proven in a few milliseconds, else None.

    ``effort`` is in percent: the builder of books uses less than the player, so that every position left out is found
    again.
    """
    found = _solve(position, Limit(depth=1), effort, SHARE)
    return None if found is None else found.proven


class _Found(NamedTuple):
    """A proven value, and the solver that proved a win, if it was not a win by threats alone."""

    proven: ProvenValue
    solver: _core.Solver | None = None


def _solve(position: Position, limit: Limit, effort: int, share: float) -> _Found | None:
    nodes = _nodes(position.game) * effort // 100
    nodes = nodes if limit.nodes is None else min(nodes, int(limit.nodes * share))
    if nodes == 0:
        return None
    if _has_direct_threats(position.game):
        moves = _core.forced_win(position, THREAT_MOVES * effort // 100)
        if moves:
            return _Found(ProvenValue(Value.WIN, moves[0], len(moves)))
    seconds = (limit.thinking_seconds(position) or 0.0) * share
    solver = _core.Solver(position, position.game.symmetry, MEMORY_MB)
    found = solver.solve(seconds, nodes, None)
    if found.lower != found.upper:
        return None
    value = Value.from_number(found.lower)
    if value is Value.LOSS:
        return _Found(ProvenValue(value))
    if not found.move_is_proven:
        return None
    return _Found(ProvenValue(value, found.move), solver if value is Value.WIN else None)


class LiveSolver:
    """Solves positions in a few milliseconds, and remembers how to win, so that a win is never lost again."""

    def __init__(self) -> None:
        self._won: Position | None = None
        """The position after the last move that wins."""
        self._strategy: Strategy | None = None
        """How to win from there, if the solver had to search for it."""

    def solve(self, position: Position, limit: Limit) -> ProvenValue | None:
        """Return the value of a position if it can be proven in a few milliseconds, else None.

        At most a sixteenth of a limit in seconds or nodes is used, but three quarters after a move that wins.
        """
        is_won = self._is_won(position)
        step = self._strategy.find(position) if is_won and self._strategy is not None else None
        if step is not None:
            return ProvenValue(Value.WIN, step.move, step.plies)
        seconds = limit.thinking_seconds(position)
        if not is_won and not _is_exhaustive(position.game) and seconds is not None and seconds < MIN_SECONDS:
            return None
        found = _solve(position, limit, *((WON_EFFORT, WON_SHARE) if is_won else (100, SHARE)))
        if found is None:
            return None
        if found.solver is not None and not _is_exhaustive(position.game):
            self._strategy = _strategy(position, found.solver)
        return found.proven

    def remember(self, position: Position, move: int, value: Value | None) -> None:
        """Note the move that is played in a position, and its proven value."""
        self._won = position.after(move) if value is Value.WIN else None
        if self._won is None or (self._strategy is not None and self._strategy.start.game != position.game):
            self._strategy = None

    def forget(self) -> None:
        self._won = self._strategy = None

    def _is_won(self, position: Position) -> bool:
        """Whether the opponent has just replied to a move that wins."""
        if self._won is None or not position.moves:
            return False
        before = position.copy()
        before.undo()
        return before == self._won


def _strategy(position: Position, solver: _core.Solver) -> Strategy | None:
    """The moves of the proof in the solver's table."""
    from noughts.engine.book.strategy import Strategy
    from noughts.proof.proof import Proof

    try:
        body, symmetries = solver.certificate()
    except RuntimeError:  # the proof would be too long
        return None
    return Strategy(Proof(position.game, position.text, Value.WIN, body, symmetries))


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


def _is_exhaustive(game: Game) -> bool:
    """Whether the solver searches to the end of the game; otherwise it uses proof numbers."""
    return game.has_gravity or game.is_misere or game.is_ultimate


def _nodes(game: Game) -> int:
    return SEARCH_NODES if _is_exhaustive(game) else PROOF_NODES
