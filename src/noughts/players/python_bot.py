"""Loads players written in Python, by ``module:name`` or ``file.py:name``, and reads the moves they return."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from operator import index
from pathlib import Path
from types import ModuleType

from noughts.engine import Limit
from noughts.games import Position
from noughts.games.quoting import quote
from noughts.players.player import FailureReason, Player, PlayerFailed

__all__ = ["FunctionPlayer", "LoadError", "as_player", "is_python_spec", "load_player", "move_of", "parse_move_text"]

DEFAULT_NAME = "choose"
"""The name looked up in a file when none is given."""
MAX_MOVE_CHARACTERS = 100
"""Every name of a cell is shorter."""
_SPEC = re.compile(r"(?P<place>[^:\0]+\.py|[A-Za-z_][\w.]*)(?::(?P<name>[A-Za-z_]\w*))?")


class LoadError(ValueError):
    """The file or module does not exist, or has no such player."""


class FunctionPlayer:
    """A function of a position, or of a position and a limit, as a player."""

    def __init__(self, function: object) -> None:
        self._function = function
        self._takes_limit = _takes_two(function)

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return the function's result."""
        move: int = self._function(position, limit) if self._takes_limit else self._function(position)  # type: ignore[operator]
        return move


def _takes_two(function: object) -> bool:
    try:
        inspect.signature(function).bind(None, None)  # type: ignore[arg-type]
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
        return thing  # type: ignore[return-value]
    if callable(thing):
        return FunctionPlayer(thing)
    raise LoadError(f"expected a function or an object with choose(position, limit), got {type(thing).__name__}")


def move_of(position: Position, answer: object) -> int:
    """Return the move that ``choose`` returned, legal or not; raises PlayerFailed when it is not a move at all."""
    if isinstance(answer, str):
        return parse_move_text(answer, position.parse_move)
    try:
        if not isinstance(answer, bool):
            return index(answer)  # type: ignore[arg-type]
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
