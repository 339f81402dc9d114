"""Wrong cuts: finds in the tree that a search visited the move whose omission changed the value."""

from __future__ import annotations

from noughts.games import Position, Side
from noughts.teaching.grading.judge import MinimaxJudge, best_of
from noughts.teaching.grading.runtime.recording_position import VisitedNode
from noughts.teaching.tree import format_value

__all__ = ["explain_cuts"]


def explain_cuts(judge: MinimaxJudge, position: Position, tree: VisitedNode) -> str:
    """Describe the cut that made the value wrong; returns "" if the visited tree has the right value."""
    if _value_of_visited(judge, position, tree) == judge.value(position):
        return ""
    path: list[str] = []
    while (move := _child_to_blame(judge, position, tree, len(path))) is not None:
        path.append(position.format_move(move))
        position, tree = position.after(move), tree.tried[move]
    exact = judge.value(position, len(path))
    missed = [
        position.format_move(move)
        for move in position.legal_moves
        if move not in tree.tried and judge.value(position.after(move), len(path) + 1) == exact
    ]
    where = f"after {', '.join(path)} " if path else ""
    return f"{where}{' and '.join(missed)} was pruned, worth {format_value(exact)}"


def _value_of_visited(judge: MinimaxJudge, position: Position, tree: VisitedNode, ply: int = 0) -> int:
    """Return the minimax value of the visited tree; a node with nothing below it has its exact value."""
    if position.is_over or not tree.tried:
        return judge.value(position, ply)
    values = []
    for move, child in tree.tried.items():
        position.play(move)
        values.append(_value_of_visited(judge, position, child, ply + 1))
        position.undo()
    return best_of(position.turn, values)


def _child_to_blame(judge: MinimaxJudge, position: Position, tree: VisitedNode, ply: int) -> int | None:
    """Return the tried move below which a cut is wrong, or None if it is wrong at this node."""
    exact = judge.value(position, ply)
    for move, child in tree.tried.items():
        following = position.after(move)
        below = _value_of_visited(judge, following, child, ply + 1)
        tempting = below > exact if position.turn is Side.X else below < exact
        if tempting or (judge.value(following, ply + 1) == exact and below != exact):
            return move
    return None
