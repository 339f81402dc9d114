"""``noughts verify``: checks proofs that ``noughts solve --proof`` wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from noughts.cli.output import show_status

__all__ = ["command"]

MOST_MB = 512
"""As in noughts.engine.proof, which --help need not import."""
TELLING = 0.1
"""Speed over fewer seconds says little."""


@click.command(name="verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--most", type=click.IntRange(1, 1 << 20), default=MOST_MB, show_default=True, metavar="MB",
    help="Refuse a file that unpacks to more.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON, an object on a line for each file.")
def command(files: tuple[Path, ...], most: int, as_json: bool) -> int:
    """Check the proofs in FILES by the rules alone, without trusting what wrote them.

    A line for each: what is proven and how much was looked at, or where the proof fails. Leaves with 1 when one fails.

    \b
    noughts solve qubic --proof qubic.ngp
    noughts verify qubic.ngp
    """
    good = [_check(path, most, as_json) for path in files]
    return 0 if all(good) else 1


def _check(path: Path, most: int, as_json: bool) -> bool:
    """Check one file and say the result; returns whether it is a proof."""
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
        _say({"file": str(path), "ok": False, "error": str(error)}, f"{path}: no proof: {error}", as_json)
        return False
    finally:
        show_status("")
    looked_at = f"{report.nodes:,} nodes, {report.positions:,} positions"
    speed = f"{report.seconds:.2f} s" + (f", {report.rate:,} a second" if report.seconds >= TELLING else "")
    data = {"file": str(path), "ok": True, "game": proof.game.label, "position": proof.position, "value": proof.value}
    text = f"{path}: ok: {proof.game.label} {proof.position} is a {proof.value} ({looked_at}, {speed})"
    _say(data | report._asdict() | {"seconds": round(report.seconds, 3)}, text, as_json)
    return True


def _say(data: dict[str, Any], text: str, as_json: bool) -> None:
    click.echo(json.dumps(data) if as_json else text)
