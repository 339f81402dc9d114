"""Caches for games, bounded by the total size of their values: games differ in size by a factor of ten thousand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from noughts.games.game import Game

__all__ = ["SizedCache", "once_per_game"]

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SizedCache(Generic[Key, Value]):
    """A least-recently-used cache bounded by total size; ``size_of`` returns the size of a value. Thread-safe.

    A value larger than the whole cache is not stored.

    >>> cache = SizedCache[str, str](most=10, size_of=len)
    >>> cache.get("a", lambda: "12345"), cache.get("b", lambda: "123456"), cache.size
    ('12345', '123456', 6)
    """

    def __init__(self, most: int, size_of: Callable[[Value], int]) -> None:
        self.most, self.size = most, 0
        self._size_of = size_of
        self._held: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, calling ``make`` if it is missing. Two threads may make the same value."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key][0]
        value = make()
        size = self._size_of(value)
        with self._lock:
            if key not in self._held and size <= self.most:
                self._held[key] = value, size
                self.size += size
            while self.size > self.most:
                self.size -= self._held.popitem(last=False)[1][1]
        return value

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self.size = 0


def once_per_game(function: Callable[[Game], Value]) -> Callable[[Game], Value]:
    """Cache a function of a game: it is called once per game, and its result lives as long as the game."""

    @wraps(function)
    def cached(game: Game) -> Value:
        held: dict[object, Value] = game.__dict__.setdefault("_derived", {})
        if function not in held:
            held[function] = function(game)
        return held[function]

    return cached
