"""The parts of ``noughts train`` that need no PyTorch: settings, self-play, rows, matches, regret, and messages."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

import noughts as no
from clusters import run_with_ray
from noughts import _core
from noughts.engine import Limit
from noughts.learn.folder import TrainingError, TrainingFolder, file_name
from noughts.learn.matches import Contest, distinct_openings, elo_difference, play_contest
from noughts.learn.regret import choose_by_estimate, measure_regret
from noughts.learn.rows import UNKNOWN, Rows
from noughts.learn.self_play import Chunk, LocalSelfPlay
from noughts.learn.settings import TrainingSettings
from paths import ROOT
from terminals import in_process
from training import position_of, rows_of

PYRAMID = ROOT / "examples" / "games" / "pyramid.json"


# TrainingSettings


@pytest.mark.parametrize("playthroughs", [2, 7, 20, 39, 400, 401])
def test_files_of_all_rounds_share_no_playthrough(playthroughs: int) -> None:
    settings = TrainingSettings.for_game(no.Game("3x3")).with_amounts({"playthroughs": playthroughs})
    numbers: list[int] = []
    for round_number in (1, 2, 3):
        for chunk in range(settings.chunks):
            first, size = settings.chunk(round_number, chunk)
            numbers += range(first, first + size)
    assert len(numbers) == len(set(numbers)) == 3 * max(playthroughs, settings.chunks)


def test_settings_of_a_custom_game_can_be_saved(tmp_path: Path) -> None:
    settings = TrainingSettings.for_game(no.load_game(PYRAMID)).with_amounts({"nodes": 77, "rounds": None})
    folder = TrainingFolder(tmp_path / "run")
    assert folder.load_settings() is None
    folder.start(settings)
    assert folder.load_settings() == settings
    assert settings.nodes == 77


def test_larger_games_get_more_nodes_and_fewer_playthroughs() -> None:
    small, middle, large = (TrainingSettings.for_game(no.Game(name)) for name in ("4x4:3", "connect4", "15x15:5"))
    assert small.nodes < middle.nodes < large.nodes
    assert small.playthroughs > middle.playthroughs > large.playthroughs


def test_damaged_settings_are_named(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"game": "3x3"}')
    with pytest.raises(TrainingError, match=r"settings\.json: expected the settings of a training run"):
        TrainingFolder(tmp_path).load_settings()


def test_two_processes_cannot_train_in_one_folder(tmp_path: Path) -> None:
    folder = TrainingFolder(tmp_path)
    with (
        folder.lock(),
        pytest.raises(TrainingError, match="another process is training in"),
        TrainingFolder(tmp_path).lock(),
    ):
        pass
    with folder.lock():
        pass


@pytest.mark.parametrize(
    ("game", "name"), [("5x5:4", "5x5-4"), ("gomoku", "gomoku"), ("ultimate:3+count", "ultimate-3+count")]
)
def test_file_names_are_those_of_the_game(game: str, name: str) -> None:
    assert file_name(no.Game(game)) == name


# Self-play


@pytest.mark.parametrize("name", ["4x4:3", "connect4", "3x3+misere", "3x3x3", "ultimate:2"])
def test_rows_are_positions_with_their_best_move(name: str) -> None:
    game = no.Game(name)
    rows = rows_of(game, 20)
    assert len(rows) > 10
    for row in rows.rows:
        own, others = (row["marks"] == 1).sum(), (row["marks"] == 2).sum()
        assert own + others == row["ply"]
        assert others - own == row["ply"] % 2
        assert row["marks"][row["move"]] == 0
        assert row["result"] in (-1, 0, 1, UNKNOWN)


def test_proven_rows_have_the_value_that_the_solver_finds() -> None:
    game = no.Game("4x4:4")
    checked = 0
    for row in rows_of(game, 20, nodes=300).rows:
        if not row["proven"]:
            continue
        value = no.solve(position_of(game, row)).value
        assert value is not None
        assert value.number == (int(row["score"]) > 1000) - (int(row["score"]) < -1000)
        checked += 1
    assert checked > 20


def test_chunks_are_the_same_in_any_order_and_on_any_number_of_threads() -> None:
    game = no.Game("connect4")
    chunks = [Chunk(0, 0, 3), Chunk(1, 3, 3), Chunk(2, 6, 1)]
    done: list[int] = []
    one = dict(LocalSelfPlay(game, 1, 50, 1).play(chunks, None, done.append))
    three = dict(LocalSelfPlay(game, 1, 50, 3).play(list(reversed(chunks)), None, done.append))
    assert one == three
    assert max(done) == 7


RAY_PROGRAM = """
import sys
import noughts as no
from noughts.learn.self_play import Chunk, LocalSelfPlay, RaySelfPlay

