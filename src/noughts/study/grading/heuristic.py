"""Grades a heuristic evaluation: its sign, its symmetry between the sides, and its bounds."""

from __future__ import annotations

from math import isfinite
from typing import Any

from noughts.games import Game, Position, Side
from noughts.study.grading.exam import Exam, show
from noughts.study.grading.judge import finished_positions, judge_of, unfinished_positions
from noughts.textbook import evaluate_outcome

__all__ = ["examine_heuristic"]


def examine_heuristic(exam: Exam) -> None:
    """Evaluate every position and compare."""
    HeuristicExam(exam).run()


class HeuristicExam:
    """The exam of one evaluation."""

    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self.finished: dict[str, float] = {}
        self.unfinished: dict[str, float] = {}

    def run(self) -> None:
        """Evaluate every position, then check the properties."""
        game = self.exam.game
        if not self._evaluate(unfinished_positions(game)[::-1], self.unfinished):
            return
        if self._evaluate(finished_positions(game), self.finished):
            self._check_wins()
            self._check_bounded()
        self._check_opposite()
        self._check_sense()

    def _evaluate(self, texts: list[str], values: dict[str, float]) -> bool:
        for text in texts:
            self.exam.progress(text)
            self.exam.grade.positions += 1
            value = self._ask(text)
            if value is None:
                return False
            values[text] = value
        return True

    def _ask(self, text: str) -> float | None:
        reply = self.exam.ask(self.exam.game.parse(text))
        if not self.exam.check_reply(text, reply):
            return None
        value: Any = reply.answer
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            diagnosis = "returns-nothing" if value is None else "not-a-number"
            self.exam.fail("runs", text, f"expected a number, got {show(value)}", diagnosis)
            return None
        return value

    def _check_wins(self) -> None:
        self.exam.holds("wins")
        wrong = {}
        for text, value in self.finished.items():
            wanted = evaluate_outcome(self.exam.game.parse(text))
            if (value > 0) - (value < 0) != wanted:
                wrong[text] = f"expected {_wanted(wanted)}, got {show(value)}"
        if wrong:
            text, message = next(iter(wrong.items()))
            self.exam.fail("wins", text, message, self._diagnose_wins(set(wrong)))

    def _diagnose_wins(self, wrong: set[str]) -> str:
        outcomes = {text: evaluate_outcome(self.exam.game.parse(text)) for text in self.finished}
        won = {side: {text for text, outcome in outcomes.items() if outcome == side} for side in (1, -1, 0)}
        values = self.finished
        if all(values[text] * outcomes[text] < 0 for text in won[1] | won[-1]):
            return "wrong-sign"
        if all(values[text] < 0 for text in won[1] | won[-1]) or all(values[text] > 0 for text in won[1] | won[-1]):
            return "heuristic-mover-side"
        if wrong >= won[1] | won[-1] and all(values[text] == 0 for text in won[1] | won[-1]):
            return "heuristic-ignores-wins"
        return "heuristic-draw" if wrong <= won[0] else "heuristic-wins"

    def _check_bounded(self) -> None:
        self.exam.holds("bounded")
        wins = {
            sign: min(
                abs(value)
                for text, value in self.finished.items()
                if evaluate_outcome(self.exam.game.parse(text)) == sign
            )
            for sign in (1, -1)
        }
        for text, value in self.unfinished.items():
            if value and abs(value) >= (least := wins[1 if value > 0 else -1]):
                message = f"worth {show(value)}, but a win only {show(least)}"
                self.exam.fail("bounded", text, message, "heuristic-unbounded")
                return

    def _check_opposite(self) -> None:
        self.exam.holds("opposite")
        for text, value in self.unfinished.items():
            swapped = _swap(self.exam.game, text)
            if swapped is None:
                continue
            other = self._ask(swapped)
            if other is not None and abs(value + other) > 1e-9 * max(1, abs(value)):
                message = f"worth {show(value)}, with X and O exchanged {show(other)}"
                self.exam.fail("opposite", text, message, "heuristic-one-sided")
                return

    def _check_sense(self) -> None:
        self.exam.holds("sense")
        judge = judge_of(self.exam.game, None, evaluate_outcome)
        groups: dict[int, list[float]] = {1: [], -1: []}
        for text, value in self.unfinished.items():
            groups.setdefault(judge.value(self.exam.game.parse(text)), []).append(value)
        means = {sign: sum(values) / max(1, len(values)) for sign, values in groups.items()}
        if not means[1] > means[-1]:
            message = f"on average {means[1]:.4g} where X wins, {means[-1]:.4g} where O wins"
            self.exam.fail("sense", "", message, "wrong-sign" if means[1] < means[-1] else "heuristic-constant")


def _wanted(sign: int) -> str:
    return {1: "more than 0: X has won", -1: "less than 0: O has won", 0: "0: a draw"}[sign]


def _swap(game: Game, text: str) -> str | None:
    """Return the position with the marks exchanged, or None if O would have more marks than X."""
    position: Position = game.parse(text)
    if position.turn is not Side.X:
        return None
    board, turn = text.rsplit(" ", 1)
    return f"{board.translate(str.maketrans('xo', 'ox'))} {turn}"
