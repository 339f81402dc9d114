"""Grades the rules that a submission brings with it, function by function, as CS50 AI's and AIMA's projects do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import NamedTuple

from noughts.games import Game, Position
from noughts.teaching.grading.answers import is_number
from noughts.teaching.grading.cells import Cells, cells_of, kind_of_line
from noughts.teaching.grading.diagnosis.diagnoses import HARMLESS
from noughts.teaching.grading.judge import finished_positions, unfinished_positions
from noughts.teaching.grading.question_runner import Exam, RuleReply, show
from noughts.textbook import evaluate_outcome

__all__ = ["examine_rules"]

GAME = Game("3x3")
"""The rules are checked on this game."""
OUTSIDE = (-1, -1)
"""An action outside the board."""
parse = cache(GAME.parse)
"""Each position is parsed once for all functions; nothing here plays on it."""


def examine_rules(exam: Exam) -> None:
    """Check each function of the rules by itself; ours take the place of those that are wrong.

    A function may fail because of one that is checked later. So each that failed is tried again with the others right.
    """
    wrong = [name for name in exam.style.rules if exam.subject.has_rules and not _is_usable(exam, name)]
    right = {name for name in wrong[:-1] if _is_right_after_all(exam, name)}
    wrong = [name for name in wrong if name not in right]
    if right:  # a function that was replaced for no fault of its own may have hidden what is wrong with another
        wrong = [name for name in wrong if not _is_right_after_all(exam, name)]
    exam.grade.replaced = tuple(wrong)


def _is_right_after_all(exam: Exam, name: str) -> bool:
    """Check a function that was wrong again, now that others are replaced or back in their place."""
    exam.replace_rule(name, is_ours=False)
    del exam.grade.failures[name]
    return _is_usable(exam, name)


def _is_usable(exam: Exam, name: str) -> bool:
    """Check a function of the rules and replace it if it is wrong; return whether the submission's own is in place."""
    exam.holds(name)
    with suppress(Failed):
        CHECKS[name](RuleExam(exam, name))
    failure = exam.grade.failures.get(name)
    if failure is None or (failure.diagnosis is not None and failure.diagnosis.id in HARMLESS):
        return True
    exam.replace_rule(name)
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
        if reply.has_changed and self.name != "result":
            self.fail(text, "expected the board as it was after the call, got it changed", "rule-changes-board")
            raise Failed

    def fail(self, text: str, message: str, diagnosis: str) -> None:
        """Record a failure of the function."""
        self.exam.fail(self.name, text, message, diagnosis)

    def answers(self, texts: Iterable[str], expected: Expected, *more: object) -> Answers:
        """Return the answers of the function on positions."""
        answers = Answers({}, {})
        for (text, _), reply in self.ask((text, more) for text in texts):
            self.check(text, reply)
            wanted, answer = expected(parse(text)), reply.answer
            answers.all[text] = answer
            if answer != wanted or isinstance(answer, bool) != isinstance(wanted, bool):
                answers.wrong[text] = answer
        return answers

    def report(self, answers: Answers, expected: Expected, diagnosis: str) -> None:
        """Record the first of the wrong answers, if there is one, unless a simpler mistake explains it."""
        if not answers.wrong:
            return
        text, answer = next(iter(answers.wrong.items()))
        if all(each is None for each in answers.all.values()):
            diagnosis = "winner-sees-none" if self.name == "winner" else "not-written"
        elif self._changes_between_calls(text):
            diagnosis = "not-repeatable"
        self.fail(text, f"expected {show(expected(parse(text)))}, got {show(answer)}", diagnosis)

    def _changes_between_calls(self, text: str) -> bool:
        """Whether the function answers differently when asked again."""
        return len({repr(reply.answer) for _, reply in self.ask([(text, ())] * 3) if reply.error is None}) > 1


