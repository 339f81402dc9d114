"""Runs measurements by name, all of them by default. Results on file for the same build are not measured again."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bench.builds import current_build
from bench.measure import acceptance, arena, envs, levels, peers, protocols, rules, speed, tree_search, web
from bench.measure.scope import Scope
from bench.measure.timing import machine
from bench.results import OUT, Results, digest, say

MEASUREMENTS = {
    "rules": rules,
    "speed": speed,
    "mcts": tree_search,
    "envs": envs,
    "protocols": protocols,
    "arena": arena,
    "web": web,
    "levels": levels,
    "peers": peers,
    "acceptance": acceptance,
}


def _build_for(name: str) -> str:
    """A name for everything that a result depends on: the package and the measuring code."""
    source = Path(str(MEASUREMENTS[name].__file__)).read_text(encoding="utf-8")
    return f"{current_build()}-{digest(source)}"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASUREMENTS))
    parser.add_argument("--quick", action="store_true", help="measure a little of everything, in separate files")
    parser.add_argument("--fresh", action="store_true", help="measure again what is on file")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all results to a file")
    parser.add_argument("--games", nargs="+", default=[], help="play matches in these games only")
    parser.add_argument("--pairs", type=int, help="pairs per match")
    parser.add_argument("--concurrency", type=int, default=1, help="playthroughs of a match at the same time")
    options = parser.parse_args(arguments)
    scope = Scope(options.quick, tuple(options.games), options.pairs, options.concurrency)
    for name in options.names:
        if name not in MEASUREMENTS:
            parser.error(f"expected one of {', '.join(MEASUREMENTS)}, got {name!r}")
    folder = OUT / "quick" if options.quick else OUT
    found = {}
    try:
        for name in options.names or MEASUREMENTS:
            results = Results(folder / f"{name}.jsonl", _build_for(name), options.fresh)
            found[name] = results.records
            results.measure("machine", machine)
            MEASUREMENTS[name].run(results, scope)
    except KeyboardInterrupt:
        say("interrupted; the same command resumes")
        raise SystemExit(130) from None
    finally:
        if options.json:
            options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
