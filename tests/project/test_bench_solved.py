"""The page of solved games lists the solved games, and refuses impossible values."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from bench.measure import solved
from bench.measure.solved import Case, Sample, measure, measure_sample, page, shipped_proofs
from bench.results import ROOT, Results

import noughts as no


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved, "PROOFS", tmp_path)
    monkeypatch.setattr(solved, "MEMORY_MB", 16)
    monkeypatch.setattr(solved, "shipped_proofs", list)  # most are large


def test_solved_game_is_proven_verified_and_shown(tmp_path: Path) -> None:
    found = measure(Case("4x3:3", 20, "win"))
    assert found["value"] == "win"
    assert found["verified_positions"] > 0
    assert no.verify(no.Proof.load(tmp_path / "4x3-3.ngp")).nodes == found["proof_nodes"]
    text = page({"4x3:3": found})
    assert "| `4x3:3` | **win** |" in text


def test_rows_that_are_not_measured_again_stay_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved, "OUT", tmp_path)
    monkeypatch.setattr(solved, "shipped_proofs", shipped_proofs)
    target = tmp_path / "page.md"
    target.write_text(solved.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    before = target.read_text(encoding="utf-8").splitlines()
    solved.main(["3x3", "--fresh", "--to", str(target)])
    after = target.read_text(encoding="utf-8").splitlines()
    changed = [line for line, was in zip(after, before, strict=True) if line != was and line.startswith("|")]
    assert {line.split(" | ")[0] for line in changed} <= {"| `3x3`"}


def test_wrong_value_is_an_error() -> None:
    with pytest.raises(ValueError, match="expected 4x3:3 to be a draw, got win"):
        measure(Case("4x3:3", 20, "draw"))


def test_unsolved_game_is_shown_with_its_bounds_and_the_limit() -> None:
    found = measure(Case("9x9:5", 60, None), most=0.05)
    assert found["value"] is None
    assert "not solved in 0.05 s: at least a draw |" in page({"7x7:5": found | {"limit": 0.05}})


def test_samples_are_positions_of_the_kind_they_say() -> None:
    for sample in solved.SAMPLES:
        small = sample._replace(size=3)
        found = measure_sample(small, most=0.2)
        assert found["count"] == 3
        assert sample.what in page({sample.name: found})


def test_ending_has_few_open_cells() -> None:
    import random

    ultimate: Sample = solved.SAMPLES[1]
    dice, game, seen = random.Random(1), no.Game(ultimate.id), 0
    while seen < 5:
        position = ultimate.make(game, dice)
        if position is not None:
            seen += 1
            assert solved._open_cells(position) <= 20
            assert len(position.legal_moves) <= 20


def test_game_on_file_is_not_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved, "OUT", tmp_path)
    solved.main(["3x3", "--to", str(tmp_path / "page.md")])
    first = Results(tmp_path / "solved.jsonl").records["3x3"]
    solved.main(["3x3", "--to", str(tmp_path / "page.md")])
    assert Results(tmp_path / "solved.jsonl").records["3x3"] == first
    assert (tmp_path / "page.md").read_text().count("| `3x3` | **draw**") == 1
    with pytest.raises(SystemExit, match="expected games of the table, got 9y9"):
        solved.main(["9y9", "--to", str(tmp_path / "page.md")])


def test_page_has_the_hash_of_each_shipped_certificate() -> None:
    text = solved.PAGE.read_text(encoding="utf-8")
    for path in shipped_proofs():
        name = path.relative_to(ROOT).as_posix()
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{name}` |")]
        if path.stat().st_size < 200_000 or os.environ.get("NOUGHTS_SLOW"):
            assert no.Proof.load(path).sha256 in row
