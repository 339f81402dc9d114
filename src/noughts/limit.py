"""Bounds on a search: time, depth and nodes, and how an engine divides the time on its clock."""

from __future__ import annotations

import operator
import sys
from math import inf
from numbers import Real
from typing import NamedTuple, Self, SupportsFloat, SupportsIndex, TypeVar

from noughts.games import Position, Side
from noughts.games.outcome import document_fields

__all__ = [
    "DEFAULT_LIMIT",
    "DEFAULT_SECONDS",
    "ClockReading",
    "Limit",
    "as_float",
    "as_int",
    "as_seed",
    "subtract_overhead",
]

MAX_SECONDS = sys.float_info.max
"""The core uses doubles: infinity and larger integers are not accepted."""
MOVE_OVERHEAD_SECONDS = 0.03
"""Time per move left for pipes and the scheduler."""
MAX_MOVES_TO_GO = 20
"""A move gets at least this fraction (1/n) of the clock, regardless of how many moves may follow."""
INCREMENT_SHARE = 0.9
"""Part of the increment that is spent at once; the rest is a reserve."""
MAX_STRETCH = 3.0
"""An unclear move may take this many times its share of the clock."""
MAX_ADVANCE = 0.4
"""An unclear move may take up to this part of the time that is meant for later moves."""
MIN_TIME_SHARE = 0.1
"""Minimum share of the time for a move that is searched, however long getting ready took."""
MIN_SECONDS = 0.001
Number = TypeVar("Number", int, float)
DEFAULT_SECONDS = 1.0


class ClockReading(NamedTuple):
    """The time on both clocks of a match and the increments, in seconds: X's, then O's."""

    left: tuple[float, float]
    increment: tuple[float, float] = (0.0, 0.0)
    moves_to_go: int | None = None
    """Moves that the side to move must make before time is added to its clock; None if none is added."""


class _Bounds(NamedTuple):
    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    clock: ClockReading | None = None


class Limit(_Bounds):
    """A bound on time, depth or nodes; at least one is given, and the first one reached ends the search.

    With a ``clock`` the engine decides how much of its time to spend: about ``thinking_seconds``, less on easy moves,
    more on unclear ones, ``max_thinking_seconds`` at most. A limit in ``seconds`` is used up if there is a choice.
    """

    __slots__ = ()

    def __new__(
        cls,
        seconds: SupportsFloat | None = None,
        depth: SupportsIndex | None = None,
        nodes: SupportsIndex | None = None,
        clock: ClockReading | None = None,
    ) -> Self:
        """Check and return the limit; raises ValueError when nothing is given or a bound is not above 0."""
        if seconds is None and depth is None and nodes is None and clock is None:
            raise ValueError("expected a limit in seconds, depth or nodes, got none")
        if clock is not None and not isinstance(clock, ClockReading):
            raise TypeError(f"expected clock as a ClockReading, got {type(clock).__name__}")
        seconds = None if seconds is None else _positive("seconds", _as_number("seconds", seconds))
        depth = None if depth is None else _positive("depth", as_int("depth", depth))
        nodes = None if nodes is None else _positive("nodes", as_int("nodes", nodes))
        if seconds is not None and seconds > MAX_SECONDS:
            raise ValueError(f"expected seconds up to {MAX_SECONDS:g}, got more; without a clock, limit depth or nodes")
        return super().__new__(cls, seconds, depth, nodes, clock)

    def deadline(self, side: Side) -> float | None:
        """Return the number of seconds after which a side is late, or None if it never is."""
        bounds = [self.seconds, None if self.clock is None else self.clock.left[side.number]]
        return min((bound for bound in bounds if bound is not None), default=None)

    def thinking_seconds(self, position: Position) -> float | None:
        """Return the seconds that a move in a position should take on average; None without a time limit.

        Without a clock this is ``seconds``. With a clock it is an even share of the time left plus most of the
        increment, with a reserve for the overhead of a move, so that the engine never loses on time.

        >>> from noughts import Game
        >>> Limit(clock=ClockReading((60, 60), (1, 1))).thinking_seconds(Game("15x15:5").start())
        3.9
        """
        if self.clock is None or position.turn is None:
            return self.seconds
        return self._bounded(_share(self.clock, position, position.turn), self.clock.left[position.turn.number])

    def max_thinking_seconds(self, position: Position) -> float | None:
        """Return the seconds after which a player must move, however unclear the position; None without a time limit.

        Without a clock this is ``seconds``, like ``thinking_seconds``: a fixed time is used up.
        """
        if self.clock is None or position.turn is None:
            return self.seconds
        left, share = self.clock.left[position.turn.number], _share(self.clock, position, position.turn)
        return self._bounded(min(MAX_STRETCH * share, share + MAX_ADVANCE * max(0, left - share)), left)

    def _bounded(self, seconds: float, left: float) -> float:
        """The seconds, if neither the clock nor the limit in seconds allows less."""
        usable = max(MIN_SECONDS, min(seconds, subtract_overhead(left)))
        return usable if self.seconds is None else min(usable, self.seconds)

    def after(self, spent: float, side: Side) -> Limit:
        """Return the rest of the limit for a side that has already spent some seconds on its move."""
        seconds = None if self.seconds is None else max(self.seconds - spent, self.seconds * MIN_TIME_SHARE)
        if self.clock is None:
            return Limit(seconds, self.depth, self.nodes)
        left = [*self.clock.left]
        left[side.number] = max(0.0, left[side.number] - spent)
        return Limit(seconds, self.depth, self.nodes, self.clock._replace(left=(left[0], left[1])))

    @property
    def is_timed(self) -> bool:
        """Whether it bounds the time."""
        return self.seconds is not None or self.clock is not None

    def __str__(self) -> str:
        parts = [
            f"{self.seconds:g} s" if self.seconds is not None else "",
            "{:g} s and {:g} s on the clocks".format(*self.clock.left) if self.clock is not None else "",
            f"depth {self.depth}" if self.depth is not None else "",
            f"{self.nodes:,} nodes" if self.nodes is not None else "",
        ]
        return ", ".join(part for part in parts if part)


