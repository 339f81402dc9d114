"""Plots as inline SVG, with the colours of the page and a description in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

__all__ = ["bars", "curves", "histogram", "intervals"]

WIDTH, ROW = 640, 26
PLOT_HEIGHT = 260
LEFT, RIGHT, TOP, BOTTOM = 46, 28, 12, 40
AXIS_NAME = 10
"""Distance of an axis label from the lower edge; descenders must fit below it."""
NAME_WIDTH = 150
MAX_NAME_CHARACTERS = 20


def intervals(rows: Sequence[tuple[str, float, float]], unit: str) -> str:
    """Return values with error bars, one row per name."""
    low = min((value - error for _, value, error in rows), default=0.0)
    high = max((value + error for _, value, error in rows), default=1.0)
    scale = _Scale(low, high, NAME_WIDTH, WIDTH - RIGHT)
    height = TOP + ROW * len(rows) + BOTTOM
    parts = [*_vertical_grid(scale, TOP, height - BOTTOM), _text(scale.middle, height - AXIS_NAME, unit)]
    for at, (name, value, error) in enumerate(rows):
        y = TOP + ROW * (at + 0.5)
        x, left, right = scale.at(value), scale.at(value - error), scale.at(value + error)
        parts += [
            _text(NAME_WIDTH - 10, y, _short(name), "end"),
            f'<path class="bar-line" d="M{left:.1f} {y}H{right:.1f}M{left:.1f} {y - 5}v10M{right:.1f} {y - 5}v10"/>',
            f'<circle class="dot" cx="{x:.1f}" cy="{y}" r="5"><title>{escape(name)}: {value:+.0f} ± {error:.0f}</title>'
            "</circle>",
        ]
    description = "; ".join(f"{name} {value:+.0f} plus or minus {error:.0f}" for name, value, error in rows)
    return _svg(height, f"{unit}: {description}", parts)


def curves(
    series: Sequence[tuple[str, Sequence[float]]], x_name: str, y_name: str, x_step: int = 1, whole: bool = True
) -> str:
    """Return curves whose points are ``x_step`` apart, each labelled at its end; ``whole`` is for the ticks of y."""
    longest = max((len(values) for _, values in series), default=1)
    every = [value for _, values in series for value in values] or [0.0]
    x_scale = _Scale(0, max(1, longest * x_step), LEFT, WIDTH - NAME_WIDTH, whole=True)
    top = TOP + 14  # the name of the axis is above its ticks
    y_scale = _Scale(min(0.0, *every), max(every) or 1.0, PLOT_HEIGHT - BOTTOM, top, whole=whole)
    parts = [*_vertical_grid(x_scale, top, PLOT_HEIGHT - BOTTOM), *_horizontal_grid(y_scale, LEFT, WIDTH - NAME_WIDTH)]
    parts += [_text(x_scale.middle, PLOT_HEIGHT - AXIS_NAME, x_name), _text(LEFT - 38, TOP - 2, y_name, "start")]
    ends = _spread([y_scale.at(values[-1]) for _, values in series if values])
    for number, ((name, values), end) in enumerate(zip([s for s in series if s[1]], ends, strict=True)):
        points = " ".join(f"{x_scale.at((at + 1) * x_step):.1f},{y_scale.at(value):.1f}" for at, value in _thin(values))
        parts.append(f'<polyline class="curve c{number}" points="{points}"><title>{escape(name)}</title></polyline>')
        parts.append(_text(WIDTH - NAME_WIDTH + 8, end, _short(name), "start", f"c{number}"))
    description = "; ".join(f"{name} ends at {values[-1]:.3g}" for name, values in series if values)
    return _svg(PLOT_HEIGHT, f"{y_name} over {x_name}: {description}", parts)


def histogram(values: Sequence[int], x_name: str) -> str:
    """Return a histogram of whole numbers with about thirty classes at most."""
    if not values:
        return ""
    low, high = min(values), max(values)
    step = max(1, ceil((high - low + 1) / 30))
    counts = [0] * ((high - low) // step + 1)
    for value in values:
        counts[(value - low) // step] += 1
    x_scale = _Scale(low, low + step * len(counts), LEFT, WIDTH - RIGHT, exact=True)
    y_scale = _Scale(0, max(counts), PLOT_HEIGHT - BOTTOM, TOP, whole=True)
    parts = [*_horizontal_grid(y_scale, LEFT, WIDTH - RIGHT), _text(x_scale.middle, PLOT_HEIGHT - AXIS_NAME, x_name)]
    every = ceil(len(counts) / 15)
    for at, count in enumerate(counts):
        start = low + at * step
        left, right, top = x_scale.at(start) + 1, x_scale.at(start + step) - 1, y_scale.at(count)
        name = str(start) if step == 1 else f"{start} to {start + step - 1}"
        shape = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{PLOT_HEIGHT - BOTTOM - top:.1f}"'
        parts.append(f'<rect class="bar" {shape}><title>{name}: {count}</title></rect>')
        if at % every == 0:
            parts.append(_text((left + right) / 2, PLOT_HEIGHT - BOTTOM + 12, str(start)))
    mean = sum(values) / len(values)
    return _svg(PLOT_HEIGHT, f"{x_name}: from {low} to {high}, {mean:.1f} on average", parts)


def bars(rows: Sequence[tuple[str, int, str]]) -> str:
    """Return counts as bars; the third item of a row is the CSS class of its colour."""
    most = max((count for _, count, _ in rows), default=1)
    scale = _Scale(0, most, NAME_WIDTH, WIDTH - 70, exact=True)
    height = TOP + ROW * len(rows) + TOP
    parts = []
    for at, (name, count, kind) in enumerate(rows):
        y = TOP + ROW * at
        shape = f'x="{NAME_WIDTH}" y="{y + 4}" height="{ROW - 8}" width="{max(1.0, scale.at(count) - NAME_WIDTH):.1f}"'
        parts += [
            _text(NAME_WIDTH - 10, y + ROW / 2, _short(name), "end"),
            f'<rect class="bar {kind}" {shape}/>',
            _text(scale.at(count) + 8, y + ROW / 2, f"{count:,}", "start"),
        ]
    return _svg(height, "; ".join(f"{name}: {count}" for name, count, _ in rows), parts)


class _Scale:
    """Maps values to coordinates; unless ``exact``, the ends are rounded to ticks."""

    def __init__(
        self, low: float, high: float, start: float, end: float, exact: bool = False, whole: bool = False
    ) -> None:
        self.step = max(_nice((high - low) / 5 or 1.0), 1.0 if whole else 0.0)
        self.low = low if exact else floor(low / self.step) * self.step
        self.high = (high if exact else ceil(high / self.step) * self.step) or self.low + 1
        if self.high <= self.low:
            self.high = self.low + self.step
        self.start, self.end = start, end

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2

    @property
    def ticks(self) -> list[float]:
        count = round((self.high - self.low) / self.step)
        return [self.low + at * self.step for at in range(count + 1)]

    def name(self, tick: float) -> str:
        return f"{tick:.0f}" if self.step >= 1 else f"{tick:.2g}"


def _nice(step: float) -> float:
    """The step rounded up to 1, 2 or 5 times a power of ten."""
    power: float = 10.0 ** floor(log10(step))
    return float(next(factor for factor in (1, 2, 5, 10) if factor * power >= step * 0.999) * power)


def _vertical_grid(scale: _Scale, top: float, bottom: float) -> list[str]:
    parts = []
    for tick in scale.ticks:
        x = scale.at(tick)
        parts.append(f'<path class="grid" d="M{x:.1f} {top}V{bottom}"/>')
        parts.append(_text(x, bottom + 12, scale.name(tick)))
    return parts


def _horizontal_grid(scale: _Scale, left: float, right: float) -> list[str]:
    parts = []
    for tick in scale.ticks:
        y = scale.at(tick)
        parts.append(f'<path class="grid" d="M{left} {y:.1f}H{right}"/>')
        parts.append(_text(left - 6, y, scale.name(tick), "end"))
    return parts


def _spread(places: list[float], gap: float = 15.0) -> list[float]:
    """The coordinates moved apart, so that labels do not overlap."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    for before, at in pairwise(order):
        moved[at] = max(moved[at], moved[before] + gap)
    return moved


def _thin(values: Sequence[float], most: int = 300) -> list[tuple[int, float]]:
    """About ``most`` points at most, always with the last one."""
    step = max(1, ceil(len(values) / most))
    chosen = [(at, values[at]) for at in range(0, len(values), step)]
    return chosen if chosen[-1][0] == len(values) - 1 else [*chosen, (len(values) - 1, values[-1])]


def _short(name: str) -> str:
    return name if len(name) <= MAX_NAME_CHARACTERS else name[: MAX_NAME_CHARACTERS - 1] + "…"


def _text(x: float, y: float, text: str, anchor: str = "middle", kind: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
    return f'<text class="{kind}" {place}>{escape(text)}</text>'


def _svg(height: float, description: str, parts: Sequence[str]) -> str:
    box = f'viewBox="0 0 {WIDTH} {height:.0f}"'
    return f'<svg class="plot" role="img" {box} aria-label="{escape(description, quote=True)}">{"".join(parts)}</svg>'
