"""What the commands that search have in common: options for limits, the position to search, talk while it thinks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from noughts.engine import Engine, Limit
from noughts.games import Playthrough, Position, find_game, load_all

if TYPE_CHECKING:
    from noughts.store import Store
    from noughts.study.advice import Advisor

__all__ = [
    "find_position",
    "find_unfinished",
    "limit_options",
    "load_plays",
    "make_limit",
    "open_advisor",
    "open_store",
    "say_while_thinking",
]

HASH_MB = 64
SAVED = (".ngn", ".sgf")

OPTIONS = (
    click.option("--seconds", "-s", type=click.FloatRange(0, 86400, min_open=True), help="How long to think."),
    click.option("--depth", "-d", type=click.IntRange(1, 10_000), help="How many plies to look ahead."),
    click.option("--nodes", "-n", type=click.IntRange(1, 1 << 62), help="How many moves to try."),
    click.option("--threads", "-t", type=click.IntRange(1, 256), default=1, show_default=True, help="Cores to use."),
)


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --seconds, --depth, --nodes and --threads to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def make_limit(seconds: float | None, depth: int | None, nodes: int | None, default: float) -> Limit:
    """Return the limit of the options, or the default number of seconds when none was given."""
    if seconds is None and depth is None and nodes is None:
        seconds = default
    return Limit(seconds=seconds, depth=depth, nodes=nodes)


@contextmanager
def open_advisor(threads: int = 1) -> Iterator[Advisor]:
    """An advisor with a fresh engine and, if there is a readable one, the store of solved positions."""
    from noughts.study.advice import Advisor

    with open_store() as store:
        yield Advisor(Engine(threads=threads, hash_mb=HASH_MB), store)


@contextmanager
def open_store() -> Iterator[Store | None]:
    """The store of solved positions, if there is one that can be read."""
    from noughts.store import open_store_if_possible

    store = open_store_if_possible(warn=lambda message: click.echo(f"noughts: {message}", err=True), read_only=True)
    try:
        yield store
    finally:
        if store is not None:
            store.close()


def find_position(game: str, position: str | None) -> Position:
    """Return the position of a game and a position string, or the last one of a saved game."""
    if game.lower().endswith(SAVED):
        if position is not None:
            raise click.UsageError("expected a saved game or a position, got both")
        return load_plays(game)[0].position()
    rules = find_game(game)
    return rules.start() if position is None else rules.parse(position)


def find_unfinished(game: str, position: str | None) -> Position:
    """Return the position as :func:`find_position` does; raises ValueError when the game is over."""
    found = find_position(game, position)
    if found.is_over:
        raise ValueError("expected a position with a side to move, but the game is over")
    return found


def load_plays(path: str) -> list[Playthrough]:
    """Return the saved games of a file; a file that cannot be read is a usage error."""
    try:
        return load_all(path)
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {error.strerror}") from None


def say_while_thinking(text: str) -> None:
    """Write over the last line of standard error, where that is a terminal; an empty text clears it."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)
