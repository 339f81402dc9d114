"""Results: how a playthrough ended, by its moves or by a decision, and the texts of results in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.games.outcome import Outcome, Reason, Side

if TYPE_CHECKING:
    from noughts.games.position import Position

__all__ = ["DECISIONS", "FORFEITS", "RESULTS", "decide", "format_result", "stated_outcome"]

FORFEITS: tuple[Reason, ...] = ("time", "resign", "illegal", "crash")
DECISIONS: tuple[Reason, ...] = (*FORFEITS, "agreement")
"""How a playthrough can end while the game could go on."""

RESULTS = {"1-0": Side.X, "0-1": Side.O, "1/2-1/2": None}
UNKNOWN = "*"


def decide(position: Position, reason: str, winner: Side | str | None = None) -> Outcome:
    """Return the outcome of a playthrough that ends in this position by a decision, not by the rules.

    A forfeit (``"time"``, ``"resign"``, ``"illegal"``, ``"crash"``) gives the winner the full points. An
    ``"agreement"`` is a draw: one point each, or, where blocks count, one for each block won so far.
    Raises ValueError when the position is over or the winner does not fit the reason.
    """
    if position.outcome is not None:
        raise ValueError(f"expected a game that goes on, but it has ended: {position.outcome}")
    decision = next((known for known in DECISIONS if known == reason), None)
    if decision is None:
        raise ValueError(f"expected one of {', '.join(DECISIONS)} before the moves end it, got {reason!r}")
    if reason == "agreement":
        return _agreement(position, winner)
    if winner is None:
        raise ValueError(f"expected a winner when it ends by {reason!r}, got none")
    side, full = Side(winner), position.game.full_points
    return Outcome(side, decision, (full, 0) if side is Side.X else (0, full))


def _agreement(position: Position, winner: Side | str | None) -> Outcome:
    if winner is not None:
        raise ValueError(f"expected no winner when it ends by 'agreement', which is a draw, got {winner}")
    if not position.game.counts_blocks:
        return Outcome(None, "agreement", (1, 1))
    blocks = position.blocks
    return Outcome(None, "agreement", (blocks.count(Side.X), blocks.count(Side.O)))


def format_result(outcome: Outcome | None) -> str:
    """Return ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while it goes on."""
    if outcome is None:
        return UNKNOWN
    return next(text for text, winner in RESULTS.items() if winner == outcome.winner)


def stated_outcome(position: Position, result: str, reason: str | None) -> Outcome | None:
    """Return the outcome that a file states for a playthrough with this last position.

    Where the moves end the game they decide, and a result or reason that contradicts them is a ValueError. A
    win without a reason is taken as a resignation and a draw as agreed, as readers of chess scores do.
    """
    ended = position.outcome
    if ended is not None:
        _check_agreement(ended, result, reason)
        return ended
    if result == UNKNOWN:
        if reason is not None:
            raise ValueError(f"expected a result for a game that ended by {reason!r}, got {UNKNOWN}")
        return None
    winner = RESULTS[result]
    return decide(position, reason or ("agreement" if winner is None else "resign"), winner)


def _check_agreement(ended: Outcome, result: str, reason: str | None) -> None:
    if result not in (UNKNOWN, format_result(ended)):
        raise ValueError(f"expected the result {format_result(ended)}, which the moves give, got {result}")
    if reason not in (None, ended.reason):
        raise ValueError(f"expected the reason {ended.reason!r}, which the moves give, got {reason!r}")
