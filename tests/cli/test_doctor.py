"""``noughts doctor`` reports the state of every part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from noughts import _core
from noughts.cli import doctor


def test_everything_that_should_work_works_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    result = CliRunner().invoke(doctor.command, ["--json"], standalone_mode=False)
    findings = {finding["name"]: finding for finding in json.loads(result.output)}
    assert result.return_value == 0
    assert findings["core"]["state"] == "ok"
    assert findings["core"]["about"].endswith(f"; networks use {_core.instruction_set()})")
    assert findings["data folder"]["about"] == f"{tmp_path} (writable)"
    assert findings["click"]["state"] == "ok"


def test_doctor_says_how_programs_are_confined_and_ended_here(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = {finding.name: finding for finding in doctor.examine()}
    assert findings["programs"].about.startswith("can be run; ")
    if findings["sandbox"].state == "ok":
        assert "system calls are filtered" in findings["sandbox"].about
    monkeypatch.setattr("noughts.process.sandbox.why_no_sandbox", lambda: "there is none")
    monkeypatch.setattr("noughts.process.why_no_sandbox", lambda: "there is none", raising=False)
    finding = next(finding for finding in doctor.examine() if finding.name == "sandbox")
    assert (finding.state, finding.about) == ("missing", "there is none")


def test_data_folder_that_cannot_be_written_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path / "file"))
    result = CliRunner().invoke(doctor.command, [], standalone_mode=False)
    assert result.return_value == 1
    assert "data folder        broken " in result.output


def test_store_that_is_not_a_database_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    (tmp_path / "noughts.sqlite3").write_text("no database at all\n" * 100)
    finding = next(finding for finding in doctor.examine() if finding.name == "saved games")
    assert finding.state == "broken"
    assert "not a database" in finding.about


def test_wrong_count_of_the_core_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PERFT_5_OF_3X3", 1)
    finding = next(finding for finding in doctor.examine() if finding.name == "core")
    assert (finding.state, finding.about) == ("broken", "expected 1 playthroughs of five plies, got 15120")


def test_missing_extra_is_not_a_failure_and_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    findings = {finding.name: finding for finding in doctor.examine()}
    assert findings["matplotlib"].state == "missing"
    assert "noughts[plot]" in findings["matplotlib"].about
    assert findings["click"].state == "broken"


def test_settings_name_where_they_come_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOUGHTS_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("NOUGHTS_DRAWING", "ascii")
    monkeypatch.delenv("NOUGHTS_DATA", raising=False)
    assert doctor._settings() == "1 setting from the environment"
    (tmp_path / "config.toml").write_text('[play]\ngame = "qubic"\n')
    assert doctor._settings() == f"1 setting from {tmp_path}/config.toml, 1 setting from the environment"


def test_every_package_is_listed_once() -> None:
    names = [finding.name for finding in doctor.examine()]
    assert names.count("numpy") == 1
    assert len(names) == len(set(names))
