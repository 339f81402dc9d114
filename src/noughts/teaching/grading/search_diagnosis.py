"""Finds the mistake of a search from its answers, its nodes and its own tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from noughts.teaching.grading.calls import CallNode
from noughts.teaching.grading.first_difference import FirstDifference, draw, find_first_difference, orient
from noughts.teaching.grading.judge import MinimaxJudge
from noughts.teaching.grading.mistakes import Observation, find_mistake
from noughts.teaching.grading.node_counts import explain_nodes
from noughts.teaching.grading.question_runner import Exam

__all__ = ["diagnose_search"]

SIGN_MISTAKES = ("mover-side", "wrong-sign")
"""Mistakes that are shown by values as the submission returns them."""
KINDS = {"cut": "wrong-cut", "leaf": "leaf-value", "choice": "wrong-choice", "deep": "depth-one-more"}
"""The diagnosis of a departure, if no model explains the answers."""


def diagnose_search(
    exam: Exam,
    judge: MinimaxJudge,
    observations: Sequence[Observation],
    visited: Mapping[str, int],
    options: Mapping[str, int],
) -> None:
    """Record the diagnosis and the tree of a search that fails."""
    failures = exam.grade.failures
    wrong = [failures[id].position for id in ("value", "cuts", "move") if id in failures]
    if exam.grade.diagnosis is None and (mistake := _from_answers(judge, observations)):
        exam.diagnose(mistake)
    if wrong and observations:
        smallest = min(wrong, key=list(visited).index)
        chosen = next((seen.move for seen in observations if seen.position == smallest), None)
        finding = _record_tree(exam, judge, smallest, chosen, options)
        if finding is not None:
            exam.diagnose(finding)
    if "nodes" in failures:
        exam.diagnose(explain_nodes(exam.game, visited) if exam.depth is None else "too-many-nodes")
    if "move" in failures and exam.style.has_values and not failures.keys() & {"value", "cuts"}:
        exam.diagnose(_from_moves(exam, judge, observations))


def _from_answers(judge: MinimaxJudge, observations: Sequence[Observation]) -> str | None:
    if _is_swapped(judge, observations):
        return "value-and-move-swapped"
    mistake = find_mistake(judge, observations)
    values = [seen.value for seen in observations if seen.value is not None]
    is_constant = len(values) > 1 and all(value == values[0] for value in values)
    return "constant-value" if mistake is None and is_constant else mistake


def _is_swapped(judge: MinimaxJudge, observations: Sequence[Observation]) -> bool:
    """Whether every answer is (move, value)."""
    if all(seen.is_right for seen in observations):
        return False
    positions = ((judge.game.parse(seen.position), seen) for seen in observations)
    return all(seen.move == judge.value(at) and seen.value in judge.best_moves(at) for at, seen in positions)


def _from_moves(exam: Exam, judge: MinimaxJudge, observations: Sequence[Observation]) -> str:
    """Return the diagnosis of a search whose values are right and whose moves are not."""
    legal = [(exam.game.parse(seen.position).legal_moves, seen) for seen in observations]
    if all(seen.move == moves[-1] for moves, seen in legal):
        return "plays-last"
    if all(seen.move == moves[0] for moves, seen in legal):
        return "plays-first"
    wrong = [(moves, seen) for moves, seen in legal if not seen.is_right and seen.move in moves]
    is_later = all(
        moves.index(seen.move) > min(map(moves.index, judge.best_moves(exam.game.parse(seen.position))))
        for moves, seen in wrong
        if seen.move is not None
    )
    return "keeps-later-ties" if wrong and is_later and exam.task.id != "minimax" else "move-not-best"


def _record_tree(
    exam: Exam, judge: MinimaxJudge, text: str, chosen: int | None, options: Mapping[str, int]
) -> str | None:
    """Record the student's own tree on a position, and return the mistake that it shows."""
    position = exam.game.parse(text)
    limit = 5 * judge.nodes_allowed(text, prunes=False) + 100
    root = exam.ask_calls(exam.question(text, limit=limit, named=options))
    if root is None:
        return None
    if root.value is None:  # a search that returns only the move stands for the value of that move
        root.value = next((child.value for child in root.children if child.move == chosen), None)
    diagnosis = exam.grade.diagnosis
    if diagnosis is None or diagnosis.id not in SIGN_MISTAKES:
        orient(root, judge, position, keeps_root=exam.style.has_values)
    finding = find_first_difference(root, judge, position, exam.style)
    exam.grade.departure = finding and finding.departure
    exam.grade.tree = draw(root, position, exam.grade.name, finding, exam.style)
    return None if finding is None else _diagnose_finding(root, finding)


def _diagnose_finding(root: CallNode, finding: FirstDifference) -> str:
    if finding.kind == "stop":
        return "table-bounds" if _is_searched_elsewhere(root, finding.node) else "stops-early"
    return KINDS[finding.kind]


def _is_searched_elsewhere(node: CallNode, wanted: CallNode) -> bool:
    """Whether the board of a node was searched at another node, as it is when a table answers."""
    if node.cells == wanted.cells and node.children:
        return True
    return any(_is_searched_elsewhere(child, wanted) for child in node.children)
