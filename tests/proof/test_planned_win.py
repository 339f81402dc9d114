"""A win by a plan: the first moves are given, jobs answer every reply, and the parts are joined."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import noughts as no
from inline_tasks import InlineTasks
from noughts import _core
from noughts.proof.jobs.journal import Journal
from noughts.proof.jobs.planned_win import ROUNDS, PlannedWin, answer_quietly
from noughts.proof.jobs.worker import Answer
from paths import ROOT
from second_checker import build_checker, verdicts


def planned(position: no.Position, move: str, journal: Journal | None = None) -> PlannedWin:
    assert position.turn is not None
    plan = [(position, position.game.parse_cell(move))]
    return PlannedWin(position, plan, position.turn, [] if journal is None else [journal])


def check(proof: no.Proof) -> None:
    """Check a certificate by both checkers."""
    report = no.verify(proof)
    assert verdicts(build_checker(), [proof.text.encode()]) == [(proof.value, report.nodes, report.positions)]


def test_every_reply_to_the_planned_move_is_answered(tmp_path: Path) -> None:
    position = no.Game("7x7:4").start()
    win = planned(position, "d4")
    assert len(win.leaves) < 48  # symmetric replies are answered once
    journal = Journal(tmp_path / "journal", position, is_new=True)
    win.solve(InlineTasks(answer_quietly), journal, seconds=60, memory_mb=64)
    assert win.is_proven
    check(win.proof())


def test_answers_of_an_interrupted_run_are_kept(tmp_path: Path) -> None:
    position, path = no.Game("7x7:4").start(), tmp_path / "journal"
    with pytest.raises(KeyboardInterrupt):
        planned(position, "d4").solve(InlineTasks(answer_quietly, most=4), Journal(path, position, True), 60, 64)
    resumed = planned(position, "d4", Journal(path, position, False))
    assert len(resumed.leaves) - len(resumed.open_leaves) == 4
    tasks = InlineTasks(answer_quietly)
    resumed.solve(tasks, Journal(path, position, False), 60, 64)
    assert tasks.answers == len(resumed.leaves) - 4
    check(resumed.proof())


def test_answer_about_a_symmetric_position_fits_as_it_stands(tmp_path: Path) -> None:
    start = no.Game("7x7:4").start()
    journal = Journal(tmp_path / "journal", start, is_new=True)
    win = planned(start, "d4")
    win.solve(InlineTasks(answer_quietly), journal, 60, 64)
    reached = {leaf.position.text for leaf in win.leaves}
    image = next(
        leaf for cell in start.after("d4").legal_moves if (leaf := start.after("d4").after(cell)).text not in reached
    )
    other = Journal(tmp_path / "other", start, is_new=True)
    settings = ROUNDS[0]
    other.write(image.text, answer_quietly(json.dumps(start.game.to_data()), image.text, 0, settings, 64))
    other.flush()
    journals = [Journal(tmp_path / name, start, is_new=False) for name in ("other", "journal")]
    joined = PlannedWin(start, [(start, start.game.parse_cell("d4"))], no.Side.X, journals)
    assert image.text in {leaf.position.text for leaf in joined.leaves}
    joined.solve(InlineTasks(answer_quietly), journals[1], 60, 64)
    check(joined.proof())


def test_position_that_fails_gets_other_settings(tmp_path: Path) -> None:
    position, seen = no.Game("7x7:4").start(), []

    def refuse_at_first(game: str, text: str, attacker: int, settings: tuple[int, int, float], memory: int) -> Answer:
        seen.append(settings[:2])
        if settings[:2] == ROUNDS[0][:2]:
            return Answer(None, 1, 1, 10, 0.1, None)
        return answer_quietly(game, text, attacker, settings, memory)

    win = planned(position, "d4")
    win.solve(InlineTasks(refuse_at_first), Journal(tmp_path / "journal", position, True), 60, 64)
    assert win.is_proven
    assert len(seen) == 2 * len(win.leaves)
    assert set(seen[len(win.leaves) :]) == {ROUNDS[1][:2]}


@pytest.mark.parametrize("settings", [(0, 1), (41, 1), (10, 0), (10, 101)])
def test_settings_out_of_range_are_refused(settings: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="expected a width"):
        _core.find_quiet_win(no.Game("7x7:4").start(), 0, settings, 1.0, 16)


def test_certificates_of_all_replies_are_joined_to_that_of_the_game(tmp_path: Path) -> None:
    start = no.Game("7x7:4").start()
    for number, leaf in enumerate(planned(start, "d4").leaves):
        win = PlannedWin(leaf.position, [], no.Side.X)
        win.solve(InlineTasks(answer_quietly), Journal(tmp_path / "journal", leaf.position, True), 60, 64)
        win.proof().save(tmp_path / f"{number}.ngp")
    files, whole = sorted(tmp_path.glob("*.ngp")), tmp_path / "whole"
    command = [sys.executable, str(ROOT / "tools" / "join-openings"), "7x7:4", "d4", "--output", str(whole)]
    subprocess.run([*command, *map(str, files)], check=True, timeout=60)
    proof = no.Proof.load(whole)
    assert proof.position == start.text
    check(proof)
    refused = subprocess.run([*command, *map(str, files[1:])], capture_output=True, text=True, check=False, timeout=60)
    assert refused.stderr.startswith("expected a proof for each reply, got none for ")


def test_command_writes_the_certificate_of_an_opening(tmp_path: Path) -> None:
    command = [
        sys.executable,
        str(ROOT / "tools" / "prove-opening"),
        "7x7:4",
        "d4",
        "--folder",
        str(tmp_path),
        "--on",
        "local:1",
    ]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert "positions proven" in said
    check(no.Proof.load(tmp_path / "d4.ngp"))
