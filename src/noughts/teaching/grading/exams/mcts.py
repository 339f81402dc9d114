"""Grades Monte-Carlo tree search: from the moves it plays and from the nodes it visits on the way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from noughts.games import Position
from noughts.teaching.grading.exams.player import check_tactics, move_of, show_malformed
from noughts.teaching.grading.judge import judge_of, unfinished_positions, wins_at_once
from noughts.teaching.grading.question_runner import Exam
from noughts.teaching.grading.runtime.recording_position import VisitedNode
from noughts.textbook import evaluate_outcome

__all__ = ["examine_mcts"]

SIMULATIONS = 400
NAMES = ("simulations", "iterations", "playouts", "rollouts", "n_simulations", "num_simulations", "n", "N", "budget")
"""Names under which a search takes the number of simulations."""
STEP = 24
"""One of this many positions is tried."""
EARLY_POSITIONS, MIN_VISITS, MAX_NEGLECTED = 8, 3, 0.4
"""On the emptiest boards, at most this share of the moves may have fewer visits.

A search without exploration neglects more than half of them; with a small constant, of 0.25 for results from 0 to 1, it
is about a quarter, because a move that loses its first rollout must wait.
"""
DECISIVE_POSITIONS, MIN_MOVES = 6, 4
"""Positions, and their moves at least, where the visits of moves that win at once are counted."""
GOOD_SHARE = 0.9
MIN_MISTAKES = 2
"""Moves that may be wrong by chance."""
FEW, FEW_POSITIONS = 14, 16
"""Simulations, and positions, of the check whether the most visited move is played."""
NODES = 2_000_000


def examine_mcts(exam: Exam) -> None:
    """Look at the visits where a move or a reply decides and on the emptiest boards, then play on some positions."""
    MctsExam(exam).run()


class MctsExam:
    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self.judge = judge_of(exam.game, None, evaluate_outcome)

    def run(self) -> None:
        """Check the moves, then the visits."""
        checks = (
            self._check_wins,
            self._check_replies,
            self._check_exploration,
            self._check_moves,
            self._check_most_visited,
        )
        for check in checks:
            if not self.exam.grade.failures.keys() & {"runs", "undo", "legal"}:
                check()

    def _ask(
        self, position: Position, simulations: int = SIMULATIONS, seed: int = 1
    ) -> tuple[int | None, VisitedNode | None]:
        exam, text = self.exam, position.text
        exam.grade.positions += 1
        more, named = _arguments(exam, simulations, seed)
        reply = exam.ask(exam.question(text, *more, limit=NODES, random_seed=seed, named=named))
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
        few, moves = [], 0
        for text in unfinished_positions(self.exam.game)[-EARLY_POSITIONS:]:
            position = self.exam.game.parse(text)
            visits = _visits(position, self._ask(position)[1])
            if not visits:
                return
            moves += len(visits)
            few += [text for count in visits.values() if count < MIN_VISITS]
        self.exam.holds("explores")
        if len(few) > moves * MAX_NEGLECTED:
            message = f"{len(few)} of {moves} moves got fewer than {MIN_VISITS} of {SIMULATIONS} simulations"
            self.exam.fail("explores", few[-1], message, "mcts-no-exploration")

    def _check_wins(self) -> None:
        """Check that a move that wins at once gets more than its even share of the simulations."""
        for position in self._decisive_positions(self._is_decisive):
            visits = _visits(position, self._ask(position)[1])
            if not visits:
                return
            wins = wins_at_once(position)
            won = sum(visits[move] for move in wins)
            if won * len(visits) < sum(visits.values()) * len(wins):
                names = self._names(position, wins)
                message = f"{names} wins at once, but got only {won} of {SIMULATIONS} simulations"
                self.exam.fail("wins", position.text, message, "mcts-wrong-sign")
                return

    def _check_replies(self) -> None:
        """Check that where a move loses at once, the winning replies get more than their even share of the visits."""
        winning, total, even = 0, 0, 0.0
        positions = self._decisive_positions(self._loses_at_once)
        for position in positions:
            tree = self._ask(position)[1]
            if tree is None or not _visits(position, tree):
                return
            for move, node in tree.tried.items():
                after = position.after(move)
                if self._is_decisive(after):
                    wins = wins_at_once(after)
                    visits = {reply: count_visits(child) for reply, child in node.tried.items()}
                    winning += sum(visits.get(reply, 0) for reply in wins)
                    total += sum(visits.values())
                    even += sum(visits.values()) * len(wins) / len(after.legal_moves)
        if positions:
            self.exam.holds("replies")
        if winning < even:
            message = f"where a reply wins at once, it got {winning} of {total} visits, fewer than {even:.0f}"
            diagnosis = None if "wins" in self.exam.grade.failures else "mcts-opponent-helps"
            self.exam.fail("replies", positions[0].text, f"{message}, an even share", diagnosis)

    def _decisive_positions(self, is_wanted: Callable[[Position], bool]) -> list[Position]:
        """Return some positions of a kind, the emptiest first."""
        found = []
        for text in reversed(unfinished_positions(self.exam.game)):
            position = self.exam.game.parse(text)
            if len(position.legal_moves) >= MIN_MOVES and is_wanted(position):
                found.append(position)
                if len(found) == DECISIVE_POSITIONS:
                    break
        return found

    def _is_decisive(self, position: Position) -> bool:
        """Whether some moves win at once and the others do not win."""
        return wins_at_once(position) == self.judge.best_moves(position) != position.legal_moves

    def _loses_at_once(self, position: Position) -> bool:
        """Whether the opponent can win at once after every move, and after most of them in no other way."""
        following = [position.after(move) for move in position.legal_moves]
        wins = all(wins_at_once(after) for after in following)
        return wins and sum(map(self._is_decisive, following)) * 4 >= len(following) * 3

    def _names(self, position: Position, moves: list[int]) -> str:
        return " or ".join(self.exam.style.format_move(position, move) for move in moves)

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
            message = f"{len(wrong)} of {tried} moves are not best; here expected {self._names(position, best)}"
            message += f", got {exam.style.format_move(position, cell)}"
            exam.fail("strength", position.text, message, "mcts-weak")

    def _check_most_visited(self) -> None:
        """Ask with so few simulations that the best average often belongs to a move with few visits."""
        wrong, tried = [], 0
        texts = unfinished_positions(self.exam.game)[-FEW_POSITIONS:]
        from_root = any(self._starts_at_root(text) for text in texts[::4])
        for seed, text in product((1, 2, 3), texts):
            position = self.exam.game.parse(text)
            cell, tree = self._ask(position, FEW, seed)
            visits = tree and {move: node.visits for move, node in tree.tried.items()}
            if cell is None or not visits or sum(visits.values()) != FEW:
                return  # its simulations do not begin at the root, so they cannot be counted
            tried += 1
            wrong += [text] if visits.get(cell, 0) < max(visits.values()) - from_root else []
        self.exam.holds("visits")
        if len(wrong) > MIN_MISTAKES:
            message = f"with {FEW} simulations, on {len(wrong)} of {tried} tries its move is not the most visited"
            self.exam.fail("visits", wrong[0], message, "mcts-picks-by-value")

    def _starts_at_root(self, text: str) -> bool:
        """Whether the first rollout begins at the root, before a move is added: its first move is not a visit.

        Then as many simulations as there are moves do not reach each of them.
        """
        position = self.exam.game.parse(text)
        _, tree = self._ask(position, len(position.legal_moves))
        return tree is not None and len(tree.tried) < len(position.legal_moves)


def count_visits(node: VisitedNode) -> int:
    """Return the simulations through a node, also if they begin below it at positions that the search keeps."""
    return max(node.visits, node.copies, sum(count_visits(child) for child in node.tried.values()))


def _visits(position: Position, tree: VisitedNode | None) -> dict[int, int]:
    """Return the simulations through each move; empty if they cannot be counted."""
    if tree is None:
        return {}
    visits = {move: count_visits(tree.tried[move]) if move in tree.tried else 0 for move in position.legal_moves}
    return visits if sum(visits.values()) >= SIMULATIONS // 2 else {}


def _arguments(exam: Exam, simulations: int, seed: int) -> tuple[tuple[int, ...], dict[str, int]]:
    """Return the number of simulations as the function takes it, and a seed if it takes one."""
    parameters = exam.subject.parameters
    if parameters is None:
        return (), {}
    name = next((name for name in NAMES if name in parameters), None)
    named = {"seed": seed} if "seed" in parameters else {}
    if name is not None:
        return (), {name: simulations, **named}
    return ((simulations,) if len(parameters) > exam.style.arguments else ()), named
