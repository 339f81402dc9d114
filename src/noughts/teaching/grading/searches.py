"""Grades minimax, alpha-beta and depth-limited search: the value, the move, the cuts and the nodes."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

from noughts.teaching.grading.evidence import Evidence
from noughts.teaching.grading.judge import MinimaxJudge, judge_of, sample_positions, unfinished_positions
from noughts.teaching.grading.mistakes import Observation
from noughts.teaching.grading.question_runner import CallReply, Exam, show
from noughts.teaching.grading.search_diagnosis import diagnose_search
from noughts.teaching.grading.server import SubmissionQuestion
from noughts.teaching.grading.wrong_cutoffs import explain_cuts
from noughts.teaching.tree import format_value
from noughts.textbook import evaluate_outcome

__all__ = ["examine_search", "positions_for"]

MAX_NODES = {"noughts": 250_000}
SLOW_NODES = 20_000
"""A search is tried on as many positions, the fullest boards first, as it may visit this many nodes in all.

Other styles are slower: they copy boards at every node.
"""
POSITIONS_AFTER_FAILURE = 120
"""Positions tried after the first failure, to find the mistake behind it."""


def positions_for(exam: Exam) -> list[str]:
    """Return the positions to try a search on; raises ValueError if the game is too large."""
    if exam.depth is not None:
        return sample_positions(exam.game)
    judge, left = judge_of(exam.game, None, evaluate_outcome), MAX_NODES.get(exam.style.id, SLOW_NODES)
    chosen = []
    for text in unfinished_positions(exam.game):
        left -= judge.nodes_allowed(text, prunes=exam.task.id != "minimax")
        if left < 0:
            break
        chosen.append(text)
    return chosen


def examine_search(exam: Exam) -> None:
    """Try the search on every position and record the failures."""
    SearchExam(exam).run()


class SearchExam:
    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self.prunes = exam.task.id != "minimax"
        self.judge = self._find_judge()
        self.options = {} if exam.depth is None else depth_options(exam.subject.parameters, exam.depth)
        self.evidence = Evidence(self.judge)
        self.is_recorded = self.is_proven = exam.style.has_our_positions
        """Whether the moves that it tried are known, and whether they prove each of its right values."""
        self.observations: list[Observation] = []
        self.visited: dict[str, int] = {}

    def run(self) -> None:
        """Try the search on every position and record the failures."""
        exam, left = self.exam, POSITIONS_AFTER_FAILURE
        texts = positions_for(exam)
        if exam.has_own_evaluation and exam.depth is not None:
            exam.prepare_evaluation(texts, exam.depth)
        for text, reply in zip(texts, exam.ask_all(map(self._question, texts)), strict=False):
            exam.grade.positions += 1
            self._check(text, reply)
            left -= bool(exam.grade.failures)
            if left < 0 or "nodes" in exam.grade.failures:
                break
        self._check_nodes()
        self._diagnose()

    def _find_judge(self) -> MinimaxJudge:
        exam = self.exam
        if exam.depth is None:
            return judge_of(exam.game, None, evaluate_outcome)
        if exam.has_own_evaluation:
            return MinimaxJudge(exam.game, exam.depth, exam.evaluate)  # not to be cached: others have other evaluations
        return judge_of(exam.game, exam.depth, exam.evaluate)

    def _question(self, text: str) -> SubmissionQuestion:
        limit = 5 * self.judge.nodes_allowed(text, self.prunes) + 100
        return self.exam.question(text, limit=limit, named=self.options)

    def _check(self, text: str, reply: CallReply) -> None:
        self.visited[text] = reply.nodes
        self.is_recorded = self.is_recorded and (reply.tree is not None or reply.was_stopped)
        if reply.was_stopped:
            message = f"stopped after {reply.nodes:,} nodes, five times as many as expected"
            self.exam.fail("nodes", text, message)
        elif self.exam.check_reply(text, reply):
            self._check_answer(text, reply)

    def _check_answer(self, text: str, reply: CallReply) -> None:
        found = self.exam.style.unpack(reply.answer)
        value, move = found or (None, None)
        if found is None or (self.exam.style.has_values and not isinstance(value, Real)):
            self._malformed(text, reply.answer)
            return
        position = self.exam.game.parse(text)
        cell = self.exam.style.cell_of(position, move)
        is_right = self._check_value(text, value, reply) and self._check_move(text, move, cell)
        if is_right and self.is_proven:
            self.is_proven = reply.tree is not None and self.evidence.proves(position, reply.tree)
        self.observations.append(Observation(text, value, cell, is_right))

    def _malformed(self, text: str, answer: object) -> None:
        expected = "a Result or (value, move)" if self.exam.style.has_values else "a move"
        diagnosis = "returns-nothing" if answer is None else "returns-one"
        if self.exam.style.unpack(answer) is not None:
            diagnosis = "value-form"
        self.exam.fail("runs", text, f"expected {expected}, got {show(answer)}", diagnosis)

    def _check_value(self, text: str, value: object, reply: CallReply) -> bool:
        if not self.exam.style.has_values:
            return True
        position = self.exam.game.parse(text)
        exact = self.judge.value(position)
        self.exam.holds("value")
        if value == exact:
            self.exam.holds("cuts")
            return True
        wrong = f"expected {format_value(exact)}, got {show(value)}"
        reason = explain_cuts(self.judge, position, reply.tree) if reply.tree is not None else ""
        if reason:
            self.exam.fail("cuts", text, f"{wrong}: {reason}")
        else:
            self.exam.fail("value", text, wrong)
        return False

    def _check_move(self, text: str, move: object, cell: int | None) -> bool:
        position, style = self.exam.game.parse(text), self.exam.style
        best = self.judge.best_moves(position)
        self.exam.holds("move")
        if cell is None:
            example = style.format_move(position, best[0])
            kind = f"as an integer, such as {best[0]} for {example}" if style.id == "noughts" else f"such as {example}"
            self.exam.fail("move", text, f"expected the move {kind}, got {show(move)}", self._diagnose_move(text, move))
            return False
        if cell in best:
            return True
        names = " or ".join(style.format_move(position, each) for each in best)
        shown = style.format_move(position, cell) if position.is_legal(cell) else show(move)
        self.exam.fail("move", text, f"expected {names}, got {shown}")
        return False

    def _diagnose_move(self, text: str, move: object) -> str:
        if move is None:
            return "returns-nothing"
        if not self.exam.style.has_values and isinstance(move, int | float):
            return "returns-value"
        if isinstance(move, tuple | list):
            return "returns-both"
        return "move-form"

    def _check_nodes(self) -> None:
        exam = self.exam
        if not self.observations or "nodes" in exam.grade.failures:
            return
        self._judge_count()
        allowed = {text: self.judge.nodes_allowed(text, self.prunes) for text in self.visited}
        total, most = sum(self.visited.values()), sum(allowed.values())
        if total > most:
            worst = max(self.visited, key=lambda text: self.visited[text] / allowed[text])
            message = f"{self.visited[worst]:,} nodes here, {total:,} in all, expected at most {most:,}"
            exam.fail("nodes", worst, message)

    def _judge_count(self) -> None:
        """Record whether the count of the nodes is evidence, and of what.

        A search that has everything right prunes as its moves prove; if they do not, its count says nothing. If it has
        mistakes, its moves cannot prove anything; the count is that of our recorder all the same.
        """
        exam = self.exam
        is_evidence = self.is_recorded if exam.grade.failures else self.is_proven
        if not is_evidence:
            exam.claim("nodes")
        if is_evidence or exam.grade.failures or not exam.style.has_our_positions:
            exam.holds("nodes")

    def _diagnose(self) -> None:
        if not self.exam.grade.passed:
            diagnose_search(self.exam, self.judge, self.observations, self.visited, self.options)


def depth_options(parameters: Sequence[str] | None, depth: int) -> dict[str, int]:
    """Return the depth as the keyword that a search takes."""
    names = parameters or ()
    return {next((name for name in ("depth", "max_depth", "d", "limit", "plies") if name in names), "depth"): depth}
