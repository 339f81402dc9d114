"""The proof that the 6 x 6 x 6 cube is a draw, examples/proofs/6x6x6.ngp."""

from __future__ import annotations

import gzip
import random

import noughts as no
from paths import ROOT
from second_checker import build_checker, verdicts

PROOF = ROOT / "examples" / "proofs" / "6x6x6.ngp"


def test_both_checkers_accept_the_proof_of_the_cube_of_side_six() -> None:
    proof = no.Proof.load(PROOF)
    assert (proof.game, proof.position, proof.value) == (no.Game("6x6x6"), no.Game("6x6x6").start().text, "draw")
    assert no.verify(proof).nodes == 8
    assert verdicts(build_checker(), [gzip.decompress(PROOF.read_bytes())]) == [("draw", 8, 227)]


def test_proof_of_the_cube_fails_if_any_set_of_it_is_missing() -> None:
    head, *lines = gzip.decompress(PROOF.read_bytes()).decode().splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith("t "))
    sets = lines[number].split()
    dice = random.Random(1)
    damaged = []
    for missing in dice.sample(range(1, len(sets)), 12):
        changed = " ".join(sets[:missing] + sets[missing + 1 :])
        damaged.append("\n".join([head, *lines[:number], changed, *lines[number + 1 :]]).encode())
    assert all(verdict is None for verdict in verdicts(build_checker(), damaged))
