"""Follows the nodes of a claim from node 0 and checks each one at its state: what all kinds of claim have in common."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from noughts.games import Side
from noughts.games.quoting import quote
from noughts.proof.proof import Claim, InvalidProof, Proof, target_of
from noughts.proof.reference_rules import Rules, Symmetry, cells_in, union_of
from noughts.proof.set_matching import MOST_CELLS, SetMatching

__all__ = [
    "EDGES",
    "NO_CELL",
    "NUMBER",
    "PASS",
    "REFERENCE",
    "SET_ARGUMENTS",
    "SET_ARGUMENT_NAMES",
    "ClaimCheck",
    "InvalidNode",
    "O",
    "Shapes",
    "X",
    "compile_shapes",
]

X, O = 0, 1  # noqa: E741 - the side
NUMBER = r"\d{1,9}"
REFERENCE = rf"{NUMBER}(?:/{NUMBER})?"
EDGES = {
    kind: re.compile(rf" {move}(\+?\d+)(?:/(\d+))?", re.ASCII)
    for kind, move in (("m", r"(\d+) "), ("r", r"(?:(\d+):|~ )"))
}
"""For each kind of node that leads to others: a move or none for a pass, the reference, and the symmetry."""
PAIRS = rf"(?: {NUMBER}-{NUMBER})*"
SET_ARGUMENTS = {
    "p": (rf"p{PAIRS}", "p CELL-CELL …"),
    "t": (rf"t(?: {NUMBER}(?:-{NUMBER})+)+", "t CELL-CELL CELL-CELL-CELL …"),
    "s": (rf"s{PAIRS}", "s CELL-CELL …"),
}
SET_ARGUMENT_NAMES = {"p": "a pairing", "t": "a set matching", "s": "an Erdős–Selfridge sum"}
NO_CELL = NO_SYMMETRY = -1
PASS = -2
"""Stands for a move of the opponent that leaves the marks as they are."""
MOST_SET_GAMES = 100_000
"""Results of games in sets that are remembered."""
NODES_PER_REPORT = 1 << 13
"""Nodes between two reports of progress."""

State = TypeVar("State")
Shapes = dict[str, tuple[re.Pattern[str], str]]
"""The kinds of node by their first letter, each with the grammar and an example."""


def compile_shapes(shapes: Mapping[str, tuple[str, str]]) -> Shapes:
    """Return the kinds of node with the patterns of their grammar compiled."""
    return {kind: (re.compile(pattern, re.ASCII), example) for kind, (pattern, example) in shapes.items()}


class InvalidNode(Exception):
    """The node being checked is invalid; the message says why."""


class ClaimCheck(Generic[State]):
    """The check of one claim, or of the nodes of one claim whose number is ``part`` modulo ``parts``.

    Every part follows the whole claim in the same order, since the state of a node depends on the way to it. Of nodes
    that belong to other parts it only computes the states that they lead to.
    """

    shapes: Shapes

    def __init__(
        self,
        rules: Rules,
        proof: Proof,
        claim: Claim,
        start: State,
        symmetries: Sequence[Symmetry],
        part: int,
        parts: int,
    ) -> None:
        self.rules = rules
        self.proof = proof
        self.claim = claim
        self.part, self.parts = part, parts
        self.prover = X if claim.side == Side.X else O
        self.symmetries = symmetries
        self.back = [symmetry.inverse() for symmetry in symmetries]
        self.start = start
        count = len(claim.nodes)
        self.reached: list[State | None] = [None] * count
        self.parents, self.cells, self.images = (array("l", [-1]) * count for _ in range(3))
        self.waiting = [0]
        self.seen = 0
        self.positions = 0
        self.set_games: dict[frozenset[int], bool] = {}
        self.kinds: dict[str, Callable[[int, State, str], None]] = {}

    def image(self, state: State, symmetry: Symmetry) -> State:
        """Return the image of a state under a symmetry."""
        raise NotImplementedError

    def _pass(self, node: int, state: State, line: str) -> None:
        """Follow a node of another part, which will report its mistakes: here they only end the way."""
        raise NotImplementedError

    def run(self) -> Iterator[int]:
        """Check every node, yielding the number done at regular intervals; raises InvalidProof."""
        nodes = self.claim.nodes
        if not nodes:
            raise InvalidProof(f"{self._where(None)}: expected nodes, got none")
        self.reached[0] = self.start
        while self.waiting:
            node = self.waiting.pop()
            state = self._take(node)
            if node % self.parts != self.part:
                self._pass(node, state, nodes[node])
            else:
                try:
                    self._check(node, state, nodes[node])
                except InvalidNode as reason:
                    raise InvalidProof(f"{self._where(node)}: {reason}") from None
            self.seen += 1
            if self.seen % NODES_PER_REPORT == 0:
                yield self.seen
        if self.seen < len(nodes):
            unused = self._where(self.reached.index(None))
            raise InvalidProof(f"{unused}: expected every node to be reached, but nothing leads to this one")

    def _take(self, node: int) -> State:
        state = self.reached[node]
        assert state is not None
        return state

    def _check(self, node: int, state: State, line: str) -> None:
        self.positions += 1
        kind = line[:1]
        if kind not in self.shapes:
            raise InvalidNode(f"expected a node of kind {', '.join(self.shapes)}, got {quote(line)}")
        pattern, example = self.shapes[kind]
        if not pattern.fullmatch(line):
            raise InvalidNode(f"expected {example}, got {quote(line)}")
        self.kinds[kind](node, state, line)

    def _follow(self, node: int, cell: int, state: State, reference: str) -> None:
        """Continue at a reference, with the move that leads there or ``NO_CELL``."""
        number, _, image = reference.partition("/")
        target, symmetry = target_of(number, node), int(image) if image else NO_SYMMETRY
        if target >= len(self.reached):
            raise InvalidNode(f"expected a node up to {len(self.reached) - 1}{self._after(cell)}, got {target}")
        if symmetry >= len(self.back):
            raise InvalidNode(f"expected a symmetry below {len(self.back)}{self._after(cell)}, got {symmetry}")
        if not self._reach(node, cell, state, target, symmetry):
            raise InvalidNode(f"expected node {target}{self._after(cell)}, but it stands at another position")

    def _reach(self, node: int, cell: int, state: State, target: int, symmetry: int) -> bool:
        """Note the state of a node when it is first reached; returns whether it is the same as before."""
        if symmetry >= 0:
            state = self.image(state, self.back[symmetry])
        known = self.reached[target]
        if known is None:
            self.reached[target] = state
            self.parents[target], self.cells[target], self.images[target] = node, cell, symmetry
            self.waiting.append(target)
        return known is None or known == state

    # Arguments about sets of cells, one of which the opponent needs for a line

    def _check_sets(self, line: str, sets: Sequence[int], free: int, turn: int) -> None:
        """Check a pairing, a set matching or a sum that may name the cells that are free."""
        if len(self.set_games) > MOST_SET_GAMES:
            self.set_games.clear()
        matching = SetMatching(free, self.set_games)
        for text in line.split(" ")[1:]:
            cells = list(map(int, text.split("-")))
            if max(cells) >= self.rules.cells or not matching.add(cells):
                got = "-".join(self._cell(cell) for cell in cells)
                raise InvalidNode(f"expected sets of 2 to {MOST_CELLS} empty cells, each cell in one set, got {got}")
        if line[0] == "s":
            self._check_sum(matching.unpaired(sets), union_of(matching.pairs), turn)
            return
        missed = matching.find_missed(sets)
        if missed is not None:
            raise InvalidNode(f"expected sets that stop every line open to the opponent, but not {self._line(missed)}")

    def _check_sum(self, sets: Sequence[int], paired: int, turn: int) -> None:
        """Check the Erdős–Selfridge sum of sets without the cells of pairs."""
        rest = [each & ~paired for each in sets]
        one = 1 << max(map(int.bit_count, rest), default=0)
        through = dict.fromkeys(cells_in(union_of(rest)) if turn != self.prover else (), 0)
        total = 0
        for each in rest:
            weight = one >> each.bit_count()
            total += weight
            for cell in cells_in(each) if through else ():
                through[cell] += weight
        total += max(through.values(), default=0)
        if total >= one:
            raise InvalidNode(f"expected an Erdős–Selfridge sum below {one}, got {total}")

    # Messages

    def _name(self, side: int) -> str:
        return "XO"[side]

    def _expect_turn(self, side: int, turn: int) -> None:
        if side != turn:
            raise InvalidNode(f"expected {self._name(side)} to move, but it is {self._name(turn)}'s turn")

    def _expect(self, valid: bool, what: str) -> None:
        if not valid:
            raise InvalidNode(f"expected an argument that holds in {self.proof.game.label} for this claim, got {what}")

    def _cell(self, cell: int) -> str:
        if cell == PASS:
            return "a pass"
        return self.proof.game.format_cell(cell) if cell < self.rules.cells else f"cell {cell}"

    def _after(self, cell: int) -> str:
        return "" if cell == NO_CELL else f" after {self._cell(cell)}"

    def _line(self, mask: int) -> str:
        return " ".join(self._cell(cell) for cell in cells_in(mask))

    def _where(self, node: int | None) -> str:
        claim = f"claim {self.claim.side} {self.claim.goal}"
        if node is None:
            return claim
        where = f"{claim}, node {node} (line {self.claim.line + node})"
        moves = self._moves_to(node)
        return f"{where}, after {' '.join(map(self._cell, moves))}" if moves else where

    def _moves_to(self, node: int) -> list[int]:
        """The moves and passes that lead to a node from the first position, with symmetries undone."""
        steps = []
        while self.parents[node] >= 0:
            steps.append((self.cells[node], self.images[node]))
            node = self.parents[node]
        moves, turned = [], list(range(self.rules.cells))
        for cell, image in reversed(steps):
            if cell != NO_CELL:
                moves.append(cell if cell == PASS else turned[cell])
            if image >= 0:
                turned = [turned[to] for to in self.symmetries[image].cells]
        return moves