document_fields(
    _Bounds,
    seconds="The maximum number of seconds to think, or None.",
    depth="The maximum number of plies to look ahead, or None.",
    nodes="The maximum number of positions to visit, or None.",
    clock="The clocks of the match, or None.",
)


def _share(clock: ClockReading, position: Position, side: Side) -> float:
    """The seconds of a side's clock for each of its moves, of which the position may have many left."""
    own_moves = (position.cells.count(None) + 1) // 2
    moves = max(1, min(MAX_MOVES_TO_GO, own_moves, clock.moves_to_go or MAX_MOVES_TO_GO))
    return clock.left[side.number] / moves + INCREMENT_SHARE * clock.increment[side.number]


def subtract_overhead(seconds: float) -> float:
    """Return the part of a hard time limit that an engine may use: all but the overhead, at least a quarter."""
    return max(seconds - MOVE_OVERHEAD_SECONDS, seconds / 4)


def as_int(name: str, value: SupportsIndex, least: float = -inf, most: float = inf) -> int:
    """Return a whole number, such as one of NumPy's, as an int; raises TypeError, or ValueError out of its range."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"expected {name} as a whole number, got {type(value).__name__}")
    return _in_range(name, operator.index(value), least, most)


def as_float(name: str, value: SupportsFloat, least: float, most: float) -> float:
    """Return a number, such as one of NumPy's, as Python's; raises TypeError, or ValueError out of its range."""
    return _in_range(name, _as_number(name, value), least, most)


def as_seed(seed: SupportsIndex | None) -> int | None:
    """Return a seed as an int, or None for a random one."""
    return None if seed is None else as_int("seed", seed)


def _as_number(name: str, value: SupportsFloat) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"expected {name} as a number, got {type(value).__name__}")
    return value if isinstance(value, int | float) else float(value)


def _in_range(name: str, value: Number, least: float, most: float) -> Number:
    if not least <= value <= most:
        raise ValueError(f"expected {name} from {least} to {most}, got {value}")
    return value


def _positive(name: str, value: Number) -> Number:
    if not value > 0:
        raise ValueError(f"expected {name} above 0, got {value}")
    return value


DEFAULT_LIMIT = Limit(seconds=DEFAULT_SECONDS)
"""The default limit of a search, and of a move of ``master``."""
