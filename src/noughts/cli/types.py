"""Types of arguments and options: how a word is checked, and how the tab key completes it.

Candidates come with a line of help for the shells that show one. Paths are completed by the shell itself: an item of
type ``file`` carries the suffixes that the files should have.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem
from click.types import FloatParamType, IntParamType, StringParamType

from noughts.cli.output import explained
from noughts.engine.evaluator import SEARCHES, parse_search
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
    "PUZZLE",
    "REVIEWED",
    "SEARCH",
    "START",
    "TOURNAMENT",
    "TOURNAMENT_OR_FILE",
    "UNFINISHED_PLAYTHROUGH",
    "WHOLE_NUMBER",
    "WORKERS",
    "File",
    "NumberRange",
    "ReportFile",
    "Start",
    "WholeNumberRange",
    "Word",
    "load_playthroughs",
    "one_of",
]

GAME_SUFFIXES = (".json",)
NETWORK_SUFFIXES = (".net",)
PLAYTHROUGH_SUFFIXES = (".ngn", ".sgf")
PROGRAM_SUFFIXES = (".py",)
TOURNAMENT_SUFFIXES = (".toml",)
OUT_OF_REACH = 1 << 30
MAX_COMPLETED = 100
"""Playthroughs and tournaments that the tab key offers, the latest ones."""


def load_playthroughs(path: str) -> list[Playthrough]:
    """Return the playthroughs of a file; a file that cannot be read is a usage error."""
    with explained(f"cannot read {path}"):
        plays: list[Playthrough] = load_all(path)
    return plays


# --- numbers ----------------------------------------------------------------------------------------------------------


class _Number(AnyParamType):
    """Says what was expected, for the classes of click below; refuses NaN, which click accepts in every range."""

    name = "number"
    expected = "a number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Any:
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
    name = "n"
    expected = "a whole number"


class NumberRange(_Number, click.FloatRange):
    def __init__(self, least: float, most: float, min_open: bool = False) -> None:
        super().__init__(least, most, min_open=min_open)
        lower = f"above {least:,.10g} and up to" if min_open else f"from {least:,.10g} to"
        self.expected = f"a number {lower} {most:,.10g}"

    def _describe_range(self) -> str:
        """The bounds in the help of an option, as click asks for them."""
        return self.expected.removeprefix("a number ")


class WholeNumberRange(_Number, click.IntRange):
    """A whole number within bounds; there may be no upper one."""

    name = "n"

    def __init__(self, least: int, most: int | None = None) -> None:
        super().__init__(least, most)
        self.expected = f"a whole number {f'of at least {least:,}' if most is None else f'from {least:,} to {most:,}'}"

    def _describe_range(self) -> str:
        """The bounds in the help of an option, as click asks for them; a bound beyond reach is not shown."""
        if self.max is None or self.max >= OUT_OF_REACH:
            return f"at least {self.min:,}"
        return f"{self.min:,} to {self.max:,}"


# --- files ------------------------------------------------------------------------------------------------------------


class File(click.Path):
    """A path whose name should end in one of the suffixes; with ``as_text`` the value is a string, not a Path."""

    def __init__(self, *suffixes: str, as_text: bool = False, **checks: Any) -> None:
        super().__init__(**({"dir_okay": False} | checks), path_type=str if as_text else Path)
        self.suffixes = suffixes

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Let the shell complete files with these suffixes, or folders."""
        return [_files(self.suffixes) if self.file_okay else CompletionItem("", type="dir")]


class ReportFile(File):
    """A file for a report; refused before hours of work if it has another suffix or cannot be written."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path; raises UsageError."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.suffix.lower() not in self.suffixes:
            wanted = " or ".join(self.suffixes)
            raise click.UsageError(f"expected a file name that ends in {wanted}, got {quote(str(path))}")
        if not os.access(path.parent, os.W_OK):
            raise click.UsageError(f"cannot write {path}: its folder does not exist or is not writable")
        return path


class PlotFile(File):
    """A file for a plot; refused before any work if the plot cannot be written."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
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

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Any:
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


# --- words ------------------------------------------------------------------------------------------------------------


class Word(StringParamType):
    """A word that ``parse`` checks, if it is given; ``words`` are those that the tab key offers, with help.

    With ``suffixes`` the shell completes files, too.
    """

    def __init__(
        self,
        name: str,
        words: Callable[[click.Context, click.Parameter, str], Mapping[str, str]],
        suffixes: Iterable[str] | None = None,
        parse: Callable[[str], object] | None = None,
    ) -> None:
        self.name, self._words, self._suffixes, self._parse = name, words, suffixes, parse

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value, or report why it is refused."""
        if self._parse is None or not isinstance(value, str):
            return value
        try:
            return self._parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the words that begin with the text, and files."""
        files = [] if self._suffixes is None else [_files(self._suffixes)]
        return [*_matching(self._words(ctx, param, incomplete), incomplete), *files]


