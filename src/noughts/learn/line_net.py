"""The network of games of one block, in floating point. Needs torch.

``core/search/line_network.hpp`` describes the meaning of the numbers; both files must agree.
"""

from __future__ import annotations

import struct
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, embedding_bag

from noughts.learn.labels import Labels
from noughts.learn.rows import Rows, Sight

__all__ = ["LineNet"]

HEAD = 32
MAGIC, HEADER = b"NNL1", struct.Struct("<4s2iQ4i")
VIEW_UNIT, VIEW_SHARE, UNIT = 128, 16, 256
SCALE = 1 << 10
MAX_VIEW, MAX_UNIT = 255 / VIEW_UNIT, 2047 / UNIT
LARGEST_ROW, LARGEST_VIEW, LARGEST_WEIGHT, LARGEST_OTHER = 15.9, 255.0, 2.0, 30.0
"""Limits on parameters, so that no sum in the core overflows."""
MAX_COUNTED_KINDS = 64
MOVE_SHARE = 0.03
NOT_A_MOVE = -100.0


class LinePositions:
    """The rows of a game on the device."""

    def __init__(self, rows: Rows, device: torch.device) -> None:
        self.labels = Labels(rows, device)
        self.cells, self.sight = rows.cells, rows.sight
        self.marks = torch.from_numpy(rows.rows["marks"].copy()).to(device)
        self.turn = torch.from_numpy(rows.rows["ply"].astype(np.int64) % 2).to(device)
        own, others, start = self.sight.own, self.sight.others, self.sight.start.T
        self._own, self._others, self._start = (
            torch.from_numpy(part.astype(np.float32)).to(device) for part in (own, others, start)
        )
        self._kind_of_state = torch.from_numpy(self.sight.kind_of_state.astype(np.int64)).to(device)

    def kinds(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """Return the kinds of all slots as the side to move and as the other side sees them: row, cell, slot."""
        first, second = ((self.marks[chosen] == number).float() for number in (1, 2))
        shape = (len(chosen), self.cells, self.sight.slots_of_cell)
        turn = self.turn[chosen]
        own = self._start[turn] + first @ self._own + second @ self._others
        others = self._start[1 - turn] + second @ self._own + first @ self._others
        return self._kind_of_state[own.long()].reshape(shape), self._kind_of_state[others.long()].reshape(shape)

    def counted_cells(self, chosen: Tensor, kinds: tuple[Tensor, Tensor]) -> Tensor:
        """Return which cells count: the empty ones, for strips only those that see a mark."""
        empty = self.marks[chosen] == 0
        if self.sight.fingerprint:
            return empty
        on_empty_board = self._kind_of_state[self._start[0].long()].reshape(1, self.cells, self.sight.slots_of_cell)
        changed = [(of_side != on_empty_board).any(2) for of_side in kinds]
        return empty & (changed[0] | changed[1])


class LineNet(nn.Module):
    """The network in floating point.

    For strips, the rows for kinds on an empty board are at most 0. So cells that see no mark add nothing to the sums,
    and boards of all sizes look alike.
    """

    result_share = 0.3
    weight_decay = 0.0

    def __init__(self, sight: Sight, lanes: int) -> None:
        super().__init__()
        self.sight, self.lanes = sight, lanes
        self.largest_row = min(LARGEST_ROW, LARGEST_VIEW / (2 * sight.slots_of_cell))
        self.rows = nn.Parameter(torch.randn(sight.kinds, 2 * lanes) * 0.1)
        self.moves = nn.Parameter(torch.randn(2 * lanes) * 0.1)
        self.hidden = nn.Linear(2 * lanes, HEAD)
        self.last = nn.Linear(HEAD, 1)
        self.kinds_on_empty_board = torch.from_numpy(np.unique(sight.kind_of_state[sight.start]).astype(np.int64))
        self.keep_in_range()

    @classmethod
    def of(cls, data: bytes, sight: Sight) -> Self:
        """Return the network of a file; raises ValueError."""
        *_, lanes, _, _ = HEADER.unpack_from(data)
        net = cls(sight, lanes)
        net.read(data)
        return net

    def prepare(self, rows: Rows, device: torch.device) -> LinePositions:
        """Return rows as positions on the device."""
        return LinePositions(rows, device)

    def forward(self, positions: LinePositions, chosen: Tensor, rounded: bool) -> tuple[Tensor, Tensor]:
        """Return the logit of a win for the side to move, and the logits of the moves to cells that count."""
        rows = self.rows
        if rounded:
            rows = rows + ((rows * VIEW_UNIT).round() / VIEW_UNIT - rows).detach()
        kinds = positions.kinds(chosen)
        counted_cells = positions.counted_cells(chosen, kinds)
        position, cell = counted_cells.nonzero(as_tuple=True)
        views = self._views([of_side[position, cell] for of_side in kinds], rows)
        sums = views.new_zeros(len(chosen), 2 * self.lanes).index_add(0, position, views)
        units = self.hidden(sums / VIEW_SHARE)
        units = torch.cat([units[:, :1], units[:, 1:].clamp(0, MAX_UNIT)], 1)
        moves = views.new_full(counted_cells.shape, NOT_A_MOVE).index_put((position, cell), views @ self.moves)
        return self.last(units)[:, 0], moves

    def _views(self, kinds: list[Tensor], rows: Tensor) -> Tensor:
        """Return the views of cells with these kinds of slots, first the own one, then the opponent's."""
        own, others = (self._sum_of_rows(of_side, rows) for of_side in kinds)
        seen = [own[:, : self.lanes] + others[:, self.lanes :], others[:, : self.lanes] + own[:, self.lanes :]]
        return torch.cat(seen, 1).clamp(0, MAX_VIEW)

    def _sum_of_rows(self, kinds: Tensor, rows: Tensor) -> Tensor:
        if len(rows) > MAX_COUNTED_KINDS:
            return embedding_bag(kinds, rows, mode="sum")
        # With few kinds, adding to the same gradients is slower than counting the kinds.
        counts = rows.new_zeros(len(kinds), len(rows))
        return counts.scatter_add_(1, kinds, torch.ones_like(kinds, dtype=rows.dtype)) @ rows

    def value(self, positions: LinePositions, chosen: Tensor) -> Tensor:
        """Return the logit of a win for the side to move, with parameters rounded as in the core."""
        value: Tensor = self(positions, chosen, True)[0]
        return value

    def loss(
        self, positions: LinePositions, chosen: Tensor, target: Tensor, rounded: bool, random: torch.Generator
    ) -> Tensor:
        """Return the loss of the chosen rows, given their chances of a win; moves to cells that count have a part."""
        value, moves = self(positions, chosen, rounded)
        best = positions.labels.move[chosen]
        counts = moves.detach().gather(1, best[:, None])[:, 0] > NOT_A_MOVE
        policy = cross_entropy(moves, best, reduction="none") * counts
        return binary_cross_entropy_with_logits(value, target) + MOVE_SHARE * policy.mean()

    def keep_in_range(self) -> None:
        """Clamp the rows for kinds on an empty board, and the parameters that could make sums in the core overflow."""
        with torch.no_grad():
            self.rows.clamp_(-self.largest_row, self.largest_row)
            if not self.sight.fingerprint:
                kinds = self.kinds_on_empty_board.to(self.rows.device)
                self.rows[kinds] = self.rows[kinds].clamp(max=0)
            self.hidden.weight.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
            for value in (self.hidden.bias, self.last.weight, self.last.bias, self.moves):
                value.clamp_(-LARGEST_OTHER, LARGEST_OTHER)

    def limit_sums(self) -> None:
        """Do nothing: ``keep_in_range`` is enough."""

    def _parts(self) -> list[tuple[nn.Parameter, int]]:
        """Return the parameters in the order the core reads them, each with the integer that stands for 1."""
        return [
            (self.rows, VIEW_UNIT), (self.moves, SCALE), (self.hidden.weight, SCALE), (self.hidden.bias, SCALE),
            (self.last.weight, SCALE), (self.last.bias, SCALE),
        ]  # fmt: skip

    def to_bytes(self, spread: float) -> bytes:
        """Return the network as the core reads it, with the parameters as 16-bit integers."""
        sight = self.sight
        numbers = (sight.length, sight.guarded, sight.fingerprint, len(self.rows), self.lanes, HEAD, round(spread))
        integers = torch.cat([(part.detach().cpu() * unit).round().reshape(-1) for part, unit in self._parts()])
        data: bytes = integers.to(torch.int16).numpy().astype("<i2").tobytes()
        return HEADER.pack(MAGIC, *numbers) + data

    def read(self, data: bytes) -> float:
        """Take the parameters from a network of the same shape and return its spread; raises ValueError."""
        magic, *_, kinds, lanes, head, spread = HEADER.unpack_from(data)
        if (magic, kinds, lanes, head) != (MAGIC, len(self.rows), self.lanes, HEAD):
            raise ValueError(f"expected a network with {self.lanes} lanes and {len(self.rows)} kinds")
        integers = np.frombuffer(data, "<i2", offset=HEADER.size).astype(np.float32)
        with torch.no_grad():
            for part, unit in self._parts():
                part.copy_(torch.from_numpy(integers[: part.numel()] / unit).reshape(part.shape))
                integers = integers[part.numel() :]
        return float(spread)
