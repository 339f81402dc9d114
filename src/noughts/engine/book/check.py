"""Checks the proven entries of a book with the solver."""

from __future__ import annotations

from enum import StrEnum

from noughts.engine.book.entry import BookEntry
from noughts.engine.instant_proofs import value_when_over
from noughts.games import Position, Value
from noughts.limit import Limit
from noughts.proof.solver import solve

__all__ = ["EntryVerdict", "check_entry"]


class EntryVerdict(StrEnum):
    """What the solver says of an entry. Prints as and equals its text."""

    PROVEN = "proven"
    UNDECIDED = "undecided"
    """The limit was too short."""
    WRONG = "wrong"


def check_entry(position: Position, entry: BookEntry, limit: Limit | None = None, memory_mb: int = 64) -> EntryVerdict:
    """Return whether the solver proves the value and the move of an entry, which must have a value.

    A win is proven by its move: the opponent has lost after it. Otherwise the position itself is solved as well.
    """
    found = []
    if entry.value is not Value.WIN or entry.move is None:
        found.append(solve(position, limit, memory_mb).value)
    if entry.value is not Value.LOSS and entry.move is not None:
        found.append(_value_of_move(position, entry.move, limit, memory_mb))
    if any(value not in (None, entry.value) for value in found):
        return EntryVerdict.WRONG
    return EntryVerdict.UNDECIDED if None in found else EntryVerdict.PROVEN


def _value_of_move(position: Position, move: int, limit: Limit | None, memory_mb: int) -> Value | None:
    """The proven value of a move for the side that makes it, or None."""
    after = position.after(move)
    if after.is_over:
        return value_when_over(after, position.turn)
    value = solve(after, limit, memory_mb).value
    return None if value is None else value.opposite
