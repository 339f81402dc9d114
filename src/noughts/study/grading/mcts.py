"""Grades Monte-Carlo tree search: from the moves it plays and from the nodes it visits on the way."""

from __future__ import annotations

import inspect
import random
from itertools import product
from typing import Any

from noughts.games import Position
from noughts.study.grading.exam import Exam
from noughts.study.grading.judge import judge_of, unfinished_positions
from noughts.study.grading.playing import check_tactics, move_of, show_malformed
from noughts.study.grading.watching import VisitedNode
from noughts.textbook import evaluate_outcome

__all__ = ["examine_mcts"]

SIMULATIONS = 400
NAMES = ("simulations", "iterations", "playouts", "rollouts", "n_simulations", "num_simulations", "n", "N", "budget")
"""Names under which a search takes the number of simulations."""
STEP = 24
"""One of this many positions is tried."""
MIN_VISITS = 3
"""Least visits that each move of the empty board must get."""
THREAT = "oo1/x2/1x1 x"
"""X must play c3 and cannot win at once."""
BLOCK = 2
GOOD_SHARE, SMALL_SHARE = 0.9, 0.12
MIN_MISTAKES = 2
"""Moves that may be wrong by chance."""
FEW, FEW_POSITIONS = 14, 16
"""Simulations, and positions, of the check whether the most visited move is played."""
NODES = 2_000_000


def examine_mcts(exam: Exam) -> None:
    """Play on some positions, and look at the visits on the empty board and where a threat must be met."""
    MctsExam(exam).run()


