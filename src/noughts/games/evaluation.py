"""The evaluation of each family of games: weights, tuned by ``bench/tune``, and networks, by ``bench/train``."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from noughts import _core
from noughts.games.quoting import quote
from noughts.games.spec import BoardSpec, Spec, UltimateSpec
from noughts.packaged import read_packaged

__all__ = ["Weights", "network_of", "scale_of", "ultimate_weights", "weights_of"]

CEILING = 16_000
"""Largest worth of a line: the core stores scores of lines in 16 bits."""


class Weights(NamedTuple):
    """The weights of a family; ``line[n]`` is the worth of a line with n marks of one side and none of the other."""

    line: tuple[int, ...]
    outer: tuple[int, ...] = ()
    tempo: int = 0
    block: int = 0
    free_move: int = 0
    exposed: int = 0
    threatened: int = 0
    lined_up: int = 0

    @classmethod
    def from_data(cls, data: object) -> Weights:
        """Return the weights of plain data, such as JSON; raises ValueError."""
        if not isinstance(data, dict) or not data.keys() <= set(cls._fields) or "line" not in data:
            raise ValueError(f"expected an object with line and others of {', '.join(cls._fields)}, got {quote(data)}")
        values: dict[str, Any] = {}
        for name, value in data.items():
            values[name] = tuple(value) if isinstance(value, list | tuple) else value
            numbers = values[name] if name in ("line", "outer") else (value,)
            if not isinstance(numbers, tuple) or not all(type(number) is int for number in numbers):
                raise ValueError(f"expected whole numbers for {name}, got {quote(value)}")
        return cls(**values)

    def compiled(self) -> _core.Weights:
        """Return the weights as an object of the core."""
        return _core.Weights(**self._asdict())


SHORT_LINES = Weights(line=(0, 8, 32, 128, 512), tempo=16)
"""For lines of up to four cells, on flat boards and on all boards with gravity; tuned on 7x6:4+gravity."""
CUBES = Weights(line=(0, 11, 34, 106, 512), tempo=44)
"""For lines of up to four cells in three or more dimensions; tuned on 4x4x4."""
LONG_LINES = Weights(line=(0, 7, 47, 141, 396, 2048), tempo=223)
"""For lines of five or more cells; tuned on 15x15:5."""
ULTIMATE_3 = Weights(
    line=(0, 94, 148, 600),
    outer=(0, 537, 1725, 2961),
    tempo=262,
    block=306,
    free_move=1076,
    threatened=386,
    lined_up=336,
)
ULTIMATE_4 = Weights(
    line=(0, 73, 217, 336, 672),
    outer=(0, 12, 208, 641, 1468),
    tempo=148,
    block=1581,
    free_move=117,
    threatened=312,
    lined_up=99,
)
"""Tuned on ultimate:4+count."""

FLAT_SCALES = {1: 50, 2: 50, 3: 50, 4: 100, 5: 350}
ULTIMATE_SCALES = {2: 1000, 3: 2200, 4: 4000, 5: 6000}
LARGEST_FLAT_SCALE = 1400
"""Scores that correspond to a chance of 73%, by length of line or block; fitted to self-play by ``bench/tune``."""

NETWORKS = "games/networks"
GAME_FILES = {"4x4x4": "4x4x4.net", "7x6:4+gravity": "connect4.net"}
"""Networks of one game, by its id."""
ULTIMATE_FILES = {3: "ultimate3.net", 4: "ultimate4.net"}
"""Networks by the number of blocks a side, each trained with and without ``+count`` and with no other option."""
STRIP_FILES: dict[tuple[int, bool], dict[int | None, str]] = {
    (5, False): {17: "strips5.net", None: "strips5large.net"},
    (5, True): {None: "strips5exact.net"},
}
"""Networks of boards much larger than their lines, by the length of a line and whether the game has ``+exact``, then by
the longest side for which each measured best; None is any side."""


def weights_of(spec: Spec | None, longest: int, misere: bool) -> Weights:
    """Return the weights of a game; ``longest`` is the length of its longest line."""
    weights = ultimate_weights(spec.n) if isinstance(spec, UltimateSpec) else _lengthened(_flat(spec, longest), longest)
    return _reversed(weights) if misere else weights


def _flat(spec: BoardSpec | None, longest: int) -> Weights:
    if longest > 4:
        return LONG_LINES
    is_cube = spec is not None and len(spec.sides) > 2 and "gravity" not in spec.options
    return CUBES if is_cube else SHORT_LINES


def _lengthened(weights: Weights, longest: int) -> Weights:
    """Extend the curve to lines longer than those it was tuned on: each further mark triples the worth."""
    line = list(weights.line)
    while len(line) <= longest:
        line.append(min(CEILING, line[-1] * 3))
    return weights._replace(line=tuple(line))


def ultimate_weights(n: int) -> Weights:
    """Return the weights of Ultimate with n blocks a side."""
    if n <= 3:
        return ULTIMATE_3
    if n == 4:
        return ULTIMATE_4
    return ULTIMATE_4._replace(line=(*ULTIMATE_4.line, 1344), outer=(*ULTIMATE_4.outer, 2936))


def _reversed(weights: Weights) -> Weights:
    """Weights for misère, where being close to a line (in Ultimate an outer line) is bad."""
    if weights.outer:
        outer = tuple(-worth for worth in weights.outer)
        return weights._replace(outer=outer, block=-weights.block, exposed=-weights.exposed, lined_up=-weights.lined_up)
    return weights._replace(line=tuple(-worth for worth in weights.line), tempo=0)


def scale_of(spec: Spec | None, longest: int) -> int:
    """Return the scale of the scores without a network: a score of n is a chance of ``1 / (1 + exp(-n / scale))``."""
    if isinstance(spec, UltimateSpec):
        return ULTIMATE_SCALES[spec.n]
    return FLAT_SCALES.get(longest, LARGEST_FLAT_SCALE)


def network_of(spec: Spec | None) -> bytes:
    """Return the network of a game as bytes for the core; empty if it has none."""
    if spec is not None and spec.id in GAME_FILES:
        return _read(GAME_FILES[spec.id])
    if isinstance(spec, UltimateSpec) and spec.options <= {"count"} and spec.n in ULTIMATE_FILES:
        return _read(ULTIMATE_FILES[spec.n])
    if isinstance(spec, BoardSpec) and spec.options <= {"exact"} and len(spec.sides) == 2:
        files = STRIP_FILES.get((spec.k, "exact" in spec.options), {})
        if min(spec.sides) >= 2 * spec.k:
            for longest, name in files.items():
                if longest is None or max(spec.sides) <= longest:
                    return _read(name)
    return b""


@cache
def _read(name: str) -> bytes:
    return read_packaged(f"{NETWORKS}/{name}")
