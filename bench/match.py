"""Plays the tournament of a file on many cores and prints a table with error bars.

``python -m bench.match FILE --concurrency 16`` takes a file as ``noughts arena run`` does (docs/arena.md), for any
programs: engines that speak Gomocup, UGI or UCI, builds of ours. A bot ``run = "revision:main~3"`` is this package at
that revision, built once; options of ``noughts engine`` may follow. Openings come from ``[openings]``: a file, as
``python -m bench.openings`` writes, or random ones that a search finds even.

Each result is stored at once in ``bench/out/matches.sqlite3``, and the same command resumes. With ``--minutes`` no
playthrough begins after that time. A crash, a late or an illegal move loses the playthrough; the table counts them.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from itertools import combinations
from math import inf
from pathlib import Path

from bench.builds import engine_command
from bench.matches import Pairing, play_plan
from bench.results import Record, say
from noughts.arena.plan import InvalidPlan, Plan, load_data, read_plan
from noughts.arena.runner import Run
from noughts.arena.standings import Standings
from noughts.arena.worker import ArenaError, probe_entrants
from noughts.cli.tables import format_table
from noughts.store import StoreError

__all__ = ["load_match", "main", "table"]

REVISION = "revision:"
HEADERS = ("", "games", "score", "won", "drawn", "lost", "pairs 0 ½ 1 1½ 2", "Elo [95 %]", "forfeits", "s a move")


def load_match(path: Path) -> Plan:
    """Return the plan of a file, in which a bot may be a revision of this package; raises InvalidPlan or OSError."""
    data = load_data(path)
    bots = data.get("bots")
    for bot in bots if isinstance(bots, list) else []:
        if isinstance(bot, dict) and str(bot.get("run", "")).startswith(REVISION):
            revision, *options = shlex.split(str(bot["run"]).removeprefix(REVISION))
            bot["run"] = shlex.join([*engine_command(revision), "--protocol", "ugi", *options])
            bot |= {"protocol": "ugi", "name": bot.get("name", revision)}
    return read_plan(data, path.parent, str(path))


def table(run: Run) -> str:
    """Return a line for each two players that met."""
    return format_table(HEADERS, [_row(run, pairing) for pairing in _pairings(run)], width=160)


def _pairings(run: Run) -> list[Pairing]:
    found = [Pairing(run.plan, run.counted, *names) for names in combinations(run.plan.names, 2)]
    return [pairing for pairing in found if pairing.results]


def _row(run: Run, pairing: Pairing) -> tuple[str, ...]:
    record, names = pairing.record, (pairing.first, pairing.second)
    seconds = {bot.name: bot.seconds_a_move for bot in Standings(run.plan, pairing.results).bots}
    return (
        " – ".join(names),
        str(record.played),
        f"{record.share:.1%}",
        *map(str, (record.won, record.drawn, record.lost)),
        " ".join(map(str, pairing.pairs)),
        pairing.elo_text,
        " – ".join(str(pairing.forfeits_of(name)) for name in names),
        " – ".join("?" if seconds[name] is None else f"{seconds[name]:.3f}" for name in names),
    )


def _to_data(run: Run) -> list[Record]:
    return [
        {
            "game": run.plan.game.id,
            "first": pairing.first,
            "second": pairing.second,
            "score": pairing.record.share,
            **vars(pairing.record),
            "pairs": pairing.pairs,
            **dict(zip(("elo", "elo_low", "elo_high"), pairing.elo, strict=True)),
            "forfeits": [pairing.forfeits_of(name) for name in (pairing.first, pairing.second)],
        }
        for pairing in _pairings(run)
    ]


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        plan = probe_entrants(load_match(options.file), say)
        run = play_plan(plan, options.concurrency or plan.concurrency, options.store, options.minutes * 60)
    except (InvalidPlan, ArenaError, StoreError, OSError) as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("interrupted; the same command resumes")
        return 130
    print(json.dumps(_to_data(run)) if options.json else table(run))
    if len(run.results) < run.total:
        say(f"{len(run.results)} of {run.total} playthroughs; the same command resumes")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.match", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a tournament in TOML")
    parser.add_argument(
        "--concurrency", type=int, metavar="N", help=f"playthroughs at the same time; here are {os.cpu_count()} cores"
    )
    parser.add_argument("--minutes", type=float, default=inf, help="begin no playthrough after this time")
    parser.add_argument("--store", type=Path, metavar="FILE", help="where results are kept")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
