"""Grades the rules that a submission brings with it, function by function, as CS50 AI's and AIMA's projects do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import pairwise

from noughts.games import Game, Position
from noughts.teaching.grading.judge import finished_positions, unfinished_positions
from noughts.teaching.grading.question_runner import Exam, RuleReply, show
from noughts.textbook import evaluate_outcome

__all__ = ["examine_rules"]

GAME = Game("3x3")
"""The rules are checked on this game."""
OUTSIDE = (-1, -1)
"""An action outside the board."""
HARMLESS = frozenset({"result-accepts-illegal"})
"""Mistakes in the rules that a search does not notice."""


def examine_rules(exam: Exam) -> bool:
    """Check each function of the rules; return whether a search can be graded with them."""
    for name in exam.style.rules if exam.subject.has_rules else ():
        exam.holds(name)
        with suppress(Failed):
            CHECKS[name](RuleExam(exam, name))
    diagnosis = exam.grade.diagnosis
    if diagnosis is None or diagnosis.id in HARMLESS:
        return True
    exam.grade.positions = len(unfinished_positions(GAME)) + len(finished_positions(GAME))
    return False


class RuleExam:
    """The exam of one function of the rules."""

    def __init__(self, exam: Exam, name: str) -> None:
        self.exam, self.name, self.style, self.marks = exam, name, exam.style, exam.subject.marks
        self.unfinished = unfinished_positions(GAME)[::-1]
        self.finished = finished_positions(GAME)

    def ask(self, calls: Iterable[Call]) -> Iterator[tuple[Call, RuleReply]]:
        """Yield the function's answers to calls."""
        wanted = list(calls)
        return zip(wanted, self.exam.ask_rule(self.name, wanted), strict=False)

    def check(self, text: str, reply: RuleReply) -> None:
        """Record an exception of the function, and raise Failed, if there is one."""
        if reply.error is not None:
            self.fail(text, *reply.error)
            raise Failed

    def fail(self, text: str, message: str, diagnosis: str) -> None:
        """Record a failure of the function."""
        self.exam.fail(self.name, text, message, diagnosis)

    def wrong_answers(self, texts: Iterable[str], expected: Expected, *more: object) -> dict[str, object]:
        """Return the answers that are not as expected, by position."""
        wrong = {}
        for (text, _), reply in self.ask((text, more) for text in texts):
            self.check(text, reply)
            position, answer = GAME.parse(text), reply.answer
            if answer != expected(position) or isinstance(answer, bool) != isinstance(expected(position), bool):
                wrong[text] = answer
        return wrong

    def report(self, wrong: dict[str, object], expected: Expected, diagnosis: str) -> None:
        """Record the first of the wrong answers, if there is one."""
        if wrong:
            text, answer = next(iter(wrong.items()))
            wanted = expected(GAME.parse(text))
            self.fail(text, f"expected {show(wanted)}, got {show(answer)}", diagnosis)


class Failed(Exception):
    """Ends the exam of a function; the failure is recorded."""


Call = tuple[str, tuple[object, ...]]
"""A position, and more arguments."""
Expected = Callable[[Position], object]
"""Returns the right answer for a position."""


def _check_turn(rule: RuleExam) -> None:
    marks = rule.marks

    def expected(position: Position) -> object:
        return marks[str(position.turn)]

    wrong = rule.wrong_answers(rule.unfinished, expected)
    is_swapped = len(wrong) == len(rule.unfinished) and set(map(repr, wrong.values())) == {
        repr(marks["X"]),
        repr(marks["O"]),
    }
    is_constant = len(set(map(repr, wrong.values()))) == 1
    rule.report(wrong, expected, "turn-swapped" if is_swapped else "turn-constant" if is_constant else "turn-wrong")


def _check_actions(rule: RuleExam) -> None:
    for (text, _), reply in rule.ask((text, ()) for text in rule.unfinished):
        rule.check(text, reply)
        position, answer = GAME.parse(text), reply.answer
        if not isinstance(answer, Iterable):
            rule.fail(text, f"expected the legal moves, got {show(answer)}", "actions-form")
            return
        cells = [rule.style.cell_of(position, action) for action in answer]
        if set(cells) != set(position.legal_moves) or len(cells) != len(position.legal_moves):
            wanted = ", ".join(rule.style.format_move(position, move) for move in position.legal_moves)
            rule.fail(text, f"expected {wanted}, got {show(answer)}", _diagnose_actions(position, cells))
            return


