"""Trees as plain data: the moves that a search tried on a position, and the calls of a student's own functions.

Also the horizon of a search: the positions that it evaluates.

A visited node is ``[visits, copies, move, node, move, node...]``, or the number of visits alone if there is no more to
say. A node of calls is ``[move, value, low, high, node...]``. Data may come from a hostile program: what does not have
this form is refused with Malformed, and moves that are not legal make a tree worthless.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

from noughts.games import Position
from noughts.json_types import Json
from noughts.teaching.grading.answers import Malformed, decode, encode, is_number
from noughts.teaching.grading.cells import cells_of
from noughts.teaching.grading.runtime.calls import CallNode
from noughts.teaching.grading.runtime.recording_position import VisitedNode
from noughts.teaching.grading.styles import SubmissionStyle

__all__ = ["decode_calls", "decode_visits", "encode_calls", "encode_visits", "horizon"]

MAX_COUNT = 1 << 40


def encode_visits(node: VisitedNode) -> Json:
    """Return a visited tree as data."""
    if not node.tried and not node.copies:
        return node.visits
    data: list[Json] = [node.visits, node.copies]
    for move, child in node.tried.items():
        data += (int(move), encode_visits(child))
    return data


def decode_visits(data: Json, position: Position, plays: int) -> VisitedNode | None:
    """Return the tree of a number of moves on a position, or None if its moves are not legal or not as many.

    Raises Malformed.
    """
    root = VisitedNode()
    parts: list[Json] = data if isinstance(data, list) else [data, 0]
    try:
        return root if _decode_node(root, parts, position) == plays else None
    except _IllegalMove:
        return None


class _IllegalMove(Exception):
    """A tree has a move that is not legal."""


def _decode_node(node: VisitedNode, parts: list[Json], position: Position) -> int:
    """Fill in a node from its data; return the number of moves below it."""
    if len(parts) < 2 or len(parts) % 2:
        raise Malformed("a node of the visited tree has an unknown form")
    node.visits, node.copies = _count(parts[0]), _count(parts[1])
    plays, tried, legal = 0, node.tried, position.legal_moves
    for i in range(2, len(parts), 2):
        move, data = parts[i], parts[i + 1]
        if type(move) is not int or move in tried:
            raise Malformed("a move of the visited tree is not a number, or listed twice")
        if move not in legal:
            raise _IllegalMove
        child = tried[move] = VisitedNode()
        if isinstance(data, list):
            position.play(move)
            plays += _decode_node(child, data, position)
            position.undo()
        else:
            child.visits = _count(data)
        plays += child.visits
    return plays


def _count(data: Json) -> int:
    if type(data) is not int or not 0 <= data <= MAX_COUNT:
        raise Malformed("a number of the visited tree is out of range")
    return data


def encode_calls(node: CallNode | None) -> Json:
    """Return a tree of calls as data; raises Unreadable."""
    if node is None:
        return None
    numbers = map(encode, (node.value, *node.window))
    return [node.move, *numbers, *map(encode_calls, node.children)]


def decode_calls(data: Json, position: Position, style: SubmissionStyle) -> CallNode | None:
    """Return the tree of calls of a position, without the nodes after illegal moves; raises Malformed."""
    return None if data is None else _decode_calls(data, position, style)


def _decode_calls(data: Json, position: Position, style: SubmissionStyle) -> CallNode:
    if not isinstance(data, list) or len(data) < 4:
        raise Malformed("a node of the tree of calls has an unknown form")
    move, value, low, high, *children = data
    cells, window = cells_of(position), (_number(low), _number(high))
    node = CallNode(move if type(move) is int else None, cells, window, _number(value))
    for child in children:
        cell = child[0] if isinstance(child, list) and child else None
        if type(cell) is not int:
            raise Malformed("a node of the tree of calls has no move")
        if 0 <= cell < position.game.cells and position.is_legal(cell):
            position.play(cell)
            node.children.append(_decode_calls(child, position, style))
            position.undo()
    return node


def _number(data: Json) -> float | None:
    number = decode(data)
    if number is None or is_number(number):
        return number
    if isinstance(number, float) and isinf(number):
        return number
    raise Malformed("a value in the tree of calls is not a number")


def horizon(position: Position, depth: int, seen: set[int] | None = None) -> Iterator[Position]:
    """Yield the positions at a depth below a position, and those where play ends before, each once.

    It is the same position object all the time, which must be left as it is.
    """
    seen = set() if seen is None else seen
    if position.is_over or depth == 0:
        if position.hash not in seen:
            seen.add(position.hash)
            yield position
        return
    for move in position.legal_moves:
        position.play(move)
        yield from horizon(position, depth - 1, seen)
        position.undo()
