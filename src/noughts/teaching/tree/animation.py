"""The steps of one search, or of two side by side, as a sequence of pictures and as an animated SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

from noughts.games.quoting import count
from noughts.teaching.tree.replay import replay
from noughts.teaching.tree.search_tree import SearchTree
from noughts.teaching.tree.steps import Frame
from noughts.teaching.tree.svg import MAX_WIDTH, Picture, place_side_by_side, sheet_svg

__all__ = ["MAX_PICTURES", "Animation", "TooManyPictures"]

MAX_PICTURES = 1_000
"""Most pictures of one search."""


class TooManyPictures(ValueError):
    """Raised when a search has too many steps to write a picture of each."""


class Animation:
    """The pictures of the steps of some searches. If one search has fewer steps, it waits at its end.

    Raises TooManyPictures if there are more than MAX_PICTURES.
    """

    def __init__(self, traces: Sequence[SearchTree], most_nodes: int) -> None:
        self.pictures = [
            Picture(trace, most_nodes, max_width=MAX_WIDTH / len(traces), is_stepped=True) for trace in traces
        ]
        self.steps = [replay(trace, most_nodes) for trace in traces]
        self.length = max(map(len, self.steps))
        if self.length > MAX_PICTURES:
            steps = count(self.length, "step")
            raise TooManyPictures(
                f"expected a search of at most {MAX_PICTURES:,} steps to show, got {steps}; "
                "draw fewer nodes, or search less deep or with fewer simulations"
            )

    def frames(self) -> Iterator[list[Frame]]:
        """Yield the states of all searches after each step. The same objects are changed from step to step."""
        frames = [Frame() for _ in self.steps]
        for number, steps in enumerate(zip_longest(*self.steps), 1):
            for frame, step, all_steps in zip(frames, steps, self.steps, strict=True):
                if step is not None:
                    frame.apply(step)
                frame.is_last = number >= len(all_steps)
            yield frames

    def drawings(self) -> Iterator[str]:
        """Yield the picture after each step."""
        return (sheet_svg(self.pictures, frames) for frames in self.frames())

    def animate(self, seconds: float = 0.8, last_seconds: float = 4.0) -> str:
        """Return an SVG that shows the steps one after the other, again and again.

        A program that does not animate shows the last step.
        """
        duration = seconds * self.length + last_seconds
        times = [min(1.0, seconds * number / duration) for number in range(self.length)]
        states = [self._parts(frames) for frames in self.frames()]
        bodies = [
            "".join(_runs(part, times, duration) for part in zip(*(state[number] for state in states), strict=True))
            for number in range(len(self.pictures))
        ]
        return place_side_by_side(self.pictures, bodies)

    def _parts(self, frames: list[Frame]) -> list[list[str]]:
        return [picture.parts(frame) for picture, frame in zip(self.pictures, frames, strict=True)]


def _runs(states: Sequence[str], times: Sequence[float], duration: float) -> str:
    """Return all states of one part of the picture, each visible while it holds."""
    if len(set(states)) == 1:
        return states[0]
    runs, at = [], 0
    for state, group in groupby(states):
        end = at + len(list(group))
        if state:
            runs.append(_run(state, times[at], times[end] if end < len(times) else 1.0, duration))
        at = end
    return "".join(runs)


def _run(state: str, begin: float, end: float, duration: float) -> str:
    values, key_times = ["hidden"] * (begin > 0) + ["visible"], [0.0] * (begin > 0) + [begin]
    if end < 1:
        values.append("hidden")
        key_times.append(end)
    start = "visible" if end == 1 else "hidden"
    animate = (
        f'<animate attributeName="visibility" calcMode="discrete" dur="{duration:g}s" repeatCount="indefinite" '
        f'values="{";".join(values)}" keyTimes="{";".join(f"{time:.5f}" for time in key_times)}"/>'
    )
    return f'<g visibility="{start}">{animate}{state}</g>'
