"""Drawings as PNG, PDF and GIF: renders the SVG of this package with matplotlib (``pip install 'noughts[plot]'``)."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

from noughts.teaching.tree.svg_reader import SVG, Shape, SvgReader, parse_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.path import Path
    from PIL.Image import Image

__all__ = ["check_matplotlib", "gif_bytes", "raster_bytes"]

PIXELS_PER_INCH = 96
POINTS_PER_PIXEL = 72 / PIXELS_PER_INCH
"""Widths of lines and sizes of fonts are in points."""
SCALE = 2
"""Pixels of a picture per pixel of the drawing."""
MAX_SIDE = 32_000
"""Largest side of a picture in pixels; larger drawings are scaled down."""
GIF_COLOURS = 128
FONT_SCALE = 0.94
"""DejaVu Sans, the font of matplotlib, is wider than the fonts the drawings are made for."""


def check_matplotlib(what: str) -> None:
    """Raise ValueError if matplotlib is missing, which ``what`` (a plural) needs."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ValueError(f"{what} need matplotlib: pip install 'noughts[plot]'") from None


def raster_bytes(svg: str, kind: str) -> bytes:
    """Return a drawing as a file of a kind: "png" or "pdf". Its title and description become those of the file."""
    root = ET.fromstring(svg)
    figure = _figure(root, SCALE)
    title, about = (root.findtext(f"{SVG}{name}", "") for name in ("title", "desc"))
    metadata: dict[str, Any] = {"Title": title, "Description" if kind == "png" else "Subject": about}
    if kind == "pdf":
        metadata["CreationDate"] = None  # the same drawing gives the same file
    buffer = BytesIO()
    figure.savefig(buffer, format=kind, dpi=figure.dpi, metadata=metadata)
    return buffer.getvalue()


def gif_bytes(
    drawings: Sequence[str],
    seconds: float = 0.8,
    last_seconds: float = 4.0,
    progress: Callable[[int, int], None] | None = None,
) -> bytes:
    """Return drawings as an animated GIF, each shown for some seconds, the last one longer.

    All use the colours of the last one, so that the parts that do not change take no space.
    """
    from PIL.Image import Dither

    palette = _palette(_image(drawings[-1]))
    images = []
    for number, svg in enumerate(drawings, 1):
        images.append(_image(svg).quantize(palette=palette, dither=Dither.NONE))
        if progress is not None:
            progress(number, len(drawings))
    times = [round(1000 * seconds)] * (len(images) - 1) + [round(1000 * last_seconds)]
    buffer = BytesIO()
    images[0].save(buffer, "GIF", save_all=True, append_images=images[1:], duration=times, loop=0)
    return buffer.getvalue()


def _palette(image: Image) -> Image:
    """Return the most frequent colours of an image as a palette.

    Colours that are nearly the same are left out: Pillow compares them roughly, and white must stay white.
    """
    from PIL.Image import new

    counted: Any = image.getcolors(image.width * image.height)
    colours: list[tuple[int, ...]] = []
    for _, colour in sorted(counted, reverse=True):
        if len(colours) < GIF_COLOURS and all(_differ(colour, other) for other in colours):
            colours.append(colour)
    palette = new("P", (1, 1))
    palette.putpalette([channel for colour in colours for channel in colour])
    return palette


def _differ(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) >= 12


def _image(svg: str) -> Image:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL.Image import frombuffer

    canvas: Any = FigureCanvasAgg(_figure(ET.fromstring(svg), 1))
    canvas.draw()
    width, height = canvas.get_width_height()
    return frombuffer("RGBA", (width, height), canvas.buffer_rgba(), "raw", "RGBA", 0, 1).convert("RGB")


