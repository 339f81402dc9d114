"""Writes claims ``block`` about small games by brute force, or lies about them. Shares no code with the checker."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import noughts as no

__all__ = ["BlockProver"]

Sets = frozenset[int]
"""Masks of the cells that the opponent lacks, none of which contains another."""
State = tuple[Sets, bool]
"""The sets, and whether the prover is to move."""
LEAF_SHARE = 0.4
"""How often a leaf is tried before a move."""


def reduced(sets: Iterable[int]) -> Sets:
    different = set(sets)
    return frozenset(a for a in different if not any(a != b and a & b == b for b in different))


def cells_of(sets: Iterable[int]) -> list[int]:
    union = 0
    for each in sets:
        union |= each
    return [cell for cell in range(union.bit_length()) if union >> cell & 1]


def mask_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


class BlockProver:
    """Proves that a side keeps the other from completing a line, by a random choice among correct nodes.

    ``lies`` is the share of nodes that are chosen without regard to whether they are correct.
    """

    def __init__(self, position: no.Position, side: str, dice: random.Random, lies: float = 0) -> None:
        marks = {mark: mask_of(c for c, at in enumerate(position.cells) if at == mark) for mark in "XO"}
        own, other = (marks[mark] for mark in (side, "O" if side == "X" else "X"))
        game = position.game
        lines = zip(map(mask_of, game.lines), map(mask_of, game.guards), strict=True)
        sets = reduced(line & ~other for line, guards in lines if not line & own and not guards & other)
        self.start: State = sets, position.turn == side
        self.cells = game.cells
        self.symmetries = game.symmetry.elements
        self.dice = dice
        self.lies = lies
        self._values: dict[State, bool] = {}

    def is_true(self) -> bool:
        return self._holds(self.start)

    def nodes(self) -> list[str]:
        """The nodes of a claim, which is true if the prover does not lie."""
        self._numbers = {self.start: 0}
        self._waiting = [self.start]
        nodes = {}
        while self._waiting:
            state = self._waiting.pop()
            nodes[self._numbers[state]] = self._node(state)
        return [nodes[number] for number in range(len(nodes))]

    def _holds(self, state: State) -> bool:
        if state not in self._values:
            sets, is_own_turn = state
            cells = cells_of(sets)
            if 0 in sets or not sets:
                self._values[state] = not sets
            elif is_own_turn:
                self._values[state] = any(self._holds(self._moved(sets, cell)) for cell in cells)
            else:
                self._values[state] = all(self._holds(self._taken(sets, 1 << cell)) for cell in cells)
        return self._values[state]

    def _moved(self, sets: Sets, cell: int) -> State:
        return frozenset(each for each in sets if not each >> cell & 1), False

    def _taken(self, sets: Sets, cells: int) -> State:
        return reduced(each & ~cells for each in sets), True

    def _accepts(self, is_correct: bool) -> bool:
        return is_correct or self.dice.random() < self.lies

    def _node(self, state: State) -> str:
        sets, is_own_turn = state
        for leaf in self._leaves(state) if self.dice.random() < LEAF_SHARE or not sets else ():
            return leaf
        if is_own_turn:
            cells = cells_of(sets)
            good = [cell for cell in cells if self._holds(self._moved(sets, cell))]
            cell = self.dice.choice(cells if not good or self.dice.random() < self.lies else good)
            return f"m {cell} {self._reference(self._moved(sets, cell))}"
        components = self._components(sets)
        if len(components) > 1 and self.dice.random() < 0.7:
            return " ".join(["c", *(self._reference((each, False)) for each in components)])
        return " ".join(["r", *self._items(sets)])

    def _reference(self, state: State) -> str:
        """The number of a node that belongs to the state or, sometimes, to one of which it is an image."""
        for number, permutation in enumerate(self.symmetries if state not in self._numbers else ()):
            before = self._preimage(state[0], permutation), state[1]
            if before in self._numbers:
                return f"{self._numbers[before]}/{number}"
        if state not in self._numbers:
            self._numbers[state] = len(self._numbers)
            self._waiting.append(state)
        return str(self._numbers[state])

    def _preimage(self, sets: Sets, permutation: Sequence[int]) -> Sets:
        return frozenset(mask_of(cell for cell, image in enumerate(permutation) if each >> image & 1) for each in sets)

    def _components(self, sets: Sets) -> list[Sets]:
        found: list[int] = []
        for each in sets:
            joined = [mask for mask in found if mask & each]
            found = [mask for mask in found if not mask & each]
            for mask in joined:
                each |= mask
            found.append(each)
        return [
            frozenset(each for each in sets if each & mask) for mask in sorted(found, key=lambda mask: mask & -mask)
        ]

    def _items(self, sets: Sets) -> Iterator[str]:
        """Each reply on its own, in a group with others, or dominated by one of those."""
        cells = self.dice.sample(cells_of(sets), len(cells_of(sets)))
        dominated: dict[int, int] = {}
        for cell in cells:
            by = self.dice.choice(cells)
            is_dominated = all(each >> by & 1 for each in sets if each >> cell & 1)
            if cell != by and by not in dominated and cell not in dominated.values() and self._accepts(is_dominated):
                dominated[cell] = by
        left = [cell for cell in cells if cell not in dominated]
        while left:
            group = [left.pop()]
            for cell in list(left):
                after = self._taken(sets, mask_of([*group, cell]))
                if self.dice.random() < 0.5 and 0 not in after[0] and self._accepts(self._holds(after)):
                    left.remove(cell)
                    group.append(cell)
            after = self._taken(sets, mask_of(group))
            yield f"{'+'.join(map(str, group))}:{self._reference(after) if 0 not in after[0] else 0}"
        yield from (f"{cell}<{by}" for cell, by in dominated.items())

    # Leaves

    def _leaves(self, state: State) -> Iterator[str]:
        sets, _ = state
        if not sets:
            yield "p"
        for _ in range(8):
            cells = self._some_cells(sets)
            pairs = [cells[at : at + 2] for at in range(0, len(cells) - 1, 2)]
            texts = [f"{a}-{b}" for a, b in pairs]
            masks = [mask_of(pair) for pair in pairs]
            cut = self.dice.randrange(len(pairs) + 1)
            kind = self.dice.choice("pts")
            if kind == "p" and self._accepts(all(any(each & pair == pair for pair in masks) for each in sets)):
                yield " ".join(["p", *texts])
            if kind == "s" and self._accepts(self._sum_is_small(state, masks[:cut])):
                yield " ".join(["s", *texts[:cut]])
            if kind == "t" and len(cells) > 2 and self._accepts(self._stops_in_set(sets, mask_of(cells))):
                yield "t " + "-".join(map(str, cells))

    def _some_cells(self, sets: Sets) -> list[int]:
        """Cells of the sets in random order, sometimes with others of the board."""
        cells = cells_of(sets) if self.dice.random() < 0.8 else list(range(self.cells))
        return self.dice.sample(cells, min(len(cells), self.dice.choice((4, 6, 8))))

    def _sum_is_small(self, state: State, pairs: list[int]) -> bool:
        paired = sum(pairs)
        sets = [each & ~paired for each in state[0] if not any(each & pair == pair for pair in pairs)]
        total = sum((Fraction(1, 1 << each.bit_count()) for each in sets), Fraction(0))
        if state[1]:
            return total < 1
        through = [sum(Fraction(1, 1 << e.bit_count()) for e in sets if e >> c & 1) for c in cells_of(sets)]
        return total + max(through, default=Fraction(0)) < 1

    def _stops_in_set(self, sets: Sets, cells: int) -> bool:
        parts = [each & cells for each in sets]
        return all(parts) and self._holds((reduced(parts), False))
