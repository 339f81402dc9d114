"""``python -m bench.train.self_play GAME [--seconds N] [--nodes N]``: rows of self-play for ``bench/train/network.py``.

Compiles the self-play program from the sources of the core, runs it on each processor, and prints the training command.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from bench.results import OUT, ROOT, say
from noughts.games.evaluation import FILES, ultimate_weights
from noughts.games.spec import UltimateSpec, parse_id

HERE = Path(__file__).parent
FOLDER = OUT / "network"


def build() -> Path:
    """Compile the self-play program and return its path."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    sources = [path for path in sorted((ROOT / "core").glob("*/*.cpp")) if path.parent.name not in ("python", "tests")]
    program = FOLDER / "selfplay"
    includes = [f"-I{ROOT / 'core'}", f"-I{ROOT / 'core' / 'tests'}"]
    files = [*sources, ROOT / "core" / "tests" / "boards.cpp", HERE / "selfplay.cpp"]
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O3", "-DNDEBUG", *includes, *map(str, files)]
    subprocess.run([*command, "-pthread", "-o", str(program)], check=True)
    return program


def evaluation_options(spec: UltimateSpec, use_network: bool) -> list[str]:
    """Return the options for the evaluation: the network of the package, or its weights."""
    if use_network and spec.n in FILES:
        return [f"network={ROOT / 'src/noughts/games/networks' / FILES[spec.n]}"]
    worths = ultimate_weights(spec.n)._asdict().items()
    return [f"{name}={','.join(map(str, worth)) if isinstance(worth, tuple) else worth}" for name, worth in worths]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.train.self_play", description=__doc__)
    parser.add_argument("game", help="ultimate:3 or ultimate:4, with or without +count")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=5000, help="nodes per move")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", action="store_true", help="evaluate by the weights instead of the network")
    options = parser.parse_args()
    spec = parse_id(options.game)
    if not isinstance(spec, UltimateSpec) or spec.options - {"count"}:
        parser.error(f"expected ultimate:N or ultimate:N+count, got {options.game}")
    program = build()
    rows = [FOLDER / f"{spec.id}.{options.seed}.{job}.rows" for job in range(options.jobs)]
    what = [str(spec.n), str(int("count" in spec.options)), str(options.seconds), str(options.nodes)]
    seeds = [str(options.seed * 1000 + job) for job in range(options.jobs)]
    evaluation = evaluation_options(spec, not options.weights)
    players = [
        subprocess.Popen([program, *what, seed, path, *evaluation]) for seed, path in zip(seeds, rows, strict=True)
    ]
    if any(player.wait() for player in players):
        raise SystemExit("self-play failed")
    say(f"python bench/train/network.py --side {spec.n} --out {FILES.get(spec.n, 'new.net')} {FOLDER}/*.rows")


if __name__ == "__main__":
    main()
