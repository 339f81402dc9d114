"""``python -m bench.train.self_play FILE... [--seconds N] [--nodes N]``: rows of self-play for a trainer.

The files describe games, see ``bench/train/describe.py``. Compiles the self-play program from the sources of the core
and runs it on all processors; needs a compiler, but not noughts. The rows are written beside the files.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.results import OUT, ROOT, say

FOLDER = OUT / "train"


def build() -> Path:
    """Compile the self-play program and return its path."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    sources = [path for path in sorted((ROOT / "core").glob("*/*.cpp")) if path.parent.name not in ("python", "tests")]
    sources.append(Path(__file__).parent / "selfplay.cpp")
    objects = [FOLDER / f"{path.stem}.o" for path in sources]
    compiler = os.environ.get("CXX", "c++")
    flags = ["-std=c++20", "-O3", "-march=native", "-DNDEBUG", f"-I{ROOT / 'core'}"]

    def compile_one(source: Path, target: Path) -> None:
        subprocess.run([compiler, *flags, "-c", str(source), "-o", str(target)], check=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, sources, objects))
    program = FOLDER / "selfplay"
    subprocess.run([compiler, *map(str, objects), "-pthread", "-o", str(program)], check=True)
    return program


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.train.self_play", description=__doc__)
    parser.add_argument("games", nargs="+", type=Path, help="descriptions of games")
    parser.add_argument("--seconds", type=int, default=300, help="for all games together")
    parser.add_argument("--nodes", type=int, default=5000, help="nodes per move")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scope", choices=["game", "strips"], default="game", help="of the network to be trained")
    parser.add_argument("--network", help="a network that replaces the evaluation of the games")
    options = parser.parse_args()
    program = build()
    for game in options.games:
        rows = game.with_suffix(f".{options.seed}.rows")
        numbers = (options.seconds // len(options.games), options.nodes, options.threads, options.seed)
        network = [options.network] if options.network else []
        say(f"{rows} ...")
        subprocess.run([program, game, *map(str, numbers), rows, options.scope, *network], check=True)


if __name__ == "__main__":
    main()
