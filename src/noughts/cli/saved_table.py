"""Saved games as the rows of a table."""

from __future__ import annotations

from noughts.cli.tables import format_table
from noughts.games.outcome import describe_outcome
from noughts.games.titles import title_of_id
from noughts.store import Summary

__all__ = ["HEADERS", "describe_result", "format_saved", "summary_row", "title_with_id"]

HEADERS = ("id", "game", "X", "O", "result", "moves", "last played")


def format_saved(summaries: list[Summary], width: int) -> str:
    """Return a table of saved games, with the ids of the rules if there is room."""
    rows, wider = ([summary_row(each, has_id) for each in summaries] for has_id in (False, True))
    return format_table(HEADERS, rows, width, wider=wider)


def summary_row(summary: Summary, has_id: bool = False) -> tuple[str, ...]:
    """Return the columns of a saved game."""
    when = summary.updated.astimezone().strftime("%Y-%m-%d %H:%M")
    game = title_with_id(summary.game) if has_id else title_of_id(summary.game)
    return (str(summary.id), game, summary.x, summary.o, describe_result(summary), str(summary.plies), when)


def title_with_id(id: str) -> str:
    """Return the name of a game for people, with its id if that says more: ``Connect Four (7x6:4+gravity)``."""
    title = title_of_id(id)
    return title if title.replace("×", "x") == id else f"{title} ({id})"


def describe_result(summary: Summary) -> str:
    return "unfinished" if summary.outcome is None else describe_outcome(summary.outcome)
