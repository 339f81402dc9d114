"""What a line is worth to the evaluation, by the number of marks in it: data, tuned by measurement."""

from __future__ import annotations

from noughts.games.ids import Spec, UltimateSpec

__all__ = ["line_weights", "outer_weights"]

GROWTH = 4
"""Each further mark multiplies a line's worth by so much, up to the core's 16 bits."""

CEILING = 16_000


def line_weights(spec: Spec | None, longest: int) -> list[int]:
    """Return the worth of a line with 0, 1, 2, ... marks of one side and none of the other."""
    return [0] + [min(CEILING, GROWTH ** (marks - 1)) for marks in range(1, longest + 1)]


def outer_weights(spec: Spec | None) -> list[int]:
    """Return the worth of a line of blocks; nothing for flat games, whose outer game is a single cell."""
    if not isinstance(spec, UltimateSpec):
        return []
    return [0] + [16 * GROWTH ** (marks - 1) for marks in range(1, spec.n + 1)]
