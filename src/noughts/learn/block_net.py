"""The network of games with blocks, in floating point. Needs torch.

``core/search/block_network.hpp`` describes the meaning of the numbers; both files must agree.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn

from noughts.learn.block_parameters import SCALE, Parameters
from noughts.learn.labels import Labels
from noughts.learn.rows import Rows

__all__ = ["BlockNet"]

MAX_CODE = 32767 / SCALE
"""Units of the encoder are clipped to the range from 0 to this."""
MAX_LANE = 2047 / 512
"""Lanes and units of the head are clipped to the range from 0 to this."""
MAX_SUM = 1000.0
"""Sums of products in the core have 32 bits, in units of 2^-20, of which it keeps one free: 1024, less for rounding."""
MAX_TRAINED_PARAMETER = 12.0
"""Parameters up to 32 fit in the 16 bits of the file; training keeps well below."""
POWER = 2.5
"""The loss is the mean of the errors, as chances of a win, to this power."""
SYMMETRIES = 8


def symmetries(side: int) -> list[list[int]]:
    """Return the eight symmetries of the square, each as the image of every cell."""
    found = []
    for flip in (False, True):
        for turns in range(4):
            where = []
            for cell in range(side * side):
                row, column = divmod(cell, side)
                if flip:
                    column = side - 1 - column
                for _ in range(turns):
                    row, column = column, side - 1 - row
                where.append(row * side + column)
            found.append(where)
    return found


class BlockPositions:
    """The rows of a game on the device."""

    def __init__(self, rows: Rows, device: torch.device) -> None:
        self.labels, self.blocks, data = Labels(rows, device), rows.blocks, rows.rows
        self.marks = torch.from_numpy(data["marks"].copy()).to(device).reshape(len(data), self.blocks, -1)
        self.owner = torch.from_numpy(data["owners"].copy()).to(device)
        sent = data["sent"].astype(np.int64)
        self.sent = torch.from_numpy(np.where(sent < 0, self.blocks, sent)).to(device)
        self.rules = torch.from_numpy(data["rules"].astype(np.int64)).to(device)
        self.where = torch.tensor(symmetries(math.isqrt(self.blocks)), device=device)

    def inputs(self, chosen: Tensor, symmetry: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return the inputs of the network for the chosen rows, transformed by a symmetry of the square."""
        where = self.where[symmetry]
        back = torch.argsort(where)
        onwards = torch.cat([where, where.new_tensor([self.blocks])])
        marks = self.marks[chosen][:, back][:, :, back]
        return marks, self.owner[chosen][:, back], onwards[self.sent[chosen]], self.rules[chosen]


class BlockNet(nn.Module):
    """The network in floating point, from given parameters on."""

    result_share = 0.0
    weight_decay = 1e-4

    def __init__(self, start: Parameters, overestimates: float = 1.0) -> None:
        super().__init__()
        self.start, self.overestimates = start, overestimates
        self.layers = len(start.shape.encoder)
        self.arrays = nn.ParameterDict(
            {name: nn.Parameter(torch.from_numpy(array.copy())) for name, array in start.arrays.items()}
        )

    def prepare(self, rows: Rows, device: torch.device) -> BlockPositions:
        """Return rows as positions on the device."""
        return BlockPositions(rows, device)

    def sums(self, who: int, marks: Tensor, owner: Tensor, sent: Tensor, rules: Tensor) -> Tensor:
        """Return the accumulator of a position from the perspective of the side to move (0) or the other (1)."""
        arrays, blocks = self.arrays, self.start.blocks
        code = torch.stack([marks == 1 + who, marks == 2 - who], 3).flatten(2).float()
        for layer in range(self.layers):
            code = (code @ arrays[f"weights{layer}"] + arrays[f"bias{layer}"]).clamp(0, MAX_CODE)
        total = (code * (owner == 0)[:, :, None]).flatten(1) @ arrays["places"].flatten(0, 1)
        owners = torch.stack([owner == 1 + who, owner == 2 - who, owner == 3], 2).float()
        total = total + owners.flatten(1) @ arrays["decided"].flatten(0, 1)
        there = sent.clamp(max=blocks - 1)[:, None, None].expand(-1, 1, code.shape[2])
        forced = torch.gather(code, 1, there)[:, 0] * (sent < blocks)[:, None]
        sends = arrays["sent"][:, who].flatten(0, 1)[rules * (blocks + 1) + sent]
        return total + forced @ arrays["forced"][who] + sends

    def forward(self, marks: Tensor, owner: Tensor, sent: Tensor, rules: Tensor) -> Tensor:
        """Return the logit of a win for the side to move."""
        arrays = self.arrays
        own, other = (self.sums(who, marks, owner, sent, rules) for who in range(2))
        lanes = torch.cat([own, other], 1).clamp(0, MAX_LANE)
        units = (lanes @ arrays["head"].flatten(1).T + arrays["head_bias"]).clamp(0, MAX_LANE)
        return units @ arrays["last"] + arrays["last_bias"] + own[:, 0] - other[:, 0]

    def value(self, positions: BlockPositions, chosen: Tensor) -> Tensor:
        """Return the logit of a win for the side to move."""
        value: Tensor = self(*positions.inputs(chosen, 0))
        return value

    def loss(
        self, positions: BlockPositions, chosen: Tensor, target: Tensor, rounded: bool, random: torch.Generator
    ) -> Tensor:
        """Return the loss of the chosen rows, given their chances of a win; parameters are never rounded."""
        inputs = positions.inputs(chosen, int(torch.randint(SYMMETRIES, (), generator=random)))
        error = torch.sigmoid(self(*inputs)) - target
        weight = torch.where(error > 0, self.overestimates, 1.0)
        return (error.abs().pow(POWER) * weight).mean()

    def keep_in_range(self) -> None:
        """Clamp all parameters to ``MAX_TRAINED_PARAMETER``."""
        for value in self.arrays.values():
            value.data.clamp_(-MAX_TRAINED_PARAMETER, MAX_TRAINED_PARAMETER)

    def limit_sums(self) -> None:
        """Scale down weights with which a sum in the core could overflow, as its ``check_sums`` sees it."""
        arrays = {name: value.data for name, value in self.arrays.items()}
        pairs = arrays["weights0"].unflatten(0, (-1, 2))
        most = (arrays["bias0"] + pairs.amax(1).clamp(min=0).sum(0)).clamp(0, MAX_CODE)
        for layer in range(1, self.layers):
            weights = arrays[f"weights{layer}"]
            limit_columns(weights, most)
            most = (most @ weights.clamp(min=0) + arrays[f"bias{layer}"] + 0.01).clamp(0, MAX_CODE)
        for projections in (arrays["places"], arrays["forced"]):
            limit_columns(projections, most)
        reach = arrays["head"].abs().sum((1, 2), keepdim=True) * MAX_LANE
        arrays["head"].mul_((MAX_SUM / reach).clamp(max=1))

    def to_bytes(self, spread: float) -> bytes:
        """Return the network as the core reads it."""
        start = self.start
        arrays = {name: value.detach().cpu().numpy() for name, value in self.arrays.items()}
        return Parameters(start.shape, start.cells, start.blocks, spread, arrays).to_bytes()


def limit_columns(weights: Tensor, most: Tensor) -> None:
    """Scale down the columns of matrices that exceed the largest sum with inputs from 0 to ``most``."""
    reach = (most[:, None] * weights.abs()).sum(-2, keepdim=True)
    weights.mul_((MAX_SUM / reach).clamp(max=1))
