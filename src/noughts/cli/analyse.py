"""``noughts analyse``: the engine's lines for a position."""

from __future__ import annotations

from textwrap import indent

import click

from noughts.analysis.advice import DEFAULT_LINES
from noughts.analysis.evaluation import Evaluation, Source
from noughts.ask.analyse import ANALYSE, AnalyseRequest, AnalysisAnswer
from noughts.ask.requests import position_fields
from noughts.cli.options import EngineOptions, find_position, json_option, options_of
from noughts.cli.output import ask_timed, filled, print_answer, show_status, table_width
from noughts.cli.tables import Words, format_table
from noughts.cli.types import START, Start, WholeNumberRange
from noughts.games import Game
from noughts.games.quoting import count

HEADERS = ("move", "verdict", "chance", "line")
INDENT = "  "


@click.command(name="analyse")
@click.argument("game", type=START)
@click.argument("position", required=False)
@click.option(
    "--lines", "-l", type=WholeNumberRange(1, 1024), default=DEFAULT_LINES, show_default=True, help="Number of lines."
)
@options_of(EngineOptions, "engine")
@json_option(question=ANALYSE)
def command(game: Start, position: str | None, lines: int, engine: EngineOptions, as_json: bool) -> None:
    """Show the best moves of GAME with their lines, from POSITION (a position string) or the start.

    GAME is an id, an alias, a file with a custom game, or a saved playthrough (.ngn, .sgf), whose last position is
    used. Without a limit the engine thinks for one second. A win, draw or
    loss is proven; percentages and scores are estimates for the side to move.

    \b
    noughts analyse 3x3 '3/1x1/o2 x'
    noughts analyse qubic --lines 5 --seconds 3
    """
    fields = position_fields(find_position(game, position))
    request = AnalyseRequest(**fields, lines=lines, **engine.bounds)
    with engine.open_advisor() as advisor:
        answer, elapsed = ask_timed(ANALYSE, request, advisor, _show_progress)
    show_status("")
    if as_json:
        print_answer(answer, elapsed)
    else:
        click.echo(_table(game.game, answer, elapsed))


def _show_progress(answer: AnalysisAnswer) -> None:
    best = answer.moves[0]
    show_status(f"depth {answer.depth:2}  {_verdict(best):>16}  {answer.nodes:,} nodes  {' '.join(best.line)}")


def _table(game: Game, answer: AnalysisAnswer, seconds: float) -> str:
    effort = f"{answer.turn} to move: depth {answer.depth}, {answer.nodes:,} nodes, {seconds:.2f} s"
    books = [", book" if each.source is Source.BOOK else "" for each in answer.moves]
    rows = [
        (each.move, f"{_verdict(each)}{book}", f"{each.chance:.0%}", " ".join(each.line))
        for each, book in zip(answer.moves, books, strict=True)
    ]
    table = format_table(HEADERS, rows, table_width() - len(INDENT), right=HEADERS[1:3], words=Words.SHORTENED)
    heading = filled(f"{game.label}  {answer.position}\n{effort}")
    return f"{heading}\n{indent(table, INDENT)}"


def _verdict(found: Evaluation) -> str:
    """The value with its plies when proven, else the score: ``win in 7 plies``, ``+112``."""
    if found.value is None:
        return f"{found.score:+d}"
    return found.value if found.plies is None else f"{found.value} in {count(found.plies, 'ply')}"
