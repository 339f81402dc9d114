"""``python -m bench.measure.solved [GAME ...] [--fresh] [--most SECONDS]``: solves games and verifies the proofs.

Each result is saved at once in ``bench/out/solved.jsonl``, and each proof in ``bench/out/proofs``; the same command
resumes. ``docs/solved.md`` is generated from all saved results; rows without one are kept as they are on the page.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import NamedTuple

from bench.builds import current_build
from bench.measure.timing import machine
from bench.report import Records, format_machine, format_table, format_time
from bench.results import OUT, ROOT, Record, Results, say
from noughts import Game, Position, Proof, Solution, verify
from noughts.proof.solver import SolveProgress, Solver

__all__ = ["CASES", "Case", "Sample", "main", "measure", "page", "shipped_proofs"]

PAGE = ROOT / "docs" / "solved.md"
PROOFS = OUT / "proofs"
MEMORY_MB = 2048
SEED = 1
MIN_RATE_SECONDS = 0.05
"""A rate measured over a shorter time is not shown."""


class Case(NamedTuple):
    """A game to solve from the start, in ``limit`` seconds of processor time at most.

    ``value`` is the published value for the first player, if there is one.
    """

    id: str
    limit: float
    value: str | None = None
    wants_proof: bool = True


class Sample(NamedTuple):
    """Positions of one game, each to be solved within the limit."""

    name: str
    id: str
    what: str
    size: int
    limit: float
    target: str
    make: Callable[[Game, random.Random], Position | None]


def _after_plies(plies: int) -> Callable[[Game, random.Random], Position | None]:
    def make(game: Game, dice: random.Random) -> Position | None:
        position = game.start()
        for _ in range(plies):
            if position.is_over:
                return None
            position.play(dice.choice(position.legal_moves))
        return None if position.is_over else position

    return make


def _ending(game: Game, dice: random.Random) -> Position | None:
    """A random position with 20 or fewer empty cells in open blocks."""
    position = game.start()
    while not position.is_over:
        if _open_cells(position) <= 20:
            return position
        position.play(dice.choice(position.legal_moves))
    return None


def _open_cells(position: Position) -> int:
    cells, open_blocks = position.cells, set(position.open_blocks)
    return sum(mark is None and position.game.block_of(cell) in open_blocks for cell, mark in enumerate(cells))


CASES: dict[str, Sequence[Case]] = {
    "Small boards": [
        Case("3x3", 60, "draw"), Case("4x3:3", 60, "win"), Case("4x4:3", 60, "win"),
        Case("4x4", 60, "draw"), Case("5x5", 60, "draw"), Case("6x5:5", 60, "draw"),
        Case("3x3x3", 60, "win"), Case("3x3+misere", 60, "draw"),
        Case("4x3:3+misere", 60, "loss"), Case("4x4:3+misere", 60, "loss"),
        Case("4x4+misere", 60, "draw"),
    ],
    "Four and five in a row": [
        Case("5x5:4", 60, "draw"), Case("6x5:4", 60, "win"), Case("6x6:4", 60, "win"),
        Case("6x6:5", 60, "draw"), Case("5x4:4", 60, "draw"), Case("6x4:4", 60, "draw"),
        Case("7x4:4", 120, "draw"), Case("8x4:4", 300, "draw"),
        Case("9x4:4", 900, "win"), Case("10x4:4", 900, "win"),
        Case("7x7:5", 300, "draw"),
        Case("8x6:5", 300), Case("9x5:5", 300), Case("9x6:5", 600), Case("10x6:5", 1800),
        Case("8x7:5", 600), Case("9x7:5", 1800), Case("8x8:5", 3600, "draw"),
    ],
    "Cubes": [
        Case("4x4x4", 900, "win"), Case("6x6x6", 900), Case("7x7x7", 900, "draw"),
        Case("8x8x8", 900, "draw"),
    ],
    "With gravity": [
        Case("4x4:4+gravity", 60), Case("5x4:4+gravity", 60), Case("4x5:4+gravity", 60),
        Case("5x5:4+gravity", 60), Case("6x4:4+gravity", 60), Case("4x6:4+gravity", 60),
        Case("6x5:4+gravity", 120), Case("5x6:4+gravity", 120), Case("7x4:4+gravity", 120),
        Case("4x7:4+gravity", 60), Case("7x5:4+gravity", 120), Case("5x7:4+gravity", 120),
        Case("8x4:4+gravity", 120), Case("6x6:4+gravity", 120, "loss", wants_proof=False),
        Case("7x6:4+gravity", 1800, "win", wants_proof=False),
        Case("8x5:4+gravity", 600, wants_proof=False), Case("6x7:4+gravity", 600, wants_proof=False),
        Case("7x7:4+gravity", 1800, "draw", wants_proof=False),
    ],
    "Boxes with gravity": [
        Case("3x3x3+gravity", 60), Case("3x3x4:3+gravity", 60), Case("3x3x3x3+gravity", 60),
    ],
    "Other rules": [
        Case("ultimate:2", 60), Case("ultimate:2+misere", 60), Case("ultimate:2+open", 60),
        Case("ultimate:3+open", 60, "win"), Case("ultimate:3+count+open", 60),
        Case("4x4:3+exact", 60), Case("5x5:4+exact", 60), Case("4x4:3+wrap", 60),
        Case("5x5:4+wrap", 60),
    ],
}  # fmt: skip
SAMPLES = [
    Sample(
        "connect4", "7x6:4+gravity", "after 14 random moves", 100, 30, "median 0.1 s, all under 5 s", _after_plies(14)
    ),
    Sample("ultimate", "ultimate:3", "with 20 or fewer empty cells in open blocks", 100, 30, "1 s each", _ending),
]


def main(arguments: list[str] | None = None) -> None:
    """Solve what is not on file yet, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.measure.solved", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="ids of games, or the samples connect4 and ultimate")
    parser.add_argument("--fresh", action="store_true", help="solve again what is on file")
    parser.add_argument("--most", type=float, metavar="SECONDS", help="the maximum processor time for each")
    parser.add_argument("--report", action="store_true", help="only write the page")
    parser.add_argument("--to", type=Path, default=PAGE, help="the page to write")
    options = parser.parse_args(arguments)
    path = OUT / "solved.jsonl"
    results = Results(path, current_build())
    try:
        if not options.report:
            _measure_all(results, options.games, options.fresh, options.most)
    except KeyboardInterrupt:
        say("interrupted; the same command resumes")
        raise SystemExit(130) from None
    finally:
        kept = _rows_on(options.to.read_text(encoding="utf-8")) if options.to.exists() else {}
        options.to.write_text(page(Results(path).records, kept), encoding="utf-8")


