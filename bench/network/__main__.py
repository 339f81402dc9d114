"""``python -m bench.network GAME [--seconds N] [--nodes N]``: rows of self-play for ``bench/network/train.py``.

Builds the player from the sources of the core, runs one on each processor, and says where the rows are.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from bench.results import OUT, say
from noughts.games.evaluation import FILES, ultimate_weights
from noughts.games.spec import UltimateSpec, parse_id

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FOLDER = OUT / "network"
NOT_NEEDED = {"bindings.cpp"}


def build() -> Path:
    """Return the player, compiled anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    sources = [path for path in sorted((ROOT / "core").glob("*.cpp")) if path.name not in NOT_NEEDED]
    program = FOLDER / "selfplay"
    includes = [f"-I{ROOT / 'core'}", f"-I{ROOT / 'core' / 'tests'}"]
    files = [*sources, ROOT / "core" / "tests" / "boards.cpp", HERE / "selfplay.cpp"]
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O3", "-DNDEBUG", *includes, *map(str, files)]
    subprocess.run([*command, "-pthread", "-o", str(program)], check=True)
    return program


def judge_of(spec: UltimateSpec, use_network: bool) -> list[str]:
    """Return the options that say what judges positions: the network the package has, or its weights."""
    if use_network and spec.n in FILES:
        return [f"network={ROOT / 'src/noughts/games/networks' / FILES[spec.n]}"]
    worths = ultimate_weights(spec.n)._asdict().items()
    return [f"{name}={','.join(map(str, worth)) if isinstance(worth, tuple) else worth}" for name, worth in worths]


def main() -> None:
    """Play and write rows."""
    parser = argparse.ArgumentParser(prog="python -m bench.network", description=__doc__)
    parser.add_argument("game", help="ultimate:3 or ultimate:4, with or without +count")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=5000, help="a move")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", action="store_true", help="judge by the weights, not by the network there is")
    options = parser.parse_args()
    spec = parse_id(options.game)
    if not isinstance(spec, UltimateSpec) or spec.options - {"count"}:
        parser.error(f"expected ultimate:N or ultimate:N+count, got {options.game}")
    program = build()
    rows = [FOLDER / f"{spec.id}.{options.seed}.{job}.rows" for job in range(options.jobs)]
    what = [str(spec.n), str(int("count" in spec.options)), str(options.seconds), str(options.nodes)]
    seeds = [str(options.seed * 1000 + job) for job in range(options.jobs)]
    judge = judge_of(spec, not options.weights)
    players = [subprocess.Popen([program, *what, seed, path, *judge]) for seed, path in zip(seeds, rows, strict=True)]
    if any(player.wait() for player in players):
        raise SystemExit("a player failed")
    say(f"python bench/network/train.py --side {spec.n} --out {FILES.get(spec.n, 'new.net')} {FOLDER}/*.rows")


if __name__ == "__main__":
    main()
