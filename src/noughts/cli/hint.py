"""``noughts hint``: the best moves of a position."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.completion import complete_game
from noughts.cli.searching import find_position, knowing_engine, limit_options, make_limit, say_while_thinking
from noughts.engine import SearchResult
from noughts.games import Position

if TYPE_CHECKING:
    from noughts.study.review import Suggestion

__all__ = ["command"]

SECONDS = 1.0


@click.command(name="hint")
@click.argument("game", shell_complete=complete_game)
@click.argument("position", required=False)
@click.option("--lines", "-l", type=click.IntRange(1, 1024), default=3, show_default=True, help="How many moves.")
@limit_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    game: str,
    position: str | None,
    lines: int,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    threads: int,
    as_json: bool,
) -> None:
    """Find the best moves of GAME, from POSITION (a position string) or the beginning.

    GAME is an id, an alias, a file with a game of your own, or a saved game (.ngn, .sgf), whose last position is taken.
    Without a limit it thinks for a second.

    \b
    noughts hint 3x3 '3/1x1/o2 x'
    noughts hint qubic --lines 5 --seconds 3
    """
    from noughts.study.review import hint

    place = find_position(game, position)
    if place.is_over:
        raise ValueError("expected a position to move in, but the game is over")
    limit = make_limit(seconds, depth, nodes, SECONDS)
    with knowing_engine(threads) as engine:
        found = hint(place, limit, engine, lines, progress=_show)
    say_while_thinking("")
    click.echo(json.dumps(_data(place, found), indent=2) if as_json else _table(place, found))


def _show(result: SearchResult) -> None:
    say_while_thinking(str(result)[: _width() - 1])


def _width() -> int:
    from noughts.cli.capabilities import terminal_width

    return terminal_width()


def _table(position: Position, found: list[Suggestion]) -> str:
    search = found[0].result
    title = f"{position.game.label}  {position.text}"
    effort = f"{position.turn} to move: depth {search.depth}, {search.nodes:,} nodes, {search.seconds:.2f} s"
    names = [position.format_move(each.move) for each in found]
    wide = max(len("move"), *map(len, names))
    verdicts = [each.result.verdict for each in found]
    tall = max(len("verdict"), *map(len, verdicts))
    head = f"  {'move':{wide}}  {'verdict':>{tall}}  chance  line"
    room = max(10, _width() - len(head) + len("line"))
    rows = [
        f"  {name:{wide}}  {verdict:>{tall}}  {each.worth.chance:>6.0%}  {_line(position, each, room)}"
        for name, verdict, each in zip(names, verdicts, found, strict=True)
    ]
    return "\n".join([title, effort, head, *rows])


def _line(position: Position, each: Suggestion, room: int) -> str:
    """As many moves of the line as there is room for."""
    text = ""
    for move in each.line:
        longer = f"{text} {position.format_move(move)}".strip()
        if len(longer) > room - 2:
            return f"{text} …"
        text = longer
    return text


def _data(position: Position, found: list[Suggestion]) -> dict[str, Any]:
    search = found[0].result
    return {
        "game": position.game.label,
        "position": position.text,
        "turn": position.turn,
        "depth": search.depth,
        "nodes": search.nodes,
        "seconds": round(search.seconds, 3),
        "moves": [_move_data(position, each) for each in found],
    }


def _move_data(position: Position, each: Suggestion) -> dict[str, Any]:
    from noughts.study.review import worth_data

    line = [position.format_move(move) for move in each.line]
    verdict = {"move": position.format_move(each.move), "cell": each.move, "verdict": each.result.verdict}
    return verdict | worth_data(each.worth) | {"line": line}