def one_of(module: str, words: str) -> Word:
    """Return the type of a word of a list in another module, imported for the tab key only; the command checks it."""
    return Word("text", lambda *_: dict.fromkeys(map(str, getattr(import_module(module), words)), ""))


def _players(*_: object) -> dict[str, str]:
    from noughts.players import PEOPLE

    return PEOPLE | _builtin_players()


def _bots(_: click.Context, __: click.Parameter, incomplete: str) -> dict[str, str]:
    """Return the built-in players, with the name that is typed before them: ``mine=easy``."""
    name, equals, _rest = incomplete.rpartition("=")
    return {f"{name}{equals}{bot}": about for bot, about in _builtin_players().items()}


def _builtin_players() -> dict[str, str]:
    from noughts.players import TREE_SEARCHES, player_names

    return player_names() | {str(name): about for name, about in TREE_SEARCHES.items()}


def _parse_workers(text: str) -> str:
    """Return ``local:N``, N processes on this machine, or ``ray``, a cluster."""
    if text != "ray" and not re.fullmatch(r"local:[1-9]\d{0,2}", text, re.ASCII):
        raise ValueError(f"expected local:N with N from 1 to 999, or ray, got {quote(text)}")
    return text


def _workers(*_: object) -> dict[str, str]:
    return {f"local:{os.cpu_count() or 1}": "a process for each core", "ray": "a cluster"}


# --- the store --------------------------------------------------------------------------------------------------------


def _parse_id(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"expected a whole number, got {quote(text)}") from None


def _playthroughs(ctx: click.Context, param: click.Parameter, _: str, unfinished: bool = False) -> dict[str, str]:
    """Return the ids in the store, the latest first, without those already typed."""
    with _read_store(None) as store:
        saved = [] if store is None else store.list(unfinished=unfinished, limit=MAX_COMPLETED)
    typed = ctx.params.get(param.name or "") or ()
    return {str(each.id): _describe(each) for each in saved if not (param.nargs == -1 and each.id in typed)}


def _puzzles(*_: object) -> dict[str, str]:
    from noughts.analysis.puzzles import shipped_puzzles

    return {puzzle.id: f"{puzzle.game}, rating {puzzle.rating}" for puzzle in shipped_puzzles()}


def _tournaments(ctx: click.Context, *_: object) -> dict[str, str]:
    """Return the latest tournaments by id, of the file that --store names or of the user's store."""
    from noughts.arena.tournaments import Tournaments

    with _read_store(ctx.params.get("store_file")) as store:
        found = [] if store is None else Tournaments(store).list()[:MAX_COMPLETED]
    return {str(each.id): _describe_tournament(each) for each in found}


def _describe_tournament(summary: TournamentSummary) -> str:
    state = "finished" if summary.is_finished else "unfinished"
    return f"{summary.name}: {summary.game}, {count(summary.played, 'playthrough')}, {state}"


def _read_store(path: os.PathLike[str] | None) -> AbstractContextManager[Store | None]:
    from noughts.store import open_store_if_possible

    path = None if path is None else Path(path)
    return open_store_if_possible(path, warn=lambda text: None, read_only=True) or nullcontext()


def _describe(saved: Summary) -> str:
    from noughts.cli.saved_table import describe_result

    return f"{saved.game}: {saved.x} against {saved.o}, {count(saved.plies, 'ply')}, {describe_result(saved)}"


def _matching(names: Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    """Return the names that begin with the text; upper and lower case are the same, as the types accept both."""
    word = incomplete.lower()
    return [CompletionItem(name, help=about or None) for name, about in names.items() if name.lower().startswith(word)]


BOT = Word("bot", _bots, suffixes=())
GAME = GameType()
GAME_NAME = GameNameType()
NETWORK = Word("network", lambda *_: {NO_NETWORK: "the hand-written evaluation"}, NETWORK_SUFFIXES, parse_network)
NUMBER = NumberType()
PLAYER = Word("player", _players, PROGRAM_SUFFIXES)
PLOT_FILE = PlotFile()
PLAYTHROUGH = Word("integer", _playthroughs, parse=_parse_id)
PUZZLE = Word("puzzle", _puzzles)
REVIEWED = Word("game", _playthroughs, PLAYTHROUGH_SUFFIXES)
SEARCH = Word("search", lambda *_: dict.fromkeys(map(str, SEARCHES), ""), parse=parse_search)
START = StartType()
TOURNAMENT = Word("integer", _tournaments, parse=_parse_id)
TOURNAMENT_OR_FILE = Word("tournament", _tournaments, TOURNAMENT_SUFFIXES)
UNFINISHED_PLAYTHROUGH = Word("integer", partial(_playthroughs, unfinished=True), parse=_parse_id)
WHOLE_NUMBER = WholeNumberType()
WORKERS = Word("workers", _workers, parse=_parse_workers)
