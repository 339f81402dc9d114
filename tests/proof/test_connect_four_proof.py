"""The proof that the first player wins Connect Four, examples/proofs/connect4.ngp."""

from __future__ import annotations

import gzip

import pytest

import noughts as no
from paths import ROOT
from second_checker import build_checker, verdicts

PROOF = ROOT / "examples" / "proofs" / "connect4.ngp"


def test_proof_states_that_the_first_player_wins_connect_four() -> None:
    proof = no.Proof.load(PROOF)
    assert (proof.game, proof.position) == (no.Game("7x6:4+gravity"), no.Game("7x6:4+gravity").start().text)
    assert [(claim.side, claim.goal) for claim in proof.claims] == [("X", "win")]


def test_second_checker_accepts_the_proof_of_connect_four() -> None:
    assert verdicts(build_checker(), [gzip.decompress(PROOF.read_bytes())]) == [("win", 13_460, 12_003_432)]


@pytest.mark.slow
def test_verify_accepts_the_proof_of_connect_four() -> None:
    assert no.verify(no.Proof.load(PROOF)).nodes == 13_460
