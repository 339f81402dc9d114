"""``noughts compare``: the searches of the textbook side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import indent

import click

from noughts.ask.compare import COMPARE, ComparisonAnswer
from noughts.cli.options import json_option
from noughts.cli.output import print_answer, table_width
from noughts.cli.progress import ProgressDisplay
from noughts.cli.tables import align_table, format_table
from noughts.cli.types import GAME, NUMBER, PLOT_FILE, WHOLE_NUMBER
from noughts.games import Game, Position
from noughts.teaching.comparison import (
    CONTESTANTS,
    EVALUATIONS,
    Comparison,
    Precision,
    Progress,
    Row,
    comfortable_depth,
    compare,
    label,
    nodes_by_depth,
    series,
)
from noughts.teaching.plots import plot_comparison
from noughts.teaching.tree import format_value
from noughts.teaching.tree.search_tree import tree_size

INDENT = "  "
COLUMNS = ("algorithm", "order", "nodes", "time", "nodes/s", "reduction", "move", "value")
NARROW_COLUMNS = ("algorithm", "nodes", "time", "reduction", "move", "value")
"""Columns for 80 columns: only alphabeta has several orders, and nodes a second follow from nodes and time."""


@click.command(name="compare")
@click.argument("game", type=GAME)
@click.argument("position", required=False)
@click.option(
    "--series",
    "whole_series",
    is_flag=True,
    help="Compare on six positions: empty, after 1, 2, 3 moves, a block, a win.",
)
@click.option("--depth", "-d", type=WHOLE_NUMBER, help="Depth to search. Default: to the end if that is quick.")
@click.option(
    "--evaluate",
    "-e",
    type=click.Choice(list(EVALUATIONS)),
    help=(
        "Evaluation at the depth. Default: outcome, or lines when the depth is limited; with --series those that prefer"
        " the sooner win."
    ),
)
@click.option("--seconds", "-s", type=NUMBER, default=10.0, show_default=True, help="Time limit for each algorithm.")
@click.option("--plot", type=PLOT_FILE, help="Also plot nodes, and nodes against depth, to a file.")
@json_option("Print JSON, one line a position", COMPARE)
def command(
    game: Game,
    position: str | None,
    whole_series: bool,
    depth: int | None,
    evaluate: str | None,
    seconds: float,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Compare the searches of the textbook on GAME (from POSITION, a position string, or the start).

    The value of mcts is an estimate, marked by ≈. With an evaluation other than outcome, proof_number_search proves
    the sign of the value.

    \b
    noughts compare 3x3
    noughts compare 3x3 --series
    noughts compare 5x5:4 --depth 4 --plot nodes.png
    """
    _check(position, whole_series, depth, seconds)
    comparisons = []
    with ProgressDisplay() as display:
        progress = _Progress(display, (6 if whole_series else 1) * len(CONTESTANTS))
        for name, start in _positions(game, position, whole_series):
            began = time.monotonic()
            found = _compare(name, start, depth, evaluate, whole_series, seconds, progress)
            comparisons.append(found)
            display.clear()
            if as_json:
                print_answer(ComparisonAnswer.of(found), time.monotonic() - began)
            else:
                click.echo(_table(found))
        if plot is not None:
            _plot(game.parse(comparisons[0].position), comparisons[0], seconds, plot, progress)


def _check(position: str | None, whole_series: bool, depth: int | None, seconds: float) -> None:
    """Check the options before anything takes long."""
    if position is not None and whole_series:
        raise click.UsageError("expected a position or --series, got both")
    if depth is not None and depth < 0:
        raise ValueError(f"expected a depth of 0 or more, got {depth}")
    if not seconds > 0:
        raise ValueError(f"expected a number of seconds above 0, got {seconds:g}")


def _positions(game: Game, position: str | None, whole_series: bool) -> Iterator[tuple[str, Position]]:
    if whole_series:
        return series(game)
    if position is None:
        return iter([("empty board", game.start())])
    return iter([("position", game.parse(position))])


