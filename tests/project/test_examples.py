"""The examples run unchanged and print the documented output."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import pytest

import noughts as no
from noughts.arena.agents import ExactPosition, exact_positions
from noughts.teaching.grading.diagnosis.diagnoses import DIAGNOSES
from paths import ROOT
from terminals import in_process

EXAMPLES = ROOT / "examples"


def run(name: str, cwd: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *words],
        cwd=cwd, capture_output=True, text=True, timeout=240, check=True,
    )  # fmt: skip
    return done.stdout


def test_thirty_lines_make_your_own_search_that_is_drawn(tmp_path: Path) -> None:
    source = (EXAMPLES / "own_search.py").read_text(encoding="utf-8")
    assert len([line for line in source.splitlines() if line.strip()]) <= 30
    report = run("own_search.py", tmp_path)
    assert "<Trace of my_search: 29 nodes visited, 8 branches pruned>" in report
    assert "6 of 6 properties hold" in report
    assert (tmp_path / "own_search.svg").exists()
    assert (tmp_path / "own_search.html").exists()


def test_the_exercises_say_that_they_are_not_written_yet(tmp_path: Path) -> None:
    report = run("exercises.py", tmp_path)
    assert report.count("NotImplementedError: exercise") == 7
    assert report.count(DIAGNOSES["not-written"]) == 7
    assert "0 of 6 properties hold" in report


def test_the_solutions_answer_every_exercise_and_pass(tmp_path: Path) -> None:
    names = {"utility", *(name for name in runpy.run_path(str(EXAMPLES / "exercises.py")) if name.startswith("my_"))}
    assert names <= set(runpy.run_path(str(EXAMPLES / "solutions.py")))
    report = run("solutions.py", tmp_path)
    assert (report.count("6 of 6 properties hold"), report.count("9 of 9 properties hold")) == (len(names) - 2, 1), (
        report
    )


@pytest.mark.parametrize("number", range(1, 9))
def test_each_exercise_to_be_written_is_on_the_sheet(number: int) -> None:
    sheet = (EXAMPLES / "exercises.md").read_text(encoding="utf-8")
    assert re.search(rf"\n{number}\. \*\*.+\*\* \(★{{1,3}}, \d+ minutes\)\.", sheet)
    functions = runpy.run_path(str(EXAMPLES / "exercises.py"), run_name="exercises")
    wanted = {
        "minimax",
        "alphabeta",
        "ordered_alphabeta",
        "alphabeta_with_table",
        "limited_alphabeta",
        "evaluate",
        "mcts",
    }
    assert {"utility", *(f"my_{name}" for name in wanted)} <= set(functions)


def table(report: str) -> dict[str, list[float]]:
    """The rows of an evaluation: positions, best (%), regret, illegal, invalid, exact (%)."""
    rows = (line.split() for line in report.splitlines()[1:])
    return {name: [float(number.rstrip("%")) for number in numbers] for name, *numbers in rows}


def test_evaluation_scores_players_by_game(tmp_path: Path) -> None:
    words = ("--games", "3x3,4x4:3", "--positions", "12", "--nodes", "5000")
    scores = {name: table(run("evaluate_player.py", tmp_path, name, *words)) for name in ("random", "insane")}
    for found in scores.values():
        assert list(found) == ["3x3", "4x4:3", "all"]
        assert [found[game][0] for game in found] == [12, 12, 24]
        assert found["all"][3:] == [0, 0, 100]
        assert found["all"][2] == pytest.approx((found["3x3"][2] + found["4x4:3"][2]) / 2, abs=0.001)
    assert scores["insane"]["all"][2] < scores["random"]["all"][2] / 2
    assert scores["insane"]["all"][1] > scores["random"]["all"][1]


def test_evaluation_counts_illegal_and_invalid_answers(tmp_path: Path) -> None:
    positions, best, regret, illegal, invalid, exact = table(run("evaluate_player.py", tmp_path, "--games", "3x3"))[
        "3x3"
    ]
    assert (positions, exact) == (20, 100)
    assert illegal > 0 < invalid
    assert 0 < best < 100
    assert 0 < regret < 2
    (tmp_path / "bad.py").write_text("def taken(position):\n    return position.moves[0] if position.moves else 0\n")
    found = table(run("evaluate_player.py", tmp_path, "bad.py:taken", "--games", "3x3"))["3x3"]
    assert found[3] >= 15


class Training(NamedTuple):
    """A short run of an example on 3x3, and the regret that the network alone must reach; random moves have 0.9."""

    name: str
    words: str
    most_regret: float


SHORT = (
    Training("ppo", "--steps 80000 --games 128 --length 16 --batch 512 --explore 0.2", 0.3),
    Training("alphazero", "--steps 80 --games 64 --length 8 --simulations 16 --batch 64 --lookups 16", 0.3),
)


def train(name: str, folder: Path, *words: str) -> list[dict[str, float]]:
    """Train in this process, where importing PyTorch counts once; returns the points of the curve."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [name, "--out", str(folder / "run"), "--threads", "1", "--seed", "1", *words])
        runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    torch.set_num_threads(threads)
    return [json.loads(line) for line in (folder / "run" / "curve.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("training", SHORT, ids=lambda training: training.name)
def test_training_learns_to_play_3x3_in_seconds(training: Training, tmp_path: Path) -> None:
    curve = train(training.name, tmp_path, "--game", "3x3", "--pairs", "0", *training.words.split())
    assert curve[-1]["policy_regret"] <= training.most_regret
    assert curve[-1]["regret"] <= 0.1
    assert curve[-1]["return"] >= -0.5


@pytest.mark.parametrize(("name", "few"), [("ppo", ()), ("alphazero", ("--simulations", "2", "--lookups", "2"))])
def test_training_resumes_where_it_stopped(name: str, few: tuple[str, ...], tmp_path: Path) -> None:
    words = ("--steps", "2", "--games", "8", "--width", "8", "--pairs", "1", *few)
    first = train(name, tmp_path, "--game", "3x3", *words)
    second = train(name, tmp_path, "--resume", *words)
    assert second[:-1] == first
    assert second[-1]["steps"] == 2 * first[-1]["steps"]


def test_folder_of_a_training_has_an_agent_for_the_benchmark(tmp_path: Path) -> None:
    train("ppo", tmp_path, "--game", "3x3", "--steps", "2", "--games", "8", "--width", "8", "--pairs", "1")
    (expected,) = json.loads((tmp_path / "run" / "benchmark.json").read_text())["games"]
    words = (f"{tmp_path}/run/ppo.py:Agent", "--game", "3x3", "--pairs", "1", "--json")
    (found,) = json.loads(in_process(tmp_path, "bench", "agents", *words).stdout)["games"]
    assert found == expected


def agent_of(name: str, **options: int) -> Any:
    """The agent of an example with a network that has learned nothing."""
    pytest.importorskip("torch").manual_seed(1)
    example = runpy.run_path(str(EXAMPLES / f"{name}.py"))
    sizes = {"channels": 4, "layers": 1, "width": 8, "lookups": 1, "lr": 0.001}
    return example["Agent"](example["Run"]("3x3", "cpu", sizes), **options)


def endings() -> list[ExactPosition]:
    return [each for each in exact_positions(no.Game("3x3")) if len(each.position.legal_moves) <= 5]


@pytest.mark.parametrize("name", ["ppo", "alphazero"])
def test_search_makes_up_for_a_network_that_has_learned_nothing(name: str) -> None:
    agents = (agent_of(name, simulations=0), agent_of(name, simulations=200))
    policy, search = (fmean(each.regret(agent.choose(each.position)) for each in endings()) for agent in agents)
    assert policy > 0.3
    assert search < 0.05


def test_first_simulations_of_a_search_try_all_moves_of_the_root() -> None:
    example = runpy.run_path(str(EXAMPLES / "alphazero.py"))
    table = example["visit_table"](24, "cpu")
    assert table[7].tolist()[:14] == [0] * 7 + [1, 1, 1, 2, 2, 2, 3]
    assert (table[1] == 0).sum() == 1


def test_ppo_stays_short_enough_to_be_read() -> None:
    assert len((EXAMPLES / "ppo.py").read_text(encoding="utf-8").splitlines()) < 250


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ppo", "alphazero"])
def test_training_beats_a_level_at_connect_four_in_ten_minutes(name: str, tmp_path: Path) -> None:
    curve = train(name, tmp_path, "--game", "connect4", "--pairs", "0", "--seconds", "240")
    assert curve[-1]["return"] >= 0
    assert curve[-1]["policy_regret"] < 0.5
