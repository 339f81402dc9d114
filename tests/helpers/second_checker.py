"""Runs tools/checker, the second checker of proofs, and compares it with ``verify``."""

from __future__ import annotations

import fcntl
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import noughts as no
from paths import ROOT

__all__ = ["Verdict", "build_checker", "expect_agreement", "verdicts"]

Verdict = tuple[str, int, int] | None
"""The value, nodes and positions of a proof that holds; None for any other."""


@cache
def build_checker(name: str = "checker") -> Path:
    """The program, or ``checker-sanitized``, built by make if its sources have changed."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "--silent", f"build/{name}"], cwd=ROOT, check=True, timeout=600)
    return ROOT / "build" / name


def verdicts(checker: Path, files: Sequence[bytes]) -> list[Verdict]:
    """The verdicts of the program on the texts of many proofs."""
    pieces = [piece for data in files for piece in (b"%d\n" % len(data), data)]
    done = subprocess.run([checker, "--batch"], input=b"".join(pieces), capture_output=True, timeout=600, check=False)
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    assert len(lines) == len(files)
    found = [_verdict(line.split(": ", 1)[1]) for line in lines]
    assert done.returncode == (1 if None in found else 0)
    return found


def _verdict(line: str) -> Verdict:
    match = re.fullmatch(r"(win|draw|loss), (\d+) nodes, (\d+) positions: [XO] to move at .* lines.*", line)
    assert match or line.startswith("not a proof: "), line
    return (match[1], int(match[2]), int(match[3])) if match else None


def _verdict_of_verify(data: bytes, path: Path) -> Verdict:
    path.write_bytes(data)
    try:
        proof = no.Proof.load(path)
        report = no.verify(proof)
    except no.InvalidProof:
        return None
    return str(proof.value), report.nodes, report.positions


def expect_agreement(checker: Path, files: Sequence[bytes], path: Path) -> list[Verdict]:
    """The verdicts on the texts of many proofs, which must be the same for both checkers."""
    found = verdicts(checker, files)
    for data, verdict in zip(files, found, strict=True):
        assert verdict == _verdict_of_verify(data, path), data if len(data) < 3000 else data[:3000]
    return found
