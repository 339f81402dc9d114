"""Whole training runs: they improve, can be interrupted anywhere, and end with the same network. Needs PyTorch."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from paths import HELPERS, ROOT
from waiting import wait_until

pytest.importorskip("torch")

import torch

import noughts as no
from noughts import _core
from noughts.games.evaluation import network_of
from noughts.games.spec import parse_id
from noughts.learn.folder import TrainingError, TrainingFolder
from noughts.learn.line_net import LineNet
from noughts.learn.report import plot_training, report_html, summary_text
from noughts.learn.run import TrainingResult, TrainingRun
from noughts.learn.settings import TrainingSettings
from noughts.learn.trainer import Trainer, make_net
from terminals import in_process
from training import position_of, rows_of

SMALL = {"rounds": 2, "playthroughs": 60, "nodes": 40, "steps": 30, "threads": 2, "pairs": 4, "match_nodes": 20}
TIMEOUT_SECONDS = 120
ROUNDING = 0.1
"""Networks in integers and in floating point differ by less than this share of the spread of their scores."""


class Silent:
    """Follows a run without output; raises KeyboardInterrupt after some calls of ``advance``."""

    def __init__(self, interrupted_after: int | None = None) -> None:
        self.left = interrupted_after
        self.stages: list[str] = []

    def begin(self, run: TrainingRun) -> None:
        pass

    def stage(self, round_number: int | None, name: str, total: int, done: int) -> None:
        self.stages.append(name)

    def advance(self, done: int, note: str = "") -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt

    def result(self, round_number: int | None, text: str) -> None:
        pass

    def end(self) -> None:
        pass


@pytest.fixture(autouse=True, scope="module")
def short_end() -> Iterator[None]:
    """The end of a run, which only reports, takes a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("noughts.learn.run.TIME_MATCH_PAIRS", 1)
        patch.setattr("noughts.learn.run.REGRET_PLAYTHROUGHS", 20)
        patch.setattr("noughts.learn.run.CHECKPOINT_SECONDS", 0.0)
        yield


class Finished(NamedTuple):
    """A run that was never interrupted."""

    path: Path
    outcome: TrainingResult


