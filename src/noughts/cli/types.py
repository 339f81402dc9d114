"""Types of arguments and options: how a word is checked, and how the tab key completes it.

Candidates come with a line of help for the shells that show one. Paths are completed by the shell itself: an item of
type ``file`` carries the suffixes that the files should have.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem
from click.types import FloatParamType, IntParamType, StringParamType

from noughts.cli.output import system_reason
from noughts.engine.evaluator import SEARCHES, EngineSearch, parse_search
from noughts.engine.network import NO_NETWORK, parse_network
from noughts.games import Game, Playthrough, Position, find_game, load_all
from noughts.games.quoting import count, quote

if TYPE_CHECKING:
    from noughts.arena.tournaments import TournamentSummary
    from noughts.store import Store, Summary

    AnyParamType = click.ParamType[Any]
else:
    AnyParamType = click.ParamType  # generic since click 8.4

__all__ = [
    "BOT",
    "GAME",
    "GAME_NAME",
    "NETWORK",
    "NUMBER",
    "PLAYER",
    "PLAYTHROUGH",
    "PLAYTHROUGH_SUFFIXES",
    "PLOT_FILE",
    "SEARCH",
    "START",
    "TOURNAMENT",
    "TOURNAMENT_OR_FILE",
    "UNFINISHED_PLAYTHROUGH",
    "WHOLE_NUMBER",
    "WORKERS",
    "File",
    "NumberRange",
    "OneOf",
    "Start",
    "WholeNumberRange",
    "load_playthroughs",
]

GAME_SUFFIXES = (".json",)
NETWORK_SUFFIXES = (".net",)
PLAYTHROUGH_SUFFIXES = (".ngn", ".sgf")
PROGRAM_SUFFIXES = (".py",)
TOURNAMENT_SUFFIXES = (".toml",)
MAX_COMPLETED = 100
"""Playthroughs and tournaments that the tab key offers, the latest ones."""


def load_playthroughs(path: str) -> list[Playthrough]:
    """Return the playthroughs of a file; a file that cannot be read is a usage error."""
    try:
        return load_all(path)
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {system_reason(error)}") from None


# --- numbers ----------------------------------------------------------------------------------------------------------


class _Number(AnyParamType):
    """Says what was expected, for the classes of click below; refuses NaN, which click accepts in every range."""

    expected = "a number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or report why it is refused."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            number = None
        if number is None or isnan(number):
            self.fail(f"expected {self.expected}, got {quote(value)}", param, ctx)
        return number


class NumberType(_Number, FloatParamType):
    """A number."""


class WholeNumberType(_Number, IntParamType):
    """A whole number."""

    expected = "a whole number"


class NumberRange(_Number, click.FloatRange):
    """A number within bounds."""

    def __init__(self, least: float, most: float, min_open: bool = False) -> None:
        super().__init__(least, most, min_open=min_open)
        lower = f"above {least:,.10g} and up to" if min_open else f"from {least:,.10g} to"
        self.expected = f"a number {lower} {most:,.10g}"


class WholeNumberRange(_Number, click.IntRange):
    """A whole number within bounds; ``most`` may be left out."""

    def __init__(self, least: int, most: int | None = None) -> None:
        super().__init__(least, most)
        self.expected = f"a whole number {f'of at least {least:,}' if most is None else f'from {least:,} to {most:,}'}"


# --- files ------------------------------------------------------------------------------------------------------------


class File(click.Path):
    """A path whose name should end in one of the suffixes; with ``as_text`` the value is a string, not a Path."""

    def __init__(self, *suffixes: str, as_text: bool = False, **checks: Any) -> None:
        super().__init__(**({"dir_okay": False} | checks), path_type=str if as_text else Path)
        self.suffixes = suffixes

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Let the shell complete files with these suffixes, or folders."""
        return [_files(self.suffixes) if self.file_okay else CompletionItem("", type="dir")]


