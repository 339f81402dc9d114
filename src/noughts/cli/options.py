"""Options that commands share: limits, the engine and its advisor, and positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import click

from noughts.cli.output import warn
from noughts.cli.types import NETWORK, SEARCH, NumberRange, Start, WholeNumberRange
from noughts.engine import Engine, Limit
from noughts.engine.evaluator import DEFAULT_SEARCH, EngineSearch, Search
from noughts.engine.network import Network
from noughts.games import Position

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from noughts.analysis.advice import Advisor
    from noughts.ask.question import AnyQuestion
    from noughts.process.sandbox import Sandbox
    from noughts.store import Store

__all__ = [
    "Command",
    "Decorator",
    "Flags",
    "add_options",
    "allow_root_option",
    "book_option",
    "engine_options",
    "find_position",
    "json_option",
    "make_limit",
    "network_option",
    "open_advisor",
    "open_store",
    "options_of",
    "readable_option",
    "sandbox_of",
    "sandbox_option",
    "sandbox_options",
    "search_option",
]

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]
Flags = dict[str, Any]
"""The options of a command by name."""


def add_options(options: Sequence[Decorator]) -> Decorator:
    """Return a function that adds options to a command; help lists them in this order."""
    return lambda command: reduce(lambda found, option: option(found), reversed(options), command)


def json_option(help: str = "Print JSON.", question: AnyQuestion | None = None) -> Decorator:
    """Return the option ``--json``. For a command that answers a question, its help names the type of the answer."""
    if question is not None:
        help = f"{help.removesuffix('.')}: {question.answer.__name__} of docs/web-api.md."
    return click.option("--json", "as_json", is_flag=True, help=help)


book_option = click.option("--book/--no-book", default=True, help="Whether the engine uses its opening book.")


sandbox_option = click.option(
    "--sandbox/--no-sandbox",
    default=None,
    help="Whether programs run in the sandbox: no network, only their own files. On by default.",
)
readable_option = click.option(
    "--readable",
    type=click.Path(exists=True),
    multiple=True,
    metavar="PATH",
    help="A file or folder that programs may read, too.",
)
allow_root_option = click.option(
    "--allow-root", is_flag=True, default=None, help="Let programs run as root where there is no sandbox."
)


sandbox_options = add_options([sandbox_option, readable_option, allow_root_option])
"""Adds the options of the sandbox in which programs run."""


def options_of(kind: type[DataclassInstance]) -> Decorator:
    """Return the options that stand beside the fields of a dataclass, in ``Annotated``."""
    hints = get_type_hints(kind, include_extras=True)
    return add_options([hints[field.name].__metadata__[0] for field in fields(kind)])


def sandbox_of(sandbox: bool | None, readable: Sequence[str], allow_root: bool | None) -> Sandbox:
    """Return the sandbox that the options describe."""
    from noughts.process.sandbox import Sandbox

    paths = tuple(str(Path(path).resolve()) for path in readable)
    return Sandbox(sandbox is not False, paths, allow_root=bool(allow_root))


network_option = click.option(
    "--network",
    metavar="FILE|none",
    type=NETWORK,
    help="Network of the engine, instead of the game's own; none is the hand-written evaluation.",
)


search_option = click.option(
    "--search",
    metavar="SEARCH",
    default=str(Search.ALPHABETA),
    show_default=True,
    type=SEARCH,
    help="alphabeta, or mcts: tree search, by mcts:rollouts, mcts:network or mcts:weights.",
)

ENGINE_OPTIONS = (
    click.option("--seconds", "-s", type=NumberRange(0, 86400, min_open=True), help="Time to think, in seconds."),
    click.option("--depth", "-d", type=WholeNumberRange(1, 10_000), help="Plies to look ahead."),
    click.option("--nodes", "-n", type=WholeNumberRange(1, 1 << 62), help="Positions to visit."),
    click.option(
        "--threads", "-t", type=WholeNumberRange(1, 256), default=1, show_default=True, help="Search threads."
    ),
    book_option,
    network_option,
    search_option,
)


engine_options = add_options(ENGINE_OPTIONS)
"""Adds --seconds, --depth, --nodes, --threads, --no-book, --network and --search to a command."""


def make_limit(seconds: float | None, depth: int | None, nodes: int | None, default: float) -> Limit:
    """Return the limit of the options, or the default number of seconds if none was given."""
    if seconds is None and depth is None and nodes is None:
        seconds = default
    return Limit(seconds=seconds, depth=depth, nodes=nodes)


@contextmanager
def open_advisor(
    threads: int = 1,
    book: bool = True,
    network: Network = None,
    search: EngineSearch = DEFAULT_SEARCH,
) -> Iterator[Advisor]:
    """An advisor with a fresh engine and, if there is a readable one, the store of solved positions."""
    from noughts.analysis.advice import ENGINE_MB, Advisor

    with open_store() as store:
        engine = Engine(threads, ENGINE_MB, book=book, network=network, search=search.name, evaluator=search.evaluator)
        yield Advisor(engine, store, warn)


@contextmanager
def open_store() -> Iterator[Store | None]:
    """The store of solved positions, if there is one that can be read."""
    from noughts.store import open_store_if_possible

    store = open_store_if_possible(warn=warn, read_only=True)
    try:
        yield store
    finally:
        if store is not None:
            store.close()


def find_position(start: Start, position: str | None) -> Position:
    """Return the position of a game and a position string, or the last one of a saved playthrough."""
    if start.last is None:
        return start.game.start_from(position)
    if position is not None:
        raise click.UsageError("expected a saved playthrough or a position, got both")
    return start.last
