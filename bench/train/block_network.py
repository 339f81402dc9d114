"""Train the network of an Ultimate game on rows of self-play and write it as the core reads it.

``python -m bench.train.block_network ROWS... --out FILE [--side 4] [--seconds N]`` needs torch and numpy but not
noughts, and is much faster with a GPU. The meaning of the numbers is described in ``core/search/block_network.hpp``;
both files must agree.
"""

from __future__ import annotations

import argparse
import struct
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from bench.train.rows import UNKNOWN, Rows

FIRST, SECOND, LANES, HEAD = 64, 32, 32, 16
SCALE = 1 << 10
BRIGHTEST = 2047 / 512
DECIDED = 400_000
POWER = 2.5
BATCH = 16_384


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


class Positions:
    """All rows on the device: marks, owners, block to play, rules, score, result."""

    def __init__(self, side: int, paths: list[Path], device: torch.device) -> None:
        self.blocks = side * side
        raw = np.concatenate([Rows(path).rows for path in paths])
        raw = raw[np.random.default_rng(1).permutation(len(raw))]
        marks = torch.from_numpy(raw["marks"].copy()).to(device)
        self.marks = marks.reshape(-1, self.blocks, self.blocks)
        self.owner = torch.from_numpy(raw["owners"].copy()).to(device)
        sent = raw["sent"].astype(np.int64)
        self.sent = torch.from_numpy(np.where(sent < 0, self.blocks, sent)).to(device)
        self.rules = torch.from_numpy(raw["rules"].astype(np.int64)).to(device)
        self.score = torch.from_numpy(raw["score"].astype(np.float32)).to(device)
        self.result = torch.from_numpy(raw["result"].astype(np.float32)).to(device)

    def __len__(self) -> int:
        return len(self.score)


def fitted_spread(rows: Positions) -> float:
    """Return the spread for which ``sigmoid(score / spread)`` predicts the results best."""
    usable = (rows.score.abs() < DECIDED) & (rows.result != UNKNOWN)
    score, won = rows.score[usable], (rows.result[usable] + 1) / 2
    spreads = np.geomspace(200, 20_000, 60)
    losses = [nn.functional.binary_cross_entropy_with_logits(score / spread, won).item() for spread in spreads]
    return float(spreads[int(np.argmin(losses))])


class Net(nn.Module):
    """The network in floating point."""

    def __init__(self, blocks: int) -> None:
        super().__init__()
        self.blocks = blocks
        self.first = nn.Linear(2 * blocks, FIRST)
        self.second = nn.Linear(FIRST, SECOND)
        self.places = nn.Parameter(torch.randn(blocks, SECOND, LANES) * 0.1)
        self.forced = nn.Parameter(torch.randn(2, SECOND, LANES) * 0.1)
        self.decided = nn.Parameter(torch.randn(blocks, 3, LANES) * 0.1)
        self.sent = nn.Parameter(torch.randn(2, 2, blocks + 1, LANES) * 0.1 + 0.3)
        self.hidden = nn.Linear(2 * LANES, HEAD)
        self.last = nn.Linear(HEAD, 1)

    def sums(self, who: int, marks: Tensor, owner: Tensor, sent: Tensor, rules: Tensor) -> Tensor:
        """Return the accumulator of a position from the perspective of the side to move (0) or the other (1)."""
        own, other = (marks == 1 + who), (marks == 2 - who)
        code = torch.relu(self.second(torch.relu(self.first(torch.stack([own, other], 3).flatten(2).float()))))
        total = torch.einsum("nbc,bcl->nl", code * (owner == 0)[:, :, None], self.places)
        owners = torch.stack([owner == 1 + who, owner == 2 - who, owner == 3], 2).float()
        total = total + torch.einsum("nbo,bol->nl", owners, self.decided)
        there = sent.clamp(max=self.blocks - 1)[:, None, None].expand(-1, 1, SECOND)
        forced = torch.gather(code, 1, there)[:, 0] * (sent < self.blocks)[:, None]
        sends = self.sent[:, who].reshape(-1, LANES)[rules * (self.blocks + 1) + sent]
        return total + forced @ self.forced[who] + sends

    def forward(self, marks: Tensor, owner: Tensor, sent: Tensor, rules: Tensor) -> Tensor:
        """Return the logit of a win for the side to move."""
        own, other = (self.sums(who, marks, owner, sent, rules) for who in range(2))
        hidden = self.hidden(torch.cat([own, other], 1).clamp(0, BRIGHTEST)).clamp(0, BRIGHTEST)
        return self.last(hidden)[:, 0] + own[:, 0] - other[:, 0]

    def keep_in_range(self) -> None:
        """Clamp all parameters so that they fit in 16 bits and no sum in the core overflows."""
        with torch.no_grad():
            for name, value in self.named_parameters():
                limit = 3.9 if name in ("hidden.weight", "second.weight") else 12
                value.clamp_(-limit, limit)

    def write(self, path: Path, spread: float) -> None:
        """Write the parameters as 16-bit integers in the order the core reads them."""
        parts = [
            self.first.weight.T, self.first.bias, self.second.weight.T, self.second.bias, self.places, self.forced,
            self.decided, self.sent, self.hidden.weight, self.hidden.bias, self.last.weight, self.last.bias,
        ]  # fmt: skip
        header = b"NNN1" + struct.pack("<7i", self.blocks, self.blocks, round(spread), FIRST, SECOND, LANES, HEAD)
        numbers = torch.cat([part.detach().cpu().reshape(-1) for part in parts])
        path.write_bytes(header + (numbers * SCALE).round().to(torch.int16).numpy().astype("<i2").tobytes())