class PlotFile(File):
    """A file for a plot; refused before any work if the plot cannot be written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; raises ValueError as ``check_plot`` does."""
        from noughts.teaching.plots import check_plot

        path = super().convert(value, param, ctx)
        check_plot(Path(os.fsdecode(path)))
        return path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Let the shell complete files with the suffixes of plots."""
        from noughts.teaching.plots import SUFFIXES

        return [_files(SUFFIXES)]


def _files(suffixes: Iterable[str] = ()) -> CompletionItem:
    return CompletionItem(" ".join(suffixes), type="file")


# --- games and positions ----------------------------------------------------------------------------------------------


class GameType(StringParamType):
    """A game: an id, an alias, or a file with a custom game."""

    name = "game"
    suffixes: tuple[str, ...] = GAME_SUFFIXES

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the game; raises ValueError."""
        return value if isinstance(value, Game) else find_game(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the games of the catalogue by alias and id, more options for an id, and files."""
        return [*_matching(_game_names(incomplete), incomplete), _files(self.suffixes)]


class GameNameType(GameType):
    """A game as its text, which is checked with the rest of a tournament's plan."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value


class Start(NamedTuple):
    """A game as it was typed; ``last`` is the last position if it is a saved playthrough."""

    text: str
    game: Game
    last: Position | None = None


class StartType(GameType):
    """A game, or a saved playthrough, whose last position is meant."""

    suffixes = (*GAME_SUFFIXES, *PLAYTHROUGH_SUFFIXES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the Start; raises ValueError."""
        if isinstance(value, Start):
            return value
        if not value.lower().endswith(PLAYTHROUGH_SUFFIXES):
            return Start(value, find_game(value))
        last = load_playthroughs(value)[0].position()
        return Start(value, last.game, last)


def _game_names(incomplete: str) -> dict[str, str]:
    """Return the games of the catalogue, and the ids that the text is or becomes with one more option."""
    from noughts.games import catalogue
    from noughts.games.spec import add_option

    entries = catalogue()
    names = {entry.name: entry.about for entry in entries} | {entry.id: entry.about for entry in entries}
    word = incomplete.lower()
    ids = [*add_option(word), *add_option(word.rpartition("+")[0])]
    return names | {id: "" for id in ids if id not in names}


# --- players, networks and searches -----------------------------------------------------------------------------------


class PlayerType(StringParamType):
    """The name of a player; whether it can play is known when it is opened for a game."""

    name = "player"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return people and built-in players; the file of one in Python is completed by the shell."""
        from noughts.players import PEOPLE

        return [*_matching(PEOPLE | _builtin_players(), incomplete), _files(PROGRAM_SUFFIXES)]


class BotType(StringParamType):
    """A player of a tournament, which may have a name: ``mine=./bot.py``."""

    name = "bot"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the built-in players; a program is completed by the shell."""
        name, equals, _ = incomplete.rpartition("=")
        bots = {f"{name}{equals}{bot}": about for bot, about in _builtin_players().items()}
        return [*_matching(bots, incomplete), _files()]


def _builtin_players() -> dict[str, str]:
    from noughts.players import TREE_SEARCHES, player_names

    return player_names() | {str(name): about for name, about in TREE_SEARCHES.items()}


class NetworkType(StringParamType):
    """The network of the engine: a file, or ``none``."""

    name = "network"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the network, or report why it cannot be read."""
        try:
            return parse_network(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return ``none``; files are completed by the shell."""
        return [*_matching({NO_NETWORK: "the hand-written evaluation"}, incomplete), _files(NETWORK_SUFFIXES)]


class SearchType(StringParamType):
    """The search of the engine, such as ``mcts:network``."""

    name = "search"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the search, or report the known ones."""
        try:
            return value if isinstance(value, EngineSearch) else parse_search(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _matching(dict.fromkeys(map(str, SEARCHES), ""), incomplete)


class WorkersType(StringParamType):
    """The workers of a solve: ``local:N``, N processes on this machine, or ``ray``, a cluster."""

    name = "workers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the text, or report what is expected."""
        if value != "ray" and not re.fullmatch(r"local:[1-9]\d{0,2}", value, re.ASCII):
            self.fail(f"expected local:N with N from 1 to 999, or ray, got {quote(value)}", param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return a cluster, and as many processes as there are cores."""
        return _matching({f"local:{os.cpu_count() or 1}": "a process for each core", "ray": "a cluster"}, incomplete)


class OneOf(StringParamType):
    """A word of a list in another module, which is imported for the tab key only; the command checks the word."""

    def __init__(self, module: str, words: str) -> None:
        self._module, self._words = module, words

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        words: Iterable[str] = getattr(import_module(self._module), self._words)
        return _matching(dict.fromkeys(map(str, words), ""), incomplete)


# --- the store --------------------------------------------------------------------------------------------------------


class PlaythroughType(IntParamType):
    """The id of a saved playthrough."""

    def __init__(self, unfinished: bool = False) -> None:
        self._unfinished = unfinished

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the ids in the store, the latest first, without those already typed."""
        with _read_store(None) as store:
            saved = [] if store is None else store.list(unfinished=self._unfinished, limit=MAX_COMPLETED)
        typed = ctx.params.get(param.name or "") or ()
        ids = {str(each.id): _describe(each) for each in saved if not (param.nargs == -1 and each.id in typed)}
        return _matching(ids, incomplete)


class TournamentType(IntParamType):
    """The id of a tournament in the store."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the ids in the store, the latest first."""
        return _matching(_tournaments(ctx), incomplete)


class TournamentOrFileType(StringParamType):
    """A tournament in the store by its id or by the file it was started with."""

    name = "tournament"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the ids in the store; files are completed by the shell."""
        return [*_matching(_tournaments(ctx), incomplete), _files(TOURNAMENT_SUFFIXES)]


def _tournaments(ctx: click.Context) -> dict[str, str]:
    """Return the latest tournaments by id, of the file that --store names or of the user's store."""
    from noughts.arena.tournaments import Tournaments

    with _read_store(ctx.params.get("store_file")) as store:
        found = [] if store is None else Tournaments(store).list()[:MAX_COMPLETED]
    return {str(each.id): _describe_tournament(each) for each in found}


def _describe_tournament(summary: TournamentSummary) -> str:
    state = "finished" if summary.is_finished else "unfinished"
    return f"{summary.name}: {summary.game}, {count(summary.played, 'playthrough')}, {state}"


@contextmanager
def _read_store(path: os.PathLike[str] | None) -> Iterator[Store | None]:
    from noughts.store import open_store_if_possible

    store = open_store_if_possible(None if path is None else Path(path), warn=lambda text: None, read_only=True)
    try:
        yield store
    finally:
        if store is not None:
            store.close()


def _describe(saved: Summary) -> str:
    from noughts.games.outcome import describe_outcome

    result = "unfinished" if saved.outcome is None else describe_outcome(saved.outcome)
    return f"{saved.game}: {saved.x} against {saved.o}, {count(saved.plies, 'ply')}, {result}"


def _matching(names: Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    """Return the names that begin with the text; upper and lower case are the same, as the types accept both."""
    word = incomplete.lower()
    return [CompletionItem(name, help=about or None) for name, about in names.items() if name.lower().startswith(word)]


BOT = BotType()
GAME = GameType()
GAME_NAME = GameNameType()
NETWORK = NetworkType()
NUMBER = NumberType()
PLAYER = PlayerType()
PLOT_FILE = PlotFile()
PLAYTHROUGH = PlaythroughType()
SEARCH = SearchType()
START = StartType()
TOURNAMENT = TournamentType()
TOURNAMENT_OR_FILE = TournamentOrFileType()
UNFINISHED_PLAYTHROUGH = PlaythroughType(unfinished=True)
WHOLE_NUMBER = WholeNumberType()
WORKERS = WorkersType()
