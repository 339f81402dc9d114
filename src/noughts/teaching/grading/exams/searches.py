"""Grades minimax, alpha-beta and depth-limited search: the value, the move, the cuts and the nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate, groupby, takewhile
from numbers import Real
from typing import NamedTuple

from noughts.games import Position, Side
from noughts.games.quoting import count
from noughts.teaching.grading.diagnosis.mistakes import Observation
from noughts.teaching.grading.diagnosis.repairs import PRUNING_KINDS
from noughts.teaching.grading.diagnosis.search_diagnosis import SearchRecord, diagnose_search
from noughts.teaching.grading.diagnosis.wrong_cutoffs import explain_cuts
from noughts.teaching.grading.exams.evidence import Evidence
from noughts.teaching.grading.judge import (
    MinimaxJudge,
    empty_cells,
    finished_positions,
    judge_of,
    sample_positions,
    unfinished_positions,
)
from noughts.teaching.grading.question_runner import DEPTH_NAMES, CallReply, Exam, show
from noughts.teaching.grading.report import EARLY_MARKS
from noughts.teaching.grading.runtime.server import RepairTest, SubmissionQuestion
from noughts.teaching.grading.tasks import RULES
from noughts.teaching.tree import format_value
from noughts.textbook import evaluate_outcome

__all__ = ["examine_search"]

GROUP_NODES = {"noughts": 100_000}
SLOW_GROUP_NODES = 24_000
"""Of the positions with the same number of empty cells, as many are tried as minimax visits this many nodes on.

