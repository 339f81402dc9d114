"""A second implementation of the rules, in plain Python with bit masks, which the checker uses instead of the core.

It uses only the data of a game: its lines and their guards, the cells that each cell rests on, and in Ultimate the
blocks, the block that each cell sends to, and the options. A position is *packed* into one integer, so that two
positions are the same exactly when their integers are equal::

    flat      bits 0 .. n-1      X's marks        Ultimate adds    the blocks X has won, those O has won,
              bits n .. 2n-1     O's marks                         the block to play counted from 1, or 0
              bit 2n             whether a side has passed an odd number of times

Sides are 0 for X and 1 for O; a game ends for one of them or as a ``DRAW``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

from noughts.games import Game, InvalidPosition
from noughts.games.position_text import PositionContents, read_position

__all__ = ["DRAW", "FlatRules", "Rules", "Symmetry", "UltimateRules", "cells_in", "rules_of"]

DRAW = 2


def rules_of(game: Game) -> FlatRules | UltimateRules:
    """Return the rules of a game in plain Python."""
    return UltimateRules(game) if game.blocks > 1 else FlatRules(game)


def cells_in(mask: int) -> Iterator[int]:
    """Yield the cells of a mask in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(cells: Sequence[int]) -> int:
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def union_of(masks: Iterable[int]) -> int:
    """Return the mask of the cells that are in one of the masks."""
    return reduce(or_, masks, 0)


class Symmetry:
    """A permutation of the cells that preserves the rules, with its effect on blocks."""

    def __init__(self, cells: Sequence[int], blocks: Sequence[int] = ()) -> None:
        self.cells = cells
        self.blocks = blocks
        self._cell_bits = [1 << cell for cell in cells]
        self._block_bits = [1 << block for block in blocks]

    def of_cells(self, mask: int) -> int:
        """Return the image of a mask of cells."""
        return _map_bits(mask, self._cell_bits)

    def of_blocks(self, mask: int) -> int:
        """Return the image of a mask of blocks."""
        return _map_bits(mask, self._block_bits)

    def inverse(self) -> Symmetry:
        """Return the permutation that undoes this one."""
        return Symmetry(_inverse(self.cells), _inverse(self.blocks))


def _map_bits(mask: int, bits: list[int]) -> int:
    image = 0
    while mask:
        lowest = mask & -mask
        image |= bits[lowest.bit_length() - 1]
        mask ^= lowest
    return image


def _inverse(numbers: Sequence[int]) -> list[int]:
    back = [0] * len(numbers)
    for number, image in enumerate(numbers):
        back[image] = number
    return back


class Rules:
    """The common part of flat and Ultimate games."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cells = game.cells
        self.board = (1 << game.cells) - 1
        self.is_misere = game.is_misere
        self.lines = [(mask_of(cells), mask_of(g)) for cells, g in zip(game.lines, game.guards, strict=True)]
        self.through: list[list[tuple[int, int]]] = [[] for _ in range(game.cells)]
        for line in self.lines:
            for cell in cells_in(line[0]):
                self.through[cell].append(line)

    def setup(self, text: str) -> int:
        """Return the packed position of a position string with a side to move; raises InvalidPosition."""
        setup = read_position(self.game, text)
        packed = self._pack(setup)
        if setup.says_over:
            raise InvalidPosition("the game is over")
        return packed

    def _pack(self, setup: PositionContents) -> int:
        raise NotImplementedError

    def turn(self, packed: int) -> int:
        """Return the side to move: X moves when there are as many X as O."""
        return (packed & (1 << 2 * self.cells) - 1).bit_count() & 1

    def marks(self, packed: int) -> tuple[int, int]:
        """Return the marks of X and of O."""
        return packed & self.board, packed >> self.cells & self.board

    def completes(self, own: int, cell: int) -> bool:
        """Whether a line through a cell is complete, given the marks of its side, that cell's included."""
        for line, guards in self.through[cell]:  # noqa: SIM110 - any() over a generator takes twice as long
            if own & line == line and not own & guards:
                return True
        return False

    def open_lines(self, own: int, other: int) -> list[int]:
        """Return the empty cells of each line on which one side has no mark and the other none on a guard."""
        return [line & ~other for line, guards in self.lines if not line & own and not guards & other]

    def symmetry(self, numbers: Sequence[int]) -> Symmetry:
        """Return the symmetry of a permutation; raises ValueError if it does not preserve the rules."""
        if sorted(numbers) != list(range(self.cells)):
            raise ValueError(f"expected each cell from 0 to {self.cells - 1} once in a symmetry")
        symmetry = Symmetry(numbers, self._map_blocks(numbers))
        if {(symmetry.of_cells(line), symmetry.of_cells(guards)) for line, guards in self.lines} != set(self.lines):
            raise ValueError("expected a symmetry that takes lines and their guards to lines")
        below = self.game.rests_on
        for cell, image in enumerate(numbers):
            if symmetry.of_cells(mask_of(below[cell])) != mask_of(below[image]):
                raise ValueError("expected a symmetry that keeps what each cell rests on")
        return symmetry

    def _map_blocks(self, numbers: Sequence[int]) -> Sequence[int]:
        return ()


