"""What the evaluation counts, per family of games: data, tuned by measurement (see ``bench/tune``)."""

from __future__ import annotations

from noughts import _core
from noughts.games.ids import Spec, UltimateSpec

__all__ = ["weights_of"]

GROWTH = 4
"""Each further mark multiplies a line's worth by so much."""

CEILING = 8_000
"""The most one line is worth: the core keeps scores of lines in 16 bits."""


def weights_of(spec: Spec | None, longest: int, misere: bool) -> _core.Weights:
    """Return the weights of a game; ``longest`` is the length of its longest line."""
    if isinstance(spec, UltimateSpec):
        return _ultimate(spec.n, -1 if misere else 1)
    line = [0] + [min(CEILING, 8 * GROWTH ** (marks - 1)) for marks in range(1, longest + 1)]
    if misere:
        line = [-worth for worth in line]
    return _core.Weights(line=line, outer=[], tempo=0 if misere else 16, block=0, free_move=0, exposed=0)


def _ultimate(n: int, sign: int) -> _core.Weights:
    inner = [0, 33] + [150 * marks * marks * 4 // (n * n) for marks in range(2, n + 1)]
    outer = [0] + [1316 * marks * marks // ((n - 1) * (n - 1)) for marks in range(1, n + 1)]
    return _core.Weights(
        line=inner,
        outer=[sign * min(CEILING, worth) for worth in outer],
        tempo=112,
        block=1574 * sign,
        free_move=300,
        exposed=800 * sign,
    )
