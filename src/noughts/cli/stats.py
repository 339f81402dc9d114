"""``noughts stats``: results by game and opponent."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from noughts.cli.session.terminal import standard_abilities
from noughts.cli.tables import format_table
from noughts.games import find_game
from noughts.store import Record, Store, records

__all__ = ["command"]

HEADERS = ("game", "against", "played", "won", "drawn", "lost", "plies", "time/move", "accuracy")


@click.command(name="stats")
@click.option("--game", metavar="GAME", help="Only one game.")
@click.option("--player", default="you", show_default=True, metavar="NAME", help="Whose results: you, or a level.")
@click.option(
    "--plot", metavar="FILE", type=click.Path(dir_okay=False), help="Draw them as a picture: .png, .svg, .pdf."
)
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def command(game: str | None, player: str, plot: str | None, as_json: bool) -> None:
    """Show the results of finished games: won, drawn, lost, length, time for a move, and accuracy where reviewed."""
    with Store() as store:
        found = records(store, player, find_game(game).id if game else None)
    if plot:
        _plot(found, player, plot)
    if as_json:
        click.echo(json.dumps([asdict(record) for record in found], indent=2))
    elif not found:
        click.echo(f"no finished game of {player} is kept yet", err=True)
    else:
        click.echo(format_table(HEADERS, [_row(record) for record in found], standard_abilities().width))


def _row(record: Record) -> tuple[str, ...]:
    counts = (record.played, record.won, record.drawn, record.lost)
    seconds = "–" if record.seconds is None else f"{record.seconds:.1f} s"
    accuracy = "–" if record.accuracy is None else f"{record.accuracy:.0f}%"
    return (record.game, record.opponent, *map(str, counts), f"{record.plies:.1f}", seconds, accuracy)


def _plot(found: list[Record], player: str, file: str) -> None:
    if not found:
        raise click.ClickException(f"there is nothing to draw: no finished game of {player} is kept yet")
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise click.ClickException("--plot needs matplotlib: pip install 'noughts[plot]'") from None
    figure = Figure(figsize=(8, 1.5 + 0.4 * len(found)), layout="constrained")
    axes = figure.subplots()
    labels = [f"{record.game}\nagainst {record.opponent}" for record in found]
    left = [0] * len(found)
    for name, colour in {"won": "#0072b2", "drawn": "#bbbbbb", "lost": "#e69f00"}.items():
        widths = [getattr(record, name) for record in found]
        axes.barh(labels, widths, left=left, label=name, color=colour)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel(f"games of {player}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="lower right")
    figure.savefig(file)
    click.echo(f"drawn in {file}", err=True)
