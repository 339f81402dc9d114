"""Grades a move order: it must list every legal move once, and save nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from noughts.games import Position
from noughts.study.grading.exam import Exam, show
from noughts.study.grading.judge import unfinished_positions
from noughts.textbook import Order, alphabeta, row_by_row

__all__ = ["examine_order"]


def examine_order(exam: Exam) -> None:
    """Ask for the order on every position, and search with it."""
    for text in unfinished_positions(exam.game):
        exam.progress(text)
        exam.grade.positions += 1
        _check_position(exam, text)
        if exam.grade.failures:
            return
    exam.holds("same")
    _check_saving(exam)


def _check_position(exam: Exam, text: str) -> None:
    first = _ask(exam, text)
    if first is None:
        return
    second = _ask(exam, text)
    if second is not None and first != second:
        exam.fail("same", text, f"first {first}, then {second}", "order-random")


def _ask(exam: Exam, text: str) -> list[Any] | None:
    """Return the moves as the submission wrote them, or None if they are wrong."""
    position = exam.game.parse(text)
    legal = position.legal_moves
    reply = exam.ask(position, *_moves_argument(exam, position))
    if not exam.check_reply(text, reply):
        return None
    if not isinstance(reply.answer, Sequence) and not hasattr(reply.answer, "__iter__"):
        diagnosis = "sorted-in-place" if reply.answer is None else "move-form"
        exam.fail("runs", text, f"expected a list of moves, got {show(reply.answer)}", diagnosis)
        return None
    moves = list(reply.answer)
    cells = [exam.style.cell_of(position, move) for move in moves]
    exam.holds("moves")
    counted = Counter(cells)
    names = [exam.style.format_move(position, cell) for cell in legal if cell not in counted]
    if names:
        exam.fail("moves", text, f"left out: {', '.join(names)}", "order-drops-moves")
    elif extra := [move for move, cell in zip(moves, cells, strict=True) if cell not in legal]:
        exam.fail("moves", text, f"not legal: {show(extra[0])}", "order-adds-moves")
    elif len(cells) > len(legal):
        twice = next(cell for cell, number in counted.items() if number > 1 and cell is not None)
        exam.fail("moves", text, f"listed twice: {exam.style.format_move(position, twice)}", "order-repeats-moves")
    return None if "moves" in exam.grade.failures else moves


def _moves_argument(exam: Exam, position: Position) -> tuple[Any, ...]:
    """Return the legal moves as the second argument, in the style whose orders take it."""
    if exam.style.id != "course":
        return ()
    side = round(position.game.cells**0.5)
    return ([divmod(move, side) for move in position.legal_moves],)


def _check_saving(exam: Exam) -> None:
    """Compare the nodes of alpha-beta on the empty board."""

    def order(position: Position) -> list[int]:
        reply = exam.ask(position, *_moves_argument(exam, position))
        return [cell for move in reply.answer if (cell := exam.style.cell_of(position, move)) is not None]

    exam.holds("saves")
    plain, own = _count_nodes(exam, row_by_row), _count_nodes(exam, order)
    if own < plain:
        return
    reverse = _count_nodes(exam, lambda position: order(position)[::-1])
    message = f"{own:,} nodes with it, {plain:,} row by row"
    exam.fail("saves", exam.game.start().text, message, "order-reversed" if reverse < plain else "order-saves-nothing")


def _count_nodes(exam: Exam, order: Order) -> int:
    return alphabeta(exam.game.start(), order).nodes
