"""Drawings as PNG, PDF and GIF: renders the SVG of this package with Typst (``pip install 'noughts[plot]'``).

All pictures use DejaVu Sans, which comes with matplotlib, so that they look the same on every machine.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from io import BytesIO
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from noughts.invocation import install_line

if TYPE_CHECKING:
    from PIL.Image import Image
    from typst import Fonts

__all__ = ["check_installed", "gif_bytes", "raster_bytes"]

SVG = "{http://www.w3.org/2000/svg}"
PIXELS_PER_INCH = 96
SCALE = 2
"""Pixels of a picture per pixel of the drawing."""
MAX_SIDE = 32_000
MAX_PIXELS = 80_000_000
"""Largest side and area of a picture in pixels; larger drawings are scaled down."""
GIF_COLOURS = 128
FONT_SCALE = 0.94
"""DejaVu Sans is wider than the fonts the drawings are made for."""
FONT_SIZE = re.compile(r"(font(?:-size)?:)([\d.]+)px")
FONT_FAMILY = re.compile(r"system-ui,.*?,sans-serif")
PAGE = b"""
#set document(title: sys.inputs.title, description: sys.inputs.about, date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg")
"""
"""A page with nothing but the drawing. Without a date, the same drawing gives the same file."""


def check_installed(what: str, *modules: str) -> None:
    """Raise ValueError if a module of the extra ``plot`` is missing that ``what`` (a plural) need."""
    for module in modules:
        try:
            import_module(module)
        except ImportError:
            raise ValueError(f"{what} need {module}: {install_line('plot')}") from None


def raster_bytes(svg: str, kind: str) -> bytes:
    """Return a drawing as a file of a kind: "png" or "pdf". Its title and description become those of the file."""
    if kind == "pdf":
        return _render(svg, "pdf")
    from PIL.PngImagePlugin import PngInfo

    words, buffer = PngInfo(), BytesIO()
    for name, text in zip(("Title", "Description"), _words(svg), strict=True):
        words.add_itxt(name, text)
    _image(svg, SCALE).save(buffer, "PNG", pnginfo=words)
    return buffer.getvalue()


def _words(svg: str) -> list[str]:
    root = ET.fromstring(svg)
    return [root.findtext(f"{SVG}{name}", "") for name in ("title", "desc")]


def _render(svg: str, kind: Literal["pdf", "png"], scale: float = 1) -> bytes:
    from typst import compile as compile_page

    title, about = _words(svg)
    fitted = FONT_SIZE.sub(lambda found: f"{found[1]}{FONT_SCALE * float(found[2]):.2f}px", svg)
    return compile_page(
        PAGE,
        format=kind,
        ppi=scale * PIXELS_PER_INCH,
        font_paths=_fonts(),
        sys_inputs={"svg": FONT_FAMILY.sub("DejaVu Sans", fitted, count=1), "title": title, "about": about},
    )


@cache
def _fonts() -> Fonts:
    from matplotlib import get_data_path
    from typst import Fonts

    folder = Path(get_data_path(), "fonts", "ttf")
    return Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])


def _image(svg: str, scale: float) -> Image:
    from PIL.Image import open as open_image

    root = ET.fromstring(svg)
    width, height = float(root.get("width", 1)), float(root.get("height", 1))
    fitting = min(scale, MAX_SIDE / max(width, height), sqrt(MAX_PIXELS / (width * height)))
    return open_image(BytesIO(_render(svg, "png", fitting))).convert("RGB")


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

    palette = _palette(_image(drawings[-1], 1))
    images = []
    for number, svg in enumerate(drawings, 1):
        images.append(_image(svg, 1).quantize(palette=palette, dither=Dither.NONE))
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

    counted = image.getcolors(image.width * image.height) or []
    colours: list[tuple[int, ...]] = []
    for _, colour in sorted(counted, reverse=True):
        assert isinstance(colour, tuple)
        if len(colours) < GIF_COLOURS and all(_differ(colour, other) for other in colours):
            colours.append(colour)
    palette = new("P", (1, 1))
    palette.putpalette([channel for colour in colours for channel in colour])
    return palette


def _differ(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) >= 12
