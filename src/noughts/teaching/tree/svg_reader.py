"""Reads the SVG of this package as plain shapes, each with its place and style, to be painted by another program.

It knows the parts of SVG that the drawings use: groups that are moved, paths, rectangles, circles, text, reused
definitions, and a style sheet of class selectors.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import asin, atan2, cos, hypot, sin, sqrt, tan

__all__ = ["SVG", "Shape", "SvgReader", "parse_path"]

SVG = "{http://www.w3.org/2000/svg}"
INHERITED = ("fill", "stroke", "stroke-width", "font-size", "font-weight", "font-style", "text-anchor")
COMPOUND = re.compile(r"(?P<tag>[a-z]+)?(?P<classes>(?:\.[\w-]+)*)(?:\[(?P<name>[\w-]+)=\"(?P<value>[^\"]*)\"\])?")
Style = dict[str, str]


@dataclass(frozen=True, slots=True)
class Shape:
    """A path or a text at a place, with its style."""

    data: str
    is_text: bool
    x: float
    y: float
    style: Style
    opacity: float


@dataclass(slots=True)
class _Rule:
    """A rule of the style sheet: compounds from the outermost to the element itself, and how each is joined."""

    compounds: list[tuple[str, re.Match[str]]]
    style: Style

    @property
    def weight(self) -> int:
        return sum(10 * len(part["classes"].split(".")) + bool(part["tag"]) for _, part in self.compounds)

    def matches(self, chain: Sequence[ET.Element]) -> bool:
        """Return whether the last element of a chain of ancestors is selected."""
        return _matches(self.compounds, chain)


def _matches(compounds: Sequence[tuple[str, re.Match[str]]], chain: Sequence[ET.Element]) -> bool:
    (joint, last), rest = compounds[-1], compounds[:-1]
    if not chain or not _is(chain[-1], last):
        return False
    if not rest:
        return True
    if joint == ">":
        return _matches(rest, chain[:-1])
    return any(_matches(rest, chain[:end]) for end in range(len(chain) - 1, 0, -1))


def _is(element: ET.Element, part: re.Match[str]) -> bool:
    classes = element.get("class", "").split()
    return (
        (not part["tag"] or element.tag == SVG + part["tag"])
        and all(name in classes for name in part["classes"].split(".") if name)
        and (not part["name"] or element.get(part["name"]) == part["value"])
    )


@lru_cache(maxsize=8)
def _parse_sheet(sheet: str) -> list[_Rule]:
    """Return the rules of a style sheet, the weakest first."""
    rules = []
    for block in sheet.split("}")[:-1]:
        selectors, _, declarations = block.partition("{")
        style = _parse_style(declarations)
        rules += [_Rule(_parse_selector(selector), style) for selector in selectors.split(",")]
    return sorted(rules, key=lambda rule: rule.weight)


def _parse_selector(selector: str) -> list[tuple[str, re.Match[str]]]:
    compounds, joint = [], " "
    for word in selector.replace(">", " > ").split():
        if word == ">":
            joint = ">"
        elif found := COMPOUND.fullmatch(word):
            compounds.append((joint, found))
            joint = " "
    return compounds


def _parse_style(declarations: str) -> Style:
    pairs = (part.split(":", 1) for part in declarations.split(";") if ":" in part)
    style = {name.strip(): value.strip() for name, value in pairs}
    if "font" in style:
        style["font-size"] = style.pop("font").split()[0]
    return style


@dataclass
class SvgReader:
    """Walks through a drawing and yields its shapes from bottom to top."""

    root: ET.Element
    rules: list[_Rule] = field(init=False)
    definitions: dict[str, ET.Element] = field(init=False)
    known_styles: dict[tuple[object, ...], Style] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = _parse_sheet("".join(style.text or "" for style in self.root.iter(f"{SVG}style")))
        self.definitions = {name: e for e in self.root.iter() if (name := e.get("id"))}

    def shapes(self) -> Iterator[Shape]:
        start = {"fill": "#000", "stroke": "none", "stroke-width": "1", "font-size": "10px"}
        yield from self._read([self.root], start, 0.0, 0.0, 1.0)

    def _read(self, chain: list[ET.Element], inherited: Style, x: float, y: float, opacity: float) -> Iterator[Shape]:
        element = chain[-1]
        tag = element.tag.removeprefix(SVG)
        if tag in ("defs", "style", "title", "desc"):
            return
        style = self._style(chain, inherited)
        opacity *= float(style.get("opacity", 1))
        if move := re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
            x, y = x + float(move[1]), y + float(move[2])
        if tag == "text":
            at = x + float(element.get("x", 0)), y + float(element.get("y", 0))
            yield Shape(element.text or "", True, *at, style, opacity)
        elif tag in PATHS:
            yield Shape(PATHS[tag](element), False, x, y, style, opacity)
        children = [self.definitions[element.get("href", "")[1:]]] if tag == "use" else list(element)
        passed_on = {name: style[name] for name in INHERITED if name in style}
        for child in children:
            yield from self._read([*chain, child], passed_on, x, y, opacity)

    def _style(self, chain: list[ET.Element], inherited: Style) -> Style:
        element = chain[-1]
        style = inherited | {name: value for name, value in element.items() if name in INHERITED}
        return style | self._style_of_sheet(chain) | _parse_style(element.get("style", ""))

    def _style_of_sheet(self, chain: list[ET.Element]) -> Style:
        """Return the declarations of all rules that select an element, remembered by what they look at."""
        key = tuple((e.tag, e.get("class"), e.get("data-kind")) for e in chain)
        if key not in self.known_styles:
            style: Style = {}
            for rule in self.rules:
                if rule.matches(chain):
                    style |= rule.style
            self.known_styles[key] = style
        return self.known_styles[key]


def _circle(element: ET.Element) -> str:
    x, y, r = (float(element.get(name, 0)) for name in ("cx", "cy", "r"))
    return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0"


def _rectangle(element: ET.Element) -> str:
    x, y, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
    return f"M{x} {y}h{width}v{height}h{-width}Z"


PATHS = {"path": lambda element: element.get("d", ""), "circle": _circle, "rect": _rectangle}


TOKEN = re.compile(r"([MmLlHhVvCcAaZz])|(-?[\d.]+(?:e-?\d+)?)")
ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}


@lru_cache(maxsize=8192)
def parse_path(data: str) -> tuple[list[tuple[float, float]], list[int]]:
    """Return the points and matplotlib's codes of SVG path data; arcs must be parts of circles, at most half of one."""
    pen = _Pen()
    for command, numbers in _commands(data):
        pen.move(command, numbers)
    return pen.points, pen.codes


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    tokens = [(found[1], found[2]) for found in TOKEN.finditer(data)]
    command, at = "", 0
    while at < len(tokens):
        if tokens[at][0]:
            command, at = tokens[at][0], at + 1
        size = ARGUMENTS[command.upper()]
        yield command, [float(number) for _, number in tokens[at : at + size]]
        at += size


