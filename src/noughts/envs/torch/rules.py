"""The rules of any game as operations on tensors, compiled from the same data as the core's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from noughts.envs.torch.words import (
    BITS,
    LineDetector,
    Words,
    both,
    choose,
    constants,
    contains,
    difference,
    either,
    is_empty,
    popcount,
    shifted,
    single,
    unpack,
)
from noughts.games import Game, Position, Side

__all__ = ["MoveOutcome", "TensorRules", "TensorState"]

NONE = -1
"""No last move, and no block to play."""


class TensorState(NamedTuple):
    """Positions, one for each element of the tensors. Own is the side to move."""

    own: list[Tensor]
    opponents: list[Tensor]
    legal: list[Tensor]
    """The legal moves; none when the game is over."""
    to_move: Tensor
    """0 for X, 1 for O."""
    last_move: Tensor
    """A cell, or NONE."""
    blocks: list[Tensor]
    """Ultimate: the blocks won by the side to move, those won by the other, and those won by neither but full."""
    block_to_play: list[Tensor]
    """Ultimate: a block, or NONE."""

    def tensors(self) -> list[Tensor]:
        """Return all tensors of the state in a fixed order."""
        return [
            *self.own,
            *self.opponents,
            *self.legal,
            self.to_move,
            self.last_move,
            *self.blocks,
            *self.block_to_play,
        ]

    def map(self, function: Callable[..., Tensor], *others: TensorState) -> TensorState:
        """Return the function's result for every tensor, taken together with the tensors of other states."""
        found = [function(*each) for each in zip(*(state.tensors() for state in (self, *others)), strict=True)]
        words = len(self.own)
        own, opponents, legal = (found[part * words : (part + 1) * words] for part in range(3))
        to_move, last_move, *rest = found[3 * words :]
        return TensorState(own, opponents, legal, to_move, last_move, rest[:3], rest[3:])


class MoveOutcome(NamedTuple):
    """Positions after a move, which may have ended the playthrough, with the result for the side that moved."""

    state: TensorState
    is_over: Tensor
    reward: Tensor


