"""Checks proofs in parts, one after the other."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

import noughts as no

__all__ = ["check_in_three_parts", "verdict"]

checker: Any = import_module("noughts.proof.verify")


def check_in_three_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``verify`` check three parts one after the other instead of in processes."""

    def check(theorem: Any, count: int, progress: None) -> list[Any]:
        return [checker._check_part(theorem, number, 3, progress) for number in range(3)]

    monkeypatch.setattr(checker, "_check_in_parts", check)


def verdict(proof: no.Proof) -> str:
    """The counts of a proof that holds, or the reason why it does not."""
    try:
        return str(no.verify(proof)[:3])
    except no.InvalidProof as error:
        return str(error)
