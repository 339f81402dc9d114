"""Walks through a proof: which move does it play after these moves, and what does that move rest on?

A walk follows one claim along the moves of a game. It trusts the proof; ``verify`` checks it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import pairwise
from typing import NamedTuple

from noughts.games import Side, Value
from noughts.games.quoting import count
from noughts.proof.claim_check import EDGES, SET_ARGUMENT_NAMES
from noughts.proof.fixed_strategy import FixedStrategy, parse_items
from noughts.proof.proof import Claim, Proof, ProofGoal, target_of
from noughts.proof.reference_rules import FlatRules, Symmetry, cells_in, mask_of, rules_of, union_of
from noughts.proof.zone_check import ZoneCheck

__all__ = ["NotInProof", "ProofMove", "ProofWalk", "count_kinds", "extract_proof"]

KINDS = {
    "m": "moves",
    "r": "replies",
    "f": "forced sequences",
    "g": "fixed strategies",
    "o": "mirror strategies",
    "p": "pairings",
    "t": "set matchings",
    "s": "Erdős–Selfridge sums",
    "S": "strategy stealing",
}
"""The kinds of node in words, by their first letter."""


NUMBER = re.compile(r"\d+", re.ASCII)


class NotInProof(ValueError):
    """The proof has nothing to say about these moves; the message says why."""


class ProofMove(NamedTuple):
    """A move of the prover, None if the proof names none, and what it rests on, in words."""

    cell: int | None
    reason: str


class _Node(NamedTuple):
    """The parts of a node's line."""

    kind: str
    cells: list[int]
    """The cells of a move or a forced sequence."""
    edges: dict[int, tuple[int, int]]
    """For each move that leads to a node: its number and the symmetry, or -1."""
    dominating: dict[int, int]
    """For each dominated reply the one that dominates it."""
    passes: list[tuple[int, int]]
    default: list[int] | None
    text: str


def _parse(nodes: Sequence[str], number: int) -> _Node:
    line = nodes[number]
    kind, items, edges, passes = line[:1], line.partition(" =")[0].split(" ")[1:], {}, []
    for move, reference, symmetry in EDGES[kind].findall(line) if kind in EDGES else ():
        edge = target_of(reference, number), int(symmetry) if symmetry else -1
        if move:
            edges[int(move)] = edge
        else:
            passes.append(edge)
    dominated = [item.split("<") for item in items if "<" in item]
    default = [int(cell) for cell in line.partition(" =")[2].split()] if " =" in line else None
    cells = [int(item) for item in items] if kind == "f" else [int(items[0])] if kind == "m" else []
    return _Node(kind, cells, edges, {int(e): int(d) for e, d in dominated}, passes, default, line)


