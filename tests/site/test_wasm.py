"""The core in WebAssembly computes what the native core does. `make build/wasm/noughts.wasm` builds it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import pytest

import noughts as no
import translated_scenarios
from node import WASM, Translated, run_script
from paths import ROOT
from sample_games import GAMES, make, random_moves

SIGNATURE = ROOT / "bench" / "signature"
MIN_SPEED = 0.4
"""Of the native core; about 0.5 to 0.7 on a machine that does nothing else."""
REFUSALS = ("TypeError", "ValueError", "RuntimeError", "OSError", "IllegalMove", "InvalidNotation")


def native(scenario: str, *arguments: object) -> Any:
    return json.loads(translated_scenarios.run(json.dumps([scenario, *arguments])))


@pytest.mark.parametrize(
    ("scenario", "arguments"),
    [
        ("perft", [[["3x3", 9], ["7x6:4+gravity", 6], ["4x4x4", 3], ["ultimate:3", 4], ["15x15:5", 2]]]),
        ("replay", [[[make(name).to_data(), random_moves(make(name), seed=1)] for name in GAMES]]),
        *[
            ("symmetries", [id, [random_moves(no.Game(id), seed)[:7] for seed in range(4)]])
            for id in ("4x4x4", "ultimate:3", "5x4:4+gravity")
        ],
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_results_are_those_of_the_native_core(translated: Translated, scenario: str, arguments: list[object]) -> None:
    assert translated.run(scenario, *arguments) == native(scenario, *arguments)


@pytest.mark.parametrize("id", ["15x15:5", "ultimate:3", "7x6:4+gravity"])
def test_networks_estimate_what_they_do_in_the_native_core(translated: Translated, id: str) -> None:
    moves = random_moves(no.Game(id), seed=3)[:40]
    found, expected = dict(translated.run("estimates", id, moves)), native("estimates", id, moves)[0][1]
    assert list(found) == ["simd128", "portable"]
    assert found["simd128"] == found["portable"] == expected


def test_signature_of_the_search_is_that_of_the_native_core(translated: Translated) -> None:
    assert translated.run("nodes") == int(SIGNATURE.read_text())


@pytest.mark.slow
@pytest.mark.parametrize(("id", "depth"), [("15x15:5", 15), ("6x6:4+gravity", 19), ("ultimate:3", 13)])
def test_speed_of_the_search_is_about_half_that_of_the_native_core(translated: Translated, id: str, depth: int) -> None:
    assert max(translated.run("speeds", id, depth)) > MIN_SPEED * max(translated_scenarios.speeds(id, depth))


def second_verdicts(proofs: list[bytes]) -> Any:
    """The verdicts of the second checker in WebAssembly."""
    checker = WASM.with_name("checker.wasm")
    return run_script("check_proofs.mjs", checker, data=[base64.b64encode(proof).decode() for proof in proofs])


def test_solved_positions_have_proofs_that_both_checkers_accept(translated: Translated) -> None:
    ids = ["3x3", "4x3:3", "5x4:4+gravity", "4x4+misere", "3x3x3", "6x5:4", "ultimate:2+open", "4x4:3+wrap"]
    proofs = []
    for id, (lower, upper, move, is_proven, body, symmetries) in zip(ids, translated.run("solve", ids), strict=True):
        position = no.Game(id).start()
        assert no.Value.from_number(lower) is no.solve(position).value
        assert lower == upper
        assert is_proven == (move in position.legal_moves)
        proof = no.Proof(position.game, position.text, no.Value.from_number(lower), body, symmetries)
        assert no.verify(proof).nodes == len(proof)
        proofs.append(proof)
    for proof, verdict in zip(proofs, second_verdicts([proof.text.encode() for proof in proofs]), strict=True):
        assert verdict["accepted"], verdict
        assert f" {len(proof)} nodes" in verdict["line"]


@pytest.mark.usefixtures("translated")
def test_damaged_proof_is_refused() -> None:
    proof = no.solve(no.Game("4x3:3").start()).proof
    assert proof is not None
    text = proof.text.encode()
    lines = text.splitlines(keepends=True)
    damaged = [b"", b"nonsense", text[:-20], gzip.compress(text)[:-3], text.replace(b'"win"', b'"loss"')]
    damaged += [b"".join(lines[:-1]), text + lines[-1], b"\xff" * 100]
    for data, verdict in zip(damaged, second_verdicts(damaged), strict=True):
        assert not verdict["accepted"], data
        assert re.fullmatch(r"not (a proof|checked): .+", verdict["line"])


def test_solve_is_saved_and_continued(translated: Translated) -> None:
    was_solved, value, nodes, refusals = translated.run("resume", "6x5:4", 200)
    assert not was_solved
    assert value == 1
    assert nodes > 0
    assert [kind for kind, _ in refusals] == ["RuntimeError", "RuntimeError"]


def test_search_reports_progress_and_ends_when_it_is_asked_to(translated: Translated) -> None:
    depths, ended, thrown, watched, nested, seconds, lines = translated.run("progress", "15x15:5")
    assert depths == [[depth, 2] for depth in range(1, 7)]
    assert ended == 3
    assert thrown == watched == "ZeroDivisionError"
    assert nested == ["RuntimeError", "this object is in use"]
    assert seconds >= 0.2
    assert lines == 2


def test_wrong_arguments_are_errors_of_one_line_and_the_core_works_afterwards(translated: Translated) -> None:
    found, perft = translated.run("nonsense")
    assert perft == no.Game("4x4").start().perft(3)
    for number, (kind, message) in enumerate(found):
        assert kind in REFUSALS, (number, kind, message)
        assert re.fullmatch(r"(?!the core has failed)\S.*", message), (number, kind, message)


def test_solve_ends_before_it_recurses_too_deep(translated: Translated) -> None:
    assert translated.run("deep", "50x50:5+misere") == [-1, 1]


def test_tables_are_freed_and_made_again(translated: Translated) -> None:
    moves, values = translated.run("use_many_tables", 6)
    assert moves == 12 * [4]
    assert values == 6 * [None] + 6 * ["draw"]
