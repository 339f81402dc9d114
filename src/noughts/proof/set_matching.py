"""Checks set matchings: disjoint sets of cells, in each of which the second player stops every line.

docs/proof-format.md says which lines belong to which set, docs/proof-soundness.md why that is enough. Sets and lines
are masks of cells.
"""

from __future__ import annotations

from collections.abc import Sequence

from noughts.proof.reference_rules import cells_in, mask_of

__all__ = ["MOST_CELLS", "SetMatching", "second_player_stops"]

MOST_CELLS = 12
"""The size of the largest set allowed, since the game in a set is played out."""
WHOLE_WEIGHT = 1 << MOST_CELLS
"""The weight of a line without cells; a line of n cells weighs 2ⁿ times less."""


class SetMatching:
    """Disjoint sets of the cells that are free. ``known`` remembers results of games in sets."""

    def __init__(self, free: int, known: dict[frozenset[int], bool]) -> None:
        self._known = known
        self._free = free
        self.pairs: list[int] = []
        self._larger: list[int] = []

    def add(self, cells: Sequence[int]) -> bool:
        """Add a set; False, and nothing is added, if its size is wrong or a cell is not free, or named before."""
        mask = mask_of(cells)
        if mask.bit_count() != len(cells) or mask & ~self._free or not 2 <= len(cells) <= MOST_CELLS:
            return False
        self._free &= ~mask
        (self.pairs if len(cells) == 2 else self._larger).append(mask)
        return True

    def unpaired(self, lines: Sequence[int]) -> Sequence[int]:
        """Return the lines that contain no pair."""
        for pair in self.pairs:
            lines = [line for line in lines if line & pair != pair]
        return lines

    def find_missed(self, lines: Sequence[int]) -> int | None:
        """Return a line that contains no pair and that the larger sets do not stop, or None."""
        parts: list[set[int]] = [set() for _ in self._larger]
        for line in self.unpaired(lines):
            held = [line & cells for cells in self._larger]
            most = max(held, key=int.bit_count, default=0)
            if not most:
                return line
            parts[held.index(most)].add(most)
        for some in parts:
            if not second_player_stops(frozenset(some), self._known):
                return min(some, key=int.bit_count)
        return None


def second_player_stops(lines: frozenset[int], known: dict[frozenset[int], bool]) -> bool:
    """Whether the player who moves second gets a cell of every line. ``known`` remembers results.

    Lines have 1 to MOST_CELLS cells.
    """
    if lines not in known:
        known[lines] = all(
            _can_answer(frozenset(line & ~(1 << cell) for line in lines), known) for cell in _strong_moves(lines)
        )
    return known[lines]


def _strong_moves(lines: frozenset[int]) -> list[int]:
    """The moves that the Erdős-Selfridge sum does not show to fail, the heaviest first."""
    weights = _weights(lines)
    least = WHOLE_WEIGHT - sum(WHOLE_WEIGHT >> line.bit_count() for line in lines)
    return _heaviest_first({cell: weight for cell, weight in weights.items() if weight >= least})


def _can_answer(lines: frozenset[int], known: dict[frozenset[int], bool]) -> bool:
    """The same for the player who is to move, given the cells that the other player lacks in each line."""
    if 0 in lines:
        return False
    last = next((line for line in lines if line.bit_count() == 1), None)  # any other answer loses this line
    return any(
        second_player_stops(frozenset(line for line in lines if not line >> cell & 1), known)
        for cell in (_heaviest_first(_weights(lines)) if last is None else cells_in(last))
    )


def _heaviest_first(weights: dict[int, int]) -> list[int]:
    """The order affects only the time."""
    return sorted(weights, key=lambda cell: -weights[cell])


def _weights(lines: frozenset[int]) -> dict[int, int]:
    """By cell: the Erdős-Selfridge weight of the lines through it, where a line without cells weighs WHOLE_WEIGHT."""
    weights: dict[int, int] = {}
    for line in lines:
        weight = WHOLE_WEIGHT >> line.bit_count()
        for cell in cells_in(line):
            weights[cell] = weights.get(cell, 0) + weight
    return weights
