"""``python -m bench [NAME ...] [--quick] [--fresh] [--json FILE]``: measures, keeps, resumes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bench import arena, levels, peers_table, promises, protocols, rules, speed
from bench.builds import current_build
from bench.clock import machine
from bench.plan import Plan
from bench.results import OUT, Store, digest, say

MEASUREMENTS = {
    "rules": rules,
    "speed": speed,
    "protocols": protocols,
    "arena": arena,
    "levels": levels,
    "peers": peers_table,
    "promises": promises,
}


def _build_for(name: str) -> str:
    """What a result depends on: the package, and how it is measured. Pairs of matches are kept apart and not lost."""
    source = Path(str(MEASUREMENTS[name].__file__)).read_text(encoding="utf-8")
    return f"{current_build()}-{digest(source)}"


def main(arguments: list[str] | None = None) -> None:
    """Run measurements by name, all of them when none is given."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASUREMENTS))
    parser.add_argument("--quick", action="store_true", help="a small run, kept apart from the real one")
    parser.add_argument("--fresh", action="store_true", help="measure again what is on file")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results to a file as well")
    parser.add_argument("--games", nargs="+", default=[], help="of the matches only those in these games")
    parser.add_argument("--pairs", type=int, help="pairs a match, instead of the usual number")
    parser.add_argument("--concurrency", type=int, default=1, help="pairs of a match played at once")
    options = parser.parse_args(arguments)
    plan = Plan(options.quick, tuple(options.games), options.pairs, options.concurrency)
    for name in options.names:
        if name not in MEASUREMENTS:
            parser.error(f"expected a name of {', '.join(MEASUREMENTS)}, got {name!r}")
    folder = OUT / "quick" if options.quick else OUT
    results = {}
    try:
        for name in options.names or MEASUREMENTS:
            store = Store(folder / f"{name}.jsonl", _build_for(name), options.fresh)
            results[name] = store.records
            store.measure("machine", machine)
            MEASUREMENTS[name].run(store, plan)
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here")
        raise SystemExit(130) from None
    finally:
        if options.json:
            options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
