"""Train networks of an Ultimate game on rows of self-play and write them as the core reads them.

``python -m bench.train.block_network ROWS... --out FOLDER [--shapes 64-32:32:16 128-128-32:64:16] [--seconds N]`` needs
torch and numpy but not noughts, and is much faster with a GPU. It writes a network for each shape: the units in each
layer of the encoder, the lanes, and the units of the head. With ``--warm NETWORK`` training starts from that network,
widened where the shape is larger.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from bench.train.block_parameters import SCALE, Parameters, Shape
from bench.train.rows import UNKNOWN, Rows

MAX_CODE = 32767 / SCALE
"""Units of the encoder are clipped to the range from 0 to this."""
BRIGHTEST = 2047 / 512
"""Lanes and units of the head are clipped to the range from 0 to this."""
MAX_SUM = 1000.0
"""Sums of products in the core have 32 bits, in units of 2^-20, of which it keeps one free: 1024, less for rounding."""
LARGEST = 12.0
DECIDED = 400_000
POWER = 2.5
SYMMETRIES = 8
HELD_BACK, MAX_HELD_BACK = 0.05, 60_000
CHECKED_EVERY = 20
"""Steps between corrections of parameters that could make sums in the core overflow."""


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
    """All rows on the device, in random order: marks, owners, block to play, rules, score, evaluation, result."""

    def __init__(self, files: list[Rows], device: torch.device) -> None:
        self.blocks = files[0].blocks
        raw = np.concatenate([rows.rows for rows in files])
        raw = raw[np.random.default_rng(1).permutation(len(raw))]
        self.marks = torch.from_numpy(raw["marks"].copy()).to(device).reshape(len(raw), self.blocks, -1)
        self.owner = torch.from_numpy(raw["owners"].copy()).to(device)
        sent = raw["sent"].astype(np.int64)
        self.sent = torch.from_numpy(np.where(sent < 0, self.blocks, sent)).to(device)
        self.rules = torch.from_numpy(raw["rules"].astype(np.int64)).to(device)
        self.score, self.evaluation, self.result = (
            torch.from_numpy(raw[name].astype(np.float32)).to(device) for name in ("score", "evaluation", "result")
        )
        self.where = torch.tensor(symmetries(math.isqrt(self.blocks)), device=device)

    def __len__(self) -> int:
        return len(self.score)

    def inputs(self, chosen: Tensor, symmetry: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return the inputs of the network for the chosen rows, transformed by a symmetry of the square."""
        where = self.where[symmetry]
        back = torch.argsort(where)
        onwards = torch.cat([where, where.new_tensor([self.blocks])])
        marks = self.marks[chosen][:, back][:, :, back]
        return marks, self.owner[chosen][:, back], onwards[self.sent[chosen]], self.rules[chosen]

    def fitted_spread(self) -> float:
        """Return the spread for which ``sigmoid(score / spread)`` predicts the results best."""
        usable = (self.score.abs() < DECIDED) & (self.result != UNKNOWN)
        score, won = self.score[usable], (self.result[usable] + 1) / 2
        spreads = np.geomspace(200, 20_000, 60)
        losses = [nn.functional.binary_cross_entropy_with_logits(score / spread, won).item() for spread in spreads]
        return float(spreads[int(np.argmin(losses))])

    def target(self, spread: float) -> Tensor:
        """Return the chance of a win of each row, by its score."""
        return torch.where(self.score.abs() >= DECIDED, (self.score > 0).float(), torch.sigmoid(self.score / spread))

    def agrees(self, spread: float, clear: float) -> Tensor:
        """Return whether the result of a row does not contradict a chance of ``clear`` or more for one side.

        Scores of decided positions are proven, so their results do not count.
        """
        chance = self.target(spread)
        contradicts = ((chance >= clear) & (self.result == -1)) | ((chance <= 1 - clear) & (self.result == 1))
        return ~contradicts | (self.score.abs() >= DECIDED)


class Net(nn.Module):
    """The network in floating point."""

    def __init__(self, start: Parameters) -> None:
        super().__init__()
        self.start = start
        self.layers = len(start.shape.encoder)
        self.arrays = nn.ParameterDict(
            {name: nn.Parameter(torch.from_numpy(array.copy())) for name, array in start.arrays.items()}
        )

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
        lanes = torch.cat([own, other], 1).clamp(0, BRIGHTEST)
        units = (lanes @ arrays["head"].flatten(1).T + arrays["head_bias"]).clamp(0, BRIGHTEST)
        return units @ arrays["last"] + arrays["last_bias"] + own[:, 0] - other[:, 0]

    def keep_in_range(self) -> None:
        """Clamp all parameters so that they fit in 16 bits."""
        for value in self.arrays.values():
            value.data.clamp_(-LARGEST, LARGEST)

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
        reach = arrays["head"].abs().sum((1, 2), keepdim=True) * BRIGHTEST
        arrays["head"].mul_((MAX_SUM / reach).clamp(max=1))

    def parameters_now(self) -> Parameters:
        """Return the parameters as they are now."""
        start = self.start
        arrays = {name: value.detach().cpu().numpy() for name, value in self.arrays.items()}
        return Parameters(start.shape, start.cells, start.blocks, start.spread, arrays)


