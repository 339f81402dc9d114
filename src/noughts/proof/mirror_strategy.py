"""Checks mirror strategies of misère games; docs/proof-format.md defines them.

Like ``verify``, this uses only ``reference_rules``.
"""

from __future__ import annotations

from collections.abc import Sequence

from noughts.proof.reference_rules import Symmetry, cells_in

__all__ = ["MOST_PAIRS", "MirrorStrategy"]

MOST_PAIRS = 16
"""Pairs of empty cells, for each of which the opponent may take either cell."""


class MirrorStrategy:
    """The prover answers each reply with its image under a symmetry; who completes a line loses."""

    def __init__(self, lines: Sequence[tuple[int, int]], symmetry: Symmetry) -> None:
        self.lines = [line for line, _ in lines]
        self.symmetry = symmetry
        self.fixed = 0
        for cell, image in enumerate(symmetry.cells):
            if cell == image:
                self.fixed |= 1 << cell

    def find_flaw(self, own: int, other: int, board: int, wants_win: bool) -> str | None:
        """Return None if the strategy reaches the goal with the opponent to move, else the reason why not."""
        cells = self.symmetry.cells
        if any(cells[image] != cell for cell, image in enumerate(cells)):
            return "expected a symmetry that is its own inverse"
        if own != self.symmetry.of_cells(other) | self.fixed:
            return "expected the marks of the prover to be the images of the opponent's and the fixed cells"
        for line in self.lines:
            if line & self.fixed and not self._has_pair(line):
                return "expected each line through a fixed cell to contain another cell and its image"
        if not wants_win:
            return None
        pairs = [(cell, cells[cell]) for cell in cells_in(board & ~(own | other)) if cell < cells[cell]]
        if len(pairs) > MOST_PAIRS:
            return f"expected at most {MOST_PAIRS} pairs of empty cells, got {len(pairs)}"
        if self._can_avoid_lines(other, pairs):
            return "expected the opponent to complete a line in any case, but it can avoid that"
        return None

    def _has_pair(self, line: int) -> bool:
        return bool(line & self.symmetry.of_cells(line) & ~self.fixed)

    def _can_avoid_lines(self, marks: int, pairs: Sequence[tuple[int, int]]) -> bool:
        """Whether the opponent can take a cell of each pair without completing a line."""
        if any(line & marks == line for line in self.lines):
            return False
        if not pairs:
            return True
        return any(self._can_avoid_lines(marks | 1 << cell, pairs[1:]) for cell in pairs[0])
