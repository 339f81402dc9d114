"""Compares records with games solved again."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from noughts.atlas.known import known_value
from noughts.atlas.records import Record
from noughts.atlas.worker import BY_VERIFY, Checks, GameToSolve, solve_game

__all__ = ["RecordComparison", "compare", "contradiction", "sample"]


class RecordComparison(NamedTuple):
    """A record and that of the same game solved again, whose certificate was verified.

    Value and certificate must be right; nodes and text of the certificate are equal if the solver is unchanged.
    """

    old: Record
    new: Record

    @property
    def is_confirmed(self) -> bool:
        """Whether the value is the same and proven again."""
        return self.new.is_proven and self.old.value == self.new.value

    @property
    def differences(self) -> list[str]:
        """Describes the parts that differ, apart from times: ``value draw instead of win``."""
        parts = [
            ("value", self.old.value, self.new.value),
            ("opening", self.old.opening, self.new.opening),
            ("nodes", self.old.nodes, self.new.nodes),
            ("certificate", _digest(self.old), _digest(self.new)),
        ]
        return [f"{name} {_text(new)} instead of {_text(old)}" for name, old, new in parts if old != new]


def _digest(record: Record) -> str | None:
    return None if record.certificate is None else record.certificate.sha256[:12]


def _text(part: object) -> str:
    return "none" if part is None else f"{part:,}" if isinstance(part, int) else str(part)


def compare(record: Record, checks: Checks = BY_VERIFY) -> RecordComparison:
    """Solve the game of a record again, with the same tables and ten times its time, and verify the certificate."""
    budget = record.budget._replace(seconds=10 * record.budget.seconds)
    return RecordComparison(record, solve_game(GameToSolve(record.game, record.family, budget), checks))


def contradiction(record: Record) -> str | None:
    """Describe how a record contradicts a published value; None if it does not. ``DISAGREEMENTS`` explains some."""
    known = known_value(record.game)
    if known is None or record.value is None or record.value == known.value:
        return None
    return f"{record.game}: {record.value}, but published as a {known.value} ({known.source})"


def sample(records: Iterable[Record], size: int) -> list[Record]:
    """Return proven records of all families in turn, in an order that depends only on the names of the games."""
    by_family: dict[str, list[Record]] = {}
    for record in sorted(records, key=lambda record: sha256(record.game.encode()).digest()):
        if record.is_proven:
            by_family.setdefault(record.family, []).append(record)
    rounds = max(map(len, by_family.values()), default=0)
    turns = (some[number] for number in range(rounds) for some in by_family.values() if number < len(some))
    return [record for record, _ in zip(turns, range(size), strict=False)]
