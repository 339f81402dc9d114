"""Train the network of games whose lines chain up into strips on rows of self-play.

``python -m bench.train.strip_network ROWS... --out FOLDER [--lanes 32 16] [--seconds N]`` needs torch and numpy but not
noughts, and is much faster with a GPU. It writes a network for each number of lanes as the core reads it; with
``--warm NETWORK`` training starts from that one. The meaning of the numbers is described in
``core/search/strip_network.hpp``; both files must agree.
"""

from __future__ import annotations

import argparse
import struct
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, embedding_bag

from bench.train.rows import UNKNOWN, Rows

HEAD = 32
MAGIC, HEADER = b"NNS1", struct.Struct("<4s6i")
VIEW_UNIT, VIEW_SHARE, UNIT = 128, 16, 256
SCALE = 1 << 10
MAX_VIEW, MAX_UNIT = 255 / VIEW_UNIT, 2047 / UNIT
LARGEST_ROW, LARGEST_WEIGHT = 15.9, 2.0
"""Limits on parameters, so that no sum in the core overflows."""
RESULT_SHARE, MOVE_SHARE = 0.3, 0.03
HELD_BACK, MAX_HELD_BACK = 0.05, 40_000
ROUNDED_FROM = 0.6
"""The share of the time after which rows are rounded as in the core."""


class Positions:
    """The rows of a file on the device, with the kind of the surroundings in each slot as either side sees them."""

    def __init__(self, rows: Rows, device: torch.device) -> None:
        self.cells, self.strips = rows.cells, rows.strips
        data = rows.rows
        marks = torch.from_numpy(data["marks"].copy()).to(device)
        self.is_empty = marks == 0
        own, others = (0, 1, 2, 2), (0, 2, 1, 2)
        self.kinds = [self._kinds(rows, marks, digits) for digits in (own, others)]
        at_rest = self._kinds(rows, marks[:1] * 0, own)
        self.kinds_at_rest = at_rest.unique().long()
        # Empty cells that see a mark.
        shape = (-1, rows.cells, rows.strips)
        changed = [(kinds != at_rest).reshape(shape).any(2) for kinds in self.kinds]
        self.is_near = self.is_empty & (changed[0] | changed[1])
        self.move = torch.from_numpy(data["move"].astype(np.int64)).to(device)
        self.score = torch.from_numpy(data["score"].astype(np.float32)).to(device)
        self.evaluation = torch.from_numpy(data["evaluation"].astype(np.float32)).to(device)
        self.result = torch.from_numpy(data["result"].astype(np.float32)).to(device)
        self.count = len(rows)
        self.held_back = min(int(len(rows) * HELD_BACK), MAX_HELD_BACK)

    @staticmethod
    def _kinds(rows: Rows, marks: Tensor, digits: tuple[int, ...]) -> Tensor:
        """Return the kinds where own, others' and outside cells count as the given digits."""
        seen = torch.from_numpy(rows.seen.astype(np.int64)).to(marks.device) % (rows.cells + 1)
        kinds = torch.from_numpy(rows.kinds.copy()).to(marks.device)
        digit_of = torch.tensor(digits, device=marks.device, dtype=torch.int32)
        parts = []
        for part in marks.split(8192):
            outside = part.new_full((len(part), 1), 3)
            state = digit_of[torch.cat([part, outside], 1).int()]
            number = sum(state[:, seen[:, digit]] * 3**digit for digit in range(rows.digits))
            parts.append(kinds[number])
        return torch.cat(parts)

    def known(self, chosen: Tensor) -> Tensor:
        """Return those of the rows whose result is known."""
        return chosen[self.result[chosen] != UNKNOWN]