def _compare(
    name: str,
    start: Position,
    depth: int | None,
    evaluate: str | None,
    prefers_sooner: bool,
    seconds: float,
    progress: Progress,
) -> Comparison:
    start.require_unfinished()
    if depth is None:
        depth = comfortable_depth(start)
        if depth is not None:
            size = tree_size(start)
            click.echo(
                f"the whole tree has {size} nodes, too many for plain minimax: depth {depth} is compared", err=True
            )
    return compare(start, depth, evaluate or _default_evaluation(depth, prefers_sooner), seconds, name, progress)


def _default_evaluation(depth: int | None, prefers_sooner: bool) -> str:
    if depth is None:
        return "sooner" if prefers_sooner else "outcome"
    return "lines_sooner" if prefers_sooner else "lines"


def _table(comparison: Comparison) -> str:
    """Return a comparison as a table under a title."""
    title = f"{comparison.game}, {comparison.name}: {comparison.position}   ({_extent(comparison)})"
    width = table_width() - len(INDENT)
    rows = [_cells(row) for row in comparison.rows]
    narrow = [_without_order(row, cells) for row, cells in zip(comparison.rows, rows, strict=True)]
    if _width(COLUMNS, rows) > width >= _width(NARROW_COLUMNS, narrow):
        orders = {row.order for row in comparison.rows if row.algorithm not in ("minimax", "alphabeta")}
        title += "".join(f"\norder of moves, unless named: {order}" for order in orders)
        table = format_table(NARROW_COLUMNS, narrow, width, right=NARROW_COLUMNS[1:])
    else:
        table = format_table(COLUMNS, rows, width, right=COLUMNS[2:])
    return f"{title}\n{indent(table, INDENT)}\n"


def _width(headers: Sequence[str], rows: Sequence[tuple[str, ...]]) -> int:
    return max(map(len, align_table(headers, rows)))


def _without_order(row: Row, cells: tuple[str, ...]) -> tuple[str, ...]:
    numbers = cells[2:4] + cells[5:] if row.nodes is not None else cells[2:]
    return label(row.algorithm, row.order), *numbers


def _extent(comparison: Comparison) -> str:
    if comparison.depth is None:
        return f"to the end, a tree of {comparison.tree} nodes"
    return f"to depth {comparison.depth}, {comparison.tree} nodes of a tree of {comparison.whole_tree}"


def _cells(row: Row) -> tuple[str, ...]:
    if row.nodes is None or row.seconds is None:
        return row.algorithm, row.order, row.note
    speed = "" if row.nodes_per_second is None else f"{row.nodes_per_second:,}"
    measured = (f"{row.nodes:,}", f"{row.seconds:.3f} s", speed, _reduction(row))
    return row.algorithm, row.order, *measured, row.move or "", _value(row)


def _reduction(row: Row) -> str:
    if row.reduction is None or row.algorithm == "minimax":
        return ""
    # Something was searched: 100.0% would deny it.
    return f"{row.reduction:.1%}" if row.reduction < 0.9995 else ">99.9%"


def _value(row: Row) -> str:
    """Return the value as far as it is known: exactly, about, or its sign."""
    if row.precision is Precision.ESTIMATE:
        return "≈ " + format_value(row.value)
    if row.precision is Precision.SIGN and row.value:
        return "> 0" if row.value > 0 else "< 0"
    return format_value(row.value)


def _plot(start: Position, comparison: Comparison, seconds: float, path: Path, progress: Progress) -> None:
    deepest = comparison.depth if comparison.depth is not None else start.cells.count(None)
    by_depth = nodes_by_depth(start, max(1, deepest), comparison.evaluate, seconds, progress)
    plot_comparison(comparison, by_depth, path)
    click.echo(f"plotted to {path}", err=True)


class _Progress:
    """Shows the running algorithm, and how many of all have been run."""

    def __init__(self, display: ProgressDisplay, total: int) -> None:
        self._display, self._total = display, total
        self._names: list[str] = []

    def __call__(self, name: str, evaluated: int) -> None:
        if self._names[-1:] != [name]:
            self._names.append(name)
        self._display.show_count(len(self._names) - 1, self._total, f"{name}: {evaluated:,} evaluated")