class Answers(NamedTuple):
    """The answers of a function of the rules by position, and those that are wrong."""

    all: dict[str, object]
    wrong: dict[str, object]


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

    answers = rule.answers(rule.unfinished, expected)
    found = set(map(repr, answers.wrong.values()))
    if found == {"None"}:
        diagnosis = "returns-nothing"
    elif found == {repr(marks["X"]), repr(marks["O"])} and len(answers.wrong) == len(rule.unfinished):
        diagnosis = "turn-swapped"
    else:
        diagnosis = "turn-constant" if len(set(map(repr, answers.all.values()))) == 1 else "turn-wrong"
    rule.report(answers, expected, diagnosis)


def _check_actions(rule: RuleExam) -> None:
    earlier: set[int | None] = set()
    """The cells of the right answers so far."""
    for (text, _), reply in rule.ask((text, ()) for text in reversed(rule.unfinished)):
        rule.check(text, reply)
        position, answer = parse(text), reply.answer
        if not isinstance(answer, Iterable):
            diagnosis = "not-written" if answer is None else "actions-form"
            rule.fail(text, f"expected the legal moves, got {show(answer)}", diagnosis)
            return
        moves = list(answer)
        cells = [rule.style.cell_of(position, action) for action in moves]
        is_set_of_pairs = rule.style.id != "cs50" or all(isinstance(each, tuple) for each in moves)
        if not is_set_of_pairs or sorted(cells, key=str) != sorted(position.legal_moves, key=str):
            wanted = ", ".join(rule.style.format_move(position, move) for move in position.legal_moves)
            diagnosis = _diagnose_actions(position, cells, earlier) if is_set_of_pairs else "actions-form"
            rule.fail(text, f"expected {wanted}, got {show(answer)}", diagnosis)
            return
        if rule.style.id == "cs50" and not isinstance(answer, frozenset) and not earlier:
            rule.exam.note(f"CS50's own checks want a set from actions; this is {show(answer)}.")
        earlier.update(cells)


