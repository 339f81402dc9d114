"""Wins by quiet moves on large boards: found, and proven by certificates with passes that both checkers accept."""

from __future__ import annotations

import pytest

import noughts as no
from second_checker import build_checker, verdicts


def after(id: str, moves: str) -> no.Position:
    """Return the position of a game after some moves."""
    position = no.Game(id).start()
    position.play_all(moves.split())
    return position


def check(solution: no.Solution) -> None:
    """Check the certificate by both checkers; it must contain a pass."""
    proof = solution.proof
    assert proof is not None
    assert " ~ " in proof.text
    report = no.verify(proof)
    assert verdicts(build_checker(), [proof.text.encode()]) == [(proof.value, report.nodes, report.positions)]


@pytest.mark.parametrize(("id", "moves"), [("15x15:5", "h8 a1 i9 o15"), ("15x15:5+exact", "h8 b8 i9 a1")])
def test_win_by_quiet_moves_is_found_and_proven(id: str, moves: str) -> None:
    solution = no.solve(after(id, moves), no.Limit(nodes=20_000))
    assert solution.value is no.Value.WIN
    assert solution.move is not None
    check(solution)