class FlatRules(Rules):
    """One board: completing a line wins, or loses in misère; a full board is a draw."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.has_guards = any(guards for _, guards in self.lines)
        self.has_gravity = game.has_gravity
        self.below = [mask_of(cells) for cells in game.rests_on]

    def _pack(self, setup: PositionContents) -> int:
        x, o = (mask_of([c for c, mark in enumerate(setup.cells) if mark == side]) for side in (0, 1))
        if any(self.completes(own, cell) for own in (x, o) for cell in cells_in(own)):
            raise InvalidPosition("expected a position in which no line is complete")
        if any(self.below[cell] & ~(x | o) for cell in cells_in(x | o)):
            raise InvalidPosition("expected marks to rest on others, but one floats in the air")
        if x | o == self.board:
            raise InvalidPosition("expected a board with an empty cell")
        return x | o << self.cells

    def playable(self, free: int) -> int:
        """Return those of the empty cells that rest on filled ones."""
        if not self.has_gravity:
            return free
        held = 0
        for cell in cells_in(free):
            if not self.below[cell] & free:
                held |= 1 << cell
        return held

    def lacking(self, lines: Sequence[tuple[int, int]], own: int, other: int) -> int:
        """Return the empty cells that would complete one of the lines, regardless of guards."""
        found = 0
        for line, _ in lines:
            if not line & other:
                rest = line & ~own
                if rest & rest - 1 == 0:
                    found |= rest
        return found

    def completing(self, lacking: int, own: int) -> int:
        """Return those of the lacking cells at which no guard spoils the line."""
        if not self.has_guards:
            return lacking
        return sum(1 << cell for cell in cells_in(lacking) if self.completes(own | 1 << cell, cell))

    def legal(self, packed: int) -> int:
        """Return the mask of the legal moves."""
        return self.playable(self.board & ~(packed | packed >> self.cells))

    def turn(self, packed: int) -> int:
        """Return the side to move: X moves when there are as many X as O, or O if a side has passed."""
        return packed.bit_count() & 1

    def after_pass(self, packed: int) -> int:
        """Return the packed position with the same marks and the other side to move."""
        return packed ^ 1 << 2 * self.cells

    def after(self, packed: int, side: int, cell: int) -> tuple[int, int | None]:
        """Return the packed position after a legal move, and the winner, ``DRAW``, or None if the game is not over."""
        packed |= 1 << cell + (self.cells if side else 0)
        own = packed >> self.cells if side else packed & self.board
        if self.completes(own, cell):
            return packed, 1 - side if self.is_misere else side
        return packed, None if (packed | packed >> self.cells) & self.board != self.board else DRAW

    def image(self, packed: int, symmetry: Symmetry) -> int:
        """Return the image of a packed position under a symmetry."""
        (x, o), passed = self.marks(packed), packed >> 2 * self.cells
        return symmetry.of_cells(x) | symmetry.of_cells(o) << self.cells | passed << 2 * self.cells


class UltimateRules(Rules):
    """A board of blocks: the side that first completes a line of a block owns it, and lines of blocks decide."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.blocks = game.blocks
        self.block_of = [game.block_of(cell) for cell in range(game.cells)]
        self.sends = game.sends
        self.stays_open = game.keeps_won_blocks_open
        self.counts = game.counts_blocks
        self.cells_of = [mask_of([c for c in range(self.cells) if self.block_of[c] == b]) for b in range(self.blocks)]
        self.outer = [mask_of(line) for line in game.outer_lines]
        self.owned_at = (2 * self.cells, 2 * self.cells + self.blocks)
        self.wanted_at = 2 * self.cells + 2 * self.blocks
        self.all_blocks = (1 << self.blocks) - 1

    def owned(self, packed: int) -> tuple[int, int]:
        """Return the blocks X has won and those O has won."""
        return packed >> self.owned_at[0] & self.all_blocks, packed >> self.owned_at[1] & self.all_blocks

    def _pack(self, setup: PositionContents) -> int:
        marks = [mask_of([c for c, mark in enumerate(setup.cells) if mark == side]) for side in (0, 1)]
        owned = self._owned_in(setup, marks)
        if any(own & line == line for own in owned for line in self.outer):
            raise InvalidPosition("expected a position in which no line of blocks is complete")
        packed = marks[0] | marks[1] << self.cells | owned[0] << self.owned_at[0] | owned[1] << self.owned_at[1]
        if not self.legal(packed):
            raise InvalidPosition("expected a position with a legal move")
        wanted = setup.block_to_play
        if wanted is not None and not self._free(packed) & self.cells_of[wanted]:
            raise InvalidPosition(f"expected an open block to play, but block {wanted + 1} is closed")
        return packed | (0 if wanted is None else wanted + 1) << self.wanted_at

    def _owned_in(self, setup: PositionContents, marks: list[int]) -> list[int]:
        """The blocks each side has won; if won blocks stay open, those stated by the position string."""
        owned = [0, 0]
        for block in range(self.blocks):
            has_line = [any(self.completes(own, c) for c in cells_in(own & self.cells_of[block])) for own in marks]
            owner = setup.owners[block] if setup.owners is not None else 0 if has_line[0] else 1 if has_line[1] else -1
            fits = any(has_line) == (owner >= 0) and (owner < 0 or has_line[owner])
            if not fits or (all(has_line) and not self.stays_open):
                raise InvalidPosition(f"expected the owner of block {block + 1} to be the one side with a line there")
            if owner >= 0:
                owned[owner] |= 1 << block
        return owned

    def _free(self, packed: int) -> int:
        """The empty cells of open blocks."""
        free = self.board & ~(packed | packed >> self.cells)
        if not self.stays_open:
            x, o = self.owned(packed)
            for block in cells_in(x | o):
                free &= ~self.cells_of[block]
        return free

    def legal(self, packed: int) -> int:
        """Return the mask of the legal moves."""
        wanted = packed >> self.wanted_at
        return self._free(packed) & self.cells_of[wanted - 1] if wanted else self._free(packed)

    def after(self, packed: int, side: int, cell: int) -> tuple[int, int | None]:
        """Return the packed position after a legal move, and the winner, ``DRAW``, or None if the game is not over."""
        packed = packed & (1 << self.wanted_at) - 1 | 1 << cell + (self.cells if side else 0)
        block = self.block_of[cell]
        owned = self.owned(packed)
        if not (owned[0] | owned[1]) >> block & 1 and self.completes(self.marks(packed)[side], cell):
            packed |= 1 << self.owned_at[side] + block
            won = owned[side] | 1 << block
            if any(won & line == line for line in self.outer):
                return packed, 1 - side if self.is_misere else side
        free = self._free(packed)
        if not free:
            return packed, self._count(packed)
        sent = self.sends[cell]
        return (packed | sent + 1 << self.wanted_at if free & self.cells_of[sent] else packed), None

    def _count(self, packed: int) -> int:
        """The winner when no move is left and neither side has a line of blocks."""
        x, o = (owned.bit_count() for owned in self.owned(packed))
        return DRAW if not self.counts or x == o else 0 if x > o else 1

    def image(self, packed: int, symmetry: Symmetry) -> int:
        """Return the image of a packed position under a symmetry."""
        (x, o), owned, wanted = self.marks(packed), self.owned(packed), packed >> self.wanted_at
        image = symmetry.of_cells(x) | symmetry.of_cells(o) << self.cells
        for side in (0, 1):
            image |= symmetry.of_blocks(owned[side]) << self.owned_at[side]
        return image | (symmetry.blocks[wanted - 1] + 1 if wanted else 0) << self.wanted_at

    def _map_blocks(self, numbers: Sequence[int]) -> Sequence[int]:
        moved = [-1] * self.blocks
        for cell, image in enumerate(numbers):
            block, to = self.block_of[cell], self.block_of[image]
            if moved[block] not in (-1, to):
                raise ValueError("expected a symmetry that takes blocks to blocks")
            moved[block] = to
        if any(moved[self.sends[cell]] != self.sends[image] for cell, image in enumerate(numbers)):
            raise ValueError("expected a symmetry that keeps where each cell sends")
        if {_map_bits(line, [1 << to for to in moved]) for line in self.outer} != set(self.outer):
            raise ValueError("expected a symmetry that takes lines of blocks to lines of blocks")
        return moved
