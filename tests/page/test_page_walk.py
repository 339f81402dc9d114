"""The page used at random: after every step it is clear what has to happen next."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from web_pages import PERSON, Home, at_home, engine, resume_game, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WALK = (Path(__file__).parent / "js" / "random_walk.mjs").read_text().strip().removesuffix(";")
IS_SLOW = bool(os.environ.get("NOUGHTS_SLOW"))
SECONDS = 60 if IS_SLOW else 5
LEAST_STEPS = 15
"""Steps that even a busy machine takes in that time."""
STUCK_MS = 5000
"""Time without a request after which something that should continue has stopped."""
EXPECTED = ("status of 4", "Failed to load resource", "WebSocket connection", "cannot be played")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A server that lists open challenges."""
    with at_home(tmp_path_factory.mktemp("club"), "--lobby") as home:
        yield home


@pytest.mark.parametrize("is_playing", [True, False], ids=["playing", "everywhere"])
@pytest.mark.parametrize("failures", [0.0, 0.1] if IS_SLOW else [0.1])
@pytest.mark.parametrize("seed", range(4) if IS_SLOW else [1])
def test_random_walk_never_leaves_a_game_at_a_standstill(
    club: Home, browser: Browser, seed: int, failures: float, is_playing: bool
) -> None:
    with visiting(browser, club.address, allowing=EXPECTED, viewport={"width": 1100, "height": 800}) as page:
        resume_game(page, PERSON, engine())
        options = {
            "seed": seed,
            "milliseconds": 1000 * SECONDS,
            "steps": 20_000,
            "failures": failures,
            "stuckMs": STUCK_MS,
            "isPlaying": is_playing,
        }
        found = page.evaluate(WALK, options)
        assert found["problem"] is None, json.dumps(found)
        assert found["step"] >= LEAST_STEPS, found
