"""Grades the rules that a submission brings with it, function by function, as CS50 AI's and AIMA's projects do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise
from typing import Any

from noughts.games import Game, Position
from noughts.study.grading.exam import Exam, describe_error, diagnose_error, show
from noughts.study.grading.judge import finished_positions, unfinished_positions
from noughts.textbook import evaluate_outcome

__all__ = ["examine_rules"]

GAME = Game("3x3")
"""The rules are checked on this game."""
HARMLESS = frozenset({"result-accepts-illegal"})
"""Mistakes in the rules that a search does not notice."""


def examine_rules(exam: Exam) -> bool:
    """Check each function of the rules; return whether a search can be graded with them."""
    for name in exam.style.rules_found():
        exam.holds(name)
        CHECKS[name](RuleExam(exam, name))
    diagnosis = exam.grade.diagnosis
    if diagnosis is None or diagnosis.id in HARMLESS:
        return True
    exam.grade.positions = len(unfinished_positions(GAME)) + len(finished_positions(GAME))
    return False


class RuleExam:
    """The exam of one function of the rules."""

    def __init__(self, exam: Exam, name: str) -> None:
        self.exam, self.name, self.style = exam, name, exam.style
        self.unfinished = unfinished_positions(GAME)[::-1]
        self.finished = finished_positions(GAME)

    def call(self, position: Position, *more: Any) -> Any:
        """Return the function's answer; a failure is recorded and raised as Failed."""
        self.exam.progress(position.text)
        try:
            return self.style.call_rule(self.name, position, *more)
        except (Exception, SystemExit) as error:  # a finding about the submission, not an error of ours
            self.fail(position.text, describe_error(error), diagnose_error(error))
            raise Failed from None

    def fail(self, text: str, message: str, diagnosis: str) -> None:
        """Record a failure of the function."""
        self.exam.fail(self.name, text, message, diagnosis)

    def wrong_answers(self, texts: Iterable[str], expected: Callable[[Position], Any], *more: Any) -> dict[str, Any]:
        """Return the answers that are not as expected, by position."""
        wrong = {}
        for text in texts:
            position = GAME.parse(text)
            answer = self.call(position, *more)
            if answer != expected(position) or isinstance(answer, bool) != isinstance(expected(position), bool):
                wrong[text] = answer
        return wrong

    def report(self, wrong: dict[str, Any], expected: Callable[[Position], Any], diagnosis: str) -> None:
        """Record the first of the wrong answers, if there is one."""
        if wrong:
            text, answer = next(iter(wrong.items()))
            wanted = expected(GAME.parse(text))
            self.fail(text, f"expected {show(wanted)}, got {show(answer)}", diagnosis)


class Failed(Exception):
    """Ends the exam of a function; the failure is recorded."""


def _until_failure(check: Callable[[RuleExam], None]) -> Callable[[RuleExam], None]:
    def run(rule: RuleExam) -> None:
        with suppress(Failed):
            check(rule)

    return run


def _check_turn(rule: RuleExam) -> None:
    marks = rule.style.marks

    def expected(position: Position) -> Any:
        return marks[str(position.turn)]

    wrong = rule.wrong_answers(rule.unfinished, expected)
    is_swapped = len(wrong) == len(rule.unfinished) and set(wrong.values()) == {marks["X"], marks["O"]}
    is_constant = len(set(map(repr, wrong.values()))) == 1
    rule.report(wrong, expected, "turn-swapped" if is_swapped else "turn-constant" if is_constant else "turn-wrong")


def _check_actions(rule: RuleExam) -> None:
    for text in rule.unfinished:
        position = GAME.parse(text)
        answer = rule.call(position)
        try:
            cells = [rule.style.cell_of(position, action) for action in answer]
        except TypeError:
            rule.fail(text, f"expected the legal moves, got {show(answer)}", "actions-form")
            return
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
    for text in rule.unfinished[::3]:
        position = GAME.parse(text)
        for move in position.legal_moves[:2]:
            if not _check_one_result(rule, position, move):
                return
        if rule.style.refuses_illegal and not _check_refusal(rule, position):
            return


def _check_one_result(rule: RuleExam, position: Position, move: int) -> bool:
    style, text = rule.style, position.text
    before = style.cells_of_position(position)
    state, new = rule.call(position, style.action_of(position, move))
    name = style.format_move(position, move)
    if new is None:
        rule.fail(text, f"expected a new board after {name}, got None", "returns-nothing")
    elif style.cells_of(state) != before:
        rule.fail(text, f"{name} changes the board it was given", "no-copy" if new is state else "shallow-copy")
    elif (found := style.cells_of(new)) != style.cells_of_position(position.after(move)):
        is_other = found is not None and found[move] not in (None, str(position.turn))
        message = f"{name} is marked by the wrong side" if is_other else f"wrong board after {name}: {show(new)}"
        rule.fail(text, message, "result-wrong-mark" if is_other else "result-wrong-board")
    else:
        return True
    return False


def _check_refusal(rule: RuleExam, position: Position) -> bool:
    """Check that a taken cell and one outside the board are refused."""
    taken = next((cell for cell, mark in enumerate(position.cells) if mark is not None), None)
    illegal: list[Any] = [(-1, -1)] if taken is None else [rule.style.action_of(position, taken), (-1, -1)]
    for action in illegal:
        try:
            rule.style.call_rule("result", position, action)
        except Exception:
            continue
        message = f"expected an exception for {action}, which is {'taken' if action[0] >= 0 else 'outside the board'}"
        rule.fail(position.text, message, "result-accepts-illegal")
        return False
    return True


def _check_winner(rule: RuleExam) -> None:
    marks = rule.style.marks

    def expected(position: Position) -> Any:
        return None if position.winner is None else marks[str(position.winner)]

    wrong = rule.wrong_answers([*rule.unfinished, *rule.finished], expected)
    if wrong:
        rule.report(wrong, expected, _diagnose_winner(wrong))


def _diagnose_winner(wrong: dict[str, Any]) -> str:
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
    name: _until_failure(check)
    for name, check in {
        "player": _check_turn,
        "to_move": _check_turn,
        "actions": _check_actions,
        "result": _check_result,
        "winner": _check_winner,
        "terminal": _check_terminal,
        "terminal_test": _check_terminal,
        "utility": _check_utility,
    }.items()
}
