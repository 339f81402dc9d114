"""Grades a heuristic evaluation: its sign, its symmetry between the sides, and its bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from noughts.games import Game, Position, Side
from noughts.teaching.grading.answers import is_number
from noughts.teaching.grading.judge import finished_positions, judge_of, unfinished_positions
from noughts.teaching.grading.question_runner import CallReply, Exam, show
from noughts.textbook import evaluate_outcome

__all__ = ["examine_heuristic"]


def examine_heuristic(exam: Exam) -> None:
    """Evaluate every position and compare."""
    HeuristicExam(exam).run()


class HeuristicExam:
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
        for text, reply in self._ask_all(texts):
            self.exam.grade.positions += 1
            value = self._value_of(text, reply)
            if value is None:
                return False
            values[text] = value
        return True

    def _ask_all(self, texts: Sequence[str]) -> Iterator[tuple[str, CallReply]]:
        return zip(texts, self.exam.ask_all(map(self.exam.question, texts)), strict=False)

    def _value_of(self, text: str, reply: CallReply) -> float | None:
        if not self.exam.check_reply(text, reply):
            return None
        value = reply.answer
        if is_number(value):
            return value
        diagnosis = "returns-nothing" if value is None else "not-a-number"
        self.exam.fail("runs", text, f"expected a number, got {show(value)}", diagnosis)
        return None

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
        if len({*self.unfinished.values(), *self.finished.values()}) == 1:
            return "heuristic-constant"
        outcomes = {text: evaluate_outcome(self.exam.game.parse(text)) for text in self.finished}
        won = {side: {text for text, outcome in outcomes.items() if outcome == side} for side in (1, -1, 0)}
        decided = [self.finished[text] * outcomes[text] for text in won[1] | won[-1]]
        values = [self.finished[text] for text in won[1] | won[-1]]
        x, o = (self._gains().get(side, 0) for side in (Side.X, Side.O))
        if all(value < 0 for value in decided) and x <= 0 and o <= 0:
            return "wrong-sign"
        for_loser = all(value < 0 for value in values) and x >= 0 >= o  # the side to move has lost
        for_winner = all(value > 0 for value in values) and x <= 0 <= o
        if for_loser or for_winner:
            return "heuristic-mover-side"
        if not any(values):
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
        pairs = ((text, _swap(self.exam.game, text)) for text in self.unfinished)
        swapped = {text: exchanged for text, exchanged in pairs if exchanged is not None}
        for text, (exchanged, reply) in zip(swapped, self._ask_all(list(swapped.values())), strict=False):
            value, other = self.unfinished[text], self._value_of(exchanged, reply)
            if other is not None and abs(value + other) > 1e-9 * max(1, abs(value)):
                message = f"worth {show(value)}, with X and O exchanged {show(other)}"
                self.exam.fail("opposite", text, message, "heuristic-one-sided")
                return

    def _check_sense(self) -> None:
        self.exam.holds("sense")
        gains = self._gains()
        for side, gain in gains.items():
            if not gain > 0:
                means = self._means()
                message = f"with {side} to move, on average {means[side, 1]:.4g} where X wins, "
                message += f"{means[side, -1]:.4g} where O wins"
                self.exam.fail("sense", "", message, _diagnose_gains(gains))
                return

    def _gains(self) -> dict[Side, float]:
        """Return, for each side to move, how much more the positions that X wins are worth than those that O wins.

        Having made one move more is worth something too, and the side to move wins more often: only positions with the
        same side to move can be compared.
        """
        means = self._means()
        both = [side for side in (Side.X, Side.O) if (side, 1) in means and (side, -1) in means]
        return {side: means[side, 1] - means[side, -1] for side in both}

    def _means(self) -> dict[tuple[Side | None, int], float]:
        """Return the mean of the estimates by the side to move and the exact value."""
        judge = judge_of(self.exam.game, None, evaluate_outcome)
        groups: dict[tuple[Side | None, int], list[float]] = {}
        for text, value in self.unfinished.items():
            position = self.exam.game.parse(text)
            groups.setdefault((position.turn, judge.value(position)), []).append(value)
        return {key: sum(values) / len(values) for key, values in groups.items()}


def _diagnose_gains(gains: dict[Side, float]) -> str:
    if all(gain < 0 for gain in gains.values()):
        return "heuristic-sign"
    if gains.get(Side.X, 0) * gains.get(Side.O, 0) < 0:
        return "heuristic-mover-side"
    return "heuristic-constant"


def _wanted(sign: int) -> str:
    return {1: "more than 0: X has won", -1: "less than 0: O has won", 0: "0: a draw"}[sign]


def _swap(game: Game, text: str) -> str | None:
    """Return the position with the marks exchanged, or None if O would have more marks than X."""
    position: Position = game.parse(text)
    if position.turn is not Side.X:
        return None
    board, turn = text.rsplit(" ", 1)
    return f"{board.translate(str.maketrans('xo', 'ox'))} {turn}"
