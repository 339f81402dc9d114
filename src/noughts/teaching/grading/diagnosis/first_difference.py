"""The first node at which a student's tree departs from the expected one, and the tree as a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isinf
from pathlib import Path
from typing import NamedTuple

from noughts.games import Position, Side
from noughts.json_types import JsonObject
from noughts.teaching.grading.judge import MinimaxJudge, best_of
from noughts.teaching.grading.question_runner import show
from noughts.teaching.grading.report import Departure
from noughts.teaching.grading.runtime.calls import CallNode
from noughts.teaching.grading.styles import SubmissionStyle
from noughts.teaching.tree import format_value
from noughts.teaching.tree.search_tree import WRONG
from noughts.teaching.tree.trace import Trace, trace_to_json

__all__ = ["FirstDifference", "draw", "find_first_difference", "orient"]

MAX_NODES = 5_000
"""Largest tree that is kept."""


class FirstDifference(NamedTuple):
    """A departure, its node, and the kind: ``leaf``, ``choice``, ``cut``, ``stop``, ``deep`` or ``infinite``."""

    departure: Departure
    node: CallNode
    kind: str


class _Place(NamedTuple):
    """A node of the tree, with its position and the window that the values before it leave open."""

    node: CallNode
    position: Position
    path: list[int]
    window: tuple[float | None, float | None]


def orient(root: CallNode, judge: MinimaxJudge, position: Position, keeps_root: bool) -> bool:
    """Turn the values of a tree to X's side, if that makes more of them right; return whether it is negamax.

    They may be for the side to move, as in negamax, or for the side to move at the root.
    """
    places = [place for place in _walk(root, position) if place.node.value is not None and place.path]
    at_root = _sign(position)

    def rights(sign_of: Callable[[_Place], int]) -> int:
        return sum(
            place.node.value * sign_of(place) == judge.value(place.position, len(place.path))
            for place in places
            if place.node.value is not None
        )

    signs: list[Callable[[_Place], int]] = [lambda place: 1, lambda place: _sign(place.position), lambda place: at_root]
    best = max(signs, key=rights)
    if rights(best) == rights(signs[0]):
        return False
    for place in places if keeps_root else _walk(root, position):
        if place.node.value is not None:
            place.node.value *= best(place)
    return best is signs[1]


def _sign(position: Position) -> int:
    return 1 if position.side_to_move is Side.X else -1


def _walk(
    node: CallNode, position: Position, path: tuple[int, ...] = (), low: float | None = None, high: float | None = None
) -> Iterator[_Place]:
    """Yield the nodes in the order in which the search leaves them."""
    alpha, beta = low, high
    for child in node.children:
        if child.move is None or not position.is_legal(child.move):
            continue
        yield from _walk(child, position.after(child.move), (*path, child.move), alpha, beta)
        if child.value is not None and position.turn is Side.X:
            alpha = child.value if alpha is None else max(alpha, child.value)
        elif child.value is not None:
            beta = child.value if beta is None else min(beta, child.value)
    yield _Place(node, position, list(path), (low, high))


def find_first_difference(
    root: CallNode, judge: MinimaxJudge, position: Position, style: SubmissionStyle
) -> FirstDifference | None:
    """Return the first node, in the order in which the search leaves them, whose value is wrong."""
    for place in _walk(root, position):
        found = _explain(place, judge, style)
        if found is not None:
            kind, reason = found
            names = []
            at = position.copy()
            for move in place.path:
                names.append(style.format_move(at, move))
                at.play(move)
            exact = judge.value(place.position, len(place.path))
            departure = Departure(names, format_value(exact), _format(place.node.value), reason)
            return FirstDifference(departure, place.node, kind)
    return None


def _format(value: float | None) -> str:
    if value is None:
        return "nothing"
    if isinf(value):
        return "+∞" if value > 0 else "−∞"
    return format_value(int(value)) if value == int(value) else show(value)


def _explain(place: _Place, judge: MinimaxJudge, style: SubmissionStyle) -> tuple[str, str] | None:
    """Return the kind of the mistake that is made at a node, and a sentence about it; None if none is made here."""
    node, position, ply = place.node, place.position, len(place.path)
    if node.value is None or node.value == judge.value(position, ply):
        return None
    if position.is_over:
        return "leaf", _outcome(position)
    if isinf(node.value):
        return "infinite", "No move was better than the value that it started with."
    is_horizon = judge.depth is not None and ply >= judge.depth
    tried = [child for child in node.children if child.move is not None and position.is_legal(child.move)]
    if not tried:
        reason = "The depth ends here." if is_horizon else "The search does not look any further here."
        return ("leaf" if is_horizon else "stop"), reason
    if is_horizon:
        return "deep", "The depth ends here, but the search goes deeper."
    if any(child.value is None for child in tried):
        return None
    best = best_of(position.turn, [child.value for child in tried if child.value is not None])
    missed = [move for move in position.legal_moves if move not in {child.move for child in tried}]
    if not missed:
        return None if node.value == best else ("choice", _choice(place, tried, best, style))
    return None if _may_cut(place, best) else ("cut", _cut(place, tried, missed, style))


def _outcome(position: Position) -> str:
    return f"Play is over here: {f'{position.winner} has won' if position.winner else 'a draw'}."


def _choice(place: _Place, tried: list[CallNode], best: float, style: SubmissionStyle) -> str:
    named = ", ".join(
        f"{style.format_move(place.position, child.move)} {_format(child.value)}"
        for child in tried
        if child.move is not None
    )
    wanted = "X chooses the largest" if place.position.turn is Side.X else "O chooses the smallest"
    return f"Its moves are worth {named}; {wanted}: {_format(best)}."


def _may_cut(place: _Place, best: float) -> bool:
    alpha, beta = place.window
    if place.position.turn is Side.X:
        return beta is not None and best >= beta
    return alpha is not None and best <= alpha


def _cut(place: _Place, tried: list[CallNode], missed: list[int], style: SubmissionStyle) -> str:
    alpha, beta = place.window
    is_max = place.position.turn is Side.X
    bound = f"below beta ({_bound(beta, '+∞')})" if is_max else f"above alpha ({_bound(alpha, '−∞')})"
    moves = ", ".join(style.format_move(place.position, move) for move in missed)
    values = ", ".join(_format(child.value) for child in tried)
    return f"{moves} must not be pruned: the values so far ({values}) are {bound}."


def _bound(value: float | None, infinity: str) -> str:
    return infinity if value is None else _format(value)


def draw(
    root: CallNode, position: Position, name: str, finding: FirstDifference | None, style: SubmissionStyle
) -> JsonObject | None:
    """Return the tree as the data of a trace, its moves named as the student writes them, the wrong node marked.

    None if it is too large.
    """
    if sum(1 for _ in _walk(root, position)) > MAX_NODES:
        return None
    names = [style.format_move(position, cell) for cell in range(position.game.cells)]
    trace = Trace(Path(name).name, names=names)  # without the folder, which may be a temporary one
    _enter(trace, root, position.game.parse(position.text), finding)
    return trace_to_json(trace)


def _enter(trace: Trace, node: CallNode, position: Position, finding: FirstDifference | None) -> None:
    low, high = (None if bound is None or isinf(bound) else bound for bound in node.window)
    trace.enter(position, low, high)
    for child in node.children:
        if child.move is not None and position.is_legal(child.move):
            position.play(child.move)
            _enter(trace, child, position, finding)
            position.undo()
    if node.value is not None and not isinf(node.value):
        is_wrong = finding is not None and finding.node is node
        value = int(node.value) if node.value == int(node.value) else node.value
        trace.leave(value, f"{WRONG} should be {finding.departure.expected}" if is_wrong and finding else "")
