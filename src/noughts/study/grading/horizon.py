"""The horizon of a search: the positions that it evaluates."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.games import Position

__all__ = ["horizon"]


def horizon(position: Position, depth: int, seen: set[int] | None = None) -> Iterator[Position]:
    """Yield the positions at a depth below a position, and those where play ends before, each once.

    It is the same position object all the time, which must be left as it is.
    """
    seen = set() if seen is None else seen
    if position.is_over or depth == 0:
        if position.hash not in seen:
            seen.add(position.hash)
            yield position
        return
    for move in position.legal_moves:
        position.play(move)
        yield from horizon(position, depth - 1, seen)
        position.undo()