def _measure_all(results: Results, games: Sequence[str], fresh: bool, most: float | None) -> None:
    known = {case.id for cases in CASES.values() for case in cases} | {sample.name for sample in SAMPLES}
    unknown = sorted(set(games) - known)
    if unknown:
        raise SystemExit(f"expected games of the table, got {', '.join(unknown)}")
    results.measure("machine", machine)
    for name, work in _work(most):
        if (games and name not in games) or (name in results.records and not fresh):
            continue
        say(f"{name} ...")
        found = work()
        results.add(name, found)
        say(f"{name}: {found.get('value') or 'not solved'}, {found['nodes']:,} nodes, {found['seconds']:.2f} s")


def _work(most: float | None) -> Iterator[tuple[str, Callable[[], Record]]]:
    """All measurements, the longest last."""
    cases = sorted((case for cases in CASES.values() for case in cases), key=lambda case: case.limit)
    for case in cases:
        yield case.id, partial(measure, case, most)
    for sample in SAMPLES:
        yield sample.name, partial(measure_sample, sample, most)


def measure(case: Case, most: float | None = None) -> Record:
    """Solve one game, write its proof, have it checked, and return the figures; raises ValueError at a wrong value."""
    limit = min(case.limit, most or case.limit)
    game = Game(case.id)
    solution, seconds = _solve(game.start(), limit)
    move = None if solution.move is None else game.format_cell(solution.move)
    found: Record = {"seconds": seconds, "clock": solution.seconds, "move": move} | _figures(solution, limit)
    if solution.value is not None and case.value not in (None, solution.value):
        raise ValueError(f"expected {case.id} to be a {case.value}, got {solution.value}")
    if case.wants_proof and solution.value is not None:
        found |= _proof_figures(solution, case.id)
    return found


