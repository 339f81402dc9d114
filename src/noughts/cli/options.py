"""Arguments and options that commands share: games, positions, limits, the advisor, and shell completion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isnan
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from noughts.cli.output import system_reason, warn
from noughts.engine import Engine, Limit
from noughts.engine.evaluator import DEFAULT_SEARCH, EngineSearch, Search, parse_search
from noughts.engine.network import Network, parse_network
from noughts.games import Playthrough, Position, find_game, load_all
from noughts.games.quoting import quote

if TYPE_CHECKING:
    from noughts.store import Store
    from noughts.study.advice import Advisor

__all__ = [
    "PLAYTHROUGH_SUFFIXES",
    "NumberRange",
    "book_option",
    "complete_game",
    "complete_player",
    "engine_options",
    "find_position",
    "find_unfinished",
    "load_playthroughs",
    "make_limit",
    "network_option",
    "open_advisor",
    "open_store",
    "search_option",
]

PLAYTHROUGH_SUFFIXES = (".ngn", ".sgf")


class NumberRange(click.FloatRange):
    """A range of numbers that refuses NaN, which click accepts in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or report why it is refused."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"expected a number, got {quote(str(value))}", param, ctx)
        return number


book_option = click.option("--book/--no-book", default=True, help="Whether the engine uses its opening book.")


def _parse_network(_: click.Context, option: click.Parameter, text: str | None) -> Network:
    try:
        return None if text is None else parse_network(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


network_option = click.option(
    "--network",
    metavar="FILE|none",
    callback=_parse_network,
    help="Network of the engine, instead of the game's own; none is the hand-written evaluation.",
)


def _parse_search(_: click.Context, option: click.Parameter, text: str) -> EngineSearch:
    try:
        return parse_search(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


search_option = click.option(
    "--search",
    metavar="SEARCH",
    default=str(Search.ALPHABETA),
    show_default=True,
    callback=_parse_search,
    help="alphabeta, or mcts: tree search, by mcts:rollouts, mcts:network or mcts:weights.",
)

OPTIONS = (
    click.option("--seconds", "-s", type=click.FloatRange(0, 86400, min_open=True), help="Time to think, in seconds."),
    click.option("--depth", "-d", type=click.IntRange(1, 10_000), help="Plies to look ahead."),
    click.option("--nodes", "-n", type=click.IntRange(1, 1 << 62), help="Positions to visit."),
    click.option("--threads", "-t", type=click.IntRange(1, 256), default=1, show_default=True, help="Search threads."),
    book_option,
    network_option,
    search_option,
)


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --seconds, --depth, --nodes, --threads, --no-book, --network and --search to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


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
    from noughts.study.advice import ENGINE_MB, Advisor

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


def find_position(game: str, position: str | None) -> Position:
    """Return the position of a game and a position string, or the last one of a saved playthrough."""
    if game.lower().endswith(PLAYTHROUGH_SUFFIXES):
        if position is not None:
            raise click.UsageError("expected a saved playthrough or a position, got both")
        return load_playthroughs(game)[0].position()
    return find_game(game).start_from(position)


def find_unfinished(game: str, position: str | None) -> Position:
    """Return the position as ``find_position`` does; raises ValueError when the game is over."""
    found = find_position(game, position)
    if found.is_over:
        raise ValueError("expected a position with a side to move, but the game is over")
    return found


def load_playthroughs(path: str) -> list[Playthrough]:
    """Return the playthroughs of a file; a file that cannot be read is a usage error."""
    try:
        return load_all(path)
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {system_reason(error)}") from None


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the games of the catalogue, by alias and id, that begin with the text; files if there are none."""
    from noughts.games import catalogue

    entries = catalogue()
    names = {entry.name: entry.about for entry in entries} | {entry.id: entry.about for entry in entries}
    return _matching(names, incomplete) or [CompletionItem(incomplete, type="file")]


def complete_player(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the players, people and bots, whose names begin with the text."""
    from noughts.players import PEOPLE, TREE_SEARCHES, player_names

    return _matching({**PEOPLE, **player_names(), **TREE_SEARCHES}, incomplete)


def _matching(names: dict[str, str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=about) for name, about in names.items() if name.startswith(incomplete.lower())]
