"""``noughts verify``: checks proofs that ``noughts solve --proof`` wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from noughts.cli.output import show_status
from noughts.cli.types import File

__all__ = ["command"]

MAX_MB = 512
"""As in noughts.engine.proof, which --help need not import."""
MIN_SECONDS_FOR_SPEED = 0.1


@click.command(name="verify")
@click.argument("files", nargs=-1, required=True, type=File(".ngp"))
@click.option(
    "--most", type=click.IntRange(1, 1 << 20), default=MAX_MB, show_default=True, metavar="MB",
    help="Refuse files that unpack to more.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line and file.")
def command(files: tuple[Path, ...], most: int, as_json: bool) -> int:
    """Check the proofs in FILES by the rules alone, without trusting the solver.

    Prints a line for each: the value proven and the work done, or the place where the proof fails. The exit code is 1
    if one fails.

    \b
    noughts solve qubic --proof qubic.ngp
    noughts verify qubic.ngp
    """
    good = [_check(path, most, as_json) for path in files]
    return 0 if all(good) else 1


def _check(path: Path, most: int, as_json: bool) -> bool:
    """Check one file and print the result; returns whether the proof holds."""
    from noughts.engine.proof import InvalidProof, Proof
    from noughts.engine.verify import verify

    def show(done: int, total: int) -> None:
        show_status(f"{path}: {done:,} of {total:,} nodes")

    try:
        show_status(f"reading {path} ...")
        proof = Proof.load(path, most)
        report = verify(proof, show)
    except InvalidProof as error:
        show_status("")
        _print({"file": str(path), "ok": False, "error": str(error)}, f"{path}: not a proof: {error}", as_json)
        return False
    finally:
        show_status("")
    work = f"{report.nodes:,} nodes, {report.positions:,} positions"
    speed = f"{report.seconds:.2f} s" + (
        f", {report.rate:,} a second" if report.seconds >= MIN_SECONDS_FOR_SPEED else ""
    )
    data = {"file": str(path), "ok": True, "game": proof.game.label, "position": proof.position, "value": proof.value}
    text = f"{path}: ok: {proof.game.label} {proof.position} is a {proof.value} ({work}, {speed})"
    _print(data | report._asdict() | {"seconds": round(report.seconds, 3)}, text, as_json)
    return True


def _print(data: dict[str, Any], text: str, as_json: bool) -> None:
    click.echo(json.dumps(data) if as_json else text)