class TensorRules:
    """The rules of a game on a device."""

    def __init__(self, game: Game, device: torch.device) -> None:
        self.game = game
        self.device = device
        self.words = -(-game.cells // BITS)
        self.has_blocks = game.blocks > 1
        self._cells = constants(range(game.cells), self.words)
        self._lines = LineDetector(game.lines, game.guards, self.words, device)
        self._supports = _supports(game, self.words)
        if self.has_blocks:
            self._set_blocks(game)

    def _set_blocks(self, game: Game) -> None:
        blocks = range(game.blocks)
        members = [[cell for cell in range(game.cells) if game.block_of(cell) == block] for block in blocks]
        self._block_cells = [constants(cells, self.words) for cells in members]
        self._outer = LineDetector(game.outer_lines, [()] * len(game.outer_lines), 1, self.device)
        self._block_of = torch.tensor([game.block_of(cell) for cell in range(game.cells)], device=self.device)
        self._sends = torch.tensor(game.sends, device=self.device)
        # Rows of words, and a last row of all cells for positions in which any block may be played.
        self._masks = torch.tensor([*self._block_cells, self._cells], device=self.device).t().contiguous()

    def start(self, n: int) -> TensorState:
        """Return the first position of ``n`` playthroughs."""

        def full(value: int) -> Tensor:
            return torch.full((n,), value, dtype=torch.int64, device=self.device)

        own, opponents = [full(0) for _ in range(self.words)], [full(0) for _ in range(self.words)]
        blocks = [full(0) for _ in range(3 * self.has_blocks)]
        to_play = [full(NONE) for _ in range(self.has_blocks)]
        return TensorState(own, opponents, self._playable(own), full(0), full(NONE), blocks, to_play)

    def states_of(self, positions: Sequence[Position]) -> TensorState:
        """Return the state of the positions."""

        def column(numbers: Iterable[int]) -> Tensor:
            return torch.tensor(list(numbers), dtype=torch.int64, device=self.device)

        def sets(members: Iterable[Iterable[int]], words: int) -> list[Tensor]:
            return [column(word) for word in zip(*(constants(each, words) for each in members), strict=True)]

        planes = [position.planes().reshape(-1, self.game.cells) for position in positions]
        own, opponents, legal = (
            sets((each[at].nonzero()[0].tolist() for each in planes), self.words) for at in range(3)
        )
        to_move = column(int(position.side_to_move is Side.O) for position in positions)
        last_move = column(NONE if position.last_move is None else position.last_move for position in positions)
        blocks, to_play = list[Tensor](), list[Tensor]()
        if self.has_blocks:
            for place in range(3):
                blocks += sets((_blocks_of(position)[place] for position in positions), 1)
            to_play = [column(NONE if each.block_to_play is None else each.block_to_play for each in positions)]
        return TensorState(own, opponents, legal, to_move, last_move, blocks, to_play)

    def play(self, state: TensorState, move: Tensor) -> MoveOutcome:
        """Return the positions after legal moves."""
        own = either(state.own, single(move, self.words))
        if self.has_blocks:
            return self._play_in_blocks(state, move, own)
        has_line = self._lines.is_any_complete(own)
        legal = self._playable(either(own, state.opponents))
        is_over = has_line | is_empty(legal)
        reward = has_line.float() * (-1 if self.game.is_misere else 1)
        after = TensorState(state.opponents, own, _cleared(is_over, legal), 1 - state.to_move, move, [], [])
        return MoveOutcome(after, is_over, reward)

    def _playable(self, filled: Words) -> list[Tensor]:
        """The empty cells that gravity allows."""
        ready = difference(self._cells, filled)
        for unsupported, offsets in self._supports:
            held = [torch.zeros_like(word) | bits for word, bits in zip(filled, unsupported, strict=True)]
            for by, cells in offsets:
                held = either(held, both(shifted(filled, by), cells))
            ready = both(ready, held)
        return ready

    def _play_in_blocks(self, state: TensorState, move: Tensor, own: list[Tensor]) -> MoveOutcome:
        block, filled = self._block_of[move], either(own, state.opponents)
        mine, theirs, dead = state.blocks
        here, cells = single(block, 1)[0], self._cells_of(block)
        is_open = (mine | theirs | dead) & here == 0
        has_line = is_open & ~is_empty(both(self._lines.first_cells(own), cells))
        is_full = is_open & ~has_line & is_empty(difference(cells, filled))
        mine, dead = torch.where(has_line, mine | here, mine), torch.where(is_full, dead | here, dead)
        playable = difference(self._playable(filled), self._closed_cells(mine | theirs | dead))
        wins = has_line & self._outer.is_any_complete([mine])
        is_over = wins | is_empty(playable)
        sent = self._sends[move]
        sent = torch.where(is_over | is_empty(both(playable, self._cells_of(sent))), NONE, sent)
        legal = _cleared(is_over, both(playable, self._cells_of(sent)))
        reward = self._reward(wins, is_over, mine, theirs)
        after = TensorState(state.opponents, own, legal, 1 - state.to_move, move, [theirs, mine, dead], [sent])
        return MoveOutcome(after, is_over, reward)

    def _cells_of(self, block: Tensor) -> list[Tensor]:
        """The cells of a block; all cells for NONE, which is the last row."""
        row = torch.where(block < 0, self.game.blocks, block)
        return [self._masks[w][row] for w in range(self.words)]

    def _closed_cells(self, decided: Tensor) -> list[Tensor]:
        """The cells of decided blocks, none if won blocks stay open."""
        closed = [torch.zeros_like(decided)] * self.words
        if self.game.keeps_won_blocks_open:
            return closed
        for block, cells in enumerate(self._block_cells):
            is_closed = -(decided >> block & 1)  # all bits, or none
            closed = [word | is_closed & bits if bits else word for word, bits in zip(closed, cells, strict=True)]
        return closed

    def _reward(self, wins: Tensor, is_over: Tensor, mine: Tensor, theirs: Tensor) -> Tensor:
        reward = wins.float() * (-1 if self.game.is_misere else 1)
        if not self.game.counts_blocks:
            return reward
        more = torch.sign(popcount(mine) - popcount(theirs)).float()
        return torch.where(is_over & ~wins, more, reward)

    def is_legal(self, state: TensorState, move: Tensor) -> Tensor:
        """Return whether the moves are legal; they may be any integers."""
        is_cell = (move >= 0) & (move < self.game.cells)
        return is_cell & contains(state.legal, torch.where(is_cell, move, 0))

    def masks(self, state: TensorState) -> Tensor:
        """Return the legal moves, of shape (n, cells)."""
        return unpack(state.legal, self.game.cells) != 0

    def observations(self, state: TensorState, dtype: torch.dtype) -> Tensor:
        """Return the planes of the positions, of shape (n, planes, cells)."""
        cells = self.game.cells
        numbers = torch.arange(cells, device=self.device)
        planes = [unpack(bits, cells) for bits in (state.own, state.opponents, state.legal)]
        planes.append(numbers == state.last_move[:, None])
        if self.has_blocks:
            planes.append(self._block_of == state.block_to_play[0][:, None])
            planes.extend(blocks[:, None] >> self._block_of & 1 for blocks in state.blocks[:2])
        return torch.stack([plane.to(dtype) for plane in planes], 1)


def _blocks_of(position: Position) -> tuple[list[int], list[int], list[int]]:
    """The blocks won by the side to move, those won by the other, and those won by neither but full."""
    game, side = position.game, position.side_to_move
    won = [[block for block, owner in enumerate(position.blocks) if owner is each] for each in (side, side.opponent)]
    with_empty = {game.block_of(cell) for cell, mark in enumerate(position.cells) if mark is None}
    full = [block for block, owner in enumerate(position.blocks) if owner is None and block not in with_empty]
    return won[0], won[1], full


def _supports(game: Game, words: int) -> list[tuple[list[int], list[tuple[int, list[int]]]]]:
    """Return what cells rest on: the first support of every cell, the second, and so on.

    Each is the set of the cells that lack one, and by distance the sets of the cells whose support is that far away.
    """
    if not game.has_gravity:
        return []
    found = []
    for rank in range(max(map(len, game.rests_on))):
        offsets: dict[int, list[int]] = {}
        for cell, below in enumerate(game.rests_on):
            if rank < len(below):
                offsets.setdefault(below[rank] - cell, []).append(cell)
        without = [cell for cell, below in enumerate(game.rests_on) if rank >= len(below)]
        found.append((constants(without, words), [(by, constants(cells, words)) for by, cells in offsets.items()]))
    return found


def _cleared(condition: Tensor, a: Words) -> list[Tensor]:
    return choose(condition, [0] * len(a), a)