def _solve(position: Position, limit: float) -> tuple[Solution, float]:
    """Solve within a limit of processor time, since others may use the machine; returns what that took as well."""
    began = process_time()

    def show(found: SolveProgress) -> bool:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{str(found)[:100]}", end="", file=sys.stderr, flush=True)
        return process_time() - began < limit

    solution = Solver(position, MEMORY_MB).solve(None, show)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return solution, process_time() - began


def _figures(solution: Solution, limit: float) -> Record:
    bounds = {"lower": solution.lower, "upper": solution.upper, "limit": limit, "memory": MEMORY_MB}
    return {"value": solution.value, "nodes": solution.nodes} | bounds


def _proof_figures(solution: Solution, id: str) -> Record:
    began = process_time()
    proof = solution.proof
    assert proof is not None
    PROOFS.mkdir(parents=True, exist_ok=True)
    path = PROOFS / f"{id.replace(':', '-')}.ngp"
    proof.save(path)
    written = process_time() - began
    began = process_time()
    report = verify(Proof.load(path))
    seconds = process_time() - began
    return {
        "proof_nodes": report.nodes,
        "proof_bytes": path.stat().st_size,
        "proof_sha256": proof.sha256,
        "proof_seconds": written,
        "verified_positions": report.positions,
        "verify_seconds": seconds,
    }


def measure_sample(sample: Sample, most: float | None = None) -> Record:
    """Solve many positions of a game and return how long they took."""
    game, dice = Game(sample.id), random.Random(SEED)
    limit = min(sample.limit, most or sample.limit)
    times: list[float] = []
    nodes = solved = 0
    while len(times) < sample.size:
        position = sample.make(game, dice)
        if position is None:
            continue
        solution, seconds = _solve(position, limit)
        times.append(seconds)
        nodes += solution.nodes
        solved += solution.value is not None
    spread = {"median": statistics.median(times), "worst": max(times), "mean": statistics.mean(times)}
    counts = {"count": sample.size, "solved": solved, "nodes": nodes, "limit": limit}
    return {"value": f"{solved} of {sample.size} solved", "seconds": sum(times)} | spread | counts


# --- the page -----------------------------------------------------------------------------------------------------


Rows = Mapping[str, Sequence[str]]
"""The cells of each row of the page, by the first one."""


def _rows_on(text: str) -> Rows:
    lines = (line.removeprefix("| ").removesuffix(" |").split(" | ") for line in text.splitlines() if "| `" in line)
    return {cells[0]: cells for cells in lines}


def page(records: Records, kept: Rows | None = None) -> str:
    """Return the page: a section for each kind of game with results on file or rows to be kept."""
    kept = kept or {}
    parts = [
        "# Solved games",
        "Generated by `python -m bench.measure.solved`. Values are for the first player. Times are processor time "
        "of one core. `noughts solve GAME --fresh --memory 2048 --proof FILE` solves a game again, and "
        "`noughts verify` checks its [proof](proofs.md) by the rules alone; all proofs here were verified. The "
        "proof of Connect Four [is shipped](proofs.md#connect-four).",
        f"Measured on {format_machine(records)}.",
    ]
    for title, cases in CASES.items():
        found = [_row(case, records[case.id]) if case.id in records else kept.get(f"`{case.id}`") for case in cases]
        rows = [row for row in found if row]
        if rows:
            parts += [f"## {title}", format_table(HEADS, rows)]
    samples = [
        _sample_row(sample, records[sample.name]) if sample.name in records else kept.get(_sample_name(sample))
        for sample in SAMPLES
    ]
    rows = [row for row in samples if row]
    if rows:
        heads = ["positions", "solved", "median", "worst", "nodes in all", "target", "command"]
        parts += ["## Many positions", format_table(heads, rows)]
    hashes = [
        _hash_row(case, records[case.id]) if "proof_sha256" in records.get(case.id, {}) else kept.get(_file_of(case))
        for cases in CASES.values()
        for case in cases
    ]
    rows = [row for row in hashes if row] + [
        kept.get(_path_of(path)) or _shipped_row(path) for path in shipped_proofs()
    ]
    parts += [
        "## Certificates",
        "SHA-256 sums are those of the unpacked text (`gzip -dc FILE | sha256sum`, `xz -dc`, or `noughts proof "
        "stats FILE`). Files with a folder are in the repository; `noughts solve` writes the others, with one thread.",
        format_table(["file", "size", "position", "value", "SHA-256"], rows),
    ]
    return "\n\n".join(parts) + "\n"