Other styles are slower: they copy boards at every node.
"""
EARLY_NODES = 8_000
"""On positions that are too large for that, a search is stopped after this many nodes: then it does search there."""
EARLY_POSITIONS = 3
WALK_NODES = 2_000
"""A search is stopped after this many nodes on the early positions of its own games, which are many."""
TABLE_NODES = 100_000
"""A search that need not prune may visit this many nodes on a position: it may make a table of all of them."""
ENDLESS = 50
"""A search that visits this many times the nodes of minimax does not end."""
ENDLESS_RECURSIONS = 20
MOST_EMPTY = 6
GROUP_TESTS = 5
"""A repair is tested on this many boards with the same number of empty cells, up to the most."""
MOST_WRONG = 20
FIRST_WRONG = 8
"""It is tested on this many boards with wrong answers, and on these first."""
LEAST_EMPTY = 4
"""Pruning shows on boards with at least this many empty cells."""


class Trial(NamedTuple):
    """A position to try a search on, and the nodes after which it is stopped."""

    text: str
    limit: int
    is_early: bool = False
    """Whether being stopped is no failure, because the position is too large."""


def trials_for(exam: Exam, judge: MinimaxJudge, prunes: bool) -> list[Trial]:
    """Return the positions to try a search on, the fullest boards first; raises ValueError if the game is too large."""
    if exam.depth is not None:
        return [Trial(text, _limit(judge.nodes_allowed(text, prunes), prunes)) for text in sample_positions(exam.game)]
    chosen: list[Trial] = []
    most = GROUP_NODES.get(exam.style.id, SLOW_GROUP_NODES)
    for _, group in groupby(unfinished_positions(exam.game), lambda text: empty_cells(exam.game.parse(text))):
        chosen += _choose(judge, list(group), prunes, exam.style.has_our_positions, most)
    return chosen


def _choose(judge: MinimaxJudge, texts: list[str], prunes: bool, is_ours: bool, most: int) -> list[Trial]:
    """Return all positions with the same number of empty cells, or those that tell most, as far as the nodes reach."""
    nodes = {text: judge.nodes_allowed(text, prunes and is_ours) for text in texts}
    if sum(nodes.values()) > most:
        texts = sorted(texts, key=partial(_safe_share, judge))
    if nodes[texts[0]] > most:
        return [Trial(text, EARLY_NODES, True) for text in texts[:EARLY_POSITIONS]]
    within = takewhile(lambda pair: pair[1] <= most, zip(texts, accumulate(map(nodes.__getitem__, texts)), strict=True))
    return [Trial(text, _limit(nodes[text], prunes)) for text, _ in within]


def _limit(nodes: int, prunes: bool) -> int:
    return max(5 * nodes + 100, 0 if prunes else TABLE_NODES)


def _safe_share(judge: MinimaxJudge, text: str) -> float:
    """Return the share of the moves that are best: the smaller, the more an answer tells."""
    position = judge.game.parse(text)
    return len(judge.best_moves(position)) / len(position.legal_moves)


def examine_search(exam: Exam) -> None:
    """Try the search on every position and record the failures."""
    search = SearchExam(exam)
    exam.repair_question = search.repair_question
    search.run()


class SearchExam:
    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self.prunes = exam.task.id != "minimax"
        self.judge = self._find_judge()
        self.options = {} if exam.depth is None else depth_options(exam.subject.parameters, exam.depth)
        self.evidence = Evidence(self.judge)
        self.is_recorded = self.is_proven = exam.style.has_our_positions
        """Whether the moves that it tried are known, and whether they prove each of its right values."""
        self.record = SearchRecord()

    def run(self) -> None:
        """Try the search on every position and record the failures; one in the rules changes nothing here."""
        exam = self.exam
        trials = trials_for(exam, self.judge, self.prunes)
        if exam.has_own_evaluation and exam.depth is not None:
            exam.prepare_evaluation([trial.text for trial in trials], exam.depth)
        for trial, reply in zip(trials, exam.ask_all(map(self._question, trials)), strict=False):
            self._check(trial, reply)
            if "nodes" in exam.grade.failures or self._recurses_endlessly():
                break
        if exam.depth is None and "nodes" not in exam.grade.failures and not self._recurses_endlessly():
            self._walk_own_games()
        self._check_nodes()
        if exam.style.id == "cs50":
            self._check_finished()
        if not exam.grade.passed:
            diagnose_search(exam, self.judge, self.record, self.options)

    def _recurses_endlessly(self) -> bool:
        """Whether so many boards have ended in endless recursion, which takes long, that more would tell nothing."""
        return list(self.record.raised.values()).count("endless-recursion") >= ENDLESS_RECURSIONS

    def repair_question(self, failed: Iterable[str]) -> SubmissionQuestion:
        """Return the question for a small change after which the program passes tests, first where it is wrong now."""
        record = self.record
        wrong = [*failed, *(seen.position for seen in record.wrong), *record.raised, *record.without_move]
        wrong = sorted(dict.fromkeys(text for text in wrong if text), key=self._empty)[:MOST_WRONG]
        groups = groupby(trials_for(self.exam, self.judge, self.prunes), lambda trial: self._empty(trial.text))
        most = self.exam.game.cells if self.exam.depth is not None else MOST_EMPTY
        chosen = [trial.text for empty, group in groups if empty <= most for trial in _spread(list(group))]
        texts = list(dict.fromkeys([*wrong[:FIRST_WRONG], *chosen, *wrong]))
        is_ours = self.exam.style.has_our_positions or self.exam.depth is not None
        allowed = {text: self.judge.nodes_allowed(text, self.prunes and is_ours) for text in texts}
        is_slow = self.exam.grade.failures.keys() - RULES.keys() == {"nodes"}
        if is_slow:  # a repair must save nodes: the largest boards show it first
            texts.sort(key=self._empty, reverse=True)
        tests: list[RepairTest] = []
        for text in texts:
            position = self.exam.game.parse(text)
            nodes = allowed[text] if is_slow and is_ours else allowed[text] * 3 // 4 if is_slow and self.prunes else 0
            most = nodes if nodes and self._empty(text) > LEAST_EMPTY else 5 * allowed[text] + 100
            limit = most if is_slow or self.prunes else None  # counting takes time
            value, moves = self.judge.value(position), self.judge.best_moves(position)
            tests.append({"position": text, "value": value, "moves": moves, "limit": limit})
        nodes = sum(allowed.values()) - (self.prunes and not is_ours)
        question = self.exam.question("", named=self.options)
        return {
            **question,
            "ask": "repair",
            "tests": tests,
            "nodes": nodes,
            "replaced": list(self.exam.grade.replaced),
            "kinds": sorted(PRUNING_KINDS) if is_slow else [],
        }

    def _empty(self, text: str) -> int:
        return empty_cells(self.exam.game.parse(text))

    def _walk_own_games(self) -> None:
        """Try the search on the first moves of all games that it would play with either side, as it plays them."""
        for side in (Side.X, Side.O):
            level = [self.exam.game.start()]
            while level and sum(mark is not None for mark in level[0].cells) < EARLY_MARKS:
                level = self._play_own_moves(level) if level[0].turn is side else _all_replies(level)

    def _play_own_moves(self, level: list[Position]) -> list[Position]:
        """Return the positions after its moves; a game ends where the search takes too long or is wrong."""
        trials = [Trial(position.text, WALK_NODES, True) for position in level]
        following = []
        for trial, reply in zip(trials, self.exam.ask_all(map(self._question, trials)), strict=False):
            seen = len(self.record.observations)
            self._check(trial, reply)
            for observation in self.record.observations[seen:]:
                if observation.is_right and observation.move is not None:
                    following.append(self.exam.game.parse(trial.text).after(observation.move))
        return [position for position in following if not position.is_over]

    def _check_finished(self) -> None:
        """Note if the search does not return None where play is over, as CS50's own checks want."""
        texts = finished_positions(self.exam.game)[:1]
        for reply in self.exam.ask_all(self.exam.question(text, limit=EARLY_NODES) for text in texts):
            if reply.error is not None or reply.answer is not None:
                got = reply.error.text if reply.error is not None else show(reply.answer)
                self.exam.note(f"CS50's own checks want None from minimax where play is over; this gives {got}.")

    def _find_judge(self) -> MinimaxJudge:
        exam = self.exam
        if exam.depth is None:
            return judge_of(exam.game, None, evaluate_outcome)
        if exam.has_own_evaluation:
            return MinimaxJudge(exam.game, exam.depth, exam.evaluate)  # not to be cached: others have other evaluations
        return judge_of(exam.game, exam.depth, exam.evaluate)

    def _question(self, trial: Trial) -> SubmissionQuestion:
        return self.exam.question(trial.text, limit=trial.limit, named=self.options)

    def _check(self, trial: Trial, reply: CallReply) -> None:
        if trial.is_early and reply.was_stopped:
            return
        text = trial.text
        self.exam.grade.count_position(text)
        self.record.visited[text] = reply.nodes
        self.is_recorded = self.is_recorded and (reply.tree is not None or reply.was_stopped)
        if reply.was_stopped:
            plain = self.judge.nodes_allowed(text, prunes=False)
            message = f"stopped after {reply.nodes:,} nodes; plain minimax visits {plain:,}"
            self.exam.fail("nodes", text, message, "endless-loop" if reply.nodes > ENDLESS * plain else None)
        elif self.exam.check_reply(text, reply):
            self._check_answer(text, reply)
        elif reply.error is not None:
            self.record.raised[text] = reply.error.diagnosis

    def _check_answer(self, text: str, reply: CallReply) -> None:
        found = self.exam.style.unpack(reply.answer)
        value, move = found or (None, None)
        if found is None or (self.exam.style.has_values and not isinstance(value, Real)):
            self._malformed(text, reply.answer)
            return
        position = self.exam.game.parse(text)
        cell = self.exam.style.cell_of(position, move)
        if move is None:
            self.record.without_move.append(text)
        is_right = self._check_value(text, value, reply) and self._check_move(text, move, cell)
        if is_right and self.is_proven:
            self.is_proven = reply.tree is not None and self.evidence.proves(position, reply.tree)
        self.record.observations.append(Observation(text, value, cell, is_right))

    def _malformed(self, text: str, answer: object) -> None:
        if answer is None:
            self.record.without_move.append(text)
        expected = "a Result or (value, move)" if self.exam.style.has_values else "a move"
        diagnosis = "returns-nothing" if answer is None else "returns-one"
        if (found := self.exam.style.unpack(answer)) is not None:
            cell = self.exam.style.cell_of(self.exam.game.parse(text), found[0])
            is_swapped = cell is not None and isinstance(found[1], Real)
            diagnosis = "value-and-move-swapped" if is_swapped else "value-form"
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
        if reason and "value" not in self.exam.grade.failures:  # with wrong values, right cuts look wrong
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
        if not self.record.observations or "nodes" in exam.grade.failures:
            return
        self._judge_count()
        is_counted_by_us = exam.style.has_our_positions or exam.depth is not None
        for texts in self._groups() if self.prunes and not is_counted_by_us else [list(self.record.visited)]:
            self._compare_nodes(texts, prunes=self.prunes and is_counted_by_us)

    def _groups(self) -> list[list[str]]:
        """Return the positions where pruning must save nodes, by the number of their empty cells."""
        groups: dict[int, list[str]] = {}
        for text in self.record.visited:
            groups.setdefault(empty_cells(self.exam.game.parse(text)), []).append(text)
        return [texts for empty, texts in groups.items() if empty >= LEAST_EMPTY]

    def _compare_nodes(self, texts: list[str], prunes: bool) -> None:
        """Compare the nodes on positions with those of a plain search, or of minimax, which pruning must save."""
        allowed = {text: self.judge.nodes_allowed(text, prunes) for text in texts}
        total, most = sum(self.record.visited[text] for text in texts), sum(allowed.values())
        empty = empty_cells(self.exam.game.parse(texts[0]))
        if self.prunes and not prunes:
            most -= 1
        if total > most:
            worst = max(texts, key=lambda text: self.record.visited[text] / allowed[text])
            where = "in all" if prunes else f"on all boards with {count(empty, 'empty cell')}"
            message = f"{self.record.visited[worst]:,} nodes here, {total:,} {where}, expected at most {most:,}"
            self.exam.fail("nodes", worst, message)

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


def _spread(trials: list[Trial]) -> list[Trial]:
    """Return some of the trials, from all parts of the list."""
    return trials[:: -(-len(trials) // GROUP_TESTS)]


def _all_replies(level: list[Position]) -> list[Position]:
    """Return the positions after every move, each once."""
    found = {
        after.hash: after for position in level for move in position.legal_moves for after in [position.after(move)]
    }
    return [position for position in found.values() if not position.is_over]


def depth_options(parameters: Sequence[str] | None, depth: int) -> dict[str, int]:
    """Return the depth as the keyword that a search takes."""
    return {next((name for name in DEPTH_NAMES if name in (parameters or ())), "depth"): depth}
