"""Options that commands share: limits, the engine and its advisor, and positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, fields
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import click

from noughts.cli.output import warn
from noughts.cli.types import NETWORK, SEARCH, WHOLE_NUMBER, NumberRange, Start, WholeNumberRange
from noughts.engine import Engine, Limit
from noughts.engine.evaluator import EngineSearch, Search
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
    "EngineOptions",
    "Flags",
    "add_options",
    "allow_root_option",
    "book_option",
    "find_position",
    "json_option",
    "memory_option",
    "network_option",
    "nodes_option",
    "on_option",
    "open_store",
    "options_of",
    "readable_option",
    "sandbox_of",
    "sandbox_option",
    "sandbox_options",
    "search_option",
    "seconds_option",
    "seed_option",
    "threads_option",
]

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]
Flags = dict[str, Any]
"""The options of a command by name."""


def add_options(options: Sequence[Decorator]) -> Decorator:
    """Return a function that adds options to a command; help lists them in this order."""
    return lambda command: reduce(lambda found, option: option(found), reversed(options), command)


def json_option(help: str = "Print JSON.", question: AnyQuestion | None = None) -> Decorator:
    """Return the option ``--json``. For a command that answers a question, its help lists the fields of the answer."""
    if question is not None:
        names = ", ".join(field.name for field in fields(question.answer))
        help = f"{help.removesuffix('.')}: {question.answer.__name__} of docs/web-api.md, which has {names}."
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


def options_of(kind: type[DataclassInstance], name: str) -> Decorator:
    """Return the options that stand beside the fields of a dataclass, in ``Annotated``.

    The command gets them together, as the argument ``name``.
    """
    hints = get_type_hints(kind, include_extras=True)

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**arguments: object) -> object:
            given = {field.name: arguments.pop(field.name) for field in fields(kind)}
            return command(**arguments, **{name: kind(**given)})

        return add_options([hints[field.name].__metadata__[0] for field in fields(kind)])(run)

    return decorate


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
    help="alphabeta, or mcts: tree search; mcts:rollouts, mcts:network and mcts:weights name its evaluation.",
)

threads_option = click.option(
    "--threads", "-t", type=WholeNumberRange(1, 256), default=1, show_default=True, help="Search threads."
)


def seconds_option(help: str, most: float = 1e9, default: float | None = None) -> Decorator:
    """Return the option ``--seconds``, a time limit."""
    type = NumberRange(0, most, min_open=True)
    return click.option("--seconds", "-s", type=type, default=default, show_default=default is not None, help=help)


def on_option(help: str) -> Decorator:
    """Return the option ``--on``: this machine, or a Ray cluster."""
    return click.option("--on", type=click.Choice(["local", "ray"]), default="local", show_default=True, help=help)


def nodes_option(help: str) -> Decorator:
    """Return the option ``--nodes``, a limit on positions to visit."""
    return click.option("--nodes", "-n", type=WholeNumberRange(1, 1 << 62), help=help)


def memory_option(default: int, help: str = "Size of the tables.") -> Decorator:
    """Return the option ``--memory``, in megabytes."""
    type = WholeNumberRange(1, 1 << 20)
    return click.option("--memory", "-m", type=type, default=default, show_default=True, metavar="MB", help=help)


def seed_option(
    help: str = "Seed for random choices, to repeat a game exactly.", default: int | None = None
) -> Decorator:
    return click.option("--seed", type=WHOLE_NUMBER, default=default, show_default=default is not None, help=help)


@dataclass(frozen=True)
class EngineOptions:
    """The options of commands that ask the engine."""

    seconds: Annotated[float | None, seconds_option("Time to think, in seconds.", 86_400)]
    depth: Annotated[
        int | None, click.option("--depth", "-d", type=WholeNumberRange(1, 10_000), help="Plies to look ahead.")
    ]
    nodes: Annotated[int | None, nodes_option("Positions to visit.")]
    threads: Annotated[int, threads_option]
    book: Annotated[bool, book_option]
    network: Annotated[Network, network_option]
    search: Annotated[EngineSearch, search_option]

    @property
    def bounds(self) -> dict[str, Any]:
        """The limits as fields of a request."""
        return {"seconds": self.seconds, "depth": self.depth, "nodes": self.nodes}

    @property
    def limit(self) -> Limit | None:
        """The limit; None if no option gives one."""
        return None if all(bound is None for bound in self.bounds.values()) else Limit(**self.bounds)

    def make_advisor(self, store: Store | None) -> Advisor:
        """Return an advisor with a new engine, and perhaps the store of solved positions."""
        from noughts.analysis.advice import ENGINE_MB, Advisor

        engine = Engine(
            self.threads,
            ENGINE_MB,
            book=self.book,
            network=self.network,
            search=self.search.name,
            evaluator=self.search.evaluator,
        )
        return Advisor(engine, store, warn)

    @contextmanager
    def open_advisor(self) -> Iterator[Advisor]:
        """An advisor with a new engine and, if there is a readable one, the store of solved positions."""
        with open_store() as store:
            yield self.make_advisor(store)


def open_store() -> AbstractContextManager[Store | None]:
    """The store of solved positions, if there is one that can be read."""
    from noughts.store import open_store_if_possible

    return open_store_if_possible(warn=warn, read_only=True) or nullcontext()


def find_position(start: Start, position: str | None) -> Position:
    """Return the position of a game and a position string, or the last one of a saved playthrough."""
    if start.last is None:
        return start.game.start_from(position)
    if position is not None:
        raise click.UsageError("expected a saved playthrough or a position, got both")
    return start.last
