"""Bots written in Python, by where they are: ``module:name`` or ``file.py:name``."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable
from operator import index
from pathlib import Path
from types import ModuleType

from noughts.engine import Limit
from noughts.games import Position
from noughts.games.quoting import quote
from noughts.players.bot import Bot
from noughts.players.failure import BotFailed

__all__ = ["FunctionBot", "NoBot", "as_bot", "is_python_spec", "load_bot", "move_of", "parse_move_text"]

DEFAULT_NAME = "choose"
"""The name of a bot in its file when none is given."""
LONGEST_MOVE = 100
"""Characters of a move; the longest name of a cell is shorter."""
_SPEC = re.compile(r"(?P<place>[^:\0]+\.py|[A-Za-z_][\w.]*)(?::(?P<name>[A-Za-z_]\w*))?")


class NoBot(ValueError):
    """There is no bot where one was said to be."""


class FunctionBot:
    """A function of a position, or of a position and a limit, as a bot."""

    def __init__(self, function: object) -> None:
        self._function = function
        self._takes_limit = _takes_two(function)

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return what the function returns."""
        move: int = self._function(position, limit) if self._takes_limit else self._function(position)  # type: ignore[operator]
        return move


def _takes_two(function: object) -> bool:
    import inspect

    try:
        inspect.signature(function).bind(None, None)  # type: ignore[arg-type]
    except TypeError:
        return False
    except ValueError:  # it has no signature to look at
        return True
    return True


def as_bot(thing: object) -> Bot:
    """Return a bot for a class or an instance with ``choose``, or for a function; raises NoBot for others."""
    if isinstance(thing, type):
        thing = thing()
    if callable(getattr(thing, "choose", None)):
        return thing  # type: ignore[return-value]
    if callable(thing):
        return FunctionBot(thing)
    raise NoBot(f"expected a function or something with choose(position, limit), got {type(thing).__name__}")


def move_of(position: Position, answer: object) -> int:
    """Return the move that a bot's ``choose`` returned, legal or not; raises BotFailed when it is none."""
    if isinstance(answer, str):
        return parse_move_text(answer, position.parse_move)
    try:
        if not isinstance(answer, bool):
            return index(answer)  # type: ignore[arg-type]
    except Exception:  # it has none, or its own code fails
        pass
    raise BotFailed(f"expected a move as a number or as text, got {type(answer).__name__}", "garbage")


def parse_move_text(text: str, parse: Callable[[str], int]) -> int:
    """Return the move that a bot's text means, legal or not; raises BotFailed.

    Every host reads moves with this: a text is bounded before it is parsed, so that no answer can keep a host busy.
    """
    if len(text) > LONGEST_MOVE:
        raise BotFailed(f"expected a move of at most {LONGEST_MOVE} letters, got {len(text)} letters", "illegal")
    try:
        return parse(text)
    except ValueError as error:
        raise BotFailed(str(error), "illegal") from None


def is_python_spec(text: str) -> bool:
    """Whether a text names a bot as ``load_bot`` takes it, with its name: ``mybot.py:Clever``."""
    match = _SPEC.fullmatch(text)
    return match is not None and match["name"] is not None


def load_bot(spec: str) -> Bot:
    """Return the bot of ``module:name`` or ``file.py:name``; raises NoBot when there is none.

    Whatever the bot's own code raises while it is loaded comes through.
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise NoBot(f"expected a bot as module:name or file.py:name, got {quote(spec)}")
    module = _module(match["place"])
    name = match["name"] or DEFAULT_NAME
    if not hasattr(module, name):
        raise NoBot(f"expected {name!r} in {match['place']}, got a module without it")
    return as_bot(getattr(module, name))


def _module(place: str) -> ModuleType:
    if not place.endswith(".py"):
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            raise NoBot(f"expected a module that can be imported, got {place!r}: {error}") from None
    path = Path(place)
    if not path.is_file():
        raise NoBot(f"expected a file with a bot, got {place!r}, which is none")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.parent.resolve()))  # its neighbours, as when it is run as a program
    spec.loader.exec_module(module)
    return module