class Net(nn.Module):
    """The network in floating point.

    The rows for kinds of surroundings on an empty board are at most 0. So cells that see no mark add nothing to the
    sums, and boards of all sizes look alike.
    """

    def __init__(self, kinds: int, kinds_at_rest: Tensor, lanes: int) -> None:
        super().__init__()
        self.lanes, self.kinds_at_rest = lanes, kinds_at_rest
        self.rows = nn.Parameter(torch.randn(kinds, 2 * lanes) * 0.1)
        self.moves = nn.Parameter(torch.randn(2 * lanes) * 0.1)
        self.hidden = nn.Linear(2 * lanes, HEAD)
        self.last = nn.Linear(HEAD, 1)

    def forward(self, positions: Positions, chosen: Tensor, rounded: bool) -> tuple[Tensor, Tensor]:
        """Return the logit of a win for the side to move, and the logits of the moves to cells that see a mark."""
        rows = self.rows
        if rounded:
            rows = rows + ((rows * VIEW_UNIT).round() / VIEW_UNIT - rows).detach()
        near = positions.is_near[chosen]
        position, cell = near.nonzero(as_tuple=True)
        shape = (-1, positions.cells, positions.strips)
        views = self._views([kinds.reshape(shape)[chosen[position], cell] for kinds in positions.kinds], rows)
        sums = views.new_zeros(len(chosen), 2 * self.lanes).index_add(0, position, views)
        units = self.hidden(sums / VIEW_SHARE)
        units = torch.cat([units[:, :1], units[:, 1:].clamp(0, MAX_UNIT)], 1)
        moves = views.new_full(near.shape, -100.0).index_put((position, cell), views @ self.moves)
        return self.last(units)[:, 0], moves

    def _views(self, kinds: list[Tensor], rows: Tensor) -> Tensor:
        """Return the views of cells with these kinds of surroundings, first the own one, then the opponent's."""
        own, others = (embedding_bag(of_side.int(), rows, mode="sum") for of_side in kinds)
        seen = [own[:, : self.lanes] + others[:, self.lanes :], others[:, : self.lanes] + own[:, self.lanes :]]
        return torch.cat(seen, 1).clamp(0, MAX_VIEW)

    def keep_in_range(self) -> None:
        """Clamp the rows at rest, and the parameters that could make sums in the core overflow."""
        with torch.no_grad():
            self.rows.clamp_(-LARGEST_ROW, LARGEST_ROW)
            self.rows[self.kinds_at_rest] = self.rows[self.kinds_at_rest].clamp(max=0)
            self.hidden.weight.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
            for value in (self.hidden.bias, self.last.weight, self.last.bias, self.moves):
                value.clamp_(-30, 30)

    def parts(self) -> list[tuple[nn.Parameter, int]]:
        """Return the parameters in the order the core reads them, each with the integer that stands for 1."""
        return [
            (self.rows, VIEW_UNIT), (self.moves, SCALE), (self.hidden.weight, SCALE), (self.hidden.bias, SCALE),
            (self.last.weight, SCALE), (self.last.bias, SCALE),
        ]  # fmt: skip

    def write(self, path: Path, rows: Rows, spread: float) -> None:
        """Write the parameters as 16-bit integers."""
        numbers = (rows.length, rows.guarded, len(self.rows), self.lanes, HEAD, round(spread))
        integers = torch.cat([(part.detach().cpu() * unit).round().reshape(-1) for part, unit in self.parts()])
        data = integers.to(torch.int16).numpy().astype("<i2").tobytes()
        path.write_bytes(HEADER.pack(MAGIC, *numbers) + data)

    def read(self, path: Path) -> float:
        """Take the parameters from a network of the same shape and return its spread."""
        data = path.read_bytes()
        magic, *_, kinds, lanes, head, spread = HEADER.unpack_from(data)
        if (magic, kinds, lanes, head) != (MAGIC, len(self.rows), self.lanes, HEAD):
            raise ValueError(f"expected a network with {self.lanes} lanes and {len(self.rows)} kinds, got {path}")
        integers = np.frombuffer(data, "<i2", offset=HEADER.size).astype(np.float32)
        with torch.no_grad():
            for part, unit in self.parts():
                part.copy_(torch.from_numpy(integers[: part.numel()] / unit).reshape(part.shape))
                integers = integers[part.numel() :]
        return float(spread)


def fitted_spread(score: Tensor, result: Tensor) -> float:
    """Return the spread for which ``sigmoid(score / spread)`` predicts the results best."""
    spreads = np.geomspace(50, 20_000, 60)
    won = (result + 1) / 2
    losses = [binary_cross_entropy_with_logits(score / spread, won).item() for spread in spreads]
    return float(spreads[int(np.argmin(losses))])


