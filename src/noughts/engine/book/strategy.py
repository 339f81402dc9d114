"""Proofs as strategies: the winner's move in every position of a proof in which it moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from noughts.engine.book.keys import key_of
from noughts.games import Position, Side
from noughts.games.position_text import canonical
from noughts.proof.proof import Claim, Proof, ProofGoal, plies_to_end, target_of

__all__ = ["Strategy"]


class StrategyStep(NamedTuple):
    """A move of the winner, in the canonical image of a position, and the plies to the end."""

    move: int
    plies: int


class Strategy:
    """The moves that win according to a proof, which must be sound: ``verify`` it first.

    Positions at the leaves of the proof are left out: a forced sequence, which is found again at once, and replies that
    the proof answers by an argument instead of moves.
    """

    def __init__(self, proof: Proof) -> None:
        self.start = proof.game.parse(proof.position)
        self.side: Side | None = None
        """The side that wins; None if the proof is of a draw, which has no moves here."""
        self._steps: dict[int, StrategyStep] = {}
        for claim in proof.claims:
            if claim.goal is ProofGoal.WIN:
                self.side = claim.side
                self._read(proof, claim)

    def __len__(self) -> int:
        return len(self._steps)

    def find(self, position: Position) -> StrategyStep | None:
        """Return the winner's move and the plies to the end; None if the proof has no move here."""
        if position.turn is not self.side:
            return None
        image = canonical(position)
        step = self._steps.get(key_of(image))
        return None if step is None else step._replace(move=image.move_here(step.move))

    def _read(self, proof: Proof, claim: Claim) -> None:
        """Visit each node once. ``cells`` are the cells of the position for the cells of the node."""
        plies = plies_to_end(claim.nodes, proof.empty_cells)
        waiting: list[tuple[int, Position, Sequence[int]]] = [(0, self.start, range(proof.game.cells))]
        reached = {0}
        while waiting:
            node, position, cells = waiting.pop()
            kind, *items = claim.nodes[node].partition(" =")[0].split(" ")
            if kind == "m":
                image = canonical(position)
                self._steps[key_of(image)] = StrategyStep(image.move_there(cells[int(items[0])]), plies[node])
            for cell, reference in _edges(kind, items):
                text, _, symmetry = reference.partition("/")
                number = target_of(text, node)
                if number not in reached:
                    reached.add(number)
                    turned = [cells[to] for to in proof.symmetries[int(symmetry)]] if symmetry else cells
                    waiting.append((number, position.after(cells[cell]), turned))


def _edges(kind: str, items: list[str]) -> list[tuple[int, str]]:
    """The moves of a node, with the references to the nodes they lead to."""
    if kind == "m":
        return [(int(items[0]), reference) for reference in items[1:]]
    pairs = (item.split(":") for item in items if kind == "r" and ":" in item)
    return [(int(cell), reference) for cell, reference in pairs]
