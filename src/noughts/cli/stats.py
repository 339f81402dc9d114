"""``noughts stats``: results by game and opponent, and the rating over time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from noughts.analysis.puzzle_choice import rating_after
from noughts.analysis.puzzles import shipped_puzzles
from noughts.cli.options import json_option
from noughts.cli.output import filled, print_json, table_width
from noughts.cli.own_rating import History, RatingPoint, rating_history
from noughts.cli.saved_table import title_with_id
from noughts.cli.tables import format_table
from noughts.cli.types import GAME, PLAYER, PLOT_FILE
from noughts.games import Game
from noughts.games.quoting import count
from noughts.games.titles import title_of, title_of_id
from noughts.store import PlayerRecord, Store

HEADERS = ("game", "against", "played", "won", "drawn", "lost", "moves", "time/move", "accuracy")

MOST_DAYS = 12
"""Days of the rating over time in the table; the plot has all games."""
COLOURS = {"won": "#0072b2", "drawn": "#bbbbbb", "lost": "#e69f00"}
"""Distinguishable by colour-blind readers, too."""
MEASURES = {"plies": "moves", "seconds": "seconds a move", "accuracy": "accuracy in %"}


@click.command(name="stats")
@click.option("--game", metavar="GAME", type=GAME, help="Only this game.")
@click.option(
    "--player", default="you", show_default=True, metavar="NAME", type=PLAYER, help="The player: you, or a level."
)
@click.option("--rating", is_flag=True, help="Show the rating over time instead.")
@click.option("--plot", metavar="FILE", type=PLOT_FILE, help="Also plot them: .png, .svg or .pdf.")
@json_option()
def command(game: Game | None, player: str, rating: bool, plot: Path | None, as_json: bool) -> None:
    """Show the results of finished games: won, drawn, lost, length, time per move, and accuracy if reviewed.

    Below them is the rating in each game, from the last 30 games against levels and elo:N. In each game the level easy
    is 1000; a difference of 400 is odds of ten to one.

    \b
    noughts stats
    noughts stats --rating --game connect4 --plot rating.svg
    """
    with Store(read_only=True) as store:
        found = store.player_records(player, game.id if game else None)
        history = rating_history(store.list(game.id if game else None), player)
        tries = store.puzzle_tries() if player == "you" and game is None else []
    points = [point for points in history.values() for point in points]
    nothing = None if (points if rating else found) else _nothing_yet(player, rating, game)
    if plot and nothing:
        raise click.ClickException(f"there is nothing to plot: {nothing}")
    if plot and rating:
        _plot_ratings(history, player, plot)
    elif plot:
        _plot(found, player, plot)
    if as_json:
        print_json(points if rating else found)
    elif nothing:
        click.echo(nothing, err=True)
    elif rating:
        click.echo(_format_history(history))
    else:
        click.echo("\n\n".join(filter(None, [_format_records(found), _format_ratings(history)])))
    if tries and not as_json:
        ratings = {puzzle.id: puzzle.rating for puzzle in shipped_puzzles()}
        click.echo(
            filled(f"\nYour puzzle rating is {rating_after(tries, ratings)}, after {count(len(tries), 'puzzle')}.")
        )


def _nothing_yet(player: str, rating: bool, game: Game | None) -> str:
    has = "you have" if player == "you" else f"{player} has"
    of_game = f" of {title_of(game)}" if game else ""
    return f"{has} no finished games{of_game}{' against levels' if rating else ''} yet"


def _format_records(found: list[PlayerRecord]) -> str:
    rows, wider = ([_row(record, name) for record in found] for name in (title_of_id, title_with_id))
    return format_table(HEADERS, rows, table_width(), wider=wider)


def _format_ratings(history: History) -> str:
    """Return the rating in each game; an empty text if there is none."""
    rows = [(title_of_id(name), *_rated(points[-1])) for name, points in history.items()]
    return format_table(("game", "rated games", "rating"), rows, table_width()) if rows else ""


def _format_history(history: History) -> str:
    """Return the last rating of each of the latest days, by game."""
    rows = []
    for name, points in history.items():
        of_days = {point.day: point for point in points}
        rows += [(title_of_id(name), str(day), *_rated(point)) for day, point in [*of_days.items()][-MOST_DAYS:]]
    return format_table(("game", "day", "rated games", "rating"), rows, table_width())


def _rated(point: RatingPoint) -> tuple[str, str]:
    """The games and the rating: a bound if all of them were won, or all lost."""
    rating = f"{point.rating} ± {point.error}" if point.bound is None else f"at {point.bound} {point.rating}"
    return str(point.games), rating


def _row(record: PlayerRecord, name: Callable[[str], str]) -> tuple[str, ...]:
    counts = (record.played, record.won, record.drawn, record.lost)
    seconds = "–" if record.seconds is None else f"{record.seconds:.1f} s"
    accuracy = "–" if record.accuracy is None else f"{record.accuracy:.0f}%"
    return (name(record.game), record.opponent, *map(str, counts), f"{record.plies:.1f}", seconds, accuracy)


def _plot(found: list[PlayerRecord], player: str, file: Path) -> None:
    """Plot the results, with length, time and accuracy beside them: one line for each game and opponent."""
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


def _plot_ratings(history: History, player: str, file: Path) -> None:
    """Plot the rating after each game, with its interval: one line for each game."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, points in history.items():
        games, ratings = [each.games for each in points], [each.rating for each in points]
        (line,) = axes.plot(games, ratings, marker=".", label=title_of_id(name))
        lower, upper = ([each.rating + sign * each.error for each in points] for sign in (-1, 1))
        axes.fill_between(games, lower, upper, alpha=0.12, color=line.get_color(), linewidth=0)
    axes.set(xlabel="rated games", ylabel="rating" if player == "you" else f"rating of {player}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False)
    figure.savefig(file)
    click.echo(f"plotted to {file}", err=True)