class Training:
    """One network, its rows, and the losses on them."""

    def __init__(self, files: list[Positions], kinds: int, lanes: int, spread: float, device: torch.device) -> None:
        torch.manual_seed(1)
        self.files, self.spread, self.device = files, spread, device
        self.net = Net(kinds, torch.cat([file.kinds_at_rest for file in files]).unique(), lanes).to(device)
        self.net.keep_in_range()
        self.random = np.random.default_rng(1)

    def target(self, positions: Positions, chosen: Tensor) -> Tensor:
        """Return the probability of a win: the search's, mixed with the result where it is known."""
        searched = torch.sigmoid(positions.score[chosen] / self.spread)
        result = positions.result[chosen]
        mixed = (1 - RESULT_SHARE) * searched + RESULT_SHARE * (result + 1) / 2
        return torch.where(result == UNKNOWN, searched, mixed)

    def loss(self, batch: int, rounded: bool) -> Tensor:
        """Return the loss of random rows of a random file."""
        sizes = np.array([positions.count for positions in self.files], dtype=float)
        positions = self.files[int(self.random.choice(len(self.files), p=sizes / sizes.sum()))]
        chosen = torch.randint(positions.held_back, positions.count, (batch,), device=self.device)
        value, moves = self.net(positions, chosen, rounded)
        loss = binary_cross_entropy_with_logits(value, self.target(positions, chosen))
        return loss + MOVE_SHARE * cross_entropy(moves, positions.move[chosen])

    def validate(self) -> str:
        """Return the losses on the rows held back, beside those of the evaluation that the rows were made with."""
        reports = []
        for positions in self.files:
            held_back = torch.arange(positions.held_back, device=self.device)
            with torch.no_grad():
                results = [self.net(positions, part, True) for part in held_back.split(1024)]
            value, moves = (torch.cat(parts) for parts in zip(*results, strict=True))
            known = positions.known(held_back)
            won = (positions.result[known] + 1) / 2
            everything = positions.known(torch.arange(positions.count, device=self.device))
            old = positions.evaluation / fitted_spread(positions.evaluation[everything], positions.result[everything])
            target = self.target(positions, held_back)
            first = (moves.argmax(1) == positions.move[held_back]).float().mean().item()
            reports.append(
                f"loss {_loss(value, target):.4f} (old evaluation {_loss(old[held_back], target):.4f}), of results "
                f"{_loss(value[known], won):.4f} (old evaluation {_loss(old[known], won):.4f}, search "
                f"{_loss(positions.score[known] / self.spread, won):.4f}), first move right {first:.1%}"
            )
        return "; ".join(reports)

    def run(self, seconds: float, batch: int, rate: float) -> None:
        """Train for a time with a decreasing learning rate."""
        optimizer = torch.optim.Adam(self.net.parameters(), lr=rate)
        start, step, printed_at = time.monotonic(), 0, 0.0
        while (elapsed := time.monotonic() - start) < seconds:
            share = elapsed / seconds
            for group in optimizer.param_groups:
                group["lr"] = rate * (0.5 + 0.5 * np.cos(np.pi * share)) * min(1, (step + 1) / 100) + 1e-6
            optimizer.zero_grad(set_to_none=True)
            self.loss(batch, share > ROUNDED_FROM).backward()
            optimizer.step()
            self.net.keep_in_range()
            step += 1
            if elapsed - printed_at > seconds / 8:
                printed_at = elapsed
                print(f"{elapsed:.0f} s, step {step}: {self.validate()}", flush=True)
        passes = step * batch / sum(positions.count for positions in self.files)
        print(f"step {step}, {passes:.1f} passes: {self.validate()}", flush=True)


def _loss(value: Tensor, target: Tensor) -> float:
    loss: float = binary_cross_entropy_with_logits(value, target).item()
    return loss


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.train.strip_network", description=__doc__)
    parser.add_argument("rows", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the networks")
    parser.add_argument("--lanes", nargs="+", type=int, default=[32])
    parser.add_argument("--seconds", type=float, default=120, help="for all networks together")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=5e-3)
    parser.add_argument("--warm", type=Path, metavar="NETWORK", help="the network that training starts from")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    files = [rows for rows in map(Rows, options.rows) if len(rows) > 0]
    first = files[0]
    if any((rows.length, rows.guarded) != (first.length, first.guarded) or not rows.strips for rows in files):
        parser.error("expected rows of games whose lines have the same length and guards and chain up")
    start = time.monotonic()
    positions = [Positions(rows, device) for rows in files]
    scores = torch.cat([one.score[one.result != UNKNOWN] for one in positions])
    spread = fitted_spread(scores, torch.cat([one.result[one.result != UNKNOWN] for one in positions]))
    print(f"{sum(map(len, files))} rows in {time.monotonic() - start:.0f} s, spread {spread:.0f}, {device}", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    for lanes in options.lanes:
        training = Training(positions, int(first.kinds.max()) + 1, lanes, spread, device)
        if options.warm:
            training.spread = training.net.read(options.warm)
            print(f"{options.warm}: {training.validate()}", flush=True)
        training.run(options.seconds / len(options.lanes), options.batch, options.rate)
        path = options.out / f"strips{first.length}{'exact' if first.guarded else ''}-{lanes}.net"
        training.net.write(path, first, training.spread)
        print(path, flush=True)


if __name__ == "__main__":
    main()
