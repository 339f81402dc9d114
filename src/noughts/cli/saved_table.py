"""Saved playthroughs as the rows of a table."""

from __future__ import annotations

from noughts.games.outcome import describe_outcome
from noughts.store import Summary

__all__ = ["HEADERS", "describe_result", "summary_row"]

HEADERS = ("id", "game", "X", "O", "result", "plies", "last played")


def summary_row(summary: Summary) -> tuple[str, ...]:
    """Return the columns of a playthrough."""
    when = summary.updated.astimezone().strftime("%Y-%m-%d %H:%M")
    return (str(summary.id), summary.game, summary.x, summary.o, describe_result(summary), str(summary.plies), when)


def describe_result(summary: Summary) -> str:
    return "unfinished" if summary.outcome is None else describe_outcome(summary.outcome)