def limit_columns(weights: Tensor, most: Tensor) -> None:
    """Scale down the columns of matrices that exceed the largest sum with inputs from 0 to ``most``."""
    reach = (most[:, None] * weights.abs()).sum(-2, keepdim=True)
    weights.mul_((MAX_SUM / reach).clamp(max=1))


class Training:
    """One network, its rows, and the losses on them; the rows held back are not trained on."""

    def __init__(self, rows: Positions, start: Parameters, clear: float, overestimates: float) -> None:
        device = rows.score.device
        self.rows, self.overestimates = rows, overestimates
        self.net = Net(start).to(device)
        self.target = rows.target(start.spread)
        count = min(int(len(rows) * HELD_BACK), MAX_HELD_BACK)
        agree = rows.agrees(start.spread, clear).nonzero()[:, 0]
        self.held_back, self.used = agree[:count], agree[count:]
        print(f"{start.shape}: {len(agree)} of {len(rows)} rows, spread {start.spread:.0f}", flush=True)

    def loss(self, batch: int) -> Tensor:
        """Return the loss of random rows."""
        chosen = self.used[torch.randint(len(self.used), (batch,), device=self.used.device)]
        inputs = self.rows.inputs(chosen, int(torch.randint(SYMMETRIES, ())))
        error = torch.sigmoid(self.net(*inputs)) - self.target[chosen]
        weight = torch.where(error > 0, self.overestimates, 1.0)
        return (error.abs().pow(POWER) * weight).mean()

    def validate(self) -> str:
        """Return the mean squared error on the rows held back, beside that of the evaluation that played."""
        with torch.no_grad():
            chances = [torch.sigmoid(self.net(*self.rows.inputs(part, 0))) for part in self.held_back.split(8192)]
        target = self.target[self.held_back]
        error = (torch.cat(chances) - target).square().mean().item()
        played = torch.sigmoid(self.rows.evaluation[self.held_back] / self.net.start.spread)
        return f"validation loss {error:.6f} (that of the players {(played - target).square().mean().item():.6f})"

    def run(self, seconds: float, batch: int, rate: float) -> None:
        """Train for a time with a decreasing learning rate."""
        arrays = list(self.net.parameters())
        optimizer = torch.optim.AdamW(arrays, lr=rate, weight_decay=1e-4, fused=arrays[0].is_cuda)
        start, step, printed_at = time.monotonic(), 0, 0.0
        print(f"0 s: {self.validate()}", flush=True)
        while (elapsed := time.monotonic() - start) < seconds:
            for group in optimizer.param_groups:
                group["lr"] = rate * (0.5 + 0.5 * np.cos(np.pi * elapsed / seconds)) * min(1, (step + 1) / 200) + 1e-6
            optimizer.zero_grad(set_to_none=True)
            self.loss(batch).backward()
            optimizer.step()
            self.net.keep_in_range()
            if step % CHECKED_EVERY == 0:
                self.net.limit_sums()
            step += 1
            if elapsed - printed_at > seconds / 8:
                printed_at = elapsed
                print(f"{elapsed:.0f} s, step {step}: {self.validate()}", flush=True)
        self.net.limit_sums()
        print(f"step {step}, {step * batch / len(self.used):.1f} passes: {self.validate()}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.train.block_network", description=__doc__)
    parser.add_argument("rows", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the networks")
    parser.add_argument("--shapes", nargs="+", type=Shape.parse, default=[Shape()], metavar="ENCODER:LANES:UNITS")
    parser.add_argument("--seconds", type=float, default=240, help="for all networks together")
    parser.add_argument("--batch", type=int, default=16_384)
    parser.add_argument("--rate", type=float, help="learning rate (default 0.01, or 0.003 with --warm)")
    parser.add_argument("--warm", type=Path, metavar="NETWORK", help="the network that training starts from")
    parser.add_argument(
        "--clear", type=float, default=0.75, help="drop rows whose result contradicts a chance of this or more"
    )
    parser.add_argument("--overestimates", type=float, default=1.0, metavar="WEIGHT", help="such as 1.2")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(1)
    began = time.monotonic()
    files = [rows for rows in map(Rows, options.rows) if len(rows) > 0]
    rows, cells = Positions(files, device), files[0].cells // files[0].blocks
    print(f"{len(rows)} rows in {time.monotonic() - began:.0f} s, {device}", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    warm = Parameters.read(options.warm.read_bytes()) if options.warm else None
    spread = rows.fitted_spread()
    for shape in options.shapes:
        start = warm.widened(shape, random) if warm else Parameters.random(shape, cells, rows.blocks, spread, random)
        training = Training(rows, start, options.clear, options.overestimates)
        rate = options.rate or (0.003 if warm else 0.01)
        training.run(options.seconds / len(options.shapes), options.batch, rate)
        path = options.out / f"ultimate{math.isqrt(rows.blocks)}-{str(shape).replace(':', '-')}.net"
        path.write_bytes(training.net.parameters_now().to_bytes())
        print(path, flush=True)


if __name__ == "__main__":
    main()
