"""``noughts book``: the proven positions that the engine answers without a search."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from noughts.cli.groups import HelpfulGroup
from noughts.cli.output import format_table, show_status, stdout_capabilities, system_reason
from noughts.engine import Limit
from noughts.engine.book import Book, shipped_book
from noughts.games import Position, ProvenValue, find_game

__all__ = ["command"]

FILE = click.Path(path_type=Path, dir_okay=False)


@click.group(name="book", cls=HelpfulGroup)
def command() -> None:
    """Show the proven positions that the engine answers without a search, or prove more with the solver."""


@command.command("show")
@click.argument("game", required=False)
@click.option("--file", type=FILE, help="Another book than the one in the package.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(game: str | None, file: Path | None, as_json: bool) -> None:
    """List the games of the book, or the positions of GAME with their values for the side to move."""
    book = shipped_book() if file is None else _load(file)
    if game is None:
        _show_games(book, as_json)
    else:
        _show_positions(book, find_game(game).id, as_json)


def _show_games(book: Book, as_json: bool) -> None:
    counts = {id: Counter[str](entry.value for _, entry in book.positions(id)) for id in book.games}
    if as_json:
        click.echo(json.dumps(counts, indent=2))
        return
    headers = ("game", "positions", "win", "draw", "loss")
    rows = [(id, str(each.total()), *(str(each[value]) for value in headers[2:])) for id, each in counts.items()]
    click.echo(format_table(headers, rows, stdout_capabilities().width))


def _show_positions(book: Book, id: str, as_json: bool) -> None:
    found = list(book.positions(id))
    if as_json:
        click.echo(json.dumps([_data(position, entry) for position, entry in found], indent=2))
        return
    if not found:
        click.echo(f"the book has no positions of {id}; noughts book build adds some", err=True)
    for position, entry in found:
        click.echo(f"{position.text}  {_text(position, entry)}")


def _text(position: Position, entry: ProvenValue) -> str:
    move = "" if entry.move is None else f" by {position.format_move(entry.move)}"
    return entry.value + move


def _data(position: Position, entry: ProvenValue) -> dict[str, str | int | None]:
    move = None if entry.move is None else position.format_move(entry.move)
    return {"position": position.text, "value": entry.value, "move": move, "plies_at_most": entry.plies}


@command.command("build")
@click.argument("game")
@click.option("--out", "-o", type=FILE, required=True, help="Book to write; its existing entries are kept.")
@click.option(
    "--plies", type=click.IntRange(0, 100), default=0, show_default=True, help="Prove every position up to this ply."
)
@click.option(
    "--follow", type=click.IntRange(0, 100), default=0, show_default=True,
    help="Plies beyond that in which the side that does not lose follows the book.",
)  # fmt: skip
@click.option("--seconds", "-s", type=click.FloatRange(0, 1e9, min_open=True), help="Time limit for each position.")
@click.option("--memory", "-m", type=click.IntRange(1, 1 << 20), default=1024, show_default=True, metavar="MB")
def build(game: str, out: Path, plies: int, follow: int, seconds: float | None, memory: int) -> int:
    """Prove positions of GAME from the start and write them to a book, which is saved after each position.

    \b
    noughts book build 5x5:4 --plies 2 --out my.json
    noughts book build connect4 --plies 1 --follow 6 --memory 2048 --out my.json
    """
    from noughts.engine.book_builder import BookBuilder

    book = _load(out) if out.exists() else Book()
    builder = BookBuilder(book, None if seconds is None else Limit(seconds=seconds), memory)
    unsolved, known = 0, len(book)
    for position, entry in builder.build(find_game(game).start(), plies, follow):
        show_status(f"{len(book):,} positions; {position.text}")
        unsolved += entry is None
        if len(book) > known:
            book.save(out)
            known = len(book)
    show_status("")
    click.echo(f"{out}: {len(book):,} positions, {unsolved:,} not solved", err=True)
    return 3 if unsolved else 0


def _load(file: Path) -> Book:
    try:
        return Book.load(file)
    except OSError as error:
        raise click.UsageError(f"cannot read {file}: {system_reason(error)}") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