class _Pen:
    """Follows the commands of a path and collects the points and codes of matplotlib."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float]] = []
        self.codes: list[int] = []
        self.x = self.y = 0.0
        self.start = (0.0, 0.0)

    def move(self, command: str, numbers: list[float]) -> None:
        """Carry out one command; a small letter is relative to the current point."""
        dx, dy = (self.x, self.y) if command.islower() else (0.0, 0.0)
        kind = command.upper()
        if kind == "M":
            self._add(MOVE_TO, [(numbers[0] + dx, numbers[1] + dy)])
            self.start = self.x, self.y
        elif kind == "L":
            self._add(LINE_TO, [(numbers[0] + dx, numbers[1] + dy)])
        elif kind == "H":
            self._add(LINE_TO, [(numbers[0] + dx, self.y)])
        elif kind == "V":
            self._add(LINE_TO, [(self.x, numbers[0] + dy)])
        elif kind == "C":
            self._add(CURVE_TO, [(numbers[i] + dx, numbers[i + 1] + dy) for i in (0, 2, 4)])
        elif kind == "A":
            self._arc(numbers[0], bool(numbers[4]), numbers[5] + dx, numbers[6] + dy)
        else:
            self._add(CLOSE, [self.start])

    def _add(self, code: int, points: list[tuple[float, float]]) -> None:
        self.points += points
        self.codes += [code] * len(points)
        self.x, self.y = points[-1]

    def _arc(self, radius: float, clockwise: bool, x: float, y: float) -> None:
        """Draw a part of a circle as two Bézier curves."""
        chord = hypot(x - self.x, y - self.y)
        radius = max(radius, chord / 2)
        away, turn = sqrt(max(0.0, radius**2 - chord**2 / 4)) / chord, 1 if clockwise else -1
        middle_x = (self.x + x) / 2 - turn * (y - self.y) * away
        middle_y = (self.y + y) / 2 + turn * (x - self.x) * away
        begin = atan2(self.y - middle_y, self.x - middle_x)
        step = turn * asin(min(1.0, chord / 2 / radius))
        pull = 4 / 3 * tan(step / 4)
        for a, b in ((begin, begin + step), (begin + step, begin + 2 * step)):
            around = (cos(a) - pull * sin(a), sin(a) + pull * cos(a)), (cos(b) + pull * sin(b), sin(b) - pull * cos(b))
            corners = [*around, (cos(b), sin(b))]
            self._add(CURVE_TO, [(middle_x + radius * u, middle_y + radius * v) for u, v in corners])


MOVE_TO, LINE_TO, CURVE_TO, CLOSE = 1, 2, 4, 79
"""The codes of ``matplotlib.path.Path``."""
