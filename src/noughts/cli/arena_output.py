"""The output of ``noughts arena``: tables, checks, and progress as a live table, as lines or as JSON events."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import inf
from textwrap import fill
from time import monotonic

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from noughts.arena.check import Check
from noughts.arena.plan import Plan
from noughts.arena.ratings import Rating
from noughts.arena.runner import Run, Watcher
from noughts.arena.schedule import Schedule, SprtSchedule
from noughts.arena.standings import Standing, Standings, notes, sprt_note
from noughts.arena.tournaments import Result
from noughts.cli.output import capabilities_of, format_time, print_event, say, table_width
from noughts.cli.tables import format_table
from noughts.games import Side
from noughts.games.quoting import count
from noughts.games.quoting import escape_control_characters as escape
from noughts.games.titles import title_of
from noughts.schema import plain

__all__ = [
    "JsonWatcher",
    "LiveWatcher",
    "PlainWatcher",
    "fit_columns",
    "format_result",
    "format_standings",
    "make_watcher",
    "print_check",
    "print_standings",
]

HEADERS = ("#", "bot", "score", "played", "won", "drawn", "lost", "Elo", "±", "LOS", "forfeits", "s/move")
MAX_CROSS_TABLE_BOTS = 12
"""With more bots the cross table is left to the report and ``--json``."""
REFRESH_SECONDS = 0.5
MAX_DRAWING_SHARE = 0.1
"""Ratings of many thousand playthroughs take a while; drawing must not take more than this share of the time."""
OPTIONAL_COLUMNS = ("s/move", "LOS", "played", "forfeits", "drawn", "±")
"""Columns that a narrow terminal leaves out, the first one first."""
MIN_NAME_WIDTH, COLUMN_GAP = 10, 2
LATEST_RESULTS = 4
STDERR_LINES = 5


# Text


def format_standings(plan: Plan, standings: Standings, schedule: Schedule, width: int) -> str:
    """Return the table of a tournament, the cross table and the notes."""
    parts = [format_table(HEADERS, _rows(standings), width)]
    if 2 < len(standings.bots) <= MAX_CROSS_TABLE_BOTS:
        parts.append(_cross_table(standings, width))
    parts += ["\n".join([fill(note, width, break_on_hyphens=False) for note in notes(plan, standings, schedule)])]
    return "\n\n".join(parts)


def print_standings(run: Run) -> None:
    """Print the table of a tournament as it is now."""
    say(format_standings(run.plan, Standings(run.plan, run.counted), run.schedule, table_width()))


def _rows(standings: Standings) -> list[tuple[str, ...]]:
    """The rows of the table, best first; LOS is the likelihood of being stronger than the next bot."""
    ranking, ratings = standings.ranking, standings.ratings
    rows = []
    for at, bot in enumerate(ranking):
        following = ranking[at + 1] if at + 1 < len(ranking) else None
        los = "–" if following is None else f"{ratings.superiority(bot.number, following.number):.0%}"
        rows.append(_row(at + 1, bot, ratings.of[bot.number], los if standings.results else "–"))
    return rows


def _row(rank: int, bot: Standing, rating: Rating, los: str) -> tuple[str, ...]:
    has_rating = bot.record.played and rating.error != inf
    elo = (rating.text, f"{rating.error:.0f}") if has_rating else ("–", "–")
    counts = (bot.record.played, bot.record.won, bot.record.drawn, bot.record.lost)
    forfeits = sum(bot.failures.values())
    seconds = "–" if bot.seconds_a_move is None else f"{bot.seconds_a_move:.3f}"
    return (str(rank), escape(bot.name), _format_score(bot.score), *map(str, counts), *elo, los, str(forfeits), seconds)


def _format_score(score: float) -> str:
    """The score with its half: ``3½``."""
    whole = int(score)
    return f"{whole or ''}½" if score - whole == 0.5 else str(whole)


def _cross_table(standings: Standings, width: int) -> str:
    ranking = standings.ranking
    headers = ("won–drawn–lost", *(str(at) for at in range(1, len(ranking) + 1)))
    rows = []
    for rank, bot in enumerate(ranking, 1):
        records = (standings.cross.get((bot.number, other.number)) for other in ranking)
        rows.append((f"{rank} {bot.name}", *(str(record) if record else "·" for record in records)))
    return format_table(headers, rows, width)


def format_result(result: Result) -> str:
    """A line about a finished playthrough, with control characters escaped."""
    plies = f"{len(result.moves)} plies"
    if result.winner is None:
        return escape(f"{result.x} drew with {result.o} ({result.reason}, {plies})")
    winner, loser = (result.x, result.o) if result.winner is Side.X else (result.o, result.x)
    if result.failure is None:
        return escape(f"{winner} as {result.winner} beat {loser} ({result.reason}, {plies})")
    return escape(f"{loser} forfeits to {winner} ({result.failure}: {result.detail}; {plies})")


def print_check(check: Check) -> None:
    """Print a line about a check, and after a failure the exchange with the bot."""
    mark = "note" if check.is_note else "ok" if check.passed else "FAIL"
    colour = {"ok": "green", "FAIL": "red", "note": "cyan"}[mark]
    detail = f": {check.detail}" if check.detail else ""
    click.echo(f"{click.style(f'{mark:4}', fg=colour)}  {escape(check.name + detail)}")
    if not check.passed:
        for line in check.exchange:
            say(f"        {line}")
        for line in check.stderr.splitlines()[-STDERR_LINES:]:
            say(f"        stderr: {line}")


# Progress


def make_watcher(as_json: bool) -> Watcher:
    """Return the watcher that reports progress: as JSON on standard output, else as text on standard error."""
    if as_json:
        return JsonWatcher()
    return LiveWatcher() if capabilities_of(sys.stderr).can_rewrite else PlainWatcher()


class JsonWatcher:
    """One JSON object per line: ``begin``, ``played`` for each playthrough, ``end`` with the standings."""

    def begin(self, run: Run) -> None:
        print_event("begin", tournament=run.number, plan=run.plan, played=len(run.results), total=run.total)

    def on_result(self, run: Run, result: Result) -> None:
        moves = [run.plan.game.format_cell(move) for move in result.moves]
        print_event("played", done=len(run.results), total=run.total, **plain(result) | {"moves": moves})

    def tick(self, run: Run) -> None:
        pass

    def end(self, run: Run) -> None:
        more: dict[str, object] = {}
        if isinstance(run.schedule, SprtSchedule):
            test = run.schedule.test
            more["sprt"] = {
                "accepted": test.accepted,
                "ratio": round(test.ratio, 4),
                "bounds": [round(test.lower, 4), round(test.upper, 4)],
                "pairs": test.counts,
            }
        print_event("end", tournament=run.number, **Standings(run.plan, run.counted).to_data(), **more)


class PlainWatcher:
    """One line per playthrough on standard error."""

    def begin(self, run: Run) -> None:
        say(_headline(run), err=True)

    def on_result(self, run: Run, result: Result) -> None:
        if isinstance(run.schedule, SprtSchedule):
            say(f"{len(run.results)}  {format_result(result)}  {_ratio(run.schedule)}", err=True)
        else:
            left = format_time(run.remaining)
            say(f"{len(run.results)}/{run.total}  {format_result(result)}  {left} left", err=True)

    def tick(self, run: Run) -> None:
        pass

    def end(self, run: Run) -> None:
        pass


class LiveWatcher:
    """The current table, redrawn in place, with progress and the time left."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._latest: list[str] = []
        self._drawn_at = self._drawing_seconds = 0.0
        self._standings: Standings | None = None

    def begin(self, run: Run) -> None:
        self._standings = Standings(run.plan, run.results.values())
        self._live.start()
        self._draw(run)

    def on_result(self, run: Run, result: Result) -> None:
        assert self._standings is not None
        self._standings.add(result)
        self._latest = [format_result(result), *self._latest][:LATEST_RESULTS]

    def tick(self, run: Run) -> None:
        if monotonic() - self._drawn_at >= max(REFRESH_SECONDS, self._drawing_seconds / MAX_DRAWING_SHARE):
            self._draw(run)

    def end(self, run: Run) -> None:
        """Erase the table; the final one follows on standard output."""
        self._live.stop()

    def _draw(self, run: Run) -> None:
        began = monotonic()
        assert self._standings is not None
        parts: list[RenderableType] = [Text(_headline(run), style="bold"), *self._table(self._standings)]
        if isinstance(run.schedule, SprtSchedule):
            parts.append(Text(f"{format_time(run.seconds)} elapsed; {sprt_note(run.schedule)}", style="bold"))
        else:
            parts.append(self._progress(run))
        parts += [Text(line, style="dim", overflow="ellipsis", no_wrap=True) for line in self._latest]
        self._live.update(Group(*parts), refresh=True)
        self._drawn_at = monotonic()
        self._drawing_seconds = self._drawn_at - began

    def _table(self, standings: Standings) -> Iterator[RenderableType]:
        """Yield the table, and the names of the columns for which there is no room; the final table has them all."""
        rows = _rows(standings)[: max(3, self._console.height - LATEST_RESULTS - 6)]
        table = Table(box=None, pad_edge=False)
        widths = fit_columns(rows, self._console.width)
        for name, width in widths.items():
            table.add_column(name, justify="left" if name == "bot" else "right", width=width, no_wrap=True)
        for row in rows:
            table.add_row(*(text for text, name in zip(row, HEADERS, strict=True) if name in widths))
        yield table
        if left_out := [name for name in HEADERS if name not in widths]:
            yield Text(f"at the end, or on a wider terminal: {', '.join(left_out)}", style="dim")

    def _progress(self, run: Run) -> Table:
        line = Table.grid(padding=(0, 1))
        done, total = len(run.results), run.total
        times = f"{format_time(run.seconds)} elapsed, {format_time(run.remaining)} left"
        line.add_row(ProgressBar(total=max(1, total), completed=done, width=24), f"{done}/{total}", times)
        return line


