"""The tools that measure the engine are correct themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from math import isclose
from pathlib import Path
from random import Random

import pytest
from bench import matches
from bench.builds import engine_command
from bench.match import load_match
from bench.match import main as play_file
from bench.matches import Match, Pairing, Player, engine, opponent, play_match
from bench.measure import share
from bench.measure.libraries import spiel_name
from bench.measure.rules import random_playthroughs
from bench.openings import balanced_openings
from bench.report import report
from bench.results import ROOT, Results
from bench.train.describe import description
from bench.tune.features import counts_along, feature_names, from_vector, to_vector
from bench.tune.regression import fit, sigmoid, solve
from bench.tune.weights import scale_weights

from noughts import Game, Side, Termination
from noughts.arena.schedule import Key
from noughts.arena.tournaments import Result, Tournaments
from noughts.games.evaluation import Weights
from noughts.store import Store


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "STORE", tmp_path / "matches.sqlite3")


def test_engine_scores_exactly_half_against_itself_at_equal_nodes() -> None:
    found = play_match(Match("4x4:3", engine(nodes=200, hash_mb=1), engine(nodes=200, hash_mb=1), 2))
    assert found.score == 0.5
    assert found.to_data()["pairs"] == 2
    assert found.to_data()["elo"] == 0


def test_weights_are_those_of_one_player_only() -> None:
    weights = Game("4x4:3").weights
    same = Match("4x4:3", engine(nodes=200, weights=weights), engine(nodes=200, weights=weights), 1)
    assert play_match(same).score == 0.5
    blind = weights._replace(line=(0,) * len(weights.line), tempo=0)
    other = Match("5x5:4", engine(nodes=200, weights=blind), engine(nodes=200, weights=Game("5x5:4").weights), 1)
    assert play_match(other).to_data()["pairs"] == 1
    assert other.first.run != other.second.run


def test_match_is_a_tournament_that_is_resumed_and_not_played_twice(tmp_path: Path) -> None:
    match = Match("3x3", opponent("insane"), opponent("beginner"), 4)
    first = play_match(match).to_data()
    assert play_match(match).to_data() == first
    assert first["wins"] + first["draws"] + first["losses"] == 8
    with Store(tmp_path / "matches.sqlite3") as store:
        [summary] = Tournaments(store).list()
    assert summary.is_finished
    assert summary.played == 8


MATCH_FILE = """
game = "3x3"
rounds = 3
[openings]
plies = 2
[[bots]]
run = "insane"
[[bots]]
run = "random"
[[bots]]
run = "beginner"
"""


def test_match_of_a_file_begins_nothing_after_its_time_and_is_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.toml"
    file.write_text(MATCH_FILE, encoding="utf-8")
    assert play_file([str(file), "--minutes", "0"]) == 0
    assert "0 of 18 playthroughs; the same command resumes" in capsys.readouterr().err
    assert play_file([str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["first"], each["second"]) for each in found] == [
        ("insane", "random"),
        ("insane", "beginner"),
        ("random", "beginner"),
    ]
    assert all(sum(each["pairs"]) == 3 and each["forfeits"] == [0, 0] for each in found)
    assert play_file([str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["games", "score", "won"]
    assert len(lines) == 1 + 3


def test_pairs_and_forfeits_of_a_match_are_counted_from_the_side_of_the_first_player() -> None:
    plan = Match("3x3", Player("a", "random"), Player("b", "random"), 3).plan()

    def result(pair: int, leg: int, x: str, winner: Side | None, failure: str | None = None) -> Result:
        other = "b" if x == "a" else "a"
        return Result(
            Key(0, pair, leg), x, other, None, (0,), 0, (0.1,), winner, Termination.RESIGN, (0, 0), failure=failure
        )

    results = [
        *(result(0, 0, "a", Side.X), result(0, 1, "b", Side.O)),  # won twice
        *(result(1, 0, "b", Side.X), result(1, 1, "a", None)),  # lost and drew
        result(2, 0, "a", Side.O, "crash"),  # lost by a crash; the other leg is missing
    ]
    pairing = Pairing(plan, results, "a", "b")
    assert pairing.pairs == [0, 1, 0, 0, 1]
    assert str(pairing.record) == "2–1–2"
    assert (pairing.forfeits_of("a"), pairing.forfeits_of("b")) == (1, 0)
    assert pairing.elo[0] == 0


def test_bot_of_a_match_can_be_a_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.match.engine_command", lambda revision: ["run", f"build of {revision}"])
    file = tmp_path / "match.toml"
    bots = '[[bots]]\nrun = "revision:main~3 --no-book"\n[[bots]]\nrun = "insane"\n'
    file.write_text(f'game = "15x15:5"\n{bots}', encoding="utf-8")
    first, second = load_match(file).entrants
    assert first.run == "run 'build of main~3' --protocol ugi --no-book"
    assert (first.name, first.protocol) == ("main~3", "ugi")
    assert second.run == "insane"


def test_match_reports_a_mistake_in_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play_file([str(tmp_path / "none.toml")]) == 1
    assert "No such file" in capsys.readouterr().err
    file = tmp_path / "match.toml"
    file.write_text('game = "3x3"\n[[bots]]\nrun = "insane"\n', encoding="utf-8")
    assert play_file([str(file)]) == 1
    assert f"{file}: bots: expected" in capsys.readouterr().err


def test_balanced_openings_are_even_and_different_and_the_same_with_any_number_of_processes() -> None:
    game = Game("5x5:4")
    made = partial(balanced_openings, game, 3, seed=4, plies=4, balance=60, nodes=2000)
    found = list(made())
    assert len({str(moves) for moves in found}) == 3
    options = ["--count", "3", "--seed", "4", "--plies", "4", "--balance", "60", "--nodes", "2000", "--processes", "2"]
    command = [sys.executable, "-m", "bench.openings", "5x5:4", *options]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=120).stdout
    assert printed.splitlines() == [" ".join(map(game.format_cell, moves)) for moves in found]
    assert list(balanced_openings(Game("3x3"), 2, plies=8, balance=1, nodes=100)) == []


def test_sequential_match_ends_when_it_is_decided() -> None:
    match = Match("3x3", opponent("insane"), Player("random", "random"), 200, sprt=(0, 300))
    found = play_match(match)
    assert "H1 accepted" in str(found)
    assert found.to_data()["pairs"] < 200


def test_match_that_was_won_throughout_has_an_elo_interval_open_above() -> None:
    found = play_match(Match("4x4:3", opponent("insane"), Player("random", "random"), 3, plies=0))
    elo, low, high = found.elo
    assert found.score == 1
    assert (elo, high) == (None, None)
    assert low is not None
    assert found.wins_as_x == 3


def test_player_that_fails_is_an_error_and_not_a_result() -> None:
    broken = Player("broken", "/nowhere/engine", "ugi")
    with pytest.raises(RuntimeError, match="3x3: insane against broken: broken failed: "):
        play_match(Match("3x3", opponent("insane"), broken, 1))


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_self_play_for_training_compiles_with_the_core() -> None:
    core = ROOT / "core"
    source = str(ROOT / "bench" / "train" / "selfplay.cpp")
    words = ["c++", "-std=c++20", "-fsyntax-only", f"-I{core}", source]
    subprocess.run(words, check=True, timeout=60)


def test_description_of_a_game_has_its_lines_guards_blocks_and_weights() -> None:
    plain, exact, ultimate = (description(Game(name)) for name in ("4x4:3", "6x6:5+exact", "ultimate:3+count"))
    assert plain.startswith("cells 16\nline ")
    assert plain.count("line ") == 24 + 1  # and the weights of lines
    assert "guards" not in plain
    assert exact.count("guards") == exact.count("\nline ") - 4  # all but the diagonals of five cells
    assert "counts_blocks" in ultimate
    assert ultimate.count("outer_line") == 8


def test_tree_search_plays_a_match() -> None:
    found = play_match(Match("3x3", opponent("mcts", nodes=200), opponent("beginner"), 1))
    assert found.to_data()["pairs"] == 1


def test_engine_of_a_revision_runs_on_its_build_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.builds._build", lambda revision: tmp_path)
    command = engine_command("HEAD")
    assert command[1].startswith(f"PYTHONPATH={tmp_path}")
    assert "-S" in command


def test_nothing_is_measured_twice_and_an_incomplete_line_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    assert Results(path).measure("a", lambda: {"value": 1})["value"] == 1
    with path.open("a") as file:
        file.write('{"name": "b", "va')
    results = Results(path)
    assert results.measure("a", lambda: {"value": 2})["value"] == 1
    assert results.measure("b", lambda: {"value": 3})["value"] == 3
    assert Results(path).records.keys() == {"a", "b"}


def test_another_build_is_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for build, value in (("one", 1), ("two", 2)):
        assert Results(path, build).measure("a", partial(dict, value=value))["value"] == value
    assert Results(path).records["a"]["value"] == 2
    assert Results(path, "one").records["a"]["value"] == 1


@pytest.mark.parametrize("id", ["4x4x4", "15x15:5+exact", "ultimate:3", "ultimate:4+count", "7x6:4+gravity"])
def test_counts_times_weights_are_the_evaluation(id: str) -> None:
    game = Game(id)
    names = feature_names(game)
    weights = to_vector(names, game.weights)
    counts = counts_along(game, names)
    [moves] = random_playthroughs(game, 1, seed=3)
    position = game.start()
    for move, row in zip(moves, counts(moves), strict=True):
        kept = [i for i, (field, _) in enumerate(names) if field in ("line", "outer", "block")]
        expected = position._score if position.turn is Side.X else -position._score
        assert sum(row[i] * weights[i] for i in kept) == expected
        position.play(move)


def test_weights_survive_the_way_to_a_vector_and_back() -> None:
    game = Game("ultimate:3")
    names, weights = feature_names(game), game.weights
    assert from_vector(names, to_vector(names, weights), weights) == weights


def test_elimination_solves() -> None:
    assert solve([[0, 2], [4, 1]], [6, 11]) == pytest.approx([2, 3])


def test_regression_finds_the_coefficients_that_made_the_data() -> None:
    random, truth = Random(5), [1.5, -0.7, 0.2]
    rows: list[Sequence[float]] = [[random.uniform(-2, 2), random.uniform(-2, 2), 1.0] for _ in range(500)]
    targets = [sigmoid(sum(a * b for a, b in zip(row, truth, strict=True))) for row in rows]
    assert fit(rows, targets, [0.0] * 3, [1e-9] * 3) == pytest.approx(truth, abs=1e-4)
    held = fit(rows, targets, [0.0] * 3, [1e9] * 3)
    assert all(isclose(value, 0, abs_tol=1e-3) for value in held)


@pytest.mark.parametrize(
    ("id", "name"), [("5x4:4", "mnk(m=5,n=4,k=4)"), ("ultimate:4", None), ("3x3", "tic_tac_toe"), ("4x4+wrap", None)]
)
def test_open_spiel_names(id: str, name: str | None) -> None:
    assert spiel_name(Game(id)) == name


def test_report_shows_only_measurements_on_file(tmp_path: Path) -> None:
    levels = Results(tmp_path / "levels.jsonl", "build")
    levels.add("machine", {"cores": 2, "processor": "x86_64", "python": "3.11", "compiler": "c++ 12"})
    levels.add("3x3 easy beginner", {"score": 1.0, "elo": None, "elo_low": 120.4, "elo_high": None})
    Results(tmp_path / "speed.jsonl").add("depth 4x4x4", {"plain": 0.025, "engine": 1.5, "target": 0.05})
    page = report(tmp_path)
    assert "| `3x3` | ∞ (+120 … ∞) |" in page
    assert "| `4x4x4` | 25.0 ms (< 50.0 ms) | 1.50 s |" in page
    assert "## Rules" not in page
    assert "Nodes a second" not in page


def test_report_shows_the_cost_of_tournaments_and_that_nothing_is_lost(tmp_path: Path) -> None:
    arena = Results(tmp_path / "arena.jsonl")
    arena.add("random 3x3", {"playthroughs": 1000, "seconds": 14.0, "cpu_seconds": 3.5, "target": 20.0})
    arena.add("overhead of a move", {"moves": 4084, "median_ms": 0.4, "cpu_ms_in_all": 1.2, "target": 2.0})
    arena.add(
        "failing bots",
        {"playthroughs": 684, "forfeits": 662, "missing": 0, "processes_left": 0, "files_left": 1, "seconds": 354.0},
    )
    arena.add("kill -9", {"kills": 25, "exit_code": 0, "playthroughs": 1200, "identical": False})
    page = report(tmp_path)
    assert "## Arena" in page
    assert "two at a time | 14.00 s (< 20.00 s) | 3.50 s |" in page
    assert "median of 4,084 | 0.4 ms (< 2.0 ms) | 1.2 ms |" in page
    assert "662 forfeits | 0 missing results, 0 processes and 1 files left |" in page
    assert "killed 25 times and resumed | **different from** an undisturbed tournament |" in page


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1], "got \\[1\\]"),
        ({"lines": []}, "expected an object with line"),
        ({"line": ["a"]}, "whole numbers for line"),
    ],
)
def test_weights_of_other_data_are_an_error(data: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Weights.from_data(data)


def test_scaled_weights_keep_their_proportions() -> None:
    weights = Game("4x4x4").weights
    doubled = scale_weights(weights, 2)
    assert doubled.line == tuple(2 * worth for worth in weights.line)
    assert doubled.tempo == 2 * weights.tempo


def test_reports_of_a_solve_are_compared_with_the_truth() -> None:
    solved = share.measure(share.Case("7x4:4", 1, 2), most_seconds=60)
    assert solved is not None
    assert len(solved.known) >= share.MIN_PARTS
    assert all(0 < truth <= 1 for _, truth in solved.known)
    assert 0 < solved.width < 1
    assert "| proof numbers, others (1) | " in share.summary({("proof numbers", "others"): [solved]})


def test_solve_that_takes_too_long_is_left_out() -> None:
    assert share.measure(share.Case("8x8:5"), most_seconds=0) is None
