"""Checks claims that the opponent never completes a line: a Maker-Breaker game on sets of cells.

See docs/proof-format.md.

A state is the side to move and the sets of cells of which the opponent lacks all; a set is a mask of cells. No set
contains another one, and they are in ascending order, so that two states are the same exactly if they are equal.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from noughts.proof.claim_check import (
    NO_CELL,
    NUMBER,
    REFERENCE,
    SET_ARGUMENTS,
    ClaimCheck,
    InvalidNode,
    compile_shapes,
)
from noughts.proof.proof import Claim, Proof
from noughts.proof.reference_rules import FlatRules, Symmetry, cells_in, mask_of, union_of

__all__ = ["BreakerCheck"]

SHAPES = {
    "m": (rf"m {NUMBER} {REFERENCE}", "m CELL NODE"),
    "r": (rf"r(?: {NUMBER}(?:<{NUMBER}|(?:\+{NUMBER})*:{REFERENCE}))*", "r CELL:NODE CELL+CELL:NODE CELL<CELL …"),
    "c": (rf"c(?: {REFERENCE}){{2,}}", "c NODE NODE …"),
    **SET_ARGUMENTS,
}
TARGETS = {
    kind: re.compile(rf"{before}({NUMBER})", re.ASCII)
    for kind, before in (("m", rf" {NUMBER} "), ("r", ":"), ("c", " "))
}
"""For each kind of node that leads to others: the nodes."""


class BreakerState(NamedTuple):
    """The sets of cells that the opponent must not get all of, and the side to move."""

    sets: tuple[int, ...]
    turn: int


FORGOTTEN = BreakerState((), -1)
"""Stands for the state of a node that is not referred to again."""


class BreakerCheck(ClaimCheck[BreakerState]):
    """The check of a claim ``block``, from a packed position of a game without gravity and misère."""

    shapes = compile_shapes(SHAPES)

    def __init__(
        self,
        rules: FlatRules,
        proof: Proof,
        claim: Claim,
        packed: int,
        symmetries: Sequence[Symmetry],
        part: int,
        parts: int,
    ) -> None:
        super().__init__(rules, proof, claim, BreakerState((), rules.turn(packed)), symmetries, part, parts)
        marks = rules.marks(packed)
        open_lines = rules.open_lines(marks[self.prover], marks[1 - self.prover])
        self.start = self.start._replace(sets=tuple(sorted(_minimal(open_lines))))
        self.uses = _count_uses(claim.nodes)
        self.kinds = {
            "m": self._move, "r": self._replies, "c": self._components,
            "p": self._sets, "t": self._sets, "s": self._sets,
        }  # fmt: skip

    def image(self, state: BreakerState, symmetry: Symmetry) -> BreakerState:
        return state._replace(sets=tuple(sorted(map(symmetry.of_cells, state.sets))))

    def _pass(self, node: int, state: BreakerState, line: str) -> None:
        if line[:1] not in TARGETS:
            return
        positions = self.positions
        with suppress(InvalidNode):
            self._check(node, state, line)
        self.positions = positions

    # Nodes that lead to others

    def _move(self, node: int, state: BreakerState, line: str) -> None:
        self._expect_turn(self.prover, state.turn)
        _, text, reference = line.split(" ")
        cell = int(text)
        self._expect_in_a_set(cell, union_of(state.sets))
        rest = tuple(each for each in state.sets if not each >> cell & 1)
        self._lead(node, cell, BreakerState(rest, 1 - state.turn), reference)

    def _replies(self, node: int, state: BreakerState, line: str) -> None:
        self._expect_turn(1 - self.prover, state.turn)
        left, dominated = union_of(state.sets), {}
        for item in line.split(" ")[1:]:
            cells, _, reference = item.partition(":")
            text, _, by = cells.partition("<")
            group = [int(cell) for cell in text.split("+")]
            for cell in group:
                self._expect_in_a_set(cell, left)
                left ^= 1 << cell
            if by:
                dominated[group[0]] = int(by)
            else:
                self._lead(
                    node, group[0], BreakerState(self._without(state.sets, mask_of(group)), 1 - state.turn), reference
                )
        if left:
            raise InvalidNode(f"expected an answer to {self._cell(next(cells_in(left)))}, got none")
        self._check_dominated(state.sets, dominated)

    def _without(self, sets: Sequence[int], taken: int) -> tuple[int, ...]:
        """The sets after the opponent has taken some cells. Only those that lost a cell can lie in others."""
        smaller = _minimal(each & ~taken for each in sets if each & taken)
        if smaller == [0]:
            raise InvalidNode(f"expected a set without {self._line(taken)} to keep a cell, but one is complete")
        rest = [each for each in sets if not each & taken]
        for part in smaller:
            rest = [each for each in rest if each & part != part]
        return tuple(sorted(rest + smaller))

    def _check_dominated(self, sets: Sequence[int], dominated: Mapping[int, int]) -> None:
        for cell, by in dominated.items():
            if by in dominated:
                pair = self._cell(by), self._cell(cell)
                raise InvalidNode(f"expected {pair[0]}, which dominates {pair[1]}, to be answered itself")
            if any(each >> cell & 1 and not each >> by & 1 for each in sets):
                raise InvalidNode(f"expected {self._cell(by)} in every set that contains {self._cell(cell)}")

    def _components(self, node: int, state: BreakerState, line: str) -> None:
        self._expect_turn(1 - self.prover, state.turn)
        references, components = line.split(" ")[1:], list(_components_of(state.sets))
        if len(references) != len(components):
            raise InvalidNode(f"expected a node for each of {len(components)} components, got {len(references)}")
        for sets, reference in zip(components, references, strict=True):
            self._lead(node, NO_CELL, BreakerState(sets, state.turn), reference)

    def _lead(self, node: int, cell: int, state: BreakerState, reference: str) -> None:
        self.positions += 1
        self._follow(node, cell, state, reference)

    def _take(self, node: int) -> BreakerState:
        state = super()._take(node)
        self._forget(node)
        return state

    def _reach(self, node: int, cell: int, state: BreakerState, target: int, symmetry: int) -> bool:
        is_same = super()._reach(node, cell, state, target, symmetry)
        self._forget(target)
        return is_same

    def _forget(self, node: int) -> None:
        """Free the state of a node after its last use; few nodes have more than one reference."""
        self.uses[node] -= 1
        if self.uses[node] == 0:
            self.reached[node] = FORGOTTEN

    def _sets(self, node: int, state: BreakerState, line: str) -> None:
        self._check_sets(line, state.sets, self.rules.board, state.turn)

    def _expect_in_a_set(self, cell: int, union: int) -> None:
        if not union >> cell & 1:
            raise InvalidNode(f"expected a cell of a set that is not answered yet, got {self._cell(cell)}")


def _count_uses(nodes: Sequence[str]) -> array[int]:
    """How often the state of each node is needed: for its check, and for every reference."""
    uses = array("l", [1]) * len(nodes)
    for line in nodes:
        if line[:1] in TARGETS:
            for target in map(int, TARGETS[line[:1]].findall(line)):
                if target < len(nodes):
                    uses[target] += 1
    return uses


def _minimal(sets: Iterable[int]) -> list[int]:
    """The sets that contain no other one, each once."""
    found: list[int] = []
    for each in sorted(set(sets), key=int.bit_count):
        if not any(each & part == part for part in found):
            found.append(each)
    return found


def _components_of(sets: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Split sets into those that are connected by common cells, in the order of their lowest cells."""
    while sets:
        union = union_of(sets)
        reach, grown = 0, union & -union
        while grown != reach:
            reach = grown
            grown |= union_of(each for each in sets if each & reach)
        yield tuple(each for each in sets if each & reach)
        sets = [each for each in sets if not each & reach]
