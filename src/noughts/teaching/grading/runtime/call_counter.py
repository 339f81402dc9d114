"""Counts the nodes of a search by the calls of its recursive functions. Used in the process of the submission only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import CodeType, FrameType
from typing import Literal

from noughts.games import Game, Position
from noughts.teaching.grading.runtime.libraries import is_of_library
from noughts.teaching.grading.runtime.recording_position import NodeCount

__all__ = ["CallCounter"]

ProfileEvent = Literal["call", "return", "c_call", "c_return", "c_exception"]

LAST_MOVE = "oxo/oxx/xo1 x"
"""One move is left, and it draws: minimax visits two nodes. No other position that is tried leads to it."""
LEARNING_POSITIONS = ("xox/xo1/3 o", "xox/1o1/3 x")


class CallCounter:
    """Counts the calls of the functions of a search that call themselves, directly or by others."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """The names of the functions, which stay the same if their code changes, and the files that they are in."""
        self._more = 0
        self.is_ready = False

    def learn(self, call: Callable[[Position], None]) -> None:
        """Find the recursive functions of a search, and how its calls differ from its nodes."""
        self.is_ready = True
        game = Game("3x3")
        for text in LEARNING_POSITIONS:
            with suppress(Exception):
                codes = _recursive_codes(partial(call, game.parse(text)))
                self._names |= {code.co_qualname: code.co_filename for code in codes}
        count = NodeCount(1 << 60)
        with suppress(Exception), self.counting(count):
            call(game.parse(LAST_MOVE))
        self._more = max(-1, min(1, 2 - count.nodes)) if self._names else 0

    @contextmanager
    def counting(self, count: NodeCount) -> Iterator[None]:
        """Count the nodes of a search; it is stopped beyond the limit of the count."""
        files, add, before = self._names, count.add, sys.getprofile()
        count.nodes = self._more if files else 1

        def handle(frame: FrameType, event: ProfileEvent, argument: object) -> None:
            if before is not None:
                before(frame, event, argument)
            if event == "call" and files.get(frame.f_code.co_qualname) == frame.f_code.co_filename:
                add()

        sys.setprofile(handle)
        try:
            yield
        finally:
            sys.setprofile(before)
            count.nodes = max(1, count.nodes)


def _recursive_codes(call: Callable[[], None]) -> set[CodeType]:
    """Return the functions that are called inside themselves, without lambdas and comprehensions."""
    found: set[CodeType] = set()
    frames: list[FrameType] = []

    def handle(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            codes = [each.f_code for each in frames]
            if frame.f_code in codes:
                found.update(codes[codes.index(frame.f_code) :])
            frames.append(frame)
        elif event == "return" and frames and frames[-1] is frame:
            frames.pop()

    before = sys.getprofile()
    sys.setprofile(handle)
    try:
        call()
    finally:
        sys.setprofile(before)
    return {code for code in found if not code.co_name.startswith("<") and not is_of_library(code.co_filename)}
