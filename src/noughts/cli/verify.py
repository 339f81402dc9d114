"""``noughts verify``: checks proofs that ``noughts solve --proof`` wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from noughts.cli.output import show_status
from noughts.cli.progress import ProgressDisplay
from noughts.cli.types import File, WholeNumberRange

__all__ = ["command"]

MAX_MB = 512
"""As in noughts.engine.proof, which --help need not import."""
MIN_SECONDS_FOR_SPEED = 0.1


@click.command(name="verify")
@click.argument("files", nargs=-1, required=True, type=File(".ngp"))
@click.option(
    "--most", type=WholeNumberRange(1, 1 << 20), default=MAX_MB, show_default=True, metavar="MB",
    help="Refuse files that unpack to more.",
)  # fmt: skip
@click.option(
    "--jobs", "-j", type=WholeNumberRange(1, 1024), default=1, show_default=True,
    help="Check in this many processes: several files at a time, or parts of a single one.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line and file.")
def command(files: tuple[Path, ...], most: int, jobs: int, as_json: bool) -> int:
    """Check the proofs in FILES by the rules alone, without trusting the solver.

    Prints a line for each: the value proven and the work done, or the place where the proof fails. The exit code is 1
    if one fails.

    \b
    noughts solve qubic --proof qubic.ngp
    noughts verify qubic.ngp --jobs 2
    """
    is_good = True
    for path, found in _check_all(files, most, jobs):
        show_status("")
        click.echo(json.dumps({"file": str(path)} | found) if as_json else f"{path}: {_verdict(found)}")
        is_good = is_good and found["ok"]
    return 0 if is_good else 1


def _check_all(files: tuple[Path, ...], most: int, jobs: int) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the files in their order, each with what was found."""
    if len(files) == 1 or jobs == 1:
        for path in files:
            with ProgressDisplay(str(path)) as display:
                display.show(["reading"])
                result = _check(path, most, jobs, display)
            yield path, result
        return
    from noughts.process.tasks import LocalTasks, run_tasks

    workers = LocalTasks[int](_check, min(jobs, len(files)), lambda number: str(files[number]))
    found: dict[int, dict[str, Any]] = {}
    waiting = iter(enumerate(files))
    number, path = next(waiting)
    display = ProgressDisplay("files")
    for done, result in run_tasks(workers, ((at, (file, most)) for at, file in enumerate(files))):
        found[done] = result
        display.show_count(len(found), len(files))
        while number in found:
            yield path, found[number]
            number, path = next(waiting, (-1, path))


def _check(path: Path, most: int, jobs: int = 1, display: ProgressDisplay | None = None) -> dict[str, Any]:
    """Check one file; returns the value and the work done, or the error."""
    from noughts.engine.proof import InvalidProof, Proof
    from noughts.engine.verify import verify

    try:
        proof = Proof.load(path, most)
        report = verify(proof, None if display is None else display.show_count, jobs)
    except InvalidProof as error:
        return {"ok": False, "error": str(error)}
    theorem = {"game": proof.game.label, "position": proof.position, "value": str(proof.value)}
    return {"ok": True} | theorem | report._asdict() | {"seconds": round(report.seconds, 3)}


def _verdict(found: dict[str, Any]) -> str:
    if not found["ok"]:
        return f"not a proof: {found['error']}"
    seconds, positions = found["seconds"], found["positions"]
    work = f"{found['nodes']:,} nodes, {positions:,} positions, {seconds:.2f} s"
    if seconds >= MIN_SECONDS_FOR_SPEED:
        work += f", {round(positions / seconds):,} a second"
    return f"ok: {found['game']} {found['position']} is a {found['value']} ({work})"
