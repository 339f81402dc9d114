"""Networks tested on rows kept out of training. Needs PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

import numpy as np
from bench.train.describe import description
from bench.train.held_out import fitted, leads, main, usable
from bench.train.match_rows import rows_of as rows_of_match

import noughts as no
from noughts import _core
from noughts.arena.schedule import Key
from noughts.arena.tournaments import Result
from noughts.games import Side, Termination
from noughts.learn.rows import UNKNOWN, Rows
from paths import ROOT
from training import rows_of

NETWORK = ROOT / "src" / "noughts" / "games" / "networks" / "strips5.net"


def test_scale_and_offset_of_a_score_do_not_matter_for_its_loss() -> None:
    random = np.random.default_rng(1)
    logits = random.normal(size=4000)
    won = (random.random(4000) < 1 / (1 + np.exp(-logits))).astype(float)
    loss, chances = fitted(logits, won)
    assert loss < 0.65
    assert chances.mean() == pytest.approx(won.mean(), abs=0.01)
    assert fitted(logits * 400 + 90, won)[0] == pytest.approx(loss, abs=1e-4)
    assert fitted(random.normal(size=4000), won)[0] == pytest.approx(np.log(2), abs=0.01)


def test_lead_counts_the_lines_of_one_side_alone(tmp_path: Path) -> None:
    path = tmp_path / "3x3.game"
    path.write_text(description(no.Game("3x3")))
    # The side to move has a corner and the centre, the other side another corner.
    marks = np.array([[1, 0, 2, 0, 1, 0, 0, 0, 0]], np.uint8)
    # Lines of one mark: the left column, the middle row and the middle column against the right column.
    assert {count: lead.tolist() for count, lead in leads(path, marks).items()} == {1: [2.0]}


def test_rows_are_usable_once_and_with_a_result() -> None:
    rows = rows_of(no.Game("5x5:4"), 8)
    twice = rows.part(slice(None))
    twice.rows = np.repeat(rows.rows, 2)
    found = usable(twice)
    assert 0 < len(found) <= len(rows)
    assert (found.rows["result"] != UNKNOWN).all()
    assert (found.rows["proven"] == 0).all()


def test_positions_of_a_match_are_judged_by_their_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = no.Game("15x15:5")
    moves = tuple(map(game.parse_cell, ["h8", "i8", "h7", "i7", "g6", "f5", "k11", "l12"]))
    result = Result(Key(0, 0, 0), "a", "b", None, moves, 0, (), Side.X, Termination.LINE, (1, 0))
    engine = no.Engine(hash_mb=1, book=False)
    raw = b"".join(rows_of_match(game, result, 2, engine, no.Limit(nodes=100)))
    rows = Rows(_core.rows_header(game._core, strips=True) + raw)
    assert rows.rows["ply"].tolist() == [4, 7]
    assert rows.rows["result"].tolist() == [1, -1]
    assert (rows.rows["marks"] != 0).sum(1).tolist() == [4, 7]
    path, description_path = tmp_path / "a.rows", tmp_path / "a.game"
    path.write_bytes(rows.header + raw * 3)
    description_path.write_text(description(game))
    words = ["held_out", str(path), "--game", str(description_path), "--networks", str(NETWORK)]
    monkeypatch.setattr("sys.argv", words)
    main()
    printed = capsys.readouterr().out
    assert printed.startswith("the search\n  from  0 marks")
    assert "strips5.net\n" in printed