def fit_columns(rows: Sequence[Sequence[str]], width: int) -> dict[str, int]:
    """Return the columns that fit a width, with their widths: first optional columns go, then names are shortened."""
    columns = zip(HEADERS, zip(*rows, strict=True), strict=True)
    widths = {name: max(len(name), *map(len, texts)) for name, texts in columns}
    longest = widths["bot"]
    for name in (*OPTIONAL_COLUMNS, None):
        others = sum(widths.values()) - widths["bot"] + COLUMN_GAP * (len(widths) - 1)
        widths["bot"] = max(min(longest, MIN_NAME_WIDTH), min(longest, width - others))
        if name is None or others + widths["bot"] <= width:
            break
        del widths[name]
    return widths


def _ratio(schedule: SprtSchedule) -> str:
    """How near a sequential test is to its end, which may come after any pair."""
    test = schedule.test
    return f"log-likelihood ratio {test.ratio:+.2f}, ends at {test.lower:+.2f} or {test.upper:+.2f}"


def _headline(run: Run) -> str:
    plan = run.plan
    at_most = "at most " if isinstance(run.schedule, SprtSchedule) else ""
    parts = [title_of(plan.game), plan.format, plan.limits.text, f"{at_most}{count(run.total, 'game')}"]
    if plan.name != f"{plan.game.name} {plan.format}":
        parts.insert(0, plan.name)
    before = f", {run.played_before} already played" if run.played_before else ""
    return f"tournament {run.number}: {' · '.join(parts)}{before}"
