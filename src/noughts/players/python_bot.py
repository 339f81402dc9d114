"""Players written in Python: loaded by ``module:name`` or ``file.py:name``, and asked for moves in this process.

A player in this process is fast to ask, but no limits are enforced on it.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from operator import index
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import ClassVar, SupportsIndex, cast

from noughts.engine import LevelPlayer, Limit, SearchResult
from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.players.player import HostedPlayer, Player
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import GRACE_SECONDS

__all__ = [
    "FunctionPlayer",
    "InProcessPlayer",
    "LoadError",
    "as_player",
    "is_python_spec",
    "load_player",
    "move_of",
    "parse_move_text",
]

DEFAULT_NAME = "choose"
"""The name looked up in a file when none is given."""
MAX_MOVE_CHARACTERS = 100
"""Every name of a cell is shorter."""
_SPEC = re.compile(r"(?P<place>[^:\0]+\.py|[A-Za-z_][\w.]*)(?::(?P<name>[A-Za-z_]\w*))?")
MAX_ERROR_CHARACTERS = 200


class LoadError(ValueError):
    """The file or module does not exist, or has no such player."""


class FunctionPlayer:
    """A function of a position, or of a position and a limit, as a player."""

    def __init__(self, function: Callable[..., int]) -> None:
        self._function = function
        self._takes_limit = _takes_two(function)

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        return self._function(position, limit) if self._takes_limit else self._function(position)


def _takes_two(function: Callable[..., int]) -> bool:
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # built-in functions may have no signature
        return True
    return True


def as_player(thing: object) -> Player:
    """Return a player for a class or an instance with ``choose``, or for a function; raises LoadError for others."""
    if isinstance(thing, type):
        thing = thing()
    if callable(getattr(thing, "choose", None)):
        return cast(Player, thing)
    if callable(thing):
        return FunctionPlayer(thing)
    raise LoadError(f"expected a function or an object with choose(position, limit), got {type(thing).__name__}")


def move_of(position: Position, answer: object) -> int:
    """Return the move that ``choose`` returned, legal or not; raises PlayerFailed when it is not a move at all."""
    if isinstance(answer, str):
        return parse_move_text(answer, position.parse_move)
    try:
        if not isinstance(answer, bool):
            return index(cast(SupportsIndex, answer))
    except Exception:  # it has no __index__, or its __index__ fails
        pass
    raise PlayerFailed(f"expected a move as a number or as text, got {type(answer).__name__}", FailureReason.GARBAGE)


def parse_move_text(text: str, parse: Callable[[str], int]) -> int:
    """Return the move that a player's text names, legal or not; raises PlayerFailed.

    All hosts read moves with this function. The length is checked before parsing, so that no answer can keep a
    host busy.
    """
    if len(text) > MAX_MOVE_CHARACTERS:
        raise PlayerFailed(
            f"expected a move of at most {MAX_MOVE_CHARACTERS} characters, got {len(text)}", FailureReason.ILLEGAL
        )
    try:
        return parse(text)
    except ValueError as error:
        raise PlayerFailed(str(error), FailureReason.ILLEGAL) from None


def is_python_spec(text: str) -> bool:
    """Whether a text names a player for ``load_player`` in full: ``mybot.py:Clever``."""
    match = _SPEC.fullmatch(text)
    return match is not None and match["name"] is not None


def load_player(spec: str) -> Player:
    """Return the player of ``module:name`` or ``file.py:name``; raises LoadError when there is none.

    Exceptions raised by the loaded code itself are passed on.
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise LoadError(f"expected a player as module:name or file.py:name, got {quote(spec)}")
    module = _load_module(match["place"])
    name = match["name"] or DEFAULT_NAME
    if not hasattr(module, name):
        raise LoadError(f"{match['place']} has no {name!r}")
    return as_player(getattr(module, name))


def _load_module(place: str) -> ModuleType:
    if not place.endswith(".py"):
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            raise LoadError(f"cannot import {quote(place)}: {error}") from None
    path = Path(place)
    if not path.is_file():
        raise LoadError(f"cannot load {quote(place)}: no such file")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.parent.resolve()))  # its neighbours, as when it is run as a program
    spec.loader.exec_module(module)
    return module


class InProcessPlayer(HostedPlayer):
    """Any class or instance with ``choose(position, limit)``, or any function, as an opened player.

    It gets a copy of the position, so it cannot change the board. A late answer is a failure, but only once it has
    come: a player that hangs here hangs its host. Threads, files and the network are open to it, so untrusted code
    belongs in a process of its own (``open_player`` with ``protocol="python"``).
    """

    protocol: ClassVar[str] = "in-process"

    def __init__(
        self,
        player: object,
        name: str | None = None,
        grace_seconds: float = GRACE_SECONDS,
        limit: Limit | None = None,
        is_held_to_seconds: bool = True,
    ) -> None:
        self._player = as_player(player)
        self.grace_seconds = grace_seconds
        self.is_held_to_seconds = is_held_to_seconds
        self._limit = limit
        self.name = name or _name_of(player)

    def start(self, game: Game) -> None:
        """Check that a built-in player can play a game; raises PlayerFailed."""
        if isinstance(self._player, LevelPlayer):
            try:
                self._player.check(game)
            except ValueError as error:
                raise PlayerFailed(str(error), FailureReason.START) from None

    @property
    def latest(self) -> SearchResult | None:
        """The player's result so far, when it is an engine that is thinking."""
        return getattr(self._player, "latest", None)

    def stop(self) -> None:
        """Make an engine answer soon with the best move so far."""
        stop = getattr(self._player, "stop", None)
        if stop is not None:
            stop()

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return its move, which is legal; raises PlayerFailed."""
        side, limit = position.require_unfinished().side_to_move, limit or self._limit
        began = perf_counter()
        try:
            answer = self._answer(position, limit)
        finally:
            self.last_seconds = perf_counter() - began
        self.check_in_time(limit, side)
        move = move_of(position, answer)
        if not position.is_legal(move):
            raise PlayerFailed(f"an illegal move: {move}", FailureReason.ILLEGAL)
        return move

    def _answer(self, position: Position, limit: Limit | None) -> object:
        try:
            reads_clock = isinstance(self._player, LevelPlayer)
            return self._player.choose(position.copy(), limit if reads_clock else _limit_of_move(position, limit))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise PlayerFailed(_describe(error), FailureReason.CRASH) from error


def _limit_of_move(position: Position, limit: Limit | None) -> Limit | None:
    """Return the limit with the share of the clock in ``seconds``: most players look at nothing else."""
    if limit is None or limit.clock is None:
        return limit
    return Limit(limit.thinking_seconds(position), limit.depth, limit.nodes, limit.clock)


def _describe(error: BaseException) -> str:
    """Describe an error in one line, even when its own ``__str__`` fails."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())[:MAX_ERROR_CHARACTERS]
    except Exception:
        return kind
    return f"{kind}: {text}" if text else kind


def _name_of(player: object) -> str:
    name = getattr(player, "name", None) or getattr(player, "__name__", None)
    return name if isinstance(name, str) else type(player).__name__
