"""The live analysis of the position shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from noughts.cli.full.background import Background, Result
from noughts.cli.full.board import Overlay
from noughts.cli.terminal.advisor import SessionAdvisor
from noughts.games import Position

if TYPE_CHECKING:
    from noughts.analysis.advice import Advice

__all__ = ["Analysis"]


class Analysis:
    """Analyses one position at a time in the background; ``changed`` is called whenever there is more to show."""

    def __init__(
        self,
        advisor: SessionAdvisor,
        background: Background,
        changed: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        """``failed`` is called with the reason if a position cannot be analysed."""
        self.is_on = False
        self.is_running = False
        """Whether more advice will come."""
        self.advice: list[Advice] = []
        self.picked: int | None = None
        """The line that is previewed on the board, from 0."""
        self._advisor = advisor
        self._background = background
        self._changed = changed
        self._failed = failed
        self._position: Position | None = None
        """The position that is analysed."""
        self._number = 0
        """The number of the latest analysis: reports of earlier ones are dropped."""

    def toggle(self) -> None:
        self.is_on = not self.is_on
        self.pause()

    def follow(self, position: Position, is_over: bool) -> None:
        """Analyse a position, unless that is going on already."""
        if not self.is_on or position == self._position:
            return
        self.pause()
        self._position = position
        if not is_over:
            self._start(position)

    def pause(self) -> None:
        """Stop, until the next position is followed."""
        self._number += 1
        self._position, self.advice, self.picked, self.is_running = None, [], None, False
        self._advisor.stop()

    def _start(self, position: Position) -> None:
        number, asked = self._number, position.copy()
        latest: list[Advice] = []
        self.is_running = True

        def progress(found: list[Advice]) -> bool:
            latest[:] = found
            self._background.call(lambda: self._take(number, found, is_running=True))
            return number == self._number

        def work() -> list[Advice]:
            if number == self._number:
                self._advisor.analyse(asked, progress)
            return latest

        self._background.run(work, lambda result: self._finish(number, result))

    def _finish(self, number: int, result: Result[list[Advice]]) -> None:
        try:
            found = result()
        except Exception as error:
            self._failed(f"the analysis failed: {error}")
        else:
            self._take(number, found, is_running=False)

    def _take(self, number: int, found: list[Advice], is_running: bool) -> None:
        if number == self._number:
            self.advice, self.is_running = list(found), is_running
            self._changed()

    def pick(self, number: int) -> None:
        """Preview a line, or end its preview; raises ValueError if there is no such line."""
        if not self.is_on:
            raise ValueError("there is no analysis; a begins one")
        if not 1 <= number <= len(self.advice):
            raise ValueError(f"expected a line from 1 to {len(self.advice)}, got {number}")
        self.picked = None if self.picked == number - 1 else number - 1

    def overlay(self, hint: int | None) -> Overlay:
        """Return what the board shows: the candidates, or a line that is previewed; and a hint."""
        if self.picked is not None and self.picked < len(self.advice):
            return Overlay((), tuple(self.advice[self.picked].pv), hint)
        return Overlay(tuple(advice.move for advice in self.advice), (), hint)
