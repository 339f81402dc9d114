"""Small boards, drawn in the nodes of a tree."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.games import Game, Side
from noughts.teaching.tree.layout import project_cells

__all__ = ["NoBoard", "SmallBoard"]


class NoBoard:
    """The empty space in the nodes of a typed tree, which has no board."""

    width = 0.0
    height = 4.0

    def grid(self) -> str:
        """Return nothing to draw."""
        return ""


class SmallBoard:
    """A small board for any game, with about ``cell`` pixels per cell and at most ``widest`` pixels wide.

    Further axes repeat the board: the third side by side, the fourth below each other, and so on alternately.
    """

    def __init__(self, game: Game, cell: float, widest: float = 110) -> None:
        spots = project_cells(game)
        left, top = min(x for x, _ in spots), min(y for _, y in spots)
        columns, rows = (max(axis) - min(axis) + 1 for axis in zip(*spots, strict=True))
        self.cell: float = min(cell, widest / max(columns, rows))
        self.width: float = columns * self.cell
        self.height: float = rows * self.cell
        self.centers = [((x - left + 0.5) * self.cell, (y - top + 0.5) * self.cell) for x, y in spots]
        self._spots = spots
        self._game = game

    def grid(self) -> str:
        """Return the SVG of the empty board, which is defined once and used in every node.

        Its colours are inline because style sheets do not apply inside ``<use>`` elements.
        """
        if self._game.dimensions is None and self._game.block_size is None:
            return "".join(f'<circle fill="#b9bfcd" cx="{x:.1f}" cy="{y:.1f}" r="1.5"/>' for x, y in self.centers)
        thin = f'<path fill="none" stroke="#c3c8d4" d="{self._edges(across_blocks=False)}"/>'
        if self._game.block_size is None:
            return thin
        return thin + f'<path fill="none" stroke="#7d8498" stroke-width="1.5" d="{self._edges(across_blocks=True)}"/>'

    def _edges(self, across_blocks: bool) -> str:
        """Return the lines between neighbouring cells: those between blocks, or those within one."""
        half, at = self.cell / 2, {spot: cell for cell, spot in enumerate(self._spots)}
        parts = []
        for cell, (x, y) in enumerate(self._spots):
            for dx, dy in ((1, 0), (0, 1)):
                other = at.get((x + dx, y + dy))
                if other is not None and self._share_block(cell, other) != across_blocks:
                    cx, cy = self.centers[cell]
                    left, top = cx + (dx - dy) * half, cy + (dy - dx) * half
                    parts.append(f"M{left:.1f} {top:.1f}l{dy * self.cell:.1f} {dx * self.cell:.1f}")
        return "".join(parts)

    def _share_block(self, a: int, b: int) -> bool:
        size = self._game.block_size
        return size is None or a // size**2 == b // size**2

    def marks(self, cells: Sequence[Side | None], last: int | None) -> str:
        """Return the SVG of the marks, the last one on a tinted cell."""
        r = self.cell * 0.28
        xs = "".join(
            f"M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}m0 {-2 * r:.1f}l{-2 * r:.1f} {2 * r:.1f}"
            for (x, y), mark in zip(self.centers, cells, strict=True)
            if mark == Side.X
        )
        os = "".join(
            f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0"
            for (x, y), mark in zip(self.centers, cells, strict=True)
            if mark == Side.O
        )
        pen = max(1, self.cell * 0.12)
        paths = "".join(
            f'<path class="mark-{side}" stroke-width="{pen:.1f}" d="{d}"/>' for side, d in (("x", xs), ("o", os)) if d
        )
        return (self._tint(last) if last is not None else "") + paths

    def _tint(self, cell: int) -> str:
        (x, y), side = self.centers[cell], self.cell
        at = f'x="{x - side / 2:.1f}" y="{y - side / 2:.1f}"'
        return f'<rect class="last" {at} width="{side:.1f}" height="{side:.1f}"/>'
