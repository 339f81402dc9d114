"""The page without a server answers as the package does: the same requests, the same JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

import site_cases
import translated_scenarios
from node import Translated
from site_cases import Case

TIMES = frozenset(("seconds", "nodes_per_second"))
"""Fields that depend on the machine."""


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def check(translated: Translated, cases: Iterable[Case]) -> None:
    asked = list(cases)
    expected, found = translated_scenarios.answers(asked), translated.run("answers", asked)
    assert len(found) == len(expected) == len(asked)
    for case, python, javascript in zip(asked, expected, found, strict=True):
        if case["name"] == "compare":  # its rows have times
            python, javascript = (
                [without_times(json.loads(text or "{}")), error] for text, error in (python, javascript)
            )
        assert javascript == python, case


def test_games_and_positions_are_the_same(translated: Translated) -> None:
    check(translated, site_cases.game_cases())


def test_puzzles_files_and_saved_games_are_the_same(translated: Translated) -> None:
    check(translated, site_cases.lookup_cases())


def test_bad_requests_get_the_same_messages(translated: Translated) -> None:
    check(translated, site_cases.bad_cases())


def test_moves_advice_and_searches_are_the_same(translated: Translated) -> None:
    check(translated, site_cases.question_cases())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_answers_about_random_positions_are_the_same(translated: Translated, seed: int) -> None:
    check(translated, site_cases.random_cases(100, seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_requests_with_junk_get_the_same_answers(translated: Translated, seed: int) -> None:
    check(translated, site_cases.random_bad_cases(1000, seed))
