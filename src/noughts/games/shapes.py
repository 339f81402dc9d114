"""The shapes that pictures of boards are made of, as SVG."""

from __future__ import annotations

from html import escape

from noughts.games.outcome import Side

__all__ = ["BOARD", "CELL", "DIMMED", "FRAME", "GLOW", "GLOW_EDGE", "TINTS", "Point", "Sheet"]

Point = tuple[float, float]

XMLNS = "http://www.w3.org/2000/svg"
CELL = 40
MARK = 11
"""How far a mark reaches from the middle of its cell."""
COLOURS = {Side.X: "#0072B2", Side.O: "#D55E00"}
TINTS = {Side.X: "#DCEBF5", Side.O: "#FBE6D8"}
PAPER, EDGE = "#F7F4EE", "#DDD7CB"
BOARD, DIMMED, RULE, FRAME = "#FFFFFF", "#F1EDE5", "#D9D3C7", "#A79F90"
NAMES, INK = "#665F52", "#2B2822"
GLOW, GLOW_EDGE = "#FFE08A", "#C79A1B"
TARGET = "#009E73"


class Sheet:
    """An SVG picture in the making: shapes in the order they were drawn, later ones on top."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.centres: dict[int, Point] = {}
        """Where the middle of each cell is, as far as cells were drawn."""
        self.blocks: dict[int, tuple[Point, float]] = {}
        """The middle and the size of each block that was drawn."""

    @property
    def shapes(self) -> str:
        """What was drawn so far, without paper."""
        return "".join(self._parts)

    def finish(self, width: float, height: float, scale: float, title: str, description: str) -> str:
        """Return the picture on its paper, with what it shows in words."""
        box = f'viewBox="0 0 {_number(width)} {_number(height)}"'
        shown = f'width="{_number(width * scale)}" height="{_number(height * scale)}"'
        paper = f'x="0.5" y="0.5" width="{_number(width - 1)}" height="{_number(height - 1)}" rx="12"'
        return "\n".join(
            [
                f'<svg xmlns="{XMLNS}" role="img" {box} {shown} style="max-width:100%;height:auto">',
                f"<title>{escape(title)}</title>",
                f"<desc>{escape(description)}</desc>",
                f'<rect {paper} fill="{PAPER}" stroke="{EDGE}"/>',
                *self._parts,
                "</svg>",
            ]
        )

    def text(self, x: float, y: float, text: str, size: int = 12, anchor: str = "middle") -> None:
        """Write a text at a place: its middle, or its end."""
        place = f'x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}" dominant-baseline="central"'
        font = f'font-family="system-ui, sans-serif" font-size="{size}" fill="{NAMES}"'
        self._parts.append(f"<text {place} {font}>{escape(text)}</text>")

    def board(self, x: float, y: float, columns: int, rows: int, fill: str = BOARD, edge: str = FRAME) -> None:
        """Draw a board of cells."""
        wide, high = columns * CELL, rows * CELL
        self._add("rect", x=x, y=y, width=wide, height=high, rx=6, fill=fill, stroke=edge, stroke_width=1.5)
        bars = [f"M{_number(x + at * CELL)} {_number(y + 4)}v{high - 8}" for at in range(1, columns)]
        rules = [f"M{_number(x + 4)} {_number(y + at * CELL)}h{wide - 8}" for at in range(1, rows)]
        if bars or rules:
            self._add("path", d="".join(bars + rules), stroke=RULE, stroke_width=1.5, stroke_linecap="round")

    def target(self, centre: Point, size: float) -> None:
        """Outline the block to play."""
        self._square("target", centre, size + 6, 9, stroke=TARGET, stroke_width=4)

    def mark(self, side: Side, centre: Point, under: bool = False) -> None:
        """Draw a cross or a circle in a cell; faintly where it lies under a large mark."""
        kind = f"under-{side.lower()}" if under else side.lower()
        self._draw_mark(kind, side, centre, MARK, 4.5, 0.3 if under else 1)

    def big_mark(self, side: Side, centre: Point, size: float, faint: bool) -> None:
        """Cover a block of a size with its owner's mark; faintly while it can still be played in."""
        self._draw_mark(f"block-{side.lower()}", side, centre, size * 0.32, size / 10, 0.22 if faint else 1)

    def _draw_mark(self, kind: str, side: Side, centre: Point, reach: float, thickness: float, opacity: float) -> None:
        paint: dict[str, object] = {"fill": "none", "stroke": COLOURS[side], "stroke_width": thickness}
        if opacity < 1:
            paint["opacity"] = opacity
        x, y = centre
        if side is Side.O:
            self._add("circle", kind, cx=x, cy=y, r=reach, **paint)
            return
        reach *= 0.92  # the corners of a cross look farther out than the rim of a circle
        left, top, far = _number(x - reach), _number(y - reach), _number(2 * reach)
        path = f"M{left} {top}l{far} {far}m0 -{far}l-{far} {far}"
        self._add("path", kind, d=path, stroke_linecap="round", **paint)

    def last(self, centre: Point, size: float) -> None:
        """Ring the last move with a rounded square, which no circle is mistaken for."""
        self._square("last", centre, size, 8, stroke=INK, stroke_width=2)

    def stroke(self, points: list[Point]) -> None:
        """Light up a complete line in one stroke, as with a highlighter."""
        for colour, width in ((GLOW_EDGE, 37), (GLOW, 34)):
            self._line("winning", points, stroke=colour, stroke_width=width)

    def glow(self, centre: Point) -> None:
        """Light up one cell of a complete line."""
        x, y = centre
        self._add("circle", "winning", cx=x, cy=y, r=17, fill=GLOW, stroke=GLOW_EDGE, stroke_width=1.5)

    def spot(self, centre: Point, name: str) -> None:
        """Draw an empty cell that stands by itself, with its name."""
        x, y = centre
        self._add("circle", cx=x, cy=y, r=15, fill=BOARD, stroke=FRAME, stroke_width=1.5)
        self.text(x, y, name)

    def cover(self, centre: Point, is_winning: bool) -> None:
        """Clear the place of a cell that stands by itself, so that lines do not run through its mark."""
        self._add("circle", cx=centre[0], cy=centre[1], r=15, fill=GLOW if is_winning else PAPER)

    def faint_line(self, points: list[Point]) -> None:
        """Draw a line of a game behind its cells."""
        if len(points) > 1:
            self._line("line", points, stroke=RULE, stroke_width=2.5)

    def _square(self, kind: str, centre: Point, size: float, rx: int, **paint: object) -> None:
        x, y = centre[0] - size / 2, centre[1] - size / 2
        self._add("rect", kind, x=x, y=y, width=size, height=size, rx=rx, fill="none", **paint)

    def _line(self, kind: str, points: list[Point], **paint: object) -> None:
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
        self._add("polyline", kind, points=path, fill="none", **ends, **paint)

    def _add(self, tag: str, kind: str = "", /, **attributes: object) -> None:
        """Add an element; its kind becomes a class, by which a page or a test can find it."""
        named = [f'class="noughts-{kind}"'] if kind else []
        written = [f'{name.replace("_", "-")}="{_value(value)}"' for name, value in attributes.items()]
        self._parts.append(f"<{' '.join([tag, *named, *written])}/>")


def _value(value: object) -> str:
    return _number(value) if isinstance(value, float) else str(value)


def _number(value: float) -> str:
    """A number with at most two decimals and no idle zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