@pytest.fixture(scope="module")
def finished(short_end: None, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    path = tmp_path_factory.mktemp("finished")
    return Finished(path, train(path))


def train(path: Path, name: str = "4x4:3", watcher: Silent | None = None, **amounts: Any) -> TrainingResult:
    folder = TrainingFolder(path)
    settings = TrainingSettings.for_game(no.Game(name)).with_amounts(SMALL | amounts)
    if folder.load_settings() is None:
        folder.start(settings)
    return TrainingRun(folder, settings, watcher or Silent()).run()


def contents(path: Path) -> dict[str, bytes]:
    """All that determines the networks, and the networks themselves."""
    kinds = (".rows", ".net")
    found = {str(each.relative_to(path)): each.read_bytes() for each in path.rglob("*") if each.suffix in kinds}
    matches = {str(each.relative_to(path)): each.read_bytes() for each in path.glob("round-*/*.json")}
    return found | matches


def test_run_that_is_interrupted_again_and_again_ends_with_the_same_network(tmp_path: Path, finished: Finished) -> None:
    interruptions = 0
    while True:
        try:
            train(tmp_path, watcher=Silent(interrupted_after=5 + 6 * interruptions))
            break
        except KeyboardInterrupt:
            interruptions += 1
    assert interruptions > 4
    assert contents(tmp_path) == contents(finished.path)


def test_run_that_is_killed_continues_to_the_same_network(tmp_path: Path, finished: Finished) -> None:
    words = [sys.executable, str(Path(__file__)), str(tmp_path)]
    process = subprocess.Popen(words, env=os.environ | {"PYTHONPATH": str(HELPERS)})
    checkpoint = tmp_path / "round-1" / "checkpoint.pt"
    wait_until(lambda: checkpoint.exists() or process.poll() is not None, TIMEOUT_SECONDS)
    process.send_signal(signal.SIGKILL)
    process.wait(TIMEOUT_SECONDS)
    assert not (tmp_path / "4x4-3.net").exists(), "it was to be killed in the middle"
    train(tmp_path)
    assert contents(tmp_path) == contents(finished.path)


def test_finished_run_plays_and_trains_no_more(finished: Finished) -> None:
    watcher = Silent()
    again = train(finished.path, watcher=watcher)
    assert watcher.stages == []
    assert summary_text(again).splitlines()[1:] == summary_text(finished.outcome).splitlines()[1:]


def test_network_depends_on_the_seed_and_not_on_the_threads_of_self_play(tmp_path: Path, finished: Finished) -> None:
    train(tmp_path / "one", rounds=1, threads=1)
    train(tmp_path / "other", rounds=1, seed=2)
    one, other = ((tmp_path / name / "4x4-3.net").read_bytes() for name in ("one", "other"))
    assert one == (finished.path / "round-1" / "network.net").read_bytes() != other


def test_minute_of_training_improves_loss_and_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.learn.run.REGRET_PLAYTHROUGHS", 300)
    monkeypatch.setattr("noughts.learn.run.REGRET_SECONDS", 10.0 * TIMEOUT_SECONDS)
    outcome = train(tmp_path, rounds=1, playthroughs=800, nodes=300, steps=250, pairs=4)
    last = outcome.rounds[-1].losses[-1]
    assert last.loss < 0.15 < 0.5 < last.played_loss
    assert outcome.regret is not None
    assert outcome.start_regret is not None
    assert outcome.start_regret.mistakes >= 5
    assert outcome.regret.mistakes <= outcome.start_regret.mistakes // 5


@pytest.mark.parametrize(
    "name", ["4x4:3", "7x6:4+gravity", "3x3x3", "3x3+misere", "10x10:5", "ultimate:2", "ultimate:3"]
)
def test_core_computes_what_was_trained(name: str) -> None:
    game = no.Game(name)
    rows = rows_of(game, 12, 30, strips=game.cells >= 100)
    trainer = Trainer(make_net(rows, 1), [rows], [rows], 64, 5e-3, 1, torch.device("cpu"), spread=300.0)
    for step in range(30):
        trainer.step(step / 30)
    network = trainer.to_bytes()
    values = trainer.net.value(trainer._games[0], torch.arange(len(rows))) * 300
    assert len(rows) > 8
    for row, value in zip(rows.rows, values.tolist(), strict=True):
        assert _core.estimate(position_of(game, row), network) == pytest.approx(value, abs=ROUNDING * 300)


@pytest.mark.parametrize("name", ["4x4x4", "7x6:4+gravity", "15x15:5", "15x15:5+exact", "20x20:5"])
def test_core_judges_as_the_networks_of_the_package_in_floating_point(name: str) -> None:
    game, network = no.Game(name), network_of(parse_id(name))
    rows = rows_of(game, 12, 30, strips=game.cells >= 100)
    net = LineNet(rows.sight, 32)
    spread = net.read(network)
    values = net(net.prepare(rows, torch.device("cpu")), torch.arange(len(rows)), False)[0] * spread
    for row, value in zip(rows.rows, values.tolist(), strict=True):
        assert _core.estimate(position_of(game, row), network) == pytest.approx(value, abs=ROUNDING * spread)


def test_result_is_a_network_for_the_engine_alone(finished: Finished) -> None:
    game = no.Game("4x4:3")
    engine = no.Engine(network=finished.path / "4x4-3.net", book=False)
    assert engine.search(game.start(), no.Limit(depth=3)).move in game.start().legal_moves
    with pytest.raises(ValueError, match="network"):
        engine.search(no.Game("5x5:4").start(), no.Limit(depth=3))


def test_report_has_the_rounds_the_curves_and_the_regret(tmp_path: Path, finished: Finished) -> None:
    outcome = finished.outcome
    page, text = report_html(outcome), summary_text(outcome)
    assert page == (finished.path / "report.html").read_text()
    assert text == (finished.path / "summary.txt").read_text()
    assert page.count("<tr>") == 3
    assert page.count('class="plot"') == 3
    assert "regret against the solver" in page
    assert "regret against the solver" in text
    assert "<script" not in page
    plot_training(outcome, tmp_path / "plot.svg")
    assert "Elo relative to" in (tmp_path / "plot.svg").read_text()


def test_command_trains_and_refuses_other_settings_in_the_same_folder(tmp_path: Path) -> None:
    words = ["train", "3x3", "--out", str(tmp_path / "run"), "--rounds", "1", "--playthroughs", "40", "--steps", "20"]
    done = in_process(tmp_path, *words, "--nodes", "20")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("report.html\n")
    assert "round 1, training: loss" in done.stderr
    other = in_process(tmp_path, *words, "--nodes", "30")
    assert other.returncode == 2
    assert "has a run with --nodes 20, not 30; choose another folder with --out" in other.stderr
    events = [json.loads(line) for line in in_process(tmp_path, *words, "--json").stdout.splitlines()]
    assert [event["event"] for event in events] == ["begin", "end"]
    assert Path(events[-1]["network"]).read_bytes()[:3] == b"NNL"


def test_minutes_choose_amounts_that_are_saved(tmp_path: Path) -> None:
    words = ["train", "3x3", "--out", str(tmp_path / "run"), "--minutes", "0.05", "--rounds", "1", "--steps", "20"]
    done = in_process(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    settings = TrainingFolder(tmp_path / "run").load_settings()
    assert settings is not None
    assert (settings.minutes, settings.rounds, settings.steps) == (0.05, 1, 20)
    assert settings.playthroughs != TrainingSettings.for_game(no.Game("3x3")).playthroughs


def test_game_without_a_quiet_position_is_refused(tmp_path: Path) -> None:
    game = no.Game.from_lines("one cell", cells=1, lines=[[0]])
    folder = TrainingFolder(tmp_path)
    folder.start(TrainingSettings.for_game(game).with_amounts(SMALL))
    settings = folder.load_settings()
    assert settings is not None
    with pytest.raises(TrainingError, match="found no quiet position of one cell to learn from"):
        TrainingRun(folder, settings, Silent()).run()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_device_that_does_not_exist_is_refused_and_not_saved(tmp_path: Path) -> None:
    refused = in_process(tmp_path, "train", "3x3", "--out", str(tmp_path / "run"), "--device", "cuda")
    assert (refused.returncode, refused.stderr) == (
        2, "noughts: --device cuda needs a GPU that PyTorch can use; there is none\n",
    )  # fmt: skip
    assert not (tmp_path / "run").exists()
    with pytest.raises(TrainingError, match="--device cuda needs a GPU"):
        train(tmp_path, device="cuda")


def test_damaged_file_of_a_run_is_named(tmp_path: Path, finished: Finished) -> None:
    run = shutil.copytree(finished.path, tmp_path / "run")
    (run / "round-1" / "network.net").unlink()  # training continues from its checkpoint
    checkpoint = run / "round-1" / "checkpoint.pt"
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    with pytest.raises(TrainingError, match=r"checkpoint.pt: expected a checkpoint"):
        train(run)
    rows = run / "round-1" / "rows-03.rows"
    for damaged in (b"", b"NNR2", rows.read_bytes()[:200]):
        rows.write_bytes(damaged)
        with pytest.raises(TrainingError, match=r"rows-03.rows: expected rows of self-play, got something else"):
            train(run)


BENCH_PROGRAM = """
import json, sys
sys.modules["noughts._core"] = None
from bench.train.networks import main
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    main()
"""


def test_networks_are_trained_for_a_time_where_the_core_is_not_built(tmp_path: Path) -> None:
    shapes = {"4x4:3": "board-16", "ultimate:2": "blocks-16-8-16-8"}
    calls: list[list[str]] = []
    for name, shape in shapes.items():
        game, rows = no.Game(name), tmp_path / f"{shape.partition('-')[0]}.1.rows"
        rows.write_bytes(_core.rows_header(game._core) + _core.self_play(game._core, b"", 0, 60, 1, 30, 2))
        words = [str(rows), "--out", str(tmp_path), "--seconds", "0.1", "--lanes", "16", "--shapes", "16-8:16:8"]
        calls += [words, [*words, "--warm", str(tmp_path / f"{shape}.net")]]
    words = [sys.executable, "-c", BENCH_PROGRAM, json.dumps(calls)]
    subprocess.run(words, cwd=ROOT, check=True, timeout=TIMEOUT_SECONDS)
    for name, shape in shapes.items():
        start, network = no.Game(name).start(), (tmp_path / f"{shape}.net").read_bytes()
        assert _core.estimate(start, network) != _core.estimate(start, b"")


if __name__ == "__main__":
    from noughts.learn import run

    run.CHECKPOINT_SECONDS = 0.0
    train(Path(sys.argv[1]))
