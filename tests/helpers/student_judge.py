"""A judge of students' programs by brute force, which uses nothing of the package.

It knows the true rules and values of small boards, calls a program's own functions on every position, and says which of
them is wrong. A wrong rule is replaced by a right one before the next function is tried.
"""

from __future__ import annotations

import io
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from functools import partial
from itertools import count
from types import FrameType
from unittest.mock import patch

from student_shapes import Program, Shape, is_refused
from true_boards import (
    all_positions,
    children,
    empty_cells,
    is_first_of_its_kind,
    is_over,
    moves_of_minimax,
    play,
    positions_of_4x4,
    turn,
    value,
    winner,
)

LIMITED_DEPTH = 2
NODES_FROM, NODES_TO = 4, 8
"""Alpha-beta must visit fewer nodes than minimax at each of these numbers of empty cells."""
QUICK_EMPTY, SAMPLED = 4, 3
"""With at most this number of empty cells for the search, the rules are tried on every third position only."""
HANG_SECONDS = 4
"""Processor time without an answer after which a function is said to hang."""


class Hangs(BaseException):
    """A function of a program gives no answer; programs that catch every Exception must not catch this."""


class Judge:
    """Judges one loaded program for one task; ``wrong`` names the properties that fail, in the order found."""

    def __init__(self, program: Program, task: str, max_empty: int = 9, more: tuple[str, ...] = ()) -> None:
        self.task, self.max_empty, self.more = task, max_empty, more
        self.wrong: dict[str, str] = {}
        self.shape: Shape = program.shape
        with limited_time():
            try:
                self.shape = program.load()
            except Exception as error:
                self.wrong["runs"] = f"raises {error!r} when it is imported"
                return
            except Hangs:
                self.wrong["runs"] = "hangs when it is imported"
                return
        for name in self.shape.rules:
            self.try_on(name, self.rule_positions(), self.rule_fault(name))
            if name in self.wrong:
                self.shape.replace(name, self.reference(name))
        self.judge_task()

    def rule_positions(self) -> list[str]:
        more = positions_of_4x4() if self.task in {"depth-limited", "heuristic"} else []
        return all_positions()[:: SAMPLED if self.max_empty <= QUICK_EMPTY else 1] + more

    def judge_task(self) -> None:
        if self.task == "heuristic":
            self.try_on("heuristic", all_positions() + positions_of_4x4(), self.evaluation_fault)
        elif self.task == "depth-limited":
            unfinished = [cells for cells in positions_of_4x4() if not is_over(cells)]
            self.try_on("search", unfinished[::7], self.limited_fault)
        else:
            self.try_on("search", self.search_positions(), self.search_fault)
            if self.task == "alphabeta" and "search" not in self.wrong:
                self.count_nodes()

    def search_positions(self) -> list[str]:
        return [
            *self.more,
            *(
                cells
                for cells in all_positions()
                if not is_over(cells)
                and cells.count(".") <= self.max_empty
                and (self.max_empty == 9 or is_first_of_its_kind(cells))
            ),
        ]

    def try_on(self, name: str, positions: list[str], fault: Callable[[str], str]) -> None:
        """Record the first fault of a function."""
        for cells in positions:
            try:
                with limited_time():
                    found = fault(cells)
            except Exception as error:
                found = f"raises {error!r}"
            except Hangs:
                found = "hangs"
            if found:
                self.wrong[name] = f"{cells}: {found}"
                return

    def rule_fault(self, name: str) -> Callable[[str], str]:
        if name == "result":
            return self.result_fault
        expected = self.reference(name)

        def fault(cells: str) -> str:
            if name in {"player", "to_move"} and is_over(cells):
                return ""
            if name == "actions" and winner(cells) is not None:
                return ""
            if name == "utility" and not is_over(cells):
                return ""
            for more in [("X",), ("O",)] if self.shape.is_aima and name == "utility" else [()]:
                answer = self.shape.call(name, self.shape.state_of(cells), *more)
                wanted = expected(self.shape.state_of(cells), *more)
                if name == "actions":
                    answer = self.shape.normal_actions(answer)
                    wanted = self.shape.normal_actions(wanted)
                if answer != wanted or isinstance(answer, bool) != isinstance(wanted, bool):
                    return f"expected {wanted!r}, got {answer!r}"
            return ""

        return fault

    def result_fault(self, cells: str) -> str:
        if is_over(cells):
            return ""
        for cell in empty_cells(cells):
            state = self.shape.state_of(cells)
            before = deepcopy(state)
            after = self.shape.call("result", state, self.shape.move_of(cell))
            if state != before:
                return "changes its argument"
            if self.shape.cells_of(after) != play(cells, cell) or not self.shape.is_consistent(after):
                return f"expected {play(cells, cell)}, got {after!r}"
        if self.shape.refuses_illegal:
            taken = [self.shape.move_of(i) for i, mark in enumerate(cells) if mark != "."]
            for move in [*taken, (-1, -1), (3, 0)]:
                if not is_refused(partial(self.shape.call, "result", self.shape.state_of(cells), move)):
                    return f"accepts {move}"
        return ""

    def reference(self, name: str) -> Callable[..., object]:
        """Return a right function in the shape of the program."""
        shape, mark = self.shape, self.shape.mark

        def result(state: object, move: object) -> object:
            cells, cell = shape.cells_of(state), shape.cell_of(move)
            if cell not in empty_cells(cells):
                raise ValueError(move)
            return shape.state_of(play(cells, cell))

        def utility(state: object, side: str = "X") -> int:
            won = winner(shape.cells_of(state))
            return 0 if won is None else 1 if won == side else -1

        def is_finished(state: object) -> bool:
            return is_over(shape.cells_of(state))

        def side_to_move(state: object) -> object:
            return mark(turn(shape.cells_of(state)))

        def actions(state: object) -> object:
            moves = [shape.move_of(cell) for cell in empty_cells(shape.cells_of(state))]
            return set(moves) if shape.refuses_illegal else moves

        functions: dict[str, Callable[..., object]] = {
            "player": side_to_move,
            "to_move": side_to_move,
            "actions": actions,
            "result": result,
            "winner": lambda state: mark(winner(shape.cells_of(state))),
            "terminal": is_finished,
            "terminal_test": is_finished,
            "utility": utility,
        }
        return functions[name]

    def search_fault(self, cells: str) -> str:
        state = self.shape.state_of(cells)
        before = deepcopy(state)
        found, move = self.shape.ask(self.task, state)
        if not self.shape.is_same(state, before):
            return "changes the position it was given"
        cell = self.shape.cell_of(move)
        if cell not in empty_cells(cells):
            return f"its move {move!r} is not legal"
        if self.shape.has_values and found != value(cells):
            return f"expected the value {value(cells)}, got {found!r}"
        if value(play(cells, cell)) != value(cells):
            return f"its move {move!r} is not one of the best"
        return ""

    def limited_fault(self, cells: str) -> str:
        state = self.shape.state_of(cells)
        found, move = self.shape.ask(self.task, state, LIMITED_DEPTH)
        wanted = self.limited_value(cells, LIMITED_DEPTH)
        if found != wanted:
            return f"expected the value {wanted}, got {found!r}"
        cell = self.shape.cell_of(move)
        if cell not in empty_cells(cells) or self.limited_value(play(cells, cell), LIMITED_DEPTH - 1) != wanted:
            return f"its move {move!r} is not one of the best"
        return ""

    def limited_value(self, cells: str, depth: int) -> float:
        """The value at a depth, with the program's own evaluation at the leaves."""
        if depth == 0 or is_over(cells):
            return float(self.shape.evaluate(self.shape.state_of(cells)))
        return (max if turn(cells) == "X" else min)(self.limited_value(child, depth - 1) for child in children(cells))

    def evaluation_fault(self, cells: str) -> str:
        found = self.shape.evaluate(self.shape.state_of(cells))
        if is_over(cells) and (found > 0) - (found < 0) != {"X": 1, "O": -1, None: 0}[winner(cells)]:
            return f"got {found} for a finished board"
        return ""

    def count_nodes(self) -> None:
        """Compare the moves it makes with those of minimax, at each number of empty cells."""
        counter = count()
        self.shape.count_moves(counter)
        made: Counter[int] = Counter()
        allowed: Counter[int] = Counter()
        for cells in all_positions():
            empty = cells.count(".")
            if is_over(cells) or not NODES_FROM <= empty <= min(NODES_TO, self.max_empty):
                continue
            if not is_first_of_its_kind(cells):
                continue
            state = self.shape.state_of(cells)
            start = next(counter)
            with limited_time():
                self.shape.ask(self.task, state)
            made[empty] += next(counter) - start - 1
            allowed[empty] += moves_of_minimax(cells)
        more = {empty: (made[empty], allowed[empty]) for empty in made if made[empty] >= allowed[empty]}
        if more:
            self.wrong["nodes"] = f"moves made and moves of minimax, by empty cells: {more}"


@contextmanager
def limited_time() -> Iterator[None]:
    """Raise Hangs after some processor time; silences the program and gives it no input."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hangs

    old = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANG_SECONDS)
    try:
        with redirect_stdout(io.StringIO()), patch("sys.stdin", io.StringIO()):
            yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)
