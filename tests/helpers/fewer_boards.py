"""Fewer boards and nodes for searches to be tried on: enough to see a mistake, and several times faster."""

from __future__ import annotations

import pytest

from noughts.teaching.grading.exams import searches

FEWER = {
    "GROUP_NODES": {"noughts": 12_000},
    "SLOW_GROUP_NODES": 3_000,
    "EARLY_NODES": 1_000,
    "EARLY_POSITIONS": 2,
    "WALK_NODES": 300,
}
ALL = {name: getattr(searches, name) for name in FEWER}


def set_boards(patch: pytest.MonkeyPatch, are_all: bool) -> None:
    for name, value in (ALL if are_all else FEWER).items():
        patch.setattr(searches, name, value)