class TransformedRows:
    """Batches of rows, each transformed by one symmetry of the square."""

    def __init__(self, side: int, rows: Positions, device: torch.device) -> None:
        self.rows = rows
        self.where = torch.tensor(symmetries(side), device=device)

    def batch(self, chosen: Tensor, symmetry: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return the inputs of the network for the chosen rows."""
        rows, where = self.rows, self.where[symmetry]
        back = torch.argsort(where)
        onwards = torch.cat([where, where.new_tensor([rows.blocks])])
        marks = rows.marks[chosen][:, back][:, :, back]
        return marks, rows.owner[chosen][:, back], onwards[rows.sent[chosen]], rows.rules[chosen]


def train(side: int, rows: Positions, seconds: float, device: torch.device, out: Path) -> None:
    """Train for ``seconds`` with a decreasing learning rate, print the validation loss, and write the network."""
    torch.manual_seed(1)
    spread = fitted_spread(rows)
    target = torch.where(rows.score.abs() >= DECIDED, (rows.score > 0).float(), torch.sigmoid(rows.score / spread))
    held_back = min(len(rows) // 20, 60_000)
    net, transformed = Net(rows.blocks).to(device), TransformedRows(side, rows, device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=1e-4)

    def loss_of(chosen: Tensor, symmetry: int, power: float) -> Tensor:
        return (torch.sigmoid(net(*transformed.batch(chosen, symmetry))) - target[chosen]).abs().pow(power).mean()

    print(f"{len(rows)} rows, spread {spread:.0f}", flush=True)
    start, step, printed_at = time.monotonic(), 0, 0.0
    while (elapsed := time.monotonic() - start) < seconds:
        for group in optimizer.param_groups:
            group["lr"] = 1e-2 * (0.5 + 0.5 * np.cos(np.pi * elapsed / seconds)) * min(1, (step + 1) / 200) + 1e-6
        chosen = held_back + torch.randint(len(rows) - held_back, (BATCH,), device=device)
        optimizer.zero_grad(set_to_none=True)
        loss_of(chosen, int(torch.randint(8, ())), POWER).backward()
        optimizer.step()
        net.keep_in_range()
        step += 1
        if elapsed - printed_at > seconds / 20:
            printed_at = elapsed
            with torch.no_grad():
                error = loss_of(torch.arange(held_back, device=device), 0, 2).item()
                print(f"{elapsed:.0f} s, step {step}: validation loss {error:.6f}", flush=True)
    net.write(out, spread)
    with torch.no_grad():
        error = loss_of(torch.arange(held_back, device=device), 0, 2).item()
        print(f"step {step}, {step * BATCH / len(rows):.1f} passes: validation loss {error:.6f}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.train.block_network", description=__doc__)
    parser.add_argument("rows", nargs="+", type=Path)
    parser.add_argument("--side", type=int, default=3, help="blocks a side")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=240)
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train(options.side, Positions(options.side, options.rows, device), options.seconds, device, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
