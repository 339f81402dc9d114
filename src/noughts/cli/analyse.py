"""``noughts analyse``: the engine's lines for a position."""

from __future__ import annotations

import json
from typing import Any

import click

from noughts.analysis.advice import DEFAULT_LINES, Advice, Source
from noughts.cli.options import engine_options, find_unfinished, make_limit, open_advisor
from noughts.cli.output import show_status, terminal_width
from noughts.cli.types import START, Start, WholeNumberRange
from noughts.engine.evaluator import EngineSearch
from noughts.engine.network import Network
from noughts.games import Position
from noughts.limit import DEFAULT_SECONDS

__all__ = ["command"]


@click.command(name="analyse")
@click.argument("game", type=START)
@click.argument("position", required=False)
@click.option(
    "--lines", "-l", type=WholeNumberRange(1, 1024), default=DEFAULT_LINES, show_default=True, help="Number of lines."
)
@engine_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    game: Start,
    position: str | None,
    lines: int,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    threads: int,
    book: bool,
    network: Network,
    search: EngineSearch,
    as_json: bool,
) -> None:
    """Show the best moves of GAME with their lines, from POSITION (a position string) or the start.

    GAME is an id, an alias, a file with a custom game, or a saved playthrough (.ngn, .sgf), whose last position is
    used. Without a limit the engine thinks for one second. Values are proven, by the opening book where it says so;
    scores are estimates for the side to move.

    \b
    noughts analyse 3x3 '3/1x1/o2 x'
    noughts analyse qubic --lines 5 --seconds 3
    """
    start = find_unfinished(game, position)
    with open_advisor(threads, book, network, search) as advisor:
        limit = make_limit(seconds, depth, nodes, DEFAULT_SECONDS)
        found = advisor.advise(start, limit, lines=lines, progress=_show_progress)
    show_status("")
    click.echo(json.dumps(_data(start, found), indent=2) if as_json else _table(start, found))


def _show_progress(found: list[Advice]) -> None:
    show_status(str(found[0].result))


def _table(position: Position, found: list[Advice]) -> str:
    search = found[0].result
    title = f"{position.game.label}  {position.text}"
    effort = f"{position.turn} to move: depth {search.depth}, {search.nodes:,} nodes, {search.seconds:.2f} s"
    names = [position.format_move(each.move) for each in found]
    name_width = max(len("move"), *map(len, names))
    verdicts = [f"{each.result.verdict}{', book' if each.source is Source.BOOK else ''}" for each in found]
    verdict_width = max(len("verdict"), *map(len, verdicts))
    head = f"  {'move':{name_width}}  {'verdict':>{verdict_width}}  chance  line"
    room = max(10, terminal_width() - len(head) + len("line"))
    rows = [
        f"  {name:{name_width}}  {verdict:>{verdict_width}}  {each.worth.chance:>6.0%}  {_line(position, each, room)}"
        for name, verdict, each in zip(names, verdicts, found, strict=True)
    ]
    return "\n".join([title, effort, head, *rows])


def _line(position: Position, each: Advice, room: int) -> str:
    """The moves of a line that fit into ``room`` columns."""
    text = ""
    for move in each.pv:
        longer = f"{text} {position.format_move(move)}".strip()
        if len(longer) > room - 2:
            return f"{text} …"
        text = longer
    return text


def _data(position: Position, found: list[Advice]) -> dict[str, Any]:
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


def _move_data(position: Position, each: Advice) -> dict[str, Any]:
    return {
        "move": position.format_move(each.move),
        "cell": each.move,
        "verdict": each.result.verdict,
        **each.worth.to_data(),
        "source": each.source,
        "line": [position.format_move(move) for move in each.pv],
    }
