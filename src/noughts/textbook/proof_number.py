"""Proof-number search: prove a win by always working on the part of the tree that lacks the fewest positions."""

from __future__ import annotations

from dataclasses import dataclass, field

from noughts.games import Position, Side
from noughts.textbook.common import INFINITY, GrowthTracer, Order, Phase, Result, restores_position
from noughts.textbook.orders import row_by_row


@dataclass(slots=True)
class _Node:
    """A node of the tree: how many leaves must at least be won to prove, or not won to disprove, the win."""

    proof: int = 1
    disproof: int = 1
    children: dict[int, _Node] = field(default_factory=dict)


@restores_position
def proof_number_search(
    position: Position,
    order: Order = row_by_row,
    side: Side | str | None = None,
    trace: GrowthTracer | None = None,
) -> Result:
    """Return the exact value (+1, 0 or -1) and a move that reaches it, by proving whether a side can win.

    A search answers one question, "can this side win?". The proof number of a node is the smallest number of leaves
    that must be wins to prove it; the disproof number, of leaves that must not be wins to disprove it. Where the side
    moves, one child must be proven or all disproven; where the opponent moves, the other way round. Each round walks
    down to the *most proving node*, always to the child with the number of its parent, and expands it. It ends when the
    root has a number of 0; the other is then ``INFINITY``.

    Without ``side``, the first question is whether the side to move can win and, if not, the second whether the
    opponent can; if neither can, the value is 0. With ``side``, only that question is asked, and a value of 0 means
    "not a win for that side". ``nodes`` counts the nodes of all trees, which are kept in memory: use it for positions
    with narrow threats rather than for empty boards. The position is left unchanged.
    """
    turn = position.turn or Side.X
    nodes, value, move = 0, 0, None
    for attacker in (turn, turn.opponent) if side is None else (Side(side),):
        root, grown = _prove(position, attacker, order, trace)
        nodes += grown
        move = _solution(root, position.turn is attacker)
        if root.proof == 0:
            value = 1 if attacker is Side.X else -1
            break
    return Result(value, move, nodes)


def _prove(position: Position, attacker: Side, order: Order, trace: GrowthTracer | None) -> tuple[_Node, int]:
    """Return the root, proven or disproven as a win of the attacker, and the number of nodes of its tree."""
    root = _new_node(position, attacker, trace)
    nodes = 1
    while root.proof and root.disproof:
        path = [root]
        # Selection: in a node where the attacker moves, the child with its proof number; otherwise its disproof number.
        while path[-1].children:
            path.append(_select(position, path[-1], attacker, trace))
        # Expansion: all children at once.
        for move in order(position):
            position.play(move)
            path[-1].children[move] = _new_node(position, attacker, trace)
            position.undo()
            nodes += 1
        # Backpropagation.
        for node in reversed(path):
            _update(node, position.turn is attacker)
            _report(trace, Phase.BACKPROPAGATE, position, node)
            if node is not root:
                position.undo()
    return root, nodes


def _new_node(position: Position, attacker: Side, trace: GrowthTracer | None) -> _Node:
    node = _Node()
    if position.is_over:
        node = _Node(0, INFINITY) if position.winner is attacker else _Node(INFINITY, 0)
    _report(trace, Phase.EXPAND, position, node)
    return node


def _select(position: Position, node: _Node, attacker: Side, trace: GrowthTracer | None) -> _Node:
    """Play the move to the child on the way to the most proving node, and return that child."""
    attacks = position.turn is attacker
    move, child = min(node.children.items(), key=lambda item: item[1].proof if attacks else item[1].disproof)
    position.play(move)
    _report(trace, Phase.SELECT, position, child)
    return child


def _update(node: _Node, attacks: bool) -> None:
    """Set the numbers of a node from its children: one child suffices to the side to move, the other needs all."""
    proofs = [child.proof for child in node.children.values()]
    disproofs = [child.disproof for child in node.children.values()]
    if attacks:
        node.proof, node.disproof = min(proofs), min(INFINITY, sum(disproofs))
    else:
        node.proof, node.disproof = min(INFINITY, sum(proofs)), min(disproofs)


def _solution(root: _Node, attacks: bool) -> int | None:
    """Return the first move that does what was shown: to win as the attacker, or to prevent it as the defender."""
    numbers = {move: child.proof if attacks else child.disproof for move, child in root.children.items()}
    return min(numbers, key=numbers.__getitem__, default=None)


def _report(trace: GrowthTracer | None, phase: Phase, position: Position, node: _Node) -> None:
    if trace is not None:
        trace.step(phase, position, {"proof": node.proof, "disproof": node.disproof})