class ProofWalk:
    """A place in the proof of one claim, after some moves of the game; raises NotInProof for a claim about blocks."""

    def __init__(self, proof: Proof, claim: Claim) -> None:
        if claim.goal is ProofGoal.BLOCK:
            raise NotInProof("this claim is about sets of cells, not about moves")
        self.claim = claim
        self.position = proof.game.parse(proof.position)
        self._symmetries = proof.symmetries
        self._rules = rules_of(proof.game)
        self._number = 0
        self._cells = tuple(range(proof.game.cells))
        """For each cell of the node's position the cell of the board."""
        self._extra: tuple[int, ...] = ()
        """Marks of the opponent that the node does not know, since the proof answered them like a pass."""
        self._is_exchanged = False
        """Whether two cells were exchanged to answer a dominated reply."""
        self._sequence: list[int] | None = None
        """The rest of a forced sequence, after its first move."""

    def copy(self) -> ProofWalk:
        """Return a walk at the same place, which goes its own way from here."""
        other = copy(self)
        other.position = self.position.copy()
        return other

    @property
    def is_prover_to_move(self) -> bool:
        return self.position.turn is self.claim.side

    @property
    def node(self) -> int | None:
        """The number of the node that belongs to this position or an image of it; None if it has none of its own."""
        return None if self._sequence is not None or self._extra or self._is_exchanged else self._number

    @property
    def cells(self) -> tuple[int, ...]:
        """For each cell of the node's position the cell of the board: they differ by symmetries of the game."""
        return self._cells

    @property
    def _node(self) -> _Node:
        return _parse(self.claim.nodes, self._number)

    @property
    def move(self) -> ProofMove:
        """The move of the prover, who must be to move."""
        node = self._node
        if self._sequence is not None:
            return self._next_of_sequence(self._sequence)
        where = f"node {self._number}"
        if node.kind == "m":
            return ProofMove(self._cells[node.cells[0]], f"a move, {where}{self._after_pass()}")
        if node.kind == "f":
            return ProofMove(
                self._cells[node.cells[0]],
                f"a forced sequence of {count(len(node.cells), 'move')}, {where}{self._after_pass()}",
            )
        if node.kind == "g":
            return ProofMove(self._strategy_move(node), f"a fixed strategy, {where}")
        if node.kind == "o":
            return ProofMove(self._mirrored(node), f"a mirror strategy, {where}")
        if node.kind in "ps":
            return ProofMove(self._partner(node), f"{SET_ARGUMENT_NAMES[node.kind]}, {where}")
        what = "strategy stealing" if node.kind == "S" else SET_ARGUMENT_NAMES.get(node.kind, "replies")
        return ProofMove(None, f"{what}, {where}, which names no move")

    def _after_pass(self) -> str:
        cells = " ".join(map(self.position.game.format_cell, self._extra))
        return f", which answers {cells} like a pass" if cells else ""

    def _next_of_sequence(self, rest: list[int]) -> ProofMove:
        completing = self.position.completing(self.claim.side)
        if completing:
            return ProofMove(completing[0], "completes a line")
        if not rest:
            raise NotInProof("the forced sequence has ended without a line: the proof is not valid")
        return ProofMove(self._cells[rest[0]], f"a forced sequence, node {self._number}{self._after_pass()}")

    def _strategy_move(self, node: _Node) -> int:
        assert isinstance(self._rules, FlatRules)
        strategy = FixedStrategy(self._rules, parse_items(node.text[1:]), self.claim.goal is ProofGoal.WIN)
        return self._cells[strategy.choose(*self._marks())]

    def _mirrored(self, node: _Node) -> int:
        """The image of the last reply."""
        reply = self._cells.index(self.position.moves[-1])
        return self._cells[self._symmetries[int(node.text.split(" ")[1])][reply]]

    def _partner(self, node: _Node) -> int:
        """The partner of the last reply in a pairing, else the cell of the most danger, or any move."""
        pairs = [tuple(map(int, item.split("-"))) for item in node.text.split(" ")[1:]]
        partners = {self._cells[a]: self._cells[b] for pair in pairs for a, b in (pair, pair[::-1])}
        legal, last = self.position.legal_moves, self.position.moves[-1:]
        partner = partners.get(last[0]) if last else None
        if partner is not None and partner in legal:
            return partner
        paired = [1 << a | 1 << b for a, b in pairs]
        lines = [line for line in self._rules.open_lines(*self._marks()) if not any(p & ~line == 0 for p in paired)]
        danger = Counter({self._cells.index(cell): 0 for cell in legal})
        for line in lines:
            rest = line & ~union_of(paired)
            for cell in cells_in(rest):
                danger[cell] += 1 << self._rules.cells - rest.bit_count()
        return self._cells[danger.most_common(1)[0][0]]

    def _marks(self) -> tuple[int, int]:
        """The prover's and the opponent's marks at the position of the node."""
        cells, ours = self.position.cells, self.claim.side
        own = [cell for cell, place in enumerate(self._cells) if cells[place] is ours]
        other = [cell for cell, place in enumerate(self._cells) if cells[place] is ours.opponent]
        return mask_of(own), mask_of([cell for cell in other if self._cells[cell] not in self._extra])

    def play(self, move: int | str) -> None:
        """Play a move of either side; raises NotInProof if it is not the prover's move in the proof, or ValueError."""
        cell = self.position.parse_move(move) if isinstance(move, str) else move
        after = self.position.after(cell)
        if self.is_prover_to_move:
            self._follow_prover(cell)
        elif self._sequence is None:
            self._follow_reply(cell)
        self.position = after

    def _follow_prover(self, cell: int) -> None:
        expected, name = self.move, self.position.game.format_cell
        if expected.cell is None:
            raise NotInProof(f"the proof rests on {expected.reason}")
        if cell != expected.cell:
            side = self.claim.side
            raise NotInProof(f"expected {side} to play {name(expected.cell)}, as the proof does, got {name(cell)}")
        node = self._node
        if self._sequence is not None:
            self._sequence = self._sequence[1:]
        elif node.kind == "f":
            self._sequence = node.cells[1:]
        elif node.kind == "m" and node.edges:
            self._go(*node.edges[node.cells[0]])

    def _follow_reply(self, cell: int) -> None:
        node, reply = self._node, self._cells.index(cell)
        if node.kind != "r":
            return
        if reply in node.dominating:
            reply = self._exchange(reply, node.dominating[reply])
        if reply in node.edges:
            self._go(*node.edges[reply])
        elif (passed := self._find_pass(node, reply)) is not None:
            self._extra += (cell,)
            self._go(*passed)
        else:
            self._sequence = node.default

    def _exchange(self, reply: int, other: int) -> int:
        """Answer a dominated reply like the one that dominates it, with their cells exchanged."""
        cells = list(self._cells)
        cells[reply], cells[other] = cells[other], cells[reply]
        self._cells, self._is_exchanged = tuple(cells), True
        return other

    def _go(self, number: int, symmetry: int) -> None:
        if symmetry >= 0:
            self._cells = tuple(self._cells[cell] for cell in self._symmetries[symmetry])
        self._number = number

    def _find_pass(self, node: _Node, reply: int) -> tuple[int, int] | None:
        """The pass that answers a reply that is not listed: the reply is outside of its zone."""
        if not node.passes:
            return None
        assert isinstance(self._rules, FlatRules)
        prover = 0 if self.claim.side is Side.X else 1
        marks = self._marks()
        packed = marks[prover] | marks[1 - prover] << self._rules.cells
        if self._rules.turn(packed) == prover:
            packed = self._rules.after_pass(packed)
        symmetries = [Symmetry(numbers) for numbers in self._symmetries]
        passes = _Part(self.claim.nodes, [edge[0] for edge in node.passes])
        items = " ~ ".join(f"{passes.numbers[n] + 1}{f'/{s}' if s >= 0 else ''}" for n, s in node.passes)
        lines = [f"r ~ {items}", *passes.lines(1)]
        positions = _positions(self._rules, lines, packed, symmetries, prover)
        taken = ZoneCheck(self._rules, lines, positions, symmetries, prover).taken_by_passes()
        return next((edge for edge, cells in zip(node.passes, taken, strict=True) if cells >> reply & 1), None)


