"""Grades a move order: it must list every legal move once, and save nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from noughts.games import Position
from noughts.teaching.grading.judge import unfinished_positions
from noughts.teaching.grading.question_runner import CallReply, Exam, show
from noughts.textbook import Order, alphabeta, row_by_row

__all__ = ["examine_order"]


def examine_order(exam: Exam) -> None:
    """Ask for the order on every position, and search with it."""
    texts = unfinished_positions(exam.game)
    replies = _ask_all(exam, (text for text in texts for _ in range(2)))
    for text, first, second in zip(texts, replies, replies, strict=False):
        exam.grade.positions += 1
        _check_position(exam, text, first, second)
        if exam.grade.failures:
            return
    exam.holds("same")
    _check_saving(exam)


def _ask_all(exam: Exam, texts: Iterable[str]) -> Iterator[CallReply]:
    return exam.ask_all(exam.question(text, with_moves=True) for text in texts)


def _check_position(exam: Exam, text: str, first: CallReply, second: CallReply) -> None:
    moves = _read_moves(exam, text, first)
    if moves is None:
        return
    again = _read_moves(exam, text, second)
    if again is not None and moves != again:
        exam.fail("same", text, f"first {moves}, then {again}", "order-random")


def _read_moves(exam: Exam, text: str, reply: CallReply) -> list[object] | None:
    """Return the moves as the submission wrote them, or None if they are wrong."""
    position = exam.game.parse(text)
    legal = position.legal_moves
    if not exam.check_reply(text, reply):
        return None
    if not isinstance(reply.answer, Iterable):
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


def _check_saving(exam: Exam) -> None:
    """Compare the nodes of alpha-beta on the empty board; an order that fails there is left as it is so far."""
    known: dict[int, list[int]] = {}

    def order(position: Position) -> list[int]:
        if position.hash not in known:
            moves = _read_moves(exam, position.text, next(_ask_all(exam, [position.text]))) or ()
            cells = [exam.style.cell_of(position, move) for move in moves]
            known[position.hash] = [cell for cell in cells if cell is not None]
        return known[position.hash]

    plain, own = _count_nodes(exam, row_by_row), _count_nodes(exam, order)
    if exam.grade.failures:
        return
    exam.holds("saves")
    if own < plain:
        return
    reverse = _count_nodes(exam, lambda position: order(position)[::-1])
    message = f"{own:,} nodes with it, {plain:,} row by row"
    exam.fail("saves", exam.game.start().text, message, "order-reversed" if reverse < plain else "order-saves-nothing")


def _count_nodes(exam: Exam, order: Order) -> int:
    return alphabeta(exam.game.start(), order).nodes
