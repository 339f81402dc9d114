"""``noughts stats``: results by game and opponent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from noughts.cli.options import json_option
from noughts.cli.output import print_json, table_width
from noughts.cli.saved_table import title_with_id
from noughts.cli.tables import format_table
from noughts.cli.types import GAME, PLAYER, PLOT_FILE
from noughts.games import Game
from noughts.games.titles import title_of_id
from noughts.store import PlayerRecord, Store

HEADERS = ("game", "against", "played", "won", "drawn", "lost", "plies", "time/move", "accuracy")

COLOURS = {"won": "#0072b2", "drawn": "#bbbbbb", "lost": "#e69f00"}
"""Distinguishable by colour-blind readers, too."""
MEASURES = {"plies": "plies", "seconds": "seconds a move", "accuracy": "accuracy in %"}


@click.command(name="stats")
@click.option("--game", metavar="GAME", type=GAME, help="Only this game.")
@click.option(
    "--player", default="you", show_default=True, metavar="NAME", type=PLAYER, help="The player: you, or a level."
)
@click.option("--plot", metavar="FILE", type=PLOT_FILE, help="Also plot them: .png, .svg or .pdf.")
@json_option()
def command(game: Game | None, player: str, plot: Path | None, as_json: bool) -> None:
    """Show the results of finished games: won, drawn, lost, length, time per move, and accuracy if reviewed."""
    with Store(read_only=True) as store:
        found = store.player_records(player, game.id if game else None)
    if plot:
        _plot(found, player, plot)
    if as_json:
        print_json(found)
    elif not found:
        click.echo(_nothing_yet(player), err=True)
    else:
        rows, wider = ([_row(record, name) for record in found] for name in (title_of_id, title_with_id))
        click.echo(format_table(HEADERS, rows, table_width(), wider=wider))


def _nothing_yet(player: str) -> str:
    return "you have no finished games yet" if player == "you" else f"{player} has no finished games yet"


def _row(record: PlayerRecord, name: Callable[[str], str]) -> tuple[str, ...]:
    counts = (record.played, record.won, record.drawn, record.lost)
    seconds = "–" if record.seconds is None else f"{record.seconds:.1f} s"
    accuracy = "–" if record.accuracy is None else f"{record.accuracy:.0f}%"
    return (name(record.game), record.opponent, *map(str, counts), f"{record.plies:.1f}", seconds, accuracy)


def _plot(found: list[PlayerRecord], player: str, file: Path) -> None:
    """Plot the results, with length, time and accuracy beside them: one line for each game and opponent."""
    if not found:
        raise click.ClickException(f"there is nothing to plot: {_nothing_yet(player)}")
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(11, 1.6 + 0.45 * len(found)), layout="constrained")
    results, *others = figure.subplots(1, 4, sharey=True, width_ratios=[3, 1, 1, 1])
    labels = [f"{title_of_id(record.game)} against {record.opponent}" for record in found]
    left = [0] * len(found)
    for name, colour in COLOURS.items():
        counts = [getattr(record, name) for record in found]
        results.barh(labels, counts, left=left, label=name, color=colour)
        left = [start + count for start, count in zip(left, counts, strict=True)]
    results.invert_yaxis()
    results.set_title("games" if player == "you" else f"games of {player}", fontsize=10)
    results.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.legend(loc="outside lower center", ncols=len(COLOURS), frameon=False)
    for axes, (name, title) in zip(others, MEASURES.items(), strict=True):
        axes.barh(labels, [getattr(record, name) or 0 for record in found], color="#888888")
        axes.set_title(title, fontsize=10)
    figure.savefig(file)
    click.echo(f"plotted to {file}", err=True)