def _diagnose_actions(position: Position, cells: list[int | None]) -> str:
    if None in cells:
        return "actions-form"
    legal = set(position.legal_moves)
    side = round(position.game.cells**0.5)
    if {cell % side * side + cell // side for cell in cells if cell is not None} == legal:
        return "actions-swapped"
    return "actions-missing" if set(cells) < legal else "actions-taken"


def _check_result(rule: RuleExam) -> None:
    expected: list[int | None] = []
    """The move of each call, or None if it must be refused."""
    calls: list[Call] = []
    for text in rule.unfinished[::3]:
        position = GAME.parse(text)
        moves = position.legal_moves[:2]
        expected += moves
        calls += [(text, (rule.style.action_of(position, move),)) for move in moves]
    refused = _illegal_calls(rule) if rule.style.refuses_illegal else []
    expected += [None] * len(refused)
    calls += refused
    for move, (call, reply) in zip(expected, rule.ask(calls), strict=False):
        if not (_check_refusal(rule, call, reply) if move is None else _check_one_result(rule, call[0], move, reply)):
            return


def _check_one_result(rule: RuleExam, text: str, move: int, reply: RuleReply) -> bool:
    rule.check(text, reply)
    style, position = rule.style, GAME.parse(text)
    before, found = style.cells_of_position(position), reply.after
    name = style.format_move(position, move)
    if reply.answer is None:
        rule.fail(text, f"expected a new board after {name}, got None", "returns-nothing")
    elif reply.before != before:
        rule.fail(text, f"{name} changes the board it was given", "no-copy" if reply.is_same else "shallow-copy")
    elif found != style.cells_of_position(position.after(move)):
        is_other = found is not None and len(found) > move and found[move] not in (None, str(position.turn))
        shown = show(reply.answer)
        message = f"{name} is marked by the wrong side" if is_other else f"{name} gives a wrong board, {shown}"
        rule.fail(text, message, "result-wrong-mark" if is_other else "result-wrong-board")
    else:
        return True
    return False


def _illegal_calls(rule: RuleExam) -> list[Call]:
    """Return calls that must be refused: taken cells first, then one outside the board."""
    calls: list[Call] = []
    for text in rule.unfinished[1::3]:
        position = GAME.parse(text)
        taken = next(cell for cell, mark in enumerate(position.cells) if mark is not None)
        calls.append((text, (rule.style.action_of(position, taken),)))
    return [*calls, *((text, (OUTSIDE,)) for text in rule.unfinished[::3])]


def _check_refusal(rule: RuleExam, call: Call, reply: RuleReply) -> bool:
    """Check that an illegal action is refused."""
    text, (action,) = call
    if reply.error is not None:
        return True
    message = f"expected an exception for {action}, which is {'outside the board' if action == OUTSIDE else 'taken'}"
    rule.fail(text, message, "result-accepts-illegal")
    return False


def _check_winner(rule: RuleExam) -> None:
    marks = rule.marks

    def expected(position: Position) -> object:
        return None if position.winner is None else marks[str(position.winner)]

    wrong = rule.wrong_answers([*rule.unfinished, *rule.finished], expected)
    if wrong:
        rule.report(wrong, expected, _diagnose_winner(wrong))


def _diagnose_winner(wrong: dict[str, object]) -> str:
    if any(answer is not None for answer in wrong.values()):
        return "winner-wrong"
    side = round(GAME.cells**0.5)
    kinds = set()
    for text in wrong:
        position = GAME.parse(text)
        full = [line for line in position.game.lines if all(position.cells[cell] == position.winner for cell in line)]
        kinds |= {_kind_of(line, side) for line in full} if len(full) == 1 else set()
    return f"winner-misses-{kinds.pop()}" if len(kinds) == 1 else "winner-misses-lines"


def _kind_of(line: tuple[int, ...], side: int) -> str:
    steps = {after - before for before, after in pairwise(line)}
    return {1: "rows", side: "columns"}.get(steps.pop(), "diagonals")


def _check_terminal(rule: RuleExam) -> None:
    def expected(position: Position) -> bool:
        return position.is_over

    wrong = rule.wrong_answers([*rule.unfinished, *rule.finished], expected)
    overs = [GAME.parse(text) for text in wrong]
    if any(not position.is_over for position in overs):
        diagnosis = "terminal-too-early"
    elif all(position.winner is None for position in overs):
        diagnosis = "terminal-misses-draw"
    else:
        diagnosis = "terminal-misses-win"
    rule.report(wrong, expected, diagnosis)


def _check_utility(rule: RuleExam) -> None:
    more = ("X",) if rule.style.id == "aima" else ()
    wrong = rule.wrong_answers(rule.finished, evaluate_outcome, *more)
    values = {text: evaluate_outcome(GAME.parse(text)) for text in rule.finished}
    if wrong and all(answer == -values[text] for text, answer in wrong.items()) and len(wrong) > len(values) // 2:
        diagnosis = "wrong-sign"
    elif wrong and all(values[text] == -1 and answer == 0 for text, answer in wrong.items()):
        diagnosis = "forgets-loss"
    elif any(answer is None for answer in wrong.values()):
        diagnosis = "returns-nothing"
    else:
        diagnosis = "utility-wrong"
    rule.report(wrong, evaluate_outcome, diagnosis)


CHECKS: dict[str, Callable[[RuleExam], None]] = {
    "player": _check_turn,
    "to_move": _check_turn,
    "actions": _check_actions,
    "result": _check_result,
    "winner": _check_winner,
    "terminal": _check_terminal,
    "terminal_test": _check_terminal,
    "utility": _check_utility,
}
"""By the name of the function; each may raise Failed."""
