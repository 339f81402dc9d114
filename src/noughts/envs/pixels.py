"""Boards as arrays of pixels: the shapes of the SVG picture, painted with NumPy. There are no letters in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games import Position
from noughts.games.rendering.svg import PAPER, Point, SvgCanvas, draw_board

__all__ = ["pixels"]

NONE = "none"
Floats = NDArray[np.floating[Any]]
Attributes = dict[str, Any]
Segment = tuple[Point, Point]


def pixels(position: Position) -> NDArray[np.uint8]:
    """Return the picture of a board, of shape (height, width, 3) and the same size for all positions of a game.

    >>> from noughts import Game
    >>> pixels(Game("3x3").start()).shape
    (181, 192, 3)
    """
    canvas = PixelCanvas()
    across, down, scale = draw_board(canvas, position)
    painting = Painting(ceil(across * scale), ceil(down * scale), scale)
    for shape in canvas.painted:
        painting.paint(shape)
    return painting.finish()


class SvgElement(NamedTuple):
    """An element of an SVG picture."""

    tag: str
    attributes: Attributes


class PixelCanvas(SvgCanvas):
    """Collects the shapes of a picture to be painted; later ones are drawn on top."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[SvgElement] = []

    def text(self, x: float, y: float, text: str, size: int = 12, anchor: str = "middle") -> None:
        """Leave a text out."""

    def add(self, tag: str, kind: str = "", /, **attributes: object) -> None:
        """Add an element."""
        self.painted.append(SvgElement(tag, attributes))


class Painting:
    """Shapes are painted by the distance of each pixel from their outline, so that edges are smooth."""

    def __init__(self, width: int, height: int, scale: float) -> None:
        self._scale = scale
        self._image: Floats = np.empty((height, width, 3), np.float32)
        self._image[:] = _colour(PAPER)

    def finish(self) -> NDArray[np.uint8]:
        """Return the picture as bytes."""
        return (self._image + 0.5).astype(np.uint8)

    def paint(self, shape: SvgElement) -> None:
        """Paint one shape."""
        given = shape.attributes
        if shape.tag == "rect":
            self._rectangle(given)
        elif shape.tag == "circle":
            self._circle(given)
        else:
            lines = _polyline(given["points"]) if shape.tag == "polyline" else _path(given["d"])
            self._strokes(list(lines), given)

    def _rectangle(self, given: Attributes) -> None:
        half = np.array([given["width"] / 2, given["height"] / 2])
        middle = np.array([given["x"], given["y"]]) + half
        around = given.get("stroke_width", 0)
        x, y, where = self._grid(*(middle - half - around), *(middle + half + around))
        beyond_x, beyond_y = (abs(x - middle[0]) - half[0] + given["rx"], abs(y - middle[1]) - half[1] + given["rx"])
        outside = np.hypot(np.maximum(beyond_x, 0), np.maximum(beyond_y, 0))
        self._fill_and_stroke(outside + np.minimum(np.maximum(beyond_x, beyond_y), 0) - given["rx"], where, given)

    def _circle(self, given: Attributes) -> None:
        at_x, at_y, reach = given["cx"], given["cy"], given["r"] + given.get("stroke_width", 0)
        x, y, where = self._grid(at_x - reach, at_y - reach, at_x + reach, at_y + reach)
        self._fill_and_stroke(np.hypot(x - at_x, y - at_y) - given["r"], where, given)

    def _fill_and_stroke(self, distance: Floats, where: tuple[slice, slice], given: Attributes) -> None:
        opacity = given.get("opacity", 1)
        if given.get("fill", NONE) != NONE:
            self._blend(distance, where, given["fill"], opacity)
        if given.get("stroke", NONE) != NONE:
            self._blend(abs(distance) - given["stroke_width"] / 2, where, given["stroke"], opacity)

    def _strokes(self, segments: list[Segment], given: Attributes) -> None:
        """Paint segments of a line one by one, but transparent ones together, so that they do not add up."""
        opacity, half = given.get("opacity", 1), given["stroke_width"] / 2
        for group in [segments] if opacity < 1 else [[segment] for segment in segments]:
            points = np.array(group).reshape(-1, 2)
            x, y, where = self._grid(*(points.min(axis=0) - half), *(points.max(axis=0) + half))
            distances = [_distance(x, y, *segment) for segment in group]
            self._blend(np.minimum.reduce(distances) - half, where, given["stroke"], opacity)

    def _grid(self, left: float, top: float, right: float, bottom: float) -> tuple[Floats, Floats, tuple[slice, slice]]:
        """The coordinates of the pixels in and next to a rectangle, and their place in the picture."""
        rows = _range(top * self._scale, bottom * self._scale, self._image.shape[0])
        columns = _range(left * self._scale, right * self._scale, self._image.shape[1])
        x = (np.arange(columns.start, columns.stop, dtype=np.float32) + 0.5) / self._scale
        y = (np.arange(rows.start, rows.stop, dtype=np.float32) + 0.5) / self._scale
        return x[None, :], y[:, None], (rows, columns)

    def _blend(self, distance: Floats, where: tuple[slice, slice], colour: str, opacity: float) -> None:
        """Paint where the distance is negative; a pixel on the outline is covered in part."""
        covered = np.clip(0.5 - distance * self._scale, 0, 1)[..., None] * opacity
        part = self._image[where]
        part += covered * (_colour(colour) - part)


def _range(low: float, high: float, size: int) -> slice:
    return slice(max(0, floor(low) - 1), min(size, ceil(high) + 1))


def _distance(x: Floats, y: Floats, start: Point, end: Point) -> Floats:
    """The distance of pixels from a segment."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = across * across + down * down or 1
    along = np.clip(((x - start[0]) * across + (y - start[1]) * down) / length, 0, 1)
    found: Floats = np.hypot(x - start[0] - along * across, y - start[1] - along * down)
    return found


def _colour(text: str) -> Floats:
    return np.array(list(bytes.fromhex(text.removeprefix("#"))), np.float32)


def _polyline(points: str) -> Iterator[Segment]:
    """The segments of the attribute ``points``."""
    return pairwise([(float(x), float(y)) for x, y in (point.split(",") for point in points.split())])


def _path(data: str) -> Iterator[Segment]:
    """The segments of the attribute ``d``, of the commands that our pictures use: M, m, l, h and v."""
    at = (0.0, 0.0)
    for command, numbers in re.findall(r"([Mmlhv])([-0-9. ]*)", data):
        given = [float(number) for number in numbers.split()]
        step = {"h": (given[0], 0.0), "v": (0.0, given[0])}.get(command, (given[0], given[-1]))
        to = step if command == "M" else (at[0] + step[0], at[1] + step[1])
        if command in "lhv":
            yield at, to
        at = to
