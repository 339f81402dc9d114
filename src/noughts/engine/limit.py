"""How long a search may think."""

from __future__ import annotations

import sys
from typing import NamedTuple, Self

from noughts.games.fields import document_fields

__all__ = ["DEFAULT_LIMIT", "Limit"]

MOST_SECONDS = sys.float_info.max
"""The core counts in doubles; infinity, and whole numbers beyond them, are no limit."""


class _Bounds(NamedTuple):
    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None


class Limit(_Bounds):
    """A bound on time, depth or nodes; at least one is given, and the first that is reached ends the search."""

    __slots__ = ()

    def __new__(cls, seconds: float | None = None, depth: int | None = None, nodes: int | None = None) -> Self:
        """Check and return the limit; raises ValueError when nothing is given or a bound is not above 0."""
        if seconds is None and depth is None and nodes is None:
            raise ValueError("expected a limit in seconds, depth or nodes, got none")
        _check_positive("seconds", seconds, whole=False)
        _check_positive("depth", depth, whole=True)
        _check_positive("nodes", nodes, whole=True)
        return super().__new__(cls, seconds, depth, nodes)

    def __str__(self) -> str:
        parts = [
            f"{self.seconds:g} s" if self.seconds is not None else "",
            f"depth {self.depth}" if self.depth is not None else "",
            f"{self.nodes:,} nodes" if self.nodes is not None else "",
        ]
        return ", ".join(part for part in parts if part)


document_fields(
    _Bounds,
    seconds="The most seconds to think, or None.",
    depth="The most plies to look ahead, or None.",
    nodes="The most positions to visit, or None.",
)


def _check_positive(name: str, value: float | None, whole: bool) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise TypeError(f"expected {name} as a {'whole ' if whole else ''}number, got {type(value).__name__}")
    if not value > 0:
        raise ValueError(f"expected {name} above 0, got {value}")
    if not whole and value > MOST_SECONDS:
        raise ValueError(f"expected seconds up to {MOST_SECONDS:g}, got more; without a clock, limit depth or nodes")


DEFAULT_LIMIT = Limit(seconds=1)
"""The limit of a search that is given none."""