game, done = no.load_game(sys.argv[1]), []
chunks = [Chunk(number, 5 * number, 5) for number in range(4)]
there = dict(RaySelfPlay(game, 1, 50).play(chunks, b"", done.append))
assert done[-1] == 20, done
assert there == dict(LocalSelfPlay(game, 1, 50, 1).play(chunks, b"", done.append))
assert all(there.values())
"""


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_self_play_on_a_cluster_gives_the_same_rows() -> None:
    run_with_ray("-c", RAY_PROGRAM, str(PYRAMID))


def test_self_play_can_be_interrupted() -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _core.self_play(no.Game("15x15:5")._core, b"", 0, 10_000, 1, 2000, 2, stop)


def test_self_play_refuses_a_network_of_another_game_and_impossible_numbers() -> None:
    game = no.Game("3x3")._core
    network = (Path(no.__file__).parent / "games" / "networks" / "ultimate3.net").read_bytes()
    with pytest.raises(ValueError, match="network"):
        _core.self_play(game, network, 0, 1, 1, 10, 1)
    for first, count, nodes, threads in ((0, 0, 10, 1), (0, 1, 0, 1), (0, 1, 10, 0), (0, 1, 10, 1000)):
        with pytest.raises(ValueError, match="expected"):
            _core.self_play(game, b"", first, count, 1, nodes, threads)


def test_rows_of_something_else_are_refused() -> None:
    with pytest.raises(ValueError, match="expected rows of self-play"):
        Rows(b"something else")


def test_files_of_different_games_are_not_mixed(tmp_path: Path) -> None:
    paths = [tmp_path / "a.rows", tmp_path / "b.rows"]
    for path, name in zip(paths, ("3x3", "4x4:3"), strict=True):
        path.write_bytes(_core.rows_header(no.Game(name)._core))
    with pytest.raises(ValueError, match="expected rows of one game"):
        Rows.read(paths)
    assert len(Rows.read(paths[:1] * 2)) == 0


# Matches


def test_evaluation_against_itself_scores_exactly_half() -> None:
    game = no.Game("5x5:4")
    openings = distinct_openings(game, 1, 4)
    points = play_contest(Contest(game, openings, None, b"", Limit(nodes=50)), threads=2)
    assert points == [1.0] * 4
    assert elo_difference(points).elo == pytest.approx(0)


def test_match_continues_after_the_openings_that_were_played() -> None:
    game = no.Game("5x5:4")
    contest = Contest(game, distinct_openings(game, 1, 3), None, b"", Limit(nodes=30))
    seen: list[int] = []
    assert play_contest(contest, points=[2.0, 0.5], progress=lambda points: seen.append(len(points))) == [2.0, 0.5, 1.0]
    assert seen == [3]


def test_openings_differ_in_more_than_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.learn.matches.LENGTHS", 1)
    game = no.Game("3x3")
    found = distinct_openings(game, 1, 20)
    hashes = {opening.position(game).canonical_hash for opening in found}
    assert 1 < len(found) == len(hashes) <= 12
    assert found == distinct_openings(game, 1, 20, threads=2)


# Regret


def test_player_that_looks_one_move_ahead_completes_and_stops_lines() -> None:
    game = no.Game("3x3")
    assert choose_by_estimate(game.parse("xx1/oo1/3 x"), None) == 2
    assert choose_by_estimate(game.parse("x2/oo1/2x x"), None) == 5
    assert choose_by_estimate(game.parse("x1x/1o1/3 o"), None) == 1


def test_regret_counts_what_the_player_gives_away() -> None:
    regret = measure_regret(no.Game("3x3+misere"), None, playthroughs=60, seed=1, seconds=60)
    assert regret.unknown == 0
    assert 0 < regret.choices <= regret.positions
    assert 0 < regret.mistakes <= regret.lost <= 2 * regret.mistakes
    assert f"{regret.mistakes:,} mistakes in {regret.choices:,} positions" in regret.text


def test_regret_of_a_game_that_the_solver_does_not_know_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.learn.regret.SOLVER_LIMIT", no.Limit(nodes=100))
    regret = measure_regret(no.Game("9x9:5"), None, playthroughs=5, seed=1, seconds=1)
    assert not regret.is_known
    assert regret.text.startswith("the solver knew none")


# Messages


def test_without_torch_one_line_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    done = in_process(tmp_path, "train", "3x3", "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert done.stderr == (
        "noughts: training needs PyTorch, which is not installed: python -m pip install 'noughts[train]'\n"
    )
    assert not (tmp_path / "run").exists()


def test_minutes_are_a_number(tmp_path: Path) -> None:
    done = in_process(tmp_path, "train", "3x3", "--minutes", "nan")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "noughts: invalid value for '--minutes': expected a number above 0 and up to 100,000, got 'nan'\n"
    )
