"""``noughts games``: the games that are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from noughts.cli.capabilities import board_style, stdout_capabilities
from noughts.cli.groups import HelpfulGroup
from noughts.cli.options import complete_game
from noughts.cli.output import format_table, say
from noughts.games import find_game, save
from noughts.games.quoting import escape_control_characters
from noughts.games.rendering.text import draw
from noughts.plural import count
from noughts.store import Store, Summary

__all__ = ["command"]

SHOWN = 20
HEADERS = ("id", "game", "X", "O", "result", "plies", "last played")


@click.group(name="games", cls=HelpfulGroup, invoke_without_command=True)
@click.option("--game", metavar="GAME", shell_complete=complete_game, help="Only those of one game.")
@click.option("--unfinished", is_flag=True, help="Only those that can be resumed.")
@click.option("--all", "show_all", is_flag=True, help=f"All of them, not only the last {SHOWN}.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
@click.pass_context
def command(context: click.Context, game: str | None, unfinished: bool, show_all: bool, as_json: bool) -> None:
    """List the games that are kept, the latest first; show, resume, export or delete them by their ids."""
    if context.invoked_subcommand is not None:
        return
    with Store(read_only=True) as store:
        found = store.list(find_game(game).id if game else None, unfinished)
    shown = found if show_all or as_json else found[:SHOWN]
    if as_json:
        click.echo(json.dumps([_data(summary) for summary in shown], indent=2))
    elif not shown:
        click.echo("no games are kept yet; noughts play begins one", err=True)
    else:
        click.echo(format_table(HEADERS, [_row(summary) for summary in shown], stdout_capabilities().width))
        if len(found) > len(shown):
            click.echo(f"and {count(len(found) - len(shown), 'older game')}; --all shows them", err=True)


@command.command("show", short_help="Show a game, its moves and its last position.")
@click.argument("number", metavar="ID", type=int)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def show(number: int, as_json: bool) -> None:
    """Show a game: who played, the moves, the last position and the result."""
    with Store(read_only=True) as store:
        kept = store.get(number)
    moves = [kept.game.format_cell(move) for move in kept.moves]
    position = kept.position()
    if as_json:
        more = {"start": kept.start, "moves": moves, "seconds": kept.move_seconds, "position": position.text}
        click.echo(json.dumps(_data(kept.summary) | more, indent=2))
        return
    able = stdout_capabilities()
    x, o = map(escape_control_characters, (kept.summary.x, kept.summary.o))
    say(f"{number}: {kept.game.name}, X: {x}, O: {o}. {_result(kept.summary)}.")
    board = draw(position, able.width, board_style(able), notes=kept.summary.outcome is None)
    click.echo(f"\n{board}\n")
    click.echo(" ".join(moves) or "no moves")


@command.command("resume", short_help="Go on with a game that is not over.")
@click.argument("number", metavar="[ID]", type=int, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON.")
def resume(number: int | None, as_json: bool) -> int:
    """Go on with a game that is not over: the latest, or the one with this id."""
    from noughts.cli.play import Options
    from noughts.cli.play import resume as go_on

    with Store() as store:
        if number is None:
            number = _latest_unfinished(store)
        kept = store.get(number)
        if kept.summary.outcome is not None:
            raise click.ClickException(f"game {number} is over; noughts games show {number} shows it")
        return go_on(kept, store, Options(as_json=as_json))


def _latest_unfinished(store: Store) -> int:
    found = store.list(unfinished=True, limit=1)
    if not found:
        raise click.ClickException("there is no unfinished game; noughts play begins one")
    return found[0].id


@command.command("export")
@click.argument("number", metavar="ID", type=int)
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def export(number: int, file: str, force: bool, as_json: bool) -> None:
    """Write a game to FILE, whose name ends in .ngn or .sgf."""
    if Path(file).exists() and not force:
        raise click.ClickException(f"there is a file {file} already; --force writes over it")
    with Store(read_only=True) as store:
        save(store.get(number).playthrough(), file)
    click.echo(f"game {number} is in {file}", err=True)
    if as_json:
        click.echo(json.dumps({"game": number, "file": file}))


@command.command("delete")
@click.argument("numbers", metavar="ID...", type=int, nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print each deleted id as a line of JSON.")
def delete(numbers: tuple[int, ...], as_json: bool) -> None:
    """Forget games for good."""
    with Store() as store:
        for number in numbers:
            store.delete(number)
            click.echo(f"game {number} is deleted", err=True)
            if as_json:
                click.echo(json.dumps({"deleted": number}))


def _row(summary: Summary) -> tuple[str, ...]:
    when = summary.updated.astimezone().strftime("%Y-%m-%d %H:%M")
    return (str(summary.id), summary.game, summary.x, summary.o, _result(summary), str(summary.plies), when)


def _result(summary: Summary) -> str:
    outcome = summary.outcome
    if outcome is None:
        return "unfinished"
    return f"draw ({outcome.reason})" if outcome.winner is None else f"{outcome.winner} wins ({outcome.reason})"


def _data(summary: Summary) -> dict[str, Any]:
    outcome = summary.outcome
    return summary.to_data() | {
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "points": outcome.points if outcome else None,
    }
