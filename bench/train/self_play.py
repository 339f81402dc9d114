"""``python -m bench.train.self_play FILE... [--seconds N] [--nodes N]``: rows of self-play for a trainer.

The files describe games, see ``bench/train/describe.py``. Compiles the self-play program from the sources of the core
and runs it on all processors; needs CMake and a compiler, but not noughts. The rows are written beside the files.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.results import OUT, ROOT, say

FOLDER = OUT / "train"


def build() -> Path:
    """Compile the self-play program with CMake and return its path."""
    folder = FOLDER / "build"
    options = ["-DNOUGHTS_SELF_PLAY=ON", "-DNOUGHTS_PYTHON=OFF", "-DNOUGHTS_NATIVE=ON"]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    _cmake("-S", str(ROOT), "-B", str(folder), *generator, *options)
    _cmake("--build", str(folder), "--target", "self_play", "--parallel", str(os.cpu_count() or 1))
    return folder / "self_play"


def _cmake(*words: str) -> None:
    subprocess.run(["cmake", *words], check=True, stdout=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.train.self_play", description=__doc__)
    parser.add_argument("games", nargs="+", type=Path, help="descriptions of games")
    parser.add_argument("--seconds", type=int, default=300, help="for all games together")
    parser.add_argument("--nodes", type=int, default=5000, help="nodes per move")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scope", choices=["game", "strips"], default="game", help="of the network to be trained")
    parser.add_argument(
        "--deep", type=int, default=0, metavar="NODES", help="lasting playthroughs; nodes for refuted positions"
    )
    parser.add_argument("--network", help="a network that replaces the evaluation of the games")
    parser.add_argument("--opponents", nargs="+", default=[], help="networks to play against, or - for the weights")
    options = parser.parse_args()
    program = build()
    for game in options.games:
        rows = game.with_suffix(f".{options.seed}.rows")
        numbers = (options.seconds // len(options.games), options.nodes, options.threads, options.seed)
        networks = [options.network, *options.opponents] if options.network else []
        say(f"{rows} ...")
        subprocess.run(
            [program, game, *map(str, numbers), rows, options.scope, str(options.deep), *networks], check=True
        )


if __name__ == "__main__":
    main()
