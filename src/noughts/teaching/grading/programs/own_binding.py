"""The binding for programs with boards, moves and names of their own. Used in the process of the submission only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from noughts.games import Position
from noughts.teaching.grading.cells import Cells, exchange_sides
from noughts.teaching.grading.programs.bindings import Arguments, Binding, SubmittedFunction
from noughts.teaching.grading.programs.call_plans import Moment
from noughts.teaching.grading.programs.own_programs import FoundSearch
from noughts.teaching.grading.runtime.call_counter import CallCounter
from noughts.teaching.grading.runtime.modules import Modules
from noughts.teaching.grading.styles import STYLES, SubmissionStyle

__all__ = ["OwnBinding"]


class OwnBinding(Binding):
    """Programs with boards, moves and names of their own, whose search was found by trying their functions."""

    style = STYLES["own"]

    def __init__(self, names: Modules, plans: list[FoundSearch]) -> None:
        super().__init__(names)
        self._plans, self.found = plans, plans[0]
        self.style = self._style_of(self.found)
        self._counter = CallCounter()
        self._is_exchanged = False

    @staticmethod
    def _style_of(found: FoundSearch) -> SubmissionStyle:
        return STYLES["own"].with_moves(found.form.has_pairs, 0 if found.form.keys else found.form.first)

    @property
    def taken(self) -> str:
        return self.found.taken

    def adapt(self, function: SubmittedFunction) -> SubmittedFunction:
        return self._search

    def _search(self, moment: Moment) -> object:
        before = self.found.maker.reader.read(moment.state)
        with self._counting():
            answer = self.found.call(moment)
        cell = self.found.cell(moment, answer, before)
        if cell is None:
            return answer if answer is None else self.found.read(answer)
        return self.found.form._replace(keys=None).write(cell)

    def _counting(self) -> AbstractContextManager[None]:
        """Count the nodes of a search, which makes it slow, if they matter."""
        if not self.count.is_limited:
            return nullcontext()
        if not self._counter.is_ready:
            self._counter.learn(self._call_on)
        return self._counter.counting(self.count)

    def _call_on(self, position: Position) -> None:
        self.found.call(self.found.maker.moment(position))

    def plans(self) -> Iterator[None]:
        for found in self._plans:
            self.found, self.style = found, self._style_of(found)
            yield

    def arguments(self, position: Position, is_watched: bool) -> Arguments:
        maker = self.found.maker
        moment = maker.moment(position)
        self._is_exchanged = maker.is_for_mover and not moment.is_x
        before = maker.reader.read(moment.state)

        def changes() -> str:
            after = maker.reader.read(moment.state)
            is_played = self.found.made(moment, before) is not None
            return "" if after == before or is_played else "the board it was given has changed"

        return Arguments((moment,), changes)

    def cells_of(self, state: object) -> Cells | None:
        cells = self.found.maker.reader.cells_of(state)
        return exchange_sides(cells) if cells is not None and self._is_exchanged else cells