class MctsExam:
    """The exam of one search."""

    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self.judge = judge_of(exam.game, None, evaluate_outcome)

    def run(self) -> None:
        """Check the moves, then the visits."""
        for check in (self._check_exploration, self._check_threat, self._check_moves, self._check_most_visited):
            if not self.exam.grade.failures.keys() & {"runs", "undo", "legal"}:
                check()

    def _ask(
        self, position: Position, simulations: int = SIMULATIONS, seed: int = 1
    ) -> tuple[int | None, VisitedNode | None]:
        exam, text = self.exam, position.text
        exam.progress(text)
        exam.grade.positions += 1
        random.seed(seed)
        more, named = _arguments(exam, simulations, seed)
        reply = exam.ask(position, *more, limit=NODES, **named)
        if reply.was_stopped:
            exam.fail(
                "runs", text, f"stopped after {reply.nodes:,} moves for {SIMULATIONS} simulations", "endless-loop"
            )
            return None, None
        if not exam.check_reply(text, reply):
            return None, None
        cell = move_of(exam, position, reply.answer)
        if cell is None or not position.is_legal(cell):
            show_malformed(exam, position, reply.answer, cell)
            return None, None
        exam.holds("legal")
        return cell, reply.tree

    def _check_exploration(self) -> None:
        position = self.exam.game.start()
        _, tree = self._ask(position)
        visits = _visits(position, tree)
        if not visits:
            return
        self.exam.holds("explores")
        fewest = min(visits, key=visits.__getitem__)
        if visits[fewest] < MIN_VISITS:
            name = self.exam.style.format_move(position, fewest)
            message = f"{name} got {visits[fewest]} of {SIMULATIONS} simulations, expected at least {MIN_VISITS}"
            self.exam.fail("explores", position.text, message, "mcts-no-exploration")

    def _check_threat(self) -> None:
        if self.exam.game.id != "3x3":
            return
        position = self.exam.game.parse(THREAT)
        _, tree = self._ask(position)
        visits = _visits(position, tree)
        if tree is None or not visits:
            return
        if visits[BLOCK] < sum(visits.values()) / len(visits):
            message = f"c3 must be played, but got {visits[BLOCK]} of {SIMULATIONS} simulations"
            self.exam.fail("replies", THREAT, message, "mcts-wrong-sign")
            return
        self._check_replies(position, tree)

    def _check_replies(self, position: Position, tree: VisitedNode) -> None:
        """Check that after a move that does not block, the winning reply is the most visited."""
        others = [tree.tried[move] for move in position.legal_moves if move != BLOCK and move in tree.tried]
        winning = sum(node.tried[BLOCK].visits for node in others if BLOCK in node.tried)
        total = sum(reply.visits for node in others for reply in node.tried.values())
        if not any(node.visits > 1 for node in others):
            return
        self.exam.holds("replies")
        if winning < total * SMALL_SHARE:
            message = f"after another move than c3, O's c3 wins, but got {winning} of {total} visits"
            self.exam.fail("replies", THREAT, message, "mcts-opponent-helps")

    def _check_moves(self) -> None:
        exam, wrong, tried = self.exam, [], 0
        for text in unfinished_positions(exam.game)[::-STEP]:
            position = exam.game.parse(text)
            best = self.judge.best_moves(position)
            if len(best) == len(position.legal_moves):
                continue
            cell, _ = self._ask(position)
            if cell is None:
                return
            tried += 1
            check_tactics(exam, position, cell, is_strict=False)
            wrong += [(position, cell, best)] if cell not in best else []
        exam.holds("strength")
        if len(wrong) > max(MIN_MISTAKES, (1 - GOOD_SHARE) * tried):
            position, cell, best = wrong[-1]
            names = " or ".join(exam.style.format_move(position, move) for move in best)
            message = f"{len(wrong)} of {tried} moves are not best; here expected {names}"
            message += f", got {exam.style.format_move(position, cell)}"
            exam.fail("strength", position.text, message, "mcts-weak")

    def _check_most_visited(self) -> None:
        """Ask with so few simulations that the best average often belongs to a move with few visits."""
        wrong, tried = [], 0
        texts = unfinished_positions(self.exam.game)[-FEW_POSITIONS:]
        for seed, text in product((1, 2, 3), texts):
            position = self.exam.game.parse(text)
            cell, tree = self._ask(position, FEW, seed)
            visits = tree and {move: node.visits for move, node in tree.tried.items()}
            if cell is None or not visits or sum(visits.values()) != FEW:
                return  # its simulations do not begin at the root, so they cannot be counted
            tried += 1
            wrong += [text] if visits.get(cell, 0) < max(visits.values()) else []
        self.exam.holds("visits")
        if len(wrong) > MIN_MISTAKES:
            message = f"with {FEW} simulations, on {len(wrong)} of {tried} tries its move is not the most visited"
            self.exam.fail("visits", wrong[0], message)
            if self.exam.grade.diagnosis is None or self.exam.grade.diagnosis.id in ("mcts-weak", "delays-win"):
                self.exam.grade.diagnosis = None
                self.exam.diagnose("mcts-picks-by-value")


def count_visits(node: VisitedNode) -> int:
    """Return the simulations through a node, also if they begin below it at positions that the search keeps."""
    return max(node.visits, sum(count_visits(child) for child in node.tried.values()))


def _visits(position: Position, tree: VisitedNode | None) -> dict[int, int]:
    """Return the simulations through each move; empty if they cannot be counted."""
    if tree is None:
        return {}
    visits = {move: count_visits(tree.tried[move]) if move in tree.tried else 0 for move in position.legal_moves}
    return visits if sum(visits.values()) >= SIMULATIONS // 2 else {}


def _arguments(exam: Exam, simulations: int, seed: int) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the number of simulations as the function takes it, and a seed if it takes one."""
    try:
        parameters = inspect.signature(exam.function).parameters
    except (TypeError, ValueError):
        return (), {}
    name = next((name for name in NAMES if name in parameters), None)
    named = {"seed": seed} if "seed" in parameters else {}
    if name is not None:
        return (), {name: simulations, **named}
    return ((simulations,) if len(parameters) > exam.style.arguments else ()), named
