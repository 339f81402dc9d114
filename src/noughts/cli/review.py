"""``noughts review``: a review of the last game, of a saved one, or of those in a file."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

import click

from noughts.analysis.advice import Advisor
from noughts.analysis.evaluation import Evaluation
from noughts.analysis.reviews import Label, MoveReview, Review
from noughts.ask.review import DEFAULT_SECONDS, REVIEW, ReviewAnswer, describe_mistake, review_within
from noughts.cli.options import EngineOptions, json_option, options_of
from noughts.cli.output import (
    Capabilities,
    explained,
    filled,
    paint,
    print_answer,
    show_status,
    stdout_capabilities,
    warn,
)
from noughts.cli.review_steps import step_through
from noughts.cli.saved_table import title_with_id
from noughts.cli.tables import Words, format_table
from noughts.cli.types import PLAYTHROUGH_SUFFIXES, PLOT_FILE, REVIEWED, load_playthroughs
from noughts.engine import Limit
from noughts.games import Playthrough, Side
from noughts.games.outcome import describe_outcome
from noughts.games.quoting import count, escape_control_characters, quote
from noughts.invocation import command_line
from noughts.store import Store, StoreError

__all__ = ["command", "format_review"]

HEADERS = ("", "move", "before", "after", "label", "cost", "better")
LABEL_COLOURS = {Label.INACCURACY: "33", Label.MISTAKE: "33;1", Label.BLUNDER: "31;1", Label.MISSED_WIN: "35;1"}


@dataclass(frozen=True)
class Reviewed:
    """A game to review; ``number`` is that of a saved game which is over, whose accuracy is saved."""

    play: Playthrough
    number: int | None = None


@click.command(name="review")
@click.argument("which", metavar="[ID|FILE]", type=REVIEWED, required=False)
@click.option("--step", is_flag=True, help="Go through the mistakes on the board: find the better moves yourself.")
@options_of(EngineOptions, "engine")
@click.option("--plot", type=PLOT_FILE, help="Also plot X's chance over the game.")
@json_option("Print JSON, one line a game", REVIEW)
def command(which: str | None, step: bool, engine: EngineOptions, plot: Path | None, as_json: bool) -> None:
    """Review the last game: the chances before and after each move, the mistakes, and what was better and why.

    ID is the number of a saved game, which noughts games lists; FILE is an .ngn or .sgf file. --step shows the board
    before each mistake and asks you for a better move first.

    The chances are those of the side that moves. --seconds limits the whole review of a game, by default to 8 seconds;
    --depth and --nodes limit the search of each position. If FILE has several games, their plots are numbered:
    game-1.png, game-2.png.

    \b
    noughts review
    noughts review --step
    noughts review 12 --plot game.png
    noughts review game.ngn --seconds 30
    """
    if step and as_json:
        raise click.UsageError("expected --step or --json, not both")
    games = _find_games(which)
    limit = engine.limit or Limit(seconds=DEFAULT_SECONDS)
    for number, reviewed in enumerate(games, start=1):
        play, began = reviewed.play, time.monotonic()
        with engine.open_advisor() as advisor:
            found = _review(play, limit, advisor, f"game {number} of {len(games)}" if len(games) > 1 else "")
            answer = ReviewAnswer.of(found)
            if reviewed.number is not None and engine.limit is None:
                _save_accuracy(reviewed.number, found)
            if as_json:
                print_answer(answer, time.monotonic() - began)
            elif step:
                click.echo(("\n" if number > 1 else "") + _heading(found))
                step_through(play, answer, advisor, stdout_capabilities())
            else:
                click.echo(("\n" if number > 1 else "") + format_review(found, answer, stdout_capabilities()))
        if plot is not None:
            _plot(found, plot if len(games) == 1 else plot.with_stem(f"{plot.stem}-{number}"))


def _find_games(which: str | None) -> list[Reviewed]:
    """Return the last game, the saved game of a number, or the games of a file."""
    if which is not None and which.lower().endswith(PLAYTHROUGH_SUFFIXES):
        return [Reviewed(play) for play in load_playthroughs(which)]
    if which is not None and not which.isdecimal():
        raise click.UsageError(
            f"expected the number of a saved game, or a file name that ends in .ngn or .sgf, got {quote(which)}"
        )
    with Store(read_only=True) as store:
        if which is None:
            latest = store.list(limit=1)
            if not latest:
                raise click.ClickException(f"there is no saved game to review yet; {command_line('play')} starts one")
            which = str(latest[0].id)
        saved = store.get(int(which))
    return [Reviewed(saved.playthrough(), None if saved.summary.outcome is None else saved.summary.id)]


def _save_accuracy(number: int, found: Review) -> None:
    """Save the accuracy of a game that is over, for ``noughts stats``."""
    try:
        with Store() as store:
            store.set_accuracy(number, {side: found.accuracy(side) for side in Side})
    except StoreError as error:
        warn(f"the accuracy is not saved: {error}")


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


def format_review(found: Review, answer: ReviewAnswer, capabilities: Capabilities) -> str:
    """Return a review as a title, a table of the moves, the mistakes in words, and a line for each side."""
    parts = [_heading(found)]
    if found.moves:
        parts.append(_table(found, capabilities))
    mistakes = [describe_mistake(move) for move in answer.moves if not move.label.is_good]
    if mistakes:
        width = capabilities.width
        parts.append(
            "\n".join([fill(text, width, subsequent_indent="   ", break_on_hyphens=False) for text in mistakes])
        )
    parts.append("\n".join([_summary(found, side) for side in Side if found.accuracy(side) is not None]))
    return "\n\n".join(filter(None, parts))


def _heading(found: Review) -> str:
    tags = found.playthrough.tags
    players = f"X: {escape_control_characters(tags.get('X', '?'))}  O: {escape_control_characters(tags.get('O', '?'))}"
    return filled(f"{title_with_id(tags['Game'])}  {players}  {tags['Result']}\n{_ending(found)}")


def _ending(found: Review) -> str:
    """The outcome and, unless the rules decided it, the evaluation of the last position."""
    outcome, last = found.playthrough.outcome, found.graph[-1].evaluation
    if outcome is not None and found.playthrough.position().is_over:
        return describe_outcome(outcome)
    end = "not finished" if outcome is None else describe_outcome(outcome)
    return f"{end}; the last position: {last.text} for X"


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
    cost = f"{100 * move.cost:.0f}%" if not move.label.is_good else ""
    better = "" if move.best == move.move else " ".join(name(cell) for cell in move.line)
    number = f"{move.ply}. {move.side}"
    return number, name(move.move), _short(move.before), _short(move.after), move.label, cost, better


def _short(evaluation: Evaluation) -> str:
    """Return ``62%``, ``draw``, or ``win in 3``, which counts the winner's moves."""
    return evaluation.text.removesuffix(" moves").removesuffix(" move")


def _summary(found: Review, side: Side) -> str:
    counts = [(label, found.count(side, label)) for label in Label]
    named = (f"{number} {label}" if label.is_good else count(number, label) for label, number in counts if number)
    parts = ", ".join(named)
    return f"{side}  accuracy {found.accuracy(side):.0f}%  {parts}"
