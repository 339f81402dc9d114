"""Writes docs/performance.md from what was measured; nothing in that page is typed by hand."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bench.results import OUT, Record, Store
from noughts import LEVELS

__all__ = ["machine_words", "main", "report", "table", "time_words"]

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
Records = dict[str, Record]
LEAST_LOOP_GAIN = 1.4


def main(arguments: list[str] | None = None) -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.report", description=__doc__)
    parser.add_argument("--from", dest="source", type=Path, default=OUT, help="the folder with the results")
    parser.add_argument("--to", type=Path, default=PAGE, help="the page to write")
    options = parser.parse_args(arguments)
    options.to.write_text(report(options.source), encoding="utf-8")


def report(folder: Path) -> str:
    """Return the page as text, with a section for each thing that was measured."""
    parts = [
        "# Performance",
        "Written by `python -m bench.report` from measurements; none of these numbers is typed by hand. "
        "A target in brackets is what we aim for. Times depend on the machine, ratios much less; others used it "
        "meanwhile, so speeds of one thread are per second of processor time.",
    ]
    for name, sections in SECTIONS.items():
        records = Store(folder / f"{name}.jsonl").records
        if not records:
            continue
        parts += [f"## {TITLES[name]}", f"`python -m bench {name}{_pairs(records)}`, on {machine_words(records)}."]
        parts += [text for section in sections if (text := section(records))]
    return "\n\n".join(parts) + "\n"


def machine_words(records: Records) -> str:
    """Return what the numbers were measured on."""
    found = records.get("machine", {})
    words = f"{found.get('cores', '?')} cores ({found.get('processor', '?')})"
    return f"{words}, Python {found.get('python', '?')}, {found.get('compiler', 'an unknown compiler')}"


def _pairs(records: Records) -> str:
    """The option that says how many pairs were played, where all matches had as many."""
    counts = {record["pairs"] for record in records.values() if "pairs" in record}
    return f" --pairs {counts.pop()}" if len(counts) == 1 else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of the page; all columns but the first are numbers."""
    lines = [list(heads), ["---", *["---:"] * (len(heads) - 1)], *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _of(records: Records, kind: str) -> list[tuple[str, Record]]:
    """The records of a kind, with the rest of their names."""
    return [(name.removeprefix(kind + " "), record) for name, record in records.items() if name.startswith(kind + " ")]


def _section(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return f"### {title}\n\n{table(heads, rows)}" if rows else ""


def _rate(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value / 1e6:.2f} M" if value >= 1e5 else f"{value / 1e3:.1f} k"


def _goal(shown: str, target: str) -> str:
    return f"{shown} ({target})" if target else shown


def time_words(seconds: float | None) -> str:
    """Return a time with its unit, or nothing."""
    if seconds is None:
        return ""
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}×"


def _elo(value: float | None, without: str) -> str:
    return without if value is None else f"{value:+.0f}".replace("-", "−")


def _plays(records: Records) -> str:
    heads = [
        "game",
        "core: play + undo",
        "Python: list + play",
        "OpenSpiel: list + apply",
        "ratio",
        "core to OpenSpiel",
    ]
    rows = [
        [
            f"`{id}`",
            _goal(_rate(found["core"]), _rate(found["target"])),
            _rate(found["python"]),
            _rate(found.get("open_spiel")),
            _ratio(found.get("ratio_python")),
            _ratio(found.get("ratio_core")),
        ]
        for id, found in _of(records, "play")
    ]
    text = _section("Playing and taking back", heads, rows)
    note = (
        "A second of processor time, over the same random playthroughs. The first column is a loop inside the core; "
        "the next two are driven from Python and do the same, list the legal moves and play one, so their ratio "
        "compares like with like. The last column compares what a search in the core gets with what OpenSpiel offers."
    )
    return f"{text}\n\n{note}" if text else ""


def _perfts(records: Records) -> str:
    rows = [
        [f"`{id}`", str(found["depth"]), f"{found['leaves']:,}", _rate(found["per_second"])]
        for id, found in _of(records, "perft")
    ]
    text = _section("Perft", ["game", "depth", "leaves", "leaves a second"], rows)
    note = "The last ply is counted, not played, so many leaves a second say little where there are many moves."
    return f"{text}\n\n{note}" if text else ""


def _builds(records: Records) -> str:
    rows = [
        [
            f"`{id}`",
            _within(found["seconds"], found["target"]),
            f"{found['bytes'] / 1024:.1f} KiB",
        ]
        for id, found in _of(records, "build")
    ]
    return _section("Building a game", ["game", "time", "memory of a position"], rows)


def _starts(records: Records) -> str:
    names = {"import": "`import noughts`", "help": "`noughts --help`", "python": "Python itself"}
    rows = [
        [
            names[name],
            _goal(time_words(found["seconds"]), f"< {time_words(found['target'])}" if found["target"] else ""),
            time_words(found["clock"]),
        ]
        for name, found in _of(records, "start")
    ]
    return _section("Starting up", ["command", "processor time", "by the clock"], rows)


def _nodes(records: Records) -> str:
    rows = [
        [f"`{id}`", _goal(_rate(found["start"]), _rate(found["target"])), _rate(found["middle"])]
        for id, found in _of(records, "nodes")
    ]
    return _section("Nodes a second, one core", ["game", "from the start", "in the middle game"], rows)


def _depths(records: Records) -> str:
    rows = [
        [f"`{id}`", _goal(time_words(found["plain"]), f"< {time_words(found['target'])}"), time_words(found["engine"])]
        for id, found in _of(records, "depth")
    ]
    return _section("Six plies on the empty board", ["game", "level insane's plain search", "the whole engine"], rows)


def _threads(records: Records) -> str:
    rows = [
        [f"`{id}`", _ratio(found["gain"]), _ratio(found["loop_gain"]), _share(found)]
        for id, found in _of(records, "threads")
    ]
    heads = ["game", "nodes a second gain", "a pure compute loop gains", "share of it"]
    return _section("A second thread", heads, rows)


def _share(found: Record) -> str:
    """Where even the loop gains little, others had the second core, and the share says nothing."""
    if found["loop_gain"] < LEAST_LOOP_GAIN:
        return "not measurable: the second core was taken"
    return f"{found['share']:.0%} ({found['target']:.0%})"


def _stops(records: Records) -> str:
    heads = ["game", "after `stop()`, median", "worst", "after the deadline, median", "worst"]
    rows = [
        [f"`{id}`", *(time_words(found[key]) for key in ("stop", "stop_worst", "deadline", "deadline_worst"))]
        for id, found in _of(records, "stop")
    ]
    return _section("Stopping (10 ms)", heads, rows)


def _questions(records: Records) -> str:
    heads = ["protocol", "median", "best", "99 % within"]
    keys = ("median", "best", "99 %")
    rows = [[name, *(time_words(found[key]) for key in keys)] for name, found in _of(records, "move")]
    return _section("A move of a bot in another process, its thinking included (2 ms)", heads, rows)


def _starting(records: Records) -> str:
    rows = [
        [what, time_words(records[name][key])]
        for what, name, key in (
            ("`noughts engine` until `uciok` (200 ms), median", "uciok", "median"),
            ("the same, best", "uciok", "best"),
            ("starting a bot with its keeper, median", "start and end", "start"),
            ("ending both, median", "start and end", "end"),
        )
        if name in records
    ]
    return _section("Starting and ending", ["", "time"], rows)


def _within(seconds: float, target: float) -> str:
    return _goal(time_words(seconds), f"< {time_words(target)}")


def _tournaments(records: Records) -> str:
    rows = []
    if found := records.get("random 3x3"):
        what = f"{found['playthroughs']:,} playthroughs of two random bots on `3x3`, two at a time"
        rows.append([what, _within(found["seconds"], found["target"]), time_words(found["cpu_seconds"])])
    if found := records.get("overhead of a move"):
        what = f"a move of a program that thinks about nothing, median of {found['moves']:,}"
        median, target = found["median_ms"] / 1000, found["target"] / 1000
        rows.append([what, _within(median, target), time_words(found["cpu_ms_in_all"] / 1000)])
    return _section("What a tournament costs", ["", "by the clock", "processor time of all processes"], rows)


def _losses(records: Records) -> str:
    rows = []
    if found := records.get("failing bots"):
        what = (
            f"{found['playthroughs']:,} playthroughs with bots that fail in every way, {found['forfeits']:,} forfeits"
        )
        left = (
            f"{found['missing']} missing results, {found['processes_left']} processes and {found['files_left']} files"
        )
        rows.append([what, f"{left} left"])
    if found := records.get("kill -9"):
        what = f"{found['playthroughs']:,} playthroughs, killed {found['kills']} times and resumed"
        same = "identical to" if found["identical"] else "**different from**"
        rows.append([what, f"{same} a tournament left in peace"])
    return _section("Nothing is lost", ["", "found"], rows)


def _result(found: Record) -> str:
    span = f"{_elo(found['elo_low'], '−∞')} … {_elo(found['elo_high'], '∞')}"
    return f"{_elo(found['elo'], '∞' if found['score'] > 0.5 else '−∞')} ({span})"


def _levels(records: Records) -> str:
    found = {name: record for name, record in records.items() if name != "machine"}
    games = list(dict.fromkeys(name.split()[0] for name in found))
    pairs = [f"{stronger} {weaker}" for weaker, stronger in itertools.pairwise(LEVELS)]
    rows = [
        [f"`{game}`", *(_result(found[key]) if (key := f"{game} {pair}") in found else "" for pair in pairs)]
        for game in games
    ]
    heads = ["game", *(pair.replace(" ", " over ") for pair in pairs)]
    note = (
        "Elo of each level over the next weaker one with its 95 % interval, from paired playthroughs; `master` thinks "
        "0.05 s a move. ∞: all were won, or the interval reaches as far."
    )
    return f"{table(heads, rows)}\n\n{note}"


def _peers(records: Records) -> str:
    names = {
        "insane": "level insane",
        "uct": "plain UCT (bench/uct.py)",
        "easyai": "easyAI, negamax with our score and a table",
        "mcts": "OpenSpiel, Monte-Carlo tree search",
        "alphabeta": "OpenSpiel, alpha-beta",
    }
    rows = []
    for name, found in records.items():
        if name == "machine":
            continue
        game, kind, patience = name.split()
        record = f"+{found['wins']} ={found['draws']} −{found['losses']}"
        time = "" if kind == "insane" else patience.removeprefix("x") + "×"
        rows.append([f"`{game}`", names[kind], time, f"{found['score']:.1%}", record, _result(found)])
    note = "The engine thinks 0.05 s a move on one thread; openings are paired, sides exchanged."
    return table(["game", "opponent", "its time", "score", "record", "Elo"], rows) + f"\n\n{note}"


def _promises(records: Records) -> str:
    rows = [
        [f"forced wins found on `{id}`", f"{found['found']} of {found['positions']}", "all"]
        for id, found in _of(records, "forced")
    ]
    rows += [
        [f"solved value kept on `{id}`", f"{found['kept']} of {found['positions']}", "99 %"]
        for id, found in _of(records, "kept")
    ]
    rows += [
        [f"won moving first on `4x4x4` against {name}", f"{found['won']} of {found['played']}", "98 %"]
        for name, found in _of(records, "first")
    ]
    rows += [
        [f"two threads against one on `{id}`", f"{found['score']:.1%}, Elo {_result(found)}", "stronger"]
        for id, found in _of(records, "threads")
    ]
    note = (
        "The engine thinks 0.05 s a move. Forced wins: random positions that a slow search in plain Python shows to be "
        "won by up to three threats. Values: random Connect Four positions after 8 to 30 plies, solved before and "
        "after the engine's move. Moving first: from the empty board; xN is the opponent's time in ours."
    )
    return table(["promise", "measured", "target"], rows) + f"\n\n{note}"


TITLES = {
    "rules": "Rules",
    "speed": "Search speed",
    "protocols": "Protocols",
    "arena": "Arena",
    "levels": "Levels",
    "peers": "Against others",
    "promises": "Promises kept",
}
SECTIONS: dict[str, Sequence[Callable[[Records], str]]] = {
    "rules": (_plays, _perfts, _builds, _starts),
    "speed": (_nodes, _depths, _threads, _stops),
    "protocols": (_questions, _starting),
    "arena": (_tournaments, _losses),
    "levels": (_levels,),
    "peers": (_peers,),
    "promises": (_promises,),
}


if __name__ == "__main__":
    main()