def _figure(root: ET.Element, scale: float) -> Figure:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

    width, height = float(root.get("width", 1)), float(root.get("height", 1))
    scale = min(scale, MAX_SIDE / max(width, height))
    figure: Figure = Figure(figsize=(width / PIXELS_PER_INCH, height / PIXELS_PER_INCH), dpi=PIXELS_PER_INCH * scale)
    shapes = list(SvgReader(root).shapes())

    class Drawing(Artist):
        """Draws the shapes with any of matplotlib's renderers."""

        def draw(self, renderer: Any) -> None:
            painter = _Painter(renderer, height, figure.dpi / PIXELS_PER_INCH)
            for shape in shapes:
                painter.draw(shape)

    figure.add_artist(Drawing())
    return figure


@dataclass(slots=True)
class _Painter:
    renderer: Any
    height: float
    scale: float

    def draw(self, shape: Shape) -> None:
        pen = self.renderer.new_gc()
        pen.set_alpha(shape.opacity)
        if shape.is_text:
            self._text(shape, pen)
        else:
            self._path(shape, pen)
        pen.restore()

    def _path(self, shape: Shape, pen: Any) -> None:
        from matplotlib.colors import to_rgb
        from matplotlib.path import Path
        from matplotlib.transforms import Affine2D

        fill, stroke = shape.style.get("fill", "none"), shape.style.get("stroke", "none")
        width = float(shape.style.get("stroke-width", "1").removesuffix("px"))
        pen.set_linewidth(0 if stroke == "none" else width * POINTS_PER_PIXEL)
        if stroke != "none":
            pen.set_foreground(to_rgb(stroke))
        pen.set_capstyle("round" if shape.style.get("stroke-linecap") == "round" else "butt")
        if dashes := shape.style.get("stroke-dasharray"):
            pen.set_dashes(0, [float(dash) * POINTS_PER_PIXEL for dash in dashes.split()])
        pen.set_antialiased(True)
        place = Affine2D().translate(shape.x, shape.y).scale(self.scale, -self.scale)
        face = None if fill == "none" else to_rgb(fill)
        self.renderer.draw_path(pen, Path(*parse_path(shape.data)), place.translate(0, self.height * self.scale), face)

    def _text(self, shape: Shape, pen: Any) -> None:
        from matplotlib.colors import to_rgb

        if not shape.data:
            return
        style = shape.style
        points = float(style["font-size"].removesuffix("px")) * POINTS_PER_PIXEL * FONT_SCALE
        font = _font(points, style.get("font-weight", "400"), style.get("font-style", "normal"))
        width, _, _ = self.renderer.get_text_width_height_descent(shape.data, font, False)
        shift = {"middle": width / 2, "end": width}.get(style.get("text-anchor", "start"), 0)
        x, y = shape.x * self.scale - shift, shape.y * self.scale
        if style.get("paint-order") == "stroke":
            self._halo(shape, font, x, y)
        pen.set_foreground(to_rgb(style.get("fill", "#000")))
        y = y if self.renderer.flipy() else self.height * self.scale - y
        self.renderer.draw_text(pen, x, y, shape.data, font, 0, False)

    def _halo(self, shape: Shape, font: Any, x: float, y: float) -> None:
        """Draw the outline of a text below it, so that it can be read on top of lines."""
        from matplotlib.colors import to_rgb
        from matplotlib.transforms import Affine2D

        pen = self.renderer.new_gc()
        pen.set_foreground(to_rgb(shape.style.get("stroke", "#fff")))
        pen.set_linewidth(3 * POINTS_PER_PIXEL)
        place = Affine2D().scale(self.scale / POINTS_PER_PIXEL).translate(x, self.height * self.scale - y)
        self.renderer.draw_path(pen, _outline(shape.data, font), place, None)
        pen.restore()


@lru_cache(maxsize=64)
def _font(points: float, weight: str, style: str) -> Any:
    from matplotlib.font_manager import FontProperties

    slant: Literal["normal", "italic"] = "italic" if style == "italic" else "normal"
    return FontProperties(
        family="DejaVu Sans", size=points, weight="bold" if int(weight) >= 600 else "normal", style=slant
    )


@lru_cache(maxsize=1024)
def _outline(text: str, font: Any) -> Path:
    from matplotlib.textpath import TextPath

    return TextPath((0, 0), text, prop=font)
