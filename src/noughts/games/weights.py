"""What the evaluation counts, per family of games: data, tuned by measurement (see ``bench/tune``)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from noughts import _core
from noughts.games.ids import Spec, UltimateSpec

__all__ = ["Weights", "weights_of"]

CEILING = 16_000
"""The most one line is worth: the core keeps scores of lines in 16 bits."""


@dataclass(frozen=True)
class Weights:
    """The weights of a family; ``line[n]`` is a line with n marks of one side and none of the other."""

    line: tuple[int, ...]
    outer: tuple[int, ...] = ()
    tempo: int = 0
    block: int = 0
    free_move: int = 0
    exposed: int = 0
    threatened: int = 0
    lined_up: int = 0

    def compiled(self) -> _core.Weights:
        """Return them as the core takes them."""
        return _core.Weights(**asdict(self))


SHORT_LINES = Weights(line=(0, 11, 34, 106, 512), tempo=44)
"""Boards of any dimension whose lines are up to four long; tuned on 4x4x4."""
LONG_LINES = Weights(line=(0, 7, 47, 141, 396, 2048), tempo=223)
"""Boards with five or more in a row; tuned on 15x15:5."""
ULTIMATE_3 = Weights(
    line=(0, 56, 205, 600),
    outer=(0, 270, 826, 2961),
    tempo=112,
    block=1149,
    free_move=291,
    exposed=131,
    threatened=310,
    lined_up=325,
)


def weights_of(spec: Spec | None, longest: int, misere: bool) -> _core.Weights:
    """Return the weights of a game; ``longest`` is the length of its longest line."""
    weights = _ultimate(spec.n) if isinstance(spec, UltimateSpec) else _flat(longest)
    return (_reversed(weights) if misere else weights).compiled()


def _flat(longest: int) -> Weights:
    """The curve goes on for lines longer than those it was tuned on, each mark worth three times the last."""
    weights = LONG_LINES if longest > 4 else SHORT_LINES
    line = list(weights.line)
    while len(line) <= longest:
        line.append(min(CEILING, line[-1] * 3))
    return replace(weights, line=tuple(line))


def _ultimate(n: int) -> Weights:
    if n == 3:
        return ULTIMATE_3
    inner = [0] + [ULTIMATE_3.line[1] * (n - 1) * marks**2 // n for marks in range(1, n + 1)]
    outer = [0] + [ULTIMATE_3.outer[2] * marks**2 // (n - 1) ** 2 for marks in range(1, n + 1)]
    return replace(ULTIMATE_3, line=tuple(inner), outer=tuple(outer))


def _reversed(weights: Weights) -> Weights:
    """In misère what is good for completing a line (an outer line, in Ultimate) is bad."""
    if weights.outer:
        outer = tuple(-worth for worth in weights.outer)
        return replace(weights, outer=outer, block=-weights.block, exposed=-weights.exposed, lined_up=-weights.lined_up)
    return replace(weights, line=tuple(-worth for worth in weights.line), tempo=0)
