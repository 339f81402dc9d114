"""Checks the passes of a claim: finds the zones of the nodes below them.

See docs/proof-format.md and docs/proof-soundness.md.

A zone is a list of masks of cells, one for each tolerance from 1. The nodes are sorted by their marks, so that every
reference leads to a later node; zones are found from the last node to the first.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from noughts.proof.claim_check import EDGES
from noughts.proof.proof import target_of
from noughts.proof.reference_rules import FlatRules, Symmetry, cells_in, mask_of

__all__ = ["InvalidPasses", "ZoneCheck"]

MOST_PASSES = 8
"""Passes on a path from node 0."""
DOMINATING = re.compile(r"<(\d+)", re.ASCII)

Lines = Sequence[tuple[int, int]]
Zone = list[int]


class InvalidPasses(Exception):
    """The passes of a node are invalid; ``order`` is the place of the node in the order of the check."""

    def __init__(self, node: int, order: int, reason: str) -> None:
        super().__init__(reason)
        self.node = node
        self.order = order


class Reference(NamedTuple):
    """A node that a node leads to by a move or, ``is_pass``, by a pass."""

    node: int
    symmetry: int
    is_pass: bool


class ZoneCheck:
    """The passes of a claim ``win`` whose nodes are valid otherwise, given the packed position of each node."""

    def __init__(
        self,
        rules: FlatRules,
        nodes: Sequence[str],
        positions: Sequence[int],
        symmetries: Sequence[Symmetry],
        prover: int,
    ) -> None:
        self.rules = rules
        self.nodes = nodes
        self.positions = positions
        self.symmetries = symmetries
        self.prover = prover
        self.ranks = [self._rank(packed) for packed in positions]
        self.order = sorted(range(len(nodes)), key=self.ranks.__getitem__)
        self.shortest = min(line.bit_count() for line, _ in rules.lines)
        self.uses = array("l", [0]) * len(nodes)
        self.zones: dict[int, Zone] = {}

    def run(self, part: Iterable[int]) -> None:
        """Check the passes of a part of the nodes, from the most marks to the fewest; raises InvalidPasses."""
        mine = bytearray(len(self.nodes))
        for node in part:
            mine[node] = 1
        tolerances = self._tolerances(mine)
        for place, node in enumerate(reversed(self.order), 1):
            reason = self._check(node, tolerances[node], bool(mine[node]))
            if reason is not None:
                raise InvalidPasses(node, place, reason)

    def taken_by_passes(self) -> list[int]:
        """Return the legal replies outside of the zone of each pass of node 0, which must be the first of all."""
        mine = bytearray(len(self.nodes))
        mine[0] = 1
        tolerances = self._tolerances(mine)
        for node in reversed(self.order[1:]):
            self._check(node, tolerances[node], is_mine=False)
        legal = self.rules.legal(self.positions[0])
        return [legal & ~self._image(self._take(target)[0], symmetry)
                for target, symmetry, is_pass in self._references(0) if is_pass]  # fmt: skip

    def _image(self, mask: int, symmetry: int) -> int:
        return mask if symmetry < 0 else self.symmetries[symmetry].of_cells(mask)

    def _rank(self, packed: int) -> int:
        """The number of marks and, after it, whether the prover is to move: each reference leads to a higher rank."""
        marks = (packed & (1 << 2 * self.rules.cells) - 1).bit_count()
        return 2 * marks + (self.rules.turn(packed) == self.prover)

    def _references(self, node: int) -> Iterator[Reference]:
        line = self.nodes[node]
        for move, reference, symmetry in EDGES[line[0]].findall(line) if line[0] in EDGES else ():
            yield Reference(target_of(reference, node), int(symmetry) if symmetry else -1, not move)

    def _tolerances(self, mine: bytearray) -> bytearray:
        """The number of zones of each node that a part needs: the most passes above it, from a node of the part."""
        passes, needed = bytearray(len(self.nodes)), bytearray(len(self.nodes))
        for node in self.order:
            for target, _, is_pass in self._references(node):
                if self.ranks[target] <= self.ranks[node]:
                    raise InvalidPasses(node, 0, "expected references that add marks")
                passes[target] = max(passes[target], passes[node] + is_pass)
                if passes[target] > MOST_PASSES:
                    raise InvalidPasses(node, 0, f"expected at most {MOST_PASSES} passes on a path, got one more")
                tolerance = needed[node] + is_pass if needed[node] or mine[node] else 0
                needed[target] = max(needed[target], tolerance)
                self.uses[target] += 1
        return needed

    def _check(self, node: int, tolerance: int, is_mine: bool) -> str | None:
        """Find the zone of a node and check its passes; returns the reason if they fail."""
        zone, line = [0] * tolerance, self.nodes[node]
        left = self.rules.legal(self.positions[node]) & ~self._listed(line)
        must_answer = is_mine and " ~ " in line
        if must_answer and left & self._opposing_wins(node):
            return "expected replies that do not complete a line, but one that is not listed does"
        for target, symmetry, is_pass in self._references(node):
            below = [self._image(mask, symmetry) for mask in self._take(target)]
            if is_pass and below:
                left &= below[0]
            for number in range(tolerance):
                zone[number] |= below[number + is_pass]
        default = [int(cell) for cell in line.partition(" =")[2].split()] if " =" in line else None
        if tolerance:
            self._complete(zone, node, default, left)
        if self.uses[node]:
            self.zones[node] = zone
        return self._check_default(node, left, default) if must_answer else None

    def _take(self, node: int) -> Zone:
        """The zone of a node, which is kept until the last reference to it."""
        self.uses[node] -= 1
        return self.zones[node] if self.uses[node] else self.zones.pop(node)

    def _listed(self, line: str) -> int:
        listed = line.partition(" =")[0].split(" ~ ")[0].split(" ")[1:] if line[0] == "r" else ()
        return self._mask([re.split("[:<]", item)[0] for item in listed])

    def _mask(self, cells: Iterable[str]) -> int:
        return mask_of([int(cell) for cell in cells if int(cell) < self.rules.cells])

    def _own_and_other(self, node: int) -> tuple[int, int]:
        marks = self.rules.marks(self.positions[node])
        return marks[self.prover], marks[1 - self.prover]

    def _opposing_wins(self, node: int) -> int:
        """The cells that complete a line of the opponent."""
        own, other = self._own_and_other(node)
        return self.rules.completing(self.rules.lacking(self._lines_lacking(1, other), other, own), other)

    def _check_default(self, node: int, left: int, default: list[int] | None) -> str | None:
        """Check the answer to the replies that no pass takes."""
        own, other = self._own_and_other(node)
        for cell in cells_in(left):
            if default is None:
                return f"expected an answer to {self.rules.game.format_cell(cell)}, which is in the zone of every pass"
            if self._replay(own, other | 1 << cell, default, 1, at_once=True) is None:
                return f"expected a default that wins after {self.rules.game.format_cell(cell)}"
        return None

    # Zones

    def _complete(self, zone: Zone, node: int, default: list[int] | None, left: int) -> None:
        """Add the cells of the node itself to the zone, in which those of its references are."""
        line = self.nodes[node]
        own, other = self._own_and_other(node)
        if line[0] == "m":
            _add(zone, self._mask(line.split(" ")[1:2]))
        elif line[0] == "f":
            moves = [int(cell) for cell in line.split(" ")[1:]]
            _unite(zone, self._replay(own, other, moves, len(zone), at_once=False) or self._all(zone))
        elif line[0] == "r":
            self._add_lines(zone, self._lines_lacking(len(zone) + 1, other), own, other)
            _add(zone, self._mask(DOMINATING.findall(line)))
            if default is not None and left:
                _unite(zone, self._zone_of_default(own, other, default, left, len(zone)))
        else:
            _unite(zone, self._all(zone))

    def _all(self, zone: Zone) -> Zone:
        return [self.rules.board] * len(zone)

    def _zone_of_default(self, own: int, other: int, moves: list[int], replies: int, tolerance: int) -> Zone:
        """The zone of a sequence that answers some replies: after a pass, and after replies in its first zone."""
        passed = self._replay(own, other, moves, tolerance + 1, at_once=True)
        if passed is None:
            return [self.rules.board] * tolerance
        zone = passed[1:]
        for cell in cells_in(replies & passed[0]):
            _unite(zone, self._replay(own, other | 1 << cell, moves, tolerance, at_once=True) or self._all(zone))
        return zone

    def _lines_lacking(self, most: int, marks: int) -> Lines:
        """The lines that may lack at most some cells of all, given the marks of a side; some of them several times."""
        if most >= self.shortest:
            return self.rules.lines
        return [line for cell in cells_in(marks) for line in self.rules.through[cell]]

    def _add_lines(self, zone: Zone, lines: Lines, own: int, other: int) -> None:
        """Add the empty cells of lines open to the opponent that lack at most one cell more than the tolerance."""
        most = len(zone) + 1
        for line, guards in lines:
            if not line & own and not guards & other:
                rest = line & ~other
                lacking = rest.bit_count()
                if lacking <= most:
                    for number in range(max(lacking - 2, 0), len(zone)):
                        zone[number] |= rest

    def _replay(self, own: int, other: int, moves: Sequence[int], tolerance: int, at_once: bool) -> Zone | None:
        """Replay a forced sequence with the prover to move; returns its zone, or None if it does not win.

        With ``at_once`` the first line that can be completed ends the sequence.
        """
        rules, zone = self.rules, [0] * tolerance
        free = rules.board & ~(own | other)
        hopes = rules.lacking(self._lines_lacking(1, own), own, other)
        fears = rules.lacking(self._lines_lacking(1, other), other, own)
        changed = self._lines_lacking(tolerance + 1, other)
        for cell in moves:
            wins = rules.completing(hopes & free, own)
            if wins and at_once:
                break
            bit = 1 << cell if cell < rules.cells else 0
            if not free & bit:
                return None
            _add(zone, bit)
            if wins & bit:
                return zone
            own, free = own | bit, free ^ bit
            hopes |= rules.lacking(rules.through[cell], own, other)
            wins = rules.completing(hopes & free, own)
            if not wins or rules.completing(fears & free, other):
                return None
            _add(zone, wins)
            self._add_lines(zone, changed, own, other)
            if wins & wins - 1:
                return zone
            other, free = other | wins, free ^ wins
            changed = rules.through[wins.bit_length() - 1]
            fears |= rules.lacking(changed, other, own)
        wins = rules.completing(hopes & free, own)
        _add(zone, wins)
        return zone if wins else None


def _add(zone: Zone, cells: int) -> None:
    for number in range(len(zone)):
        zone[number] |= cells


def _unite(zone: Zone, other: Zone) -> None:
    for number, cells in enumerate(other):
        zone[number] |= cells
