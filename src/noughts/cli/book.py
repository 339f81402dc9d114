"""``noughts book``: shows, builds and checks books of positions that the engine answers without a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Self

import click

from noughts.cli.groups import HelpfulGroup
from noughts.cli.options import (
    find_position,
    json_option,
    memory_option,
    nodes_option,
    seconds_option,
    seed_option,
)
from noughts.cli.output import explained, print_json, say, show_status, system_reason, table_width
from noughts.cli.progress import ProgressDisplay
from noughts.cli.resumable_solve import Terminated, signals_raise
from noughts.cli.tables import format_table
from noughts.cli.types import (
    GAME,
    PLAYTHROUGH_SUFFIXES,
    START,
    File,
    Start,
    WholeNumberRange,
    load_playthroughs,
)
from noughts.engine import Limit
from noughts.engine.book import Book, BookEntry, shipped_book
from noughts.games import Game, Position, Side, Value
from noughts.invocation import command_line
from noughts.schema import Shape

if TYPE_CHECKING:
    from noughts.engine.book.book import Chapter
    from noughts.games import Playthrough
    from noughts.proof.proof import Proof

BOOK_FILE = File(".ngb")
SAVE_EVERY_SECONDS = 20.0
BOOK_PLIES = 12
"""Default number of plies that are counted from the start of a playthrough."""
file_option = click.option("--file", "-f", type=BOOK_FILE, help="Book to use instead of the one in the package.")


@click.group(name="book", cls=HelpfulGroup)
def command() -> None:
    """Show what the opening book knows, build another book, or check one with the solver."""


# --- show -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class KnownMove(Shape):
    """A move of the book: its value for the side that makes it, and the playthroughs with it."""

    move: str | None
    cell: int | None
    value: Value | None
    plies: int | None
    wins: int
    draws: int
    losses: int

    @classmethod
    def of(cls, known: Position, entry: BookEntry, **more: object) -> Self:
        """Return the move of an entry; ``more`` are the fields of a subclass."""
        move = None if entry.move is None else known.format_move(entry.move)
        return cls.from_attributes(entry, move=move, cell=entry.move, **more)


@dataclass(frozen=True, kw_only=True)
class KnownPosition(KnownMove):
    """A position of the book with the move to play."""

    game: str
    position: str
    turn: Side | None

    @classmethod
    def of(cls, known: Position, entry: BookEntry, **more: object) -> Self:
        """Return the position with its entry."""
        return super().of(known, entry, game=known.game.id, position=known.text, turn=known.turn, **more)


@dataclass(frozen=True, kw_only=True)
class ShownPosition(KnownPosition):
    """A position with all its moves that the book knows."""

    moves: tuple[KnownMove, ...]


@command.command("show")
@click.argument("game", required=False, type=START)
@click.argument("position", required=False)
@click.option("--all", "show_all", is_flag=True, help="List every position of GAME.")
@file_option
@json_option()
def show(game: Start | None, position: str | None, show_all: bool, file: Path | None, as_json: bool) -> None:
    """List the games of the book, or what it knows about POSITION of GAME (by default the start) and its moves.

    \b
    noughts book show
    noughts book show connect4
    noughts book show connect4 '7/7/7/7/7/3x3 o'
    """
    book = shipped_book() if file is None else _load(file)
    if game is None:
        _show_games(book, as_json)
    elif show_all:
        _show_all(book, game.game, as_json)
    else:
        _show_position(book, find_position(game, position).require_unfinished(), as_json)


def _show_games(book: Book, as_json: bool) -> None:
    rows = [_counts(chapter) for game in book.games if (chapter := book.chapter(game)) is not None]
    if as_json:
        print_json(rows)
    elif rows:
        table = [[str(cell) for cell in row.values()] for row in rows]
        click.echo(format_table(list(rows[0]), table, table_width()))
    else:
        click.echo("the book is empty", err=True)


def _counts(chapter: Chapter) -> dict[str, str | int]:
    entries = [entry for _, entry in chapter.items()]
    values = Counter(entry.value for entry in entries)
    return {
        "game": chapter.game.label,
        "positions": len(entries),
        **{str(value): values[value] for value in Value},
        "not proven": values[None],
        "plies": chapter.most_marks,
    }


def _show_all(book: Book, game: Game, as_json: bool) -> None:
    chapter = book.chapter(game)
    found = [] if chapter is None else list(chapter.items())
    if as_json:
        print_json([KnownPosition.of(position, entry) for position, entry in found])
        return
    if not found:
        say(_nothing(game.label), err=True)
    for position, entry in found:
        say(f"{position.text}  {_text(position, entry)}")


def _show_position(book: Book, position: Position, as_json: bool) -> None:
    entry = book.find(position)
    moves = {move: found for move in position.legal_moves if (found := _entry_after(book, position, move)) is not None}
    if as_json:
        known = tuple(KnownMove.of(position, found) for found in moves.values())
        print_json(ShownPosition.of(position, entry or BookEntry(None), moves=known))
        return
    say(f"{position.game.label}  {position.text}")
    if entry is None and not moves:
        say(_nothing("this position"), err=True)
    if entry is not None:
        say(_text(position, entry))
    if moves:
        columns = 4 if any(found.played for found in moves.values()) else 2
        rows = [_row(position.format_move(move), found)[:columns] for move, found in moves.items()]
        headers = ("move", "value", "playthroughs", "score")[:columns]
        click.echo(format_table(headers, rows, table_width()))


def _entry_after(book: Book, position: Position, move: int) -> BookEntry | None:
    """The entry after a move, for the side that makes it."""
    found = book.find(position.after(move))
    if found is None:
        return None
    value = None if found.value is None else found.value.opposite
    plies = None if found.plies is None else found.plies + 1
    return BookEntry(move, value, plies, found.losses, found.draws, found.wins)


def _row(move: str, found: BookEntry) -> tuple[str, str, str, str]:
    value = "not proven" if found.value is None else str(found.value)
    share = f"{(found.wins + found.draws / 2) / found.played:.0%}" if found.played else ""
    return move, value, str(found.played or ""), share


def _nothing(about: str) -> str:
    return f"the book knows nothing about {about}; {command_line('book', 'build')} makes one that does"


def _text(position: Position, entry: BookEntry) -> str:
    if entry.move is None:
        return str(entry)
    how = "best resistance" if entry.value is Value.LOSS else "play"
    return f"{entry}: {how} {position.format_move(entry.move)}"


# --- build ----------------------------------------------------------------------------------------------------------


@command.command("build")
@click.argument("game", type=GAME)
@click.option("--out", "-o", type=BOOK_FILE, required=True, help="Book to write; its existing entries are kept.")
@click.option("--side", type=click.Choice(["x", "o", "both"]), default="both", help="Side that follows the book.")
@click.option(
    "--plies", type=WholeNumberRange(0, 100), default=0, show_default=True, help="Prove every position of these plies."
)
@click.option("--most-plies", type=WholeNumberRange(0, 10_000), help="Leave out positions after more plies than this.")
@click.option("--from-proof", type=File(".ngp"), help="Take the winner's moves from this proof, instead of solving.")
@click.option(
    "--from-games",
    type=File(*PLAYTHROUGH_SUFFIXES),
    multiple=True,
    help="Count the playthroughs of this file (.ngn, .sgf).",
)
@click.option("--from-store", is_flag=True, help="Count the saved playthroughs.")
@click.option(
    "--self-play", type=WholeNumberRange(1, 10**6), help="Count playthroughs of the engine: this many in all."
)
@seconds_option("Time limit for each position.")
@nodes_option("Node limit for each position.")
@memory_option(1024)
def build(
    game: Game,
    out: Path,
    side: str,
    plies: int,
    most_plies: int | None,
    from_proof: Path | None,
    from_games: tuple[Path, ...],
    from_store: bool,
    self_play: int | None,
    seconds: float | None,
    nodes: int | None,
    memory: int,
) -> int:
    """Build a book for GAME: an id, an alias, or a file with a custom game.

    By default the solver proves the positions that a side can meet if it follows the book, until the rest is solved
    at once. With --from-proof the moves come from a proof of noughts solve. With --from-games, --from-store or
    --self-play the book counts how often positions were won; such entries are not proven.

    The book is saved regularly and on Ctrl-C; the same command continues.

    \b
    noughts book build 5x5:4 --out my.ngb
    noughts book build qubic --from-proof qubic.ngp --out my.ngb
    noughts book build 15x15:5 --self-play 100 --seconds 0.1 --out my.ngb
    """
    sources = [from_proof is not None, bool(from_games), from_store, self_play is not None]
    if sum(sources) > 1:
        raise click.UsageError("expected one of --from-proof, --from-games, --from-store and --self-play")
    book = _load(out) if out.exists() else Book()
    limit = None if seconds is None and nodes is None else Limit(seconds=seconds, nodes=nodes)
    if self_play is not None:
        work = _count_self_play(book, game, self_play, limit or Limit(seconds=0.1), most_plies or BOOK_PLIES)
    elif from_games or from_store:
        played = _stored(game) if from_store else _playthroughs_in(from_games, game)
        work = _count(book, game, played, most_plies or BOOK_PLIES)
    else:
        sides = tuple(Side) if side == "both" else (Side(side.upper()),)
        work = _prove(book, game, sides, plies, most_plies, limit, memory, from_proof)
    return _run(work, book, out)


def _run(work: Iterator[int], book: Book, out: Path) -> int:
    """Do the work, which yields the positions that were not solved, and save the book regularly."""
    unsolved, saved = 0, monotonic()
    try:
        with signals_raise():
            for missing in work:
                unsolved += missing
                if monotonic() - saved > SAVE_EVERY_SECONDS:
                    _save(book, out)
                    saved = monotonic()
    except (KeyboardInterrupt, Terminated) as end:
        show_status("")
        _save(book, out)
        click.echo(f"{out}: {len(book):,} positions; the same command continues", err=True)
        return Terminated.of(end).code
    show_status("")
    _save(book, out)
    click.echo(f"{out}: {len(book):,} positions, {out.stat().st_size:,} bytes, {unsolved:,} not solved", err=True)
    return 3 if unsolved else 0


def _save(book: Book, out: Path) -> None:
    with explained(f"cannot write {out}"):
        book.save(out)


def _prove(
    book: Book,
    game: Game,
    sides: tuple[Side, ...],
    plies: int,
    most_plies: int | None,
    limit: Limit | None,
    memory: int,
    proof: Path | None,
) -> Iterator[int]:
    from noughts.engine.book.builder import BookBuilder
    from noughts.engine.book.strategy import Strategy

    strategy = None if proof is None else Strategy(_load_proof(proof, game))
    start = game.start() if strategy is None else strategy.start
    if strategy is not None and strategy.side is not None:
        sides = (strategy.side,)
    builder, display = BookBuilder(book, limit, memory, strategy), ProgressDisplay(game.label)
    for position, entry in builder.build(start, sides, plies, most_plies):
        display.show([f"{len(book):,} positions", f"ply {position.ply}: {position.text}"])
        yield entry is None


def _load_proof(path: Path, game: Game) -> Proof:
    from noughts.proof.proof import Proof
    from noughts.proof.verify import verify

    with explained(f"cannot read {path}"):
        proof = Proof.load(path)
    if proof.game != game:
        raise click.UsageError(f"expected a proof of {game.label}, got one of {proof.game.label}")
    with ProgressDisplay(f"checking {path}") as display:
        verify(proof, display.show_count)
    return proof


def _count_self_play(book: Book, game: Game, number: int, limit: Limit, plies: int) -> Iterator[int]:
    from noughts.engine import Engine
    from noughts.engine.book.statistics import StatisticsBuilder, self_play

    builder, engine, start = StatisticsBuilder(book, plies), Engine(book=False), book.find(game.start())
    display = ProgressDisplay("playthroughs")
    for played in range(0 if start is None else start.played, number):
        display.show_count(played, number, f"{len(book):,} positions")
        builder.add(self_play(game, played, limit, plies, engine))
        builder.choose_moves()
        yield 0


def _count(book: Book, game: Game, playthroughs: Iterable[Playthrough], plies: int) -> Iterator[int]:
    from noughts.engine.book.statistics import StatisticsBuilder

    start = book.find(game.start())
    if start is not None and start.played:
        raise click.UsageError(f"this book has counts of {game.label} already; write to another file")
    builder, display, added = StatisticsBuilder(book, plies), ProgressDisplay(game.label), 0
    for each in playthroughs:
        added += builder.add(each)
        display.show([f"{added:,} playthroughs", f"{len(book):,} positions"])
        yield 0
    builder.choose_moves()
    click.echo(f"{added:,} playthroughs with a result", err=True)


def _playthroughs_in(files: tuple[Path, ...], game: Game) -> Iterator[Playthrough]:
    return (each for file in files for each in load_playthroughs(str(file)) if each.game == game)


def _stored(game: Game) -> Iterator[Playthrough]:
    from noughts.store import Store

    with Store(read_only=True) as store:
        for summary in store.list(game.id):
            saved = store.get(summary.id)
            if saved.game == game:
                yield saved.playthrough()


# --- verify ---------------------------------------------------------------------------------------------------------


@command.command("verify")
@click.argument("game", required=False, type=GAME)
@file_option
@click.option("--sample", type=WholeNumberRange(1, 10**9), help="Check only this many positions, chosen at random.")
@seed_option("Seed of the choice.", default=1)
@seconds_option("Time limit for each solve.", default=10.0)
@memory_option(256)
def verify(game: Game | None, file: Path | None, sample: int | None, seed: int, seconds: float, memory: int) -> int:
    """Check the proven entries of a book, move by move, with the solver.

    The exit code is 1 if an entry is wrong, and 3 if the solver ran out of time on one.
    """
    from random import Random

    from noughts.engine.book.check import EntryVerdict, check_entry

    book = shipped_book() if file is None else _load(file)
    games = book.games if game is None else [game]
    entries = [
        item
        for each in games
        if (chapter := book.chapter(each)) is not None
        for item in chapter.items()
        if item[1].value is not None
    ]
    if sample is not None and sample < len(entries):
        entries = Random(seed).sample(entries, sample)
    verdicts: Counter[EntryVerdict] = Counter()
    display = ProgressDisplay()
    for number, (position, entry) in enumerate(entries):
        display.show_count(number, len(entries), f"{position.game.label} {position.text}")
        verdict = check_entry(position, entry, Limit(seconds=seconds), memory)
        verdicts[verdict] += 1
        if verdict is EntryVerdict.WRONG:
            display.clear()
            say(f"wrong: {position.game.label} {position.text}: {_text(position, entry)}")
    display.clear()
    say(", ".join(f"{verdicts[verdict]:,} {verdict}" for verdict in EntryVerdict))
    return 1 if verdicts[EntryVerdict.WRONG] else 3 if verdicts[EntryVerdict.UNDECIDED] else 0


def _load(file: Path) -> Book:
    try:
        return Book.load(file)
    except OSError as error:
        raise click.UsageError(f"cannot read {file}: {system_reason(error)}") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
