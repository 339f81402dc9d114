"""``python -m bench.train.networks ROWS... --out FOLDER [--seconds N]``: networks trained on rows for a time.

``noughts train`` does all from self-play to a match; this trains on rows that were made elsewhere, such as by
``bench.train.self_play`` on a machine with a GPU. Needs torch and numpy, but not the compiled core. Files of several
games make one network that fits them all: boards with the same strips, or Ultimate with and without ``+count``. A
network is written for each number of lanes, or for games with blocks each shape: the units in each layer of the
encoder, the lanes, and the units of the head. With ``--warm`` training starts from a network, widened if the shape is
larger.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bench.results import ROOT, say

if TYPE_CHECKING:
    from noughts.learn.rows import Rows
    from noughts.learn.trainer import Net, Trainer

HELD_BACK, MAX_HELD_BACK = 0.05, 60_000
REPORTS = 8


def use_sources() -> None:
    """Let the modules of ``noughts.learn`` that need no core be imported where the package is not built."""
    try:
        import noughts._core  # noqa: F401
    except ImportError:
        package = ModuleType("noughts")
        package.__path__ = [str(ROOT / "src" / "noughts")]
        sys.modules["noughts"] = package


def nets_of(rows: Rows, options: argparse.Namespace) -> Iterator[tuple[str, Net[Any], float | None]]:
    """Yield the networks to train, each with its name and, if it starts from another one, the spread of its scores."""
    import numpy as np

    from noughts.learn.block_net import BlockNet
    from noughts.learn.block_parameters import NetShape, Parameters
    from noughts.learn.line_net import LineNet
    from noughts.learn.trainer import make_net

    name, warm = options.rows[0].name.split(".")[0], options.warm and options.warm.read_bytes()
    if rows.blocks == 1:
        for lanes in options.lanes:
            net = make_net(rows, 1, lanes)
            assert isinstance(net, LineNet)
            yield f"{name}-{lanes}", net, net.read(warm) if warm else None
        return
    for text in options.shapes:
        shape, random = NetShape.parse(text), np.random.default_rng(1)
        if warm:
            start = Parameters.read(warm).widen(shape, random)
        else:
            start = Parameters.random(shape, rows.cells // rows.blocks, rows.blocks, 1.0, random)
        spread = start.spread if warm else None
        yield f"{name}-{text.replace(':', '-')}", BlockNet(start, options.overestimates), spread


def train(trainer: Trainer, seconds: float) -> None:
    """Train for a time, and print the losses now and then."""
    began, printed = time.monotonic(), 0.0
    while (elapsed := time.monotonic() - began) < seconds:
        trainer.step(elapsed / seconds)
        if elapsed - printed > seconds / REPORTS:
            printed = elapsed
            report(trainer, f"{elapsed:.0f} s")
    report(trainer, f"{trainer.step_number * trainer.batch / trainer.rows:.1f} passes")


def report(trainer: Trainer, when: str) -> None:
    """Print the losses on the rows held back."""
    found = trainer.validate()
    say(
        f"{when}, step {found.step}: loss {found.loss:.4f} (the evaluation that played {found.played_loss:.4f}), "
        f"of results {found.result_loss:.4f} (the evaluation {found.played_result_loss:.4f}, "
        f"the search {found.search_result_loss:.4f})"
    )


def _shape_of(rows: Rows) -> tuple[int, ...]:
    """Return what games must share to be judged by one network; games with blocks may have different rules."""
    return (rows.blocks, rows.cells) if rows.blocks > 1 else (rows.blocks, *rows.sight[:5])


def main() -> None:
    use_sources()
    import torch

    from noughts.learn.rows import Rows
    from noughts.learn.trainer import Trainer

    parser = argparse.ArgumentParser(prog="python -m bench.train.networks", description=__doc__)
    parser.add_argument("rows", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the networks")
    parser.add_argument("--seconds", type=float, default=240, help="for all networks together")
    parser.add_argument("--lanes", nargs="+", type=int, default=[32])
    parser.add_argument("--shapes", nargs="+", default=["64-32:32:16"], metavar="ENCODER:LANES:UNITS")
    parser.add_argument("--batch", type=int, help="default: 4096, or 16384 in games with blocks")
    parser.add_argument("--rate", type=float, help="the highest learning rate; default: 0.005, with --warm 0.003")
    parser.add_argument("--warm", type=Path, metavar="NETWORK", help="the network that training starts from")
    parser.add_argument("--spread", type=float, help="of scores; default: that of --warm, or fitted to the rows")
    parser.add_argument(
        "--clear", type=float, default=1.0, help="drop rows whose result contradicts a chance of this, such as 0.75"
    )
    parser.add_argument("--results", type=float, metavar="SHARE", help="the weight of results in the target")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the rows")
    parser.add_argument("--overestimates", type=float, default=1.0, help="their weight in games with blocks")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    games = [rows for rows in (Rows.read([path]) for path in options.rows) if len(rows) > 0]
    if len({_shape_of(rows) for rows in games}) > 1:
        parser.error("expected rows of games that one network can fit")
    held_back = [rows.part(slice(min(int(len(rows) * HELD_BACK), MAX_HELD_BACK))) for rows in games]
    trained = [rows.part(slice(len(back), None)) for rows, back in zip(games, held_back, strict=True)]
    options.out.mkdir(parents=True, exist_ok=True)
    nets = list(nets_of(games[0], options))
    batch = options.batch or (4096 if games[0].blocks == 1 else 16_384)
    rate = options.rate or (0.003 if options.warm else 0.005)
    for name, net, spread in nets:
        if options.results is not None:
            net.result_share = options.results
        spread = options.spread or spread
        trainer = Trainer(net, trained, held_back, batch, rate, options.seed, device, spread, options.clear)
        say(f"{name}: {trainer.rows} of {sum(map(len, games))} rows, spread {trainer.spread:.0f}, {device}")
        train(trainer, options.seconds / len(nets))
        (options.out / f"{name}.net").write_bytes(trainer.to_bytes())
        say(str(options.out / f"{name}.net"))


if __name__ == "__main__":
    main()
