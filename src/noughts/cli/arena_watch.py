"""Those who watch a tournament: a live table on a terminal, plain lines elsewhere, JSON events for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import monotonic
from typing import Any

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from noughts.arena.records import Played
from noughts.arena.remarks import sprt_line
from noughts.arena.runner import Run, Watcher
from noughts.arena.schedule import SprtSchedule
from noughts.arena.standings import Standings
from noughts.cli.arena_text import HEADERS, format_elapsed, format_played, rows_of
from noughts.cli.capabilities import capabilities_of
from noughts.cli.output import say
from noughts.games.quoting import terminal_json

__all__ = ["JsonWatcher", "LineWatcher", "LiveWatcher", "make_watcher"]

REFRESH = 0.5
"""Seconds between two drawings of the live table."""
SPARED = ("s/move", "LOS", "played", "forfeits", "drawn", "±")
"""Columns that a narrow terminal does without, the first to go first."""
SHORTEST_NAME, GAP = 10, 2
LATEST = 4


def make_watcher(as_json: bool) -> Watcher:
    """Return who tells about a tournament: on standard output as JSON, else on standard error."""
    if as_json:
        return JsonWatcher()
    return LiveWatcher() if capabilities_of(sys.stderr).can_rewrite else LineWatcher()


class JsonWatcher:
    """One JSON object a line: ``begin``, ``played`` for each playthrough, ``end`` with the standings."""

    def begin(self, run: Run) -> None:
        """Tell the plan."""
        self._say("begin", tournament=run.number, plan=run.plan.to_data(), played=len(run.plays), total=run.total)

    def played(self, run: Run, played: Played) -> None:
        """Tell a result."""
        data = played.to_data()
        names = [run.plan.game.format_cell(move) for move in played.moves]
        self._say("played", done=len(run.plays), total=run.total, **data | {"moves": names})

    def tick(self, run: Run) -> None:
        """Time passes in silence."""

    def end(self, run: Run) -> None:
        """Tell the standings."""
        schedule = run.schedule
        more: dict[str, Any] = {}
        if isinstance(schedule, SprtSchedule):
            test = schedule.test
            more["sprt"] = {
                "accepted": test.accepted,
                "ratio": round(test.ratio, 4),
                "bounds": [round(test.lower, 4), round(test.upper, 4)],
                "pairs": test.counts,
            }
        self._say("end", tournament=run.number, **Standings(run.plan, run.counted).to_data(), **more)

    @staticmethod
    def _say(event: str, **data: Any) -> None:
        click.echo(terminal_json({"event": event, **data}))


class LineWatcher:
    """A line for each playthrough."""

    def begin(self, run: Run) -> None:
        """Say what begins, or goes on."""
        say(_headline(run), err=True)

    def played(self, run: Run, played: Played) -> None:
        """Say the result."""
        left = format_elapsed(run.remaining)
        say(f"{len(run.plays)}/{run.total}  {format_played(played)}  {left} left{_at_most(run)}", err=True)

    def tick(self, run: Run) -> None:
        """Say nothing while time passes."""

    def end(self, run: Run) -> None:
        """The table follows on standard output."""


class LiveWatcher:
    """The table as it stands, drawn over itself, with progress and the time it will still take."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._latest: list[str] = []
        self._drawn = self._took = 0.0
        self._standings: Standings | None = None

    def begin(self, run: Run) -> None:
        """Draw the table."""
        self._standings = Standings(run.plan, run.plays.values())
        self._live.start()
        self._draw(run)

    def played(self, run: Run, played: Played) -> None:
        """Remember the result for the next drawing."""
        assert self._standings is not None
        self._standings.add(played)
        self._latest = [format_played(played), *self._latest][:LATEST]

    def tick(self, run: Run) -> None:
        """Draw again when it is time."""
        # Ratings of many thousand playthroughs take a while: never more than a tenth of the time goes into drawing.
        if monotonic() - self._drawn >= max(REFRESH, 10 * self._took):
            self._draw(run)

    def end(self, run: Run) -> None:
        """Wipe the table out; the final one follows on standard output."""
        self._live.stop()

    def _draw(self, run: Run) -> None:
        began = monotonic()
        assert self._standings is not None
        parts: list[RenderableType] = [
            Text(_headline(run), style="bold"),
            self._table(self._standings),
            self._progress(run),
        ]
        if isinstance(run.schedule, SprtSchedule):
            parts.append(Text(sprt_line(run.schedule), style="bold"))
        parts += [Text(line, style="dim", overflow="ellipsis", no_wrap=True) for line in self._latest]
        self._live.update(Group(*parts), refresh=True)
        self._drawn = monotonic()
        self._took = self._drawn - began

    def _table(self, standings: Standings) -> Table:
        rows = rows_of(standings)[: max(3, self._console.height - LATEST - 6)]
        table = Table(box=None, pad_edge=False)
        sizes = _fitting(rows, self._console.width)
        for name, size in sizes.items():
            table.add_column(name, justify="left" if name == "bot" else "right", width=size, no_wrap=True)
        for row in rows:
            table.add_row(*(text for text, name in zip(row, HEADERS, strict=True) if name in sizes))
        return table

    def _progress(self, run: Run) -> Table:
        line = Table.grid(padding=(0, 1))
        done, total = len(run.plays), run.total
        times = f"{format_elapsed(run.seconds)} passed, {format_elapsed(run.remaining)} left{_at_most(run)}"
        line.add_row(ProgressBar(total=max(1, total), completed=done, width=24), f"{done}/{total}", times)
        return line


def _fitting(rows: Sequence[Sequence[str]], width: int) -> dict[str, int]:
    """The columns that fit a width, each with its size: what can be spared goes first, then names are cut short."""
    columns = zip(HEADERS, zip(*rows, strict=True), strict=True)
    sizes = {name: max(len(name), *map(len, texts)) for name, texts in columns}
    longest = sizes["bot"]
    for name in (*SPARED, None):
        others = sum(sizes.values()) - sizes["bot"] + GAP * (len(sizes) - 1)
        sizes["bot"] = max(min(longest, SHORTEST_NAME), min(longest, width - others))
        if name is None or others + sizes["bot"] <= width:
            break
        del sizes[name]
    return sizes


def _at_most(run: Run) -> str:
    """What follows a number of a sequential test that is not settled: it may end at any moment."""
    return " at most" if isinstance(run.schedule, SprtSchedule) and not run.schedule.is_settled else ""


def _headline(run: Run) -> str:
    plan = run.plan
    said = [plan.game.name, plan.format, plan.pace.text, f"{run.total} playthroughs{_at_most(run)}"]
    if plan.name != f"{plan.game.name} {plan.format}":
        said.insert(0, plan.name)
    before = f", {run.kept_before} already played" if run.kept_before else ""
    return f"tournament {run.number}: {' · '.join(said)}{before}"
