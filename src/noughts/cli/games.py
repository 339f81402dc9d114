"""``noughts games``: the saved games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from noughts.cli.groups import HelpfulGroup
from noughts.cli.options import json_option
from noughts.cli.output import Deleted, board_style, print_json, say, stdout_capabilities, table_width
from noughts.cli.saved_table import describe_result, format_saved
from noughts.cli.types import GAME, PLAYTHROUGH, PLAYTHROUGH_SUFFIXES, UNFINISHED_PLAYTHROUGH, File
from noughts.games import Game, save
from noughts.games.quoting import count, escape_control_characters
from noughts.games.rendering.text import draw
from noughts.games.titles import title_of
from noughts.invocation import command_line
from noughts.store import Store

MAX_LISTED_GAMES = 20


@click.group(name="games", cls=HelpfulGroup, invoke_without_command=True)
@click.option("--game", metavar="GAME", type=GAME, help="List only this game.")
@click.option("--unfinished", is_flag=True, help="List only those that can be resumed.")
@click.option("--all", "show_all", is_flag=True, help=f"List all, not only the last {MAX_LISTED_GAMES}.")
@json_option()
@click.pass_context
def command(context: click.Context, game: Game | None, unfinished: bool, show_all: bool, as_json: bool) -> None:
    """List the saved games, the latest first; show, resume, export or delete them by their ids."""
    if context.invoked_subcommand is not None:
        return
    with Store(read_only=True) as store:
        found = store.list(game.id if game else None, unfinished)
    shown = found if show_all or as_json else found[:MAX_LISTED_GAMES]
    if as_json:
        from noughts.ask.files import SavedGame

        print_json([SavedGame.of(summary) for summary in shown])
    elif not shown:
        click.echo(f"no saved games yet; {command_line('play')} starts one", err=True)
    else:
        click.echo(format_saved(shown, table_width()))
        if len(found) > len(shown):
            click.echo(f"and {count(len(found) - len(shown), 'older game')}; --all shows them", err=True)


@command.command("show", short_help="Show a game: its moves and last position.")
@click.argument("number", metavar="ID", type=PLAYTHROUGH)
@json_option()
def show(number: int, as_json: bool) -> None:
    """Show a game: players, moves, last position and result."""
    with Store(read_only=True) as store:
        saved = store.get(number)
    if as_json:
        from noughts.ask.files import ShownGame

        print_json(ShownGame.of_saved(saved))
        return
    capabilities = stdout_capabilities()
    x, o = map(escape_control_characters, (saved.summary.x, saved.summary.o))
    say(f"{number}: {title_of(saved.game)}, X: {x}, O: {o}. {describe_result(saved.summary)}.")
    board = draw(saved.position(), capabilities.width, board_style(capabilities), notes=saved.summary.outcome is None)
    click.echo(f"\n{board}\n")
    click.echo(" ".join(map(saved.game.format_cell, saved.moves)) or "no moves")


@command.command("resume", short_help="Continue an unfinished game.")
@click.argument("number", metavar="[ID]", type=UNFINISHED_PLAYTHROUGH, required=False)
@click.option("--full", is_flag=True, help="Fill the screen, with mouse and keys.")
@json_option("Print each event as a line of JSON.")
def resume(number: int | None, full: bool, as_json: bool) -> int:
    """Continue the latest unfinished game, or the one with this id."""
    from noughts.cli.play import PlayOptions
    from noughts.cli.play import resume as resume_play

    with Store() as store:
        if number is None:
            number = _latest_unfinished(store)
        saved = store.get(number)
        if saved.summary.outcome is not None:
            raise click.ClickException(f"game {number} is over; {command_line('games', 'show', number)} shows it")
        return resume_play(saved, store, PlayOptions(full=full, as_json=as_json))


def _latest_unfinished(store: Store) -> int:
    found = store.list(unfinished=True, limit=1)
    if not found:
        raise click.ClickException(f"there is no unfinished game; {command_line('play')} starts one")
    return found[0].id


@dataclass(frozen=True)
class ExportedGame:
    """The file that a saved game was written to."""

    game: int
    file: str


@command.command("export")
@click.argument("number", metavar="ID", type=PLAYTHROUGH)
@click.argument("file", type=File(*PLAYTHROUGH_SUFFIXES, as_text=True))
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@json_option()
def export(number: int, file: str, force: bool, as_json: bool) -> None:
    """Write a game to FILE, whose name ends in .ngn or .sgf."""
    if Path(file).exists() and not force:
        raise click.ClickException(f"{file} already exists; --force overwrites it")
    with Store(read_only=True) as store:
        save(store.get(number).playthrough(), file)
    click.echo(f"game {number} written to {file}", err=True)
    if as_json:
        print_json(ExportedGame(number, file))


@command.command("delete")
@click.argument("numbers", metavar="ID...", type=PLAYTHROUGH, nargs=-1, required=True)
@json_option("Print each deleted id as a line of JSON.")
def delete(numbers: tuple[int, ...], as_json: bool) -> None:
    """Delete games for good."""
    with Store() as store:
        for number in numbers:
            store.delete(number)
            click.echo(f"game {number} deleted", err=True)
            if as_json:
                print_json(Deleted(number))