def _diagnose_actions(position: Position, cells: list[int | None], earlier: set[int | None]) -> str:
    if None in cells:
        return "actions-form"
    legal, found = set(position.legal_moves), set(cells)
    taken = set(range(position.game.cells)) - legal
    if found == taken:
        return "actions-exchanged"
    side = round(position.game.cells**0.5)
    if {cell % side * side + cell // side for cell in cells if cell is not None} == legal:
        return "actions-swapped"
    if found < legal:
        return "actions-missing"
    if legal < found and earlier and found <= legal | earlier:
        return "actions-kept"
    return "actions-repeated" if found == legal else "actions-taken"


def _check_result(rule: RuleExam) -> None:
    expected: list[int | None] = []
    """The move of each call, or None if it must be refused."""
    calls: list[Call] = []
    for text in rule.unfinished[::3]:
        position = parse(text)
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
    style, position = rule.style, parse(text)
    name = style.format_move(position, move)
    after = position.after(move)
    if reply.answer is None:
        rule.fail(text, f"expected a new board after {name}, got None", "not-written")
    elif reply.has_changed or reply.before != cells_of(position):
        message = f"expected the old board as it was after {name}, got it changed"
        is_unmarked = not reply.is_same and reply.after == cells_of(position)
        copies = "result-marks-given" if is_unmarked else "shallow-copy"
        rule.fail(text, message, "no-copy" if reply.is_same else copies)
    elif reply.after != cells_of(after):
        diagnosis = _diagnose_result(position, move, reply.after)
        wanted = f"{position.turn} on {name} and no other change"
        rule.fail(text, f"expected {wanted}, got {show(reply.answer)}", diagnosis)
    elif reply.turn is not None and after.turn is not None and reply.turn != rule.marks[str(after.turn)]:
        message = f"expected {after.turn} to move after {name}, got {show(reply.turn)}"
        rule.fail(text, message, "result-keeps-turn")
    else:
        return True
    return False


def _diagnose_result(position: Position, move: int, found: Cells | None) -> str:
    """Return the mistake behind a wrong board after a move."""
    before = [None if mark is None else str(mark) for mark in position.cells]
    if found is None or len(found) != len(before):
        return "result-form"
    changed = [cell for cell, (old, new) in enumerate(zip(before, found, strict=True)) if old != new]
    side = round(position.game.cells**0.5)
    if not changed:
        return "result-unchanged"
    if changed == [move]:
        return "result-wrong-mark"
    if changed == [move % side * side + move // side]:
        return "result-swapped"
    return "result-other-cell" if len(changed) == 1 else "result-wrong-board"


def _illegal_calls(rule: RuleExam) -> list[Call]:
    """Return calls that must be refused: taken cells first, then one outside the board."""
    calls: list[Call] = []
    for text in rule.unfinished[1::3]:
        position = parse(text)
        taken = next(cell for cell, mark in enumerate(position.cells) if mark is not None)
        calls.append((text, (rule.style.action_of(position, taken),)))
    return [*calls, *((text, (OUTSIDE,)) for text in rule.unfinished[::3])]


def _check_refusal(rule: RuleExam, call: Call, reply: RuleReply) -> bool:
    """Check that an illegal action is refused."""
    text, (action,) = call
    if reply.error is not None:
        return True
    message = f"expected an exception for {action}, which is {'outside the board' if action == OUTSIDE else 'taken'}"
    rule.fail(text, message, "result-accepts-outside" if action == OUTSIDE else "result-accepts-illegal")
    return False


def _check_winner(rule: RuleExam) -> None:
    marks = rule.marks

    def expected(position: Position) -> object:
        return None if position.winner is None else marks[str(position.winner)]

    answers = rule.answers([*rule.unfinished, *rule.finished], expected)
    rule.report(answers, expected, _diagnose_winner(answers.wrong, marks))


def _diagnose_winner(wrong: dict[str, object], marks: dict[str | None, object]) -> str:
    if any(answer not in (None, marks["X"], marks["O"]) for answer in wrong.values()):
        return "winner-form"
    won = {text for text in wrong if parse(text).winner is not None}
    missed = [text for text in won if wrong[text] is None]
    if missed and len(missed) == len(wrong) and all(map(_has_empty_line, missed)):
        return "winner-empty-line"
    if won and not missed:
        return "winner-other-side" if len(won) == len(wrong) else "winner-wrong"
    kind = _kind_of_lines(missed)
    if len(missed) < len(wrong):
        return f"winner-mistypes-{kind}" if kind else "winner-wrong"
    return f"winner-misses-{kind}" if kind else "winner-misses-lines"


def _has_empty_line(text: str) -> bool:
    position = parse(text)
    return any(all(position.cells[cell] is None for cell in line) for line in GAME.lines)


def _kind_of_lines(texts: Iterable[str]) -> str | None:
    """Return "rows", "columns" or "diagonals" if all these positions are won by such a line and no other."""
    kinds = set()
    for text in texts:
        position = parse(text)
        full = [line for line in GAME.lines if all(position.cells[cell] == position.winner for cell in line)]
        kinds |= {kind_of_line(line) for line in full} if len(full) == 1 else set()
    return kinds.pop() if len(kinds) == 1 else None


def _check_terminal(rule: RuleExam) -> None:
    def expected(position: Position) -> bool:
        return position.is_over

    answers = rule.answers([*rule.unfinished, *rule.finished], expected)
    wrong = [parse(text) for text in answers.wrong]
    kind = _kind_of_lines(answers.wrong) if all(position.winner is not None for position in wrong) else None
    if all(answer == parse(text).is_over for text, answer in answers.wrong.items()):
        diagnosis = "terminal-form"
    elif all(answer is (not parse(text).is_over) for text, answer in answers.all.items()):
        diagnosis = "terminal-inverted"
    elif any(not position.is_over for position in wrong):
        is_typo = _has_mistyped_line(answers, lambda sides, is_full: bool(sides) or is_full)
        diagnosis = "lines-mistyped" if is_typo else "terminal-too-early"
    elif all(position.winner is None for position in wrong):
        diagnosis = "terminal-misses-draw"
    else:
        diagnosis = f"lines-miss-{kind}" if kind else "terminal-misses-win"
    rule.report(answers, expected, diagnosis)


def _has_mistyped_line(answers: Answers, answer: Callable[[set[str], bool], object]) -> bool:
    """Whether all answers are right if three other cells count in place of one line.

    ``answer`` returns the right answer for the sides that have a line and whether the board is full.
    """
    texts = [*answers.wrong, *(text for text in answers.all if text not in answers.wrong)]
    boards = [(cells_of(parse(text)), answers.all[text]) for text in texts]

    def fits(cells: Cells, found: object, lines: list[tuple[int, ...]]) -> bool:
        sides = {mark for a, b, c in lines if (mark := cells[a]) is not None and mark == cells[b] == cells[c]}
        return len(sides) > 1 or answer(sides, None not in cells) == found

    others = [each for each in combinations(range(GAME.cells), 3) if each not in GAME.lines]
    lists = ([*GAME.lines[:at], other, *GAME.lines[at + 1 :]] for at in range(len(GAME.lines)) for other in others)
    return any(all(fits(*board, lines) for board in boards) for lines in lists)


def _check_utility(rule: RuleExam) -> None:
    more = (rule.marks["X"],) if rule.style.id == "aima" else ()
    answers = rule.answers(rule.finished, evaluate_outcome, *more)
    values = {text: evaluate_outcome(parse(text)) for text in rule.finished}
    if more:
        _accept_size(answers, values)
    rule.report(answers, evaluate_outcome, _diagnose_utility(answers, values))
    if more and not answers.wrong:

        def expected_for_o(position: Position) -> int:
            return -evaluate_outcome(position)

        for_o = rule.answers(rule.finished, expected_for_o, rule.marks["O"])
        _accept_size(for_o, {text: -value for text, value in values.items()})
        rule.report(for_o, expected_for_o, "utility-ignores-player" if for_o.all == answers.all else "utility-wrong")


def _accept_size(answers: Answers, values: dict[str, int]) -> None:
    """Let every win be worth the same number, of any size, as in games of AIMA's kind."""
    sizes = {abs(found) for text, found in answers.all.items() if values[text] and is_number(found)}
    if len(sizes) == 1 and (size := sizes.pop()) and all(answers.all[text] == size * values[text] for text in values):
        answers.wrong.clear()


def _diagnose_utility(answers: Answers, values: dict[str, int]) -> str:
    wrong = answers.wrong
    by_winner = {value: {repr(answers.all[text]) for text in values if values[text] == value} for value in (1, -1)}
    if len(by_winner[1]) == 1 and by_winner[1] == by_winner[-1]:
        return "utility-same"
    if all(answer == -values[text] for text, answer in wrong.items()) and len(wrong) > len(values) // 2:
        return "wrong-sign"
    if all(values[text] == -1 and answer == 0 for text, answer in wrong.items()):
        return "forgets-loss"
    if any(answer is None for answer in wrong.values()):
        return "utility-draw" if all(values[text] == 0 for text in wrong) else "returns-nothing"
    if all(is_number(answer) and answer * values[text] > 0 for text, answer in wrong.items()):
        return "utility-size"
    if all(values[text] == 0 for text in wrong):
        return "utility-draw"
    if all(answer == 0 for answer in wrong.values()) and (kind := _kind_of_lines(wrong)):
        return f"lines-miss-{kind}"
    is_typo = _has_mistyped_line(answers, lambda sides, is_full: ("X" in sides) - ("O" in sides))
    return "lines-mistyped" if is_typo else "utility-wrong"


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
