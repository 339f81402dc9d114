"""Train the network of a game of one block on rows of self-play.

``python -m bench.train.line_network ROWS... --out FOLDER [--lanes 32 16] [--seconds N]`` needs torch and numpy but not
noughts, and is much faster with a GPU. It writes a network for each number of lanes as the core reads it; with
``--warm NETWORK`` training starts from that one. The meaning of the numbers is described in
``core/search/line_network.hpp``; both files must agree.
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

from bench.train.rows import UNKNOWN, Rows, Sight

HEAD = 32
MAGIC, HEADER = b"NNL1", struct.Struct("<4s2iQ4i")
VIEW_UNIT, VIEW_SHARE, UNIT = 128, 16, 256
SCALE = 1 << 10
MAX_VIEW, MAX_UNIT = 255 / VIEW_UNIT, 2047 / UNIT
LARGEST_ROW, LARGEST_VIEW, LARGEST_WEIGHT = 15.9, 255.0, 2.0
"""Limits on parameters, so that no sum in the core overflows."""
MAX_COUNTED_KINDS = 64
RESULT_SHARE, MOVE_SHARE = 0.3, 0.03
HELD_BACK, MAX_HELD_BACK = 0.05, 40_000
ROUNDED_FROM = 0.6
"""The share of the time after which rows are rounded as in the core."""


class Positions:
    """The rows of a file on the device."""

    def __init__(self, rows: Rows, device: torch.device) -> None:
        self.sight, data = rows.sight, rows.rows
        self.cells = rows.cells
        self.marks = torch.from_numpy(data["marks"].copy()).to(device)
        self.turn = torch.from_numpy(data["ply"].astype(np.int64) % 2).to(device)
        self.move = torch.from_numpy(data["move"].astype(np.int64)).to(device)
        self.score = torch.from_numpy(data["score"].astype(np.float32)).to(device)
        self.evaluation = torch.from_numpy(data["evaluation"].astype(np.float32)).to(device)
        self.result = torch.from_numpy(data["result"].astype(np.float32)).to(device)
        self.count = len(rows)
        self.held_back = min(int(len(rows) * HELD_BACK), MAX_HELD_BACK)
        own, others, start = self.sight.own, self.sight.others, self.sight.start
        self._own, self._others = (torch.from_numpy(part.astype(np.float32)).to(device) for part in (own, others))
        self._start = torch.from_numpy(start.T.astype(np.float32)).to(device)
        self._kind_of_state = torch.from_numpy(self.sight.kind_of_state.astype(np.int64)).to(device)
        self.kinds_at_rest = self._kind_of_state[self._start.long()]

    def kinds(self, chosen: Tensor) -> tuple[Tensor, Tensor]:
        """Return the kinds of all slots as the side to move and as the other side sees them: row, cell, slot."""
        first, second = ((self.marks[chosen] == number).float() for number in (1, 2))
        shape = (len(chosen), self.cells, self.sight.slots_of_cell)
        turn = self.turn[chosen]
        own = self._start[turn] + first @ self._own + second @ self._others
        others = self._start[1 - turn] + second @ self._own + first @ self._others
        return self._kind_of_state[own.long()].reshape(shape), self._kind_of_state[others.long()].reshape(shape)

    def looks(self, chosen: Tensor, kinds: tuple[Tensor, Tensor]) -> Tensor:
        """Return which cells count: the empty ones, for strips only those that see a mark."""
        empty = self.marks[chosen] == 0
        if self.sight.fingerprint:
            return empty
        shape = (1, self.cells, self.sight.slots_of_cell)
        changed = [(of_side != self.kinds_at_rest[0].reshape(shape)).any(2) for of_side in kinds]
        return empty & (changed[0] | changed[1])

    def known(self, chosen: Tensor) -> Tensor:
        """Return those of the rows whose result is known."""
        return chosen[self.result[chosen] != UNKNOWN]


class Net(nn.Module):
    """The network in floating point.

    For strips, the rows for kinds on an empty board are at most 0. So cells that see no mark add nothing to the sums,
    and boards of all sizes look alike.
    """

    def __init__(self, sight: Sight, kinds_at_rest: Tensor, lanes: int) -> None:
        super().__init__()
        self.sight, self.lanes, self.kinds_at_rest = sight, lanes, kinds_at_rest
        self.largest_row = min(LARGEST_ROW, LARGEST_VIEW / (2 * sight.slots_of_cell))
        self.rows = nn.Parameter(torch.randn(sight.kinds, 2 * lanes) * 0.1)
        self.moves = nn.Parameter(torch.randn(2 * lanes) * 0.1)
        self.hidden = nn.Linear(2 * lanes, HEAD)
        self.last = nn.Linear(HEAD, 1)

    def forward(self, positions: Positions, chosen: Tensor, rounded: bool) -> tuple[Tensor, Tensor]:
        """Return the logit of a win for the side to move, and the logits of the moves to cells that count."""
        rows = self.rows
        if rounded:
            rows = rows + ((rows * VIEW_UNIT).round() / VIEW_UNIT - rows).detach()
        kinds = positions.kinds(chosen)
        looks = positions.looks(chosen, kinds)
        position, cell = looks.nonzero(as_tuple=True)
        views = self._views([of_side[position, cell] for of_side in kinds], rows)
        sums = views.new_zeros(len(chosen), 2 * self.lanes).index_add(0, position, views)
        units = self.hidden(sums / VIEW_SHARE)
        units = torch.cat([units[:, :1], units[:, 1:].clamp(0, MAX_UNIT)], 1)
        moves = views.new_full(looks.shape, -100.0).index_put((position, cell), views @ self.moves)
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

    def keep_in_range(self) -> None:
        """Clamp the rows at rest, and the parameters that could make sums in the core overflow."""
        with torch.no_grad():
            self.rows.clamp_(-self.largest_row, self.largest_row)
            if not self.sight.fingerprint:
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

    def write(self, path: Path, spread: float) -> None:
        """Write the parameters as 16-bit integers."""
        sight = self.sight
        numbers = (sight.length, sight.guarded, sight.fingerprint, len(self.rows), self.lanes, HEAD, round(spread))
        integers = torch.cat([(part.detach().cpu() * unit).round().reshape(-1) for part, unit in self.parts()])
        data = integers.to(torch.int16).numpy().astype("<i2").tobytes()
        path.write_bytes(HEADER.pack(MAGIC, *numbers) + data)

    def read(self, path: Path) -> None:
        """Take the parameters from a network of the same shape."""
        data = path.read_bytes()
        magic, *_, kinds, lanes, head, _spread = HEADER.unpack_from(data)
        if (magic, kinds, lanes, head) != (MAGIC, len(self.rows), self.lanes, HEAD):
            raise ValueError(f"expected a network with {self.lanes} lanes and {len(self.rows)} kinds, got {path}")
        integers = np.frombuffer(data, "<i2", offset=HEADER.size).astype(np.float32)
        with torch.no_grad():
            for part, unit in self.parts():
                part.copy_(torch.from_numpy(integers[: part.numel()] / unit).reshape(part.shape))
                integers = integers[part.numel() :]


def fitted_spread(score: Tensor, result: Tensor) -> float:
    """Return the spread for which ``sigmoid(score / spread)`` predicts the results best."""
    spreads = np.geomspace(50, 20_000, 60)
    won = (result + 1) / 2
    losses = [binary_cross_entropy_with_logits(score / spread, won).item() for spread in spreads]
    return float(spreads[int(np.argmin(losses))])


class Training:
    """One network, its rows, and the losses on them."""

    def __init__(self, files: list[Positions], lanes: int, spread: float, device: torch.device) -> None:
        torch.manual_seed(1)
        self.files, self.spread, self.device = files, spread, device
        at_rest = torch.cat([file.kinds_at_rest.reshape(-1) for file in files]).unique()
        self.net = Net(files[0].sight, at_rest, lanes).to(device)
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
    parser = argparse.ArgumentParser(prog="python -m bench.train.line_network", description=__doc__)
    parser.add_argument("rows", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the networks")
    parser.add_argument("--lanes", nargs="+", type=int, default=[32])
    parser.add_argument("--seconds", type=float, default=120, help="for all networks together")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=5e-3)
    parser.add_argument("--spread", type=float, help="of the scores in the file, by default that of the rows")
    parser.add_argument("--warm", type=Path, metavar="NETWORK", help="the network that training starts from")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    files = [rows for rows in map(Rows, options.rows) if len(rows) > 0]
    first = files[0]
    if any(rows.sight[:5] != first.sight[:5] or not rows.sight.kinds for rows in files):
        parser.error("expected rows of one game, or of games with the same strips")
    start = time.monotonic()
    positions = [Positions(rows, device) for rows in files]
    scores = torch.cat([one.score[one.result != UNKNOWN] for one in positions])
    spread = fitted_spread(scores, torch.cat([one.result[one.result != UNKNOWN] for one in positions]))
    print(f"{sum(map(len, files))} rows in {time.monotonic() - start:.0f} s, spread {spread:.0f}, {device}", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    for lanes in options.lanes:
        training = Training(positions, lanes, spread, device)
        if options.warm:
            training.net.read(options.warm)
            print(f"{options.warm}: {training.validate()}", flush=True)
        training.run(options.seconds / len(options.lanes), options.batch, options.rate)
        path = options.out / f"{options.rows[0].name.split('.')[0]}-{lanes}.net"
        training.net.write(path, options.spread or training.spread)
        print(path, flush=True)


if __name__ == "__main__":
    main()