class _Part:
    """The nodes below some nodes of a claim, in an order in which the first of these comes first."""

    def __init__(self, nodes: Sequence[str], roots: Sequence[int]) -> None:
        self._nodes = nodes
        self.numbers: dict[int, int] = {}
        """For each node its place in the part."""
        waiting = list(reversed(roots))
        while waiting:
            number = waiting.pop()
            if number not in self.numbers:
                self.numbers[number] = len(self.numbers)
                node = _parse(nodes, number)
                waiting += [target for target, _ in (*node.edges.values(), *node.passes)]

    def lines(self, first: int = 0) -> Iterator[str]:
        """Yield the nodes with references to their new places, counted from ``first``."""
        for number in self.numbers:
            yield self._moved(number, first)

    def _moved(self, number: int, first: int) -> str:
        line = self._nodes[number]
        if line[:1] not in EDGES:
            return line
        moved, at = "", 0
        for match in EDGES[line[0]].finditer(line):
            place = self.numbers[target_of(match[2], number)] + first
            moved += line[at : match.start(2)] + str(place)
            at = match.end(2)
        return moved + line[at:]


def _positions(
    rules: FlatRules, lines: Sequence[str], first: int, symmetries: Sequence[Symmetry], prover: int
) -> list[int]:
    """The packed positions of the nodes of a part whose node 0 belongs to ``first``."""
    positions = {0: first}
    back = [symmetry.inverse() for symmetry in symmetries]
    waiting = [0]
    while waiting:
        number = waiting.pop()
        packed, node = positions[number], _parse(lines, number)
        side = rules.turn(packed)
        after = [(edge, rules.after(packed, side, move)[0]) for move, edge in node.edges.items()]
        after += [(edge, rules.after_pass(packed)) for edge in node.passes]
        for (target, symmetry), state in after:
            if target not in positions:
                positions[target] = rules.image(state, back[symmetry]) if symmetry >= 0 else state
                waiting.append(target)
    return [positions[number] for number in range(len(lines))]


def count_kinds(claim: Claim) -> dict[str, int]:
    """Return the number of nodes of each kind, in words, the most frequent first."""
    kinds = Counter(line[:1] for line in claim.nodes)
    return {KINDS.get(kind, kind): number for kind, number in kinds.most_common()}


def extract_proof(walk: ProofWalk, proof: Proof) -> Proof:
    """Return the proof of the position of a walk: that of a node, in a claim of a win; raises NotInProof."""
    if walk.claim.goal is not ProofGoal.WIN:
        raise NotInProof("extract needs the proof of a win: that of a draw has two halves")
    if walk.node is None or walk.position.is_over:
        raise NotInProof(
            "expected a position with a node of its own, not one in a forced sequence, after a pass or the like"
        )
    cells = walk.cells
    part = _Part(walk.claim.nodes, [walk.node])
    symmetries = [_conjugate(numbers, cells) for numbers in proof.symmetries]
    lines = [_map_cells(line, cells) for line in part.lines()]
    value = Value.WIN if walk.is_prover_to_move else Value.LOSS
    body = "\n".join([f"claim {walk.claim.side} win", *lines]) + "\n"
    return Proof(proof.game, walk.position.text, value, body, symmetries)


def _conjugate(numbers: Sequence[int], cells: Sequence[int]) -> list[int]:
    """The symmetry that does on the images of cells what another one does on the cells."""
    image = dict(zip(cells, (cells[number] for number in numbers), strict=True))
    return [image[cell] for cell in range(len(cells))]


def _map_cells(line: str, cells: Sequence[int]) -> str:
    """A node of the position whose cells are the images of those of the node's own position."""
    words = line.split(" ")
    mapped = words[:1]
    for before, word in pairwise(words):
        is_reference = before == "~" or (words[0] == "m" and len(mapped) == 2)
        item, colon, reference = ("", "", word) if is_reference else word.partition(":")
        mapped.append(NUMBER.sub(lambda number: str(cells[int(number[0])]), item) + colon + reference)
    return " ".join(mapped)