def shipped_proofs() -> list[Path]:
    """Return the certificates in the repository."""
    return sorted(path for folder in ("examples/proofs", "proofs") for path in (ROOT / folder).rglob("*.ngp*"))


def _file_of(case: Case) -> str:
    return f"`{case.id.replace(':', '-')}.ngp`"


def _path_of(path: Path) -> str:
    return f"`{path.relative_to(ROOT).as_posix()}`"


def _hash_row(case: Case, found: Record) -> list[str]:
    size = f"{_size(found['proof_bytes'])}, {found['proof_nodes']:,} nodes"
    return [_file_of(case), size, f"`{case.id}`", found["value"], f"`{found['proof_sha256']}`"]


def _shipped_row(path: Path) -> list[str]:
    proof = Proof.load(path)
    size = f"{_size(path.stat().st_size)}, {len(proof):,} nodes"
    position = "" if proof.position == proof.game.start().text else f" `{proof.position}`"
    return [_path_of(path), size, f"`{proof.game.label}`{position}", proof.value, f"`{proof.sha256}`"]


HEADS = ["game", "value", "opening", "nodes", "time", "proof", "checked"]


def _row(case: Case, found: Record) -> list[str]:
    value = f"**{found['value']}**" if found["value"] else _bounds(found)
    time = format_time(found["seconds"])
    opening = found["move"] or "" if found["value"] in ("win", "draw") else ""
    return [f"`{case.id}`", value, opening, f"{found['nodes']:,}", time, *_proof_cells(found)]


def _bounds(found: Record) -> str:
    """How long the solve was, and a bound if it found one."""
    bounds = [f"at least a {found['lower']}"] if found["lower"] != "loss" else []
    bounds += [f"at most a {found['upper']}"] if found["upper"] != "win" else []
    return f"not solved in {found['limit']:g} s" + (f": {', '.join(bounds)}" if bounds else "")


def _proof_cells(found: Record) -> tuple[str, str]:
    if "proof_nodes" not in found:
        return "", ""
    size = f"{found['proof_nodes']:,} nodes, {_size(found['proof_bytes'])}"
    positions, seconds = found["verified_positions"], found["verify_seconds"]
    rate = f" ({positions / seconds / 1000:,.0f} k/s)" if seconds >= MIN_RATE_SECONDS else ""
    return size, f"{positions:,} positions in {format_time(seconds)}{rate}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1000:.1f} kB"


def _sample_name(sample: Sample) -> str:
    return f"`{sample.id}`, {sample.size} {sample.what}"


def _sample_row(sample: Sample, found: Record) -> list[str]:
    solved = f"{found['solved']} of {found['count']}"
    if found["solved"] < found["count"]:
        solved += f" in {found['limit']:g} s each"
    times = [format_time(found["median"]), format_time(found["worst"])]
    command = f"`python -m bench.measure.solved {sample.name} --fresh`"
    return [_sample_name(sample), solved, *times, f"{found['nodes']:,}", sample.target, command]


if __name__ == "__main__":
    main()
