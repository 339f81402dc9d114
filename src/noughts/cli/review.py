"""``noughts review``: a review of saved playthroughs."""

from __future__ import annotations

import time
from pathlib import Path

import click

from noughts.analysis.advice import Advisor
from noughts.analysis.reviews import Label, MoveReview, Review
from noughts.ask.review import DEFAULT_SECONDS, REVIEW, ReviewAnswer, review_within
from noughts.cli.options import EngineOptions, json_option, options_of
from noughts.cli.output import Capabilities, explained, paint, print_answer, show_status, stdout_capabilities
from noughts.cli.tables import Words, format_table
from noughts.cli.types import PLAYTHROUGH_SUFFIXES, PLOT_FILE, File, load_playthroughs
from noughts.engine import Limit
from noughts.games import Playthrough, Side
from noughts.games.outcome import describe_outcome
from noughts.games.quoting import escape_control_characters

__all__ = ["command", "format_review"]

HEADERS = ("", "move", "before", "after", "label", "cost", "better")
LABEL_COLOURS = {Label.INACCURACY: "33", Label.MISTAKE: "33;1", Label.BLUNDER: "31;1", Label.MISSED_WIN: "35;1"}


@click.command(name="review")
@click.argument("file", type=File(*PLAYTHROUGH_SUFFIXES, as_text=True, dir_okay=True))
@options_of(EngineOptions, "engine")
@click.option("--plot", type=PLOT_FILE, help="Also plot X's chance over the playthrough.")
@json_option("Print JSON, one line a playthrough", REVIEW)
def command(file: str, engine: EngineOptions, plot: Path | None, as_json: bool) -> None:
    """Review the playthroughs in FILE (.ngn or .sgf): an evaluation of each move, and better ones.

    --seconds is for the whole review of a playthrough, 8 if there is no limit; --depth and --nodes are for each
    position. Scores and values in the table are for the side that moves. Several playthroughs are plotted to numbered
    files: game-1.png, game-2.png.

    \b
    noughts review game.ngn --seconds 30
    noughts review game.ngn --plot game.png
    """
    plays = load_playthroughs(file)
    limit = engine.limit or Limit(seconds=DEFAULT_SECONDS)
    for number, play in enumerate(plays, start=1):
        began = time.monotonic()
        with engine.open_advisor() as advisor:
            found = _review(play, limit, advisor, f"game {number} of {len(plays)}" if len(plays) > 1 else "")
        if as_json:
            print_answer(ReviewAnswer.of(found), time.monotonic() - began)
        else:
            click.echo(("\n" if number > 1 else "") + format_review(found, stdout_capabilities()))
        if plot is not None:
            _plot(found, plot if len(plays) == 1 else plot.with_stem(f"{plot.stem}-{number}"))


def _review(play: Playthrough, limit: Limit, advisor: Advisor, which: str) -> Review:
    def show(done: int, total: int) -> None:
        show_status(f"{which} position {done} of {total}".strip())

    try:
        return review_within(play, limit, advisor=advisor, progress=show)
    finally:
        show_status("")


def _plot(found: Review, path: Path) -> None:
    from noughts.teaching.plots import plot_review

    with explained(f"cannot write {path}"):
        plot_review(found, path)
    click.echo(f"plotted to {path}", err=True)


def format_review(found: Review, capabilities: Capabilities) -> str:
    """Return a review as a title, a table of the moves, and a line for each side."""
    play = found.playthrough
    lines = [_title(found), _ending(found), ""]
    if play.moves:
        lines += [_table(found, capabilities), ""]
    lines += [_summary(found, side) for side in Side if found.accuracy(side) is not None]
    return "\n".join(lines)


def _title(found: Review) -> str:
    tags = found.playthrough.tags
    players = f"X: {escape_control_characters(tags.get('X', '?'))}  O: {escape_control_characters(tags.get('O', '?'))}"
    return f"{tags['Game']}  {players}  {tags['Result']}  ({found.limit} a position)"


def _ending(found: Review) -> str:
    """The outcome and, unless the rules decided it, the evaluation of the last position."""
    outcome, last = found.playthrough.outcome, found.graph[-1].evaluation
    if outcome is None:
        return f"not finished; the last position is worth {last} to X"
    if found.playthrough.position().is_over:
        return describe_outcome(outcome)
    return f"{describe_outcome(outcome)}; the last position is worth {last} to X"


def _table(found: Review, capabilities: Capabilities) -> str:
    rows = [_cells(found, move) for move in found.moves]
    right = ("", "before", "after")
    if not capabilities.colours:
        return format_table(HEADERS, rows, capabilities.width, right=right, words=Words.SHORTENED)

    def paint_row(number: int, line: str) -> str:
        return _colour(line, found.moves[number].label)

    return format_table(HEADERS, rows, capabilities.width, right=right, words=Words.SHORTENED, paint=paint_row)


def _colour(line: str, label: Label) -> str:
    """Return a row with its label in colour."""
    return line.replace(label, paint(LABEL_COLOURS[label])(label), 1) if label in LABEL_COLOURS else line


def _cells(found: Review, move: MoveReview) -> tuple[str, ...]:
    name = found.playthrough.game.format_cell
    cost = f"{move.cost:.0%}" if not move.label.is_good else ""
    better = "" if move.best == move.move else " ".join(name(cell) for cell in move.line)
    number = f"{move.ply}. {move.side}"
    return number, name(move.move), str(move.before), str(move.after), move.label, cost, better


def _summary(found: Review, side: Side) -> str:
    counts = [(label, found.count(side, label)) for label in Label]
    parts = ", ".join(f"{number} {label}" for label, number in counts if number)
    return f"{side}  accuracy {found.accuracy(side):.0f} %  {parts}"
