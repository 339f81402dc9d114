"""Tournaments in plain text: the table, the cross table, what is worth a remark."""

from __future__ import annotations

from math import inf

from noughts.arena.elo import Rating
from noughts.arena.plan import Plan
from noughts.arena.records import Played
from noughts.arena.remarks import remarks
from noughts.arena.schedule import Schedule
from noughts.arena.standings import Standing, Standings
from noughts.cli.tables import format_table
from noughts.games.quoting import escape_control_characters

__all__ = ["HEADERS", "format_elapsed", "format_played", "format_score", "format_standings", "rows_of"]

HEADERS = ("#", "bot", "score", "played", "won", "drawn", "lost", "Elo", "±", "LOS", "forfeits", "s/move")
MOST_CROSSED = 12
"""Bots of which a cross table is printed; the report and --json have it of any number."""


def format_standings(plan: Plan, standings: Standings, schedule: Schedule, width: int) -> str:
    """Return the whole result of a tournament."""
    parts = [format_table(HEADERS, rows_of(standings), width)]
    if 2 < len(standings.bots) <= MOST_CROSSED:
        parts.append(_cross_table(standings, width))
    parts.append("\n".join(remarks(plan, standings, schedule)))
    return "\n\n".join(parts)


def rows_of(standings: Standings) -> list[tuple[str, ...]]:
    """Return the rows of the table, best first; LOS is the likelihood of being stronger than the next."""
    ranking, ratings = standings.ranking, standings.ratings
    rows = []
    for at, bot in enumerate(ranking):
        following = ranking[at + 1] if at + 1 < len(ranking) else None
        los = "–" if following is None else f"{ratings.superiority(bot.number, following.number):.0%}"
        rows.append(_row(at + 1, bot, ratings.of[bot.number], los if standings.plays else "–"))
    return rows


def _row(rank: int, bot: Standing, rating: Rating, los: str) -> tuple[str, ...]:
    has_rating = bot.record.played and rating.error != inf
    elo = (rating.text, f"{rating.error:.0f}") if has_rating else ("–", "–")
    seconds = bot.seconds_a_move
    counts = (bot.record.played, bot.record.won, bot.record.drawn, bot.record.lost)
    forfeits = sum(bot.failures.values())
    time = "–" if seconds is None else f"{seconds:.3f}"
    return (
        str(rank),
        escape_control_characters(bot.name),
        format_score(bot.score),
        *map(str, counts),
        *elo,
        los,
        str(forfeits),
        time,
    )


def format_score(score: float) -> str:
    """Return a score with its half: ``3½``."""
    whole = int(score)
    return f"{whole or ''}½" if score - whole == 0.5 else str(whole)


def _cross_table(standings: Standings, width: int) -> str:
    ranking = standings.ranking
    headers = ("won–drawn–lost", *(str(at) for at in range(1, len(ranking) + 1)))
    rows = []
    for rank, bot in enumerate(ranking, 1):
        met = (standings.cross.get((bot.number, other.number)) for other in ranking)
        cells = [str(record) if record else "·" for record in met]
        rows.append((f"{rank} {bot.name}", *cells))
    return format_table(headers, rows, width)


def format_played(played: Played) -> str:
    """Return a line about a finished playthrough, with control characters escaped."""
    return escape_control_characters(_described(played))


def _described(played: Played) -> str:
    plies = f"{len(played.moves)} plies"
    if played.winner is None:
        return f"{played.x} drew with {played.o} ({played.reason}, {plies})"
    x_won = played.winner == "X"
    winner, loser = (played.x, played.o) if x_won else (played.o, played.x)
    side = "X" if x_won else "O"
    if played.failure is None:
        return f"{winner} as {side} beat {loser} ({played.reason}, {plies})"
    return f"{loser} forfeits to {winner} ({played.failure}: {played.detail}; {plies})"


def format_elapsed(seconds: float | None) -> str:
    """Return a time as one reads it off a clock."""
    if seconds is None:
        return "–:––"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
