"""The benchmark of agents: exact positions, fixed openings, and ``noughts bench agents`` as typed."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from mocks import nothing_left
from noughts import Game, Limit, Position, Side
from noughts.analysis import ExactValues
from noughts.arena.agents import (
    OPPONENTS,
    bench_agent,
    exact_positions,
    measure_regret,
    measure_return,
    suite_games,
    suite_openings,
)
from noughts.arena.ratings import PairScore, rate_against, score_of
from noughts.players import open_player
from paths import ROOT
from terminals import Result, in_process

WITH_VALUES = ("3x3", "7x6:4+gravity", "4x4x4")


@pytest.mark.parametrize("id", WITH_VALUES)
def test_each_position_has_better_and_worse_moves(id: str) -> None:
    positions = exact_positions(Game(id))
    assert len(positions) >= 50
    assert len({each.position.canonical_hash for each in positions}) == len(positions)
    for each in positions:
        assert list(each.values) == each.position.legal_moves
        assert {0} < {each.regret(move) for move in each.values} <= {0, 1, 2}


@pytest.mark.parametrize(("id", "plies"), [("3x3", 0), ("7x6:4+gravity", 18)])
def test_values_of_positions_are_those_of_the_solver(id: str, plies: int) -> None:
    game, solver = Game(id), ExactValues(Limit(nodes=5_000_000))
    chosen = [each for each in exact_positions(game) if game.cells - each.position.cells.count(None) >= plies][:40]
    assert len(chosen) == 40
    for each in chosen:
        assert each.values == {move: solver.of_move(each.position, move) for move in each.values}


@pytest.mark.parametrize("id", suite_games())
def test_openings_are_unfinished_and_distinct(id: str) -> None:
    game = Game(id)
    positions = [opening.position(game) for opening in suite_openings(game)]
    assert len({position.canonical_hash for position in positions}) == len(positions) >= 5
    assert not any(position.is_over for position in positions)


def test_game_outside_the_benchmark_has_no_positions_and_starts_empty() -> None:
    assert exact_positions(Game("5x5:4")) == []
    assert [opening.moves for opening in suite_openings(Game("5x5:4"))] == [()]


def test_best_moves_have_no_regret_and_answers_that_fail_count_as_losses() -> None:
    game = Game("3x3")
    positions = exact_positions(game)
    best = {each.position.text: max(each.values, key=lambda move: each.values[move].number) for each in positions}
    perfect = measure_regret(open_player(lambda position: best[position.text]), positions)
    assert (perfect.mean, perfect.mistakes, perfect.failures) == (0, 0, 0)
    illegal = measure_regret(open_player(lambda position: 99), positions)
    assert illegal.failures == len(positions)
    assert illegal.mean == sum(max(value.number for value in each.values.values()) + 1 for each in positions) / 100


def test_agent_that_fails_loses_all_playthroughs() -> None:
    def crash(position: Position) -> int:
        raise RuntimeError("no idea")

    score, points = measure_return(open_player(crash), Game("3x3"), "random", pairs=2)
    assert (score.wins, score.draws, score.losses, score.failures, score.mean_return) == (0, 0, 4, 4, -1)
    assert points == [0, 0]


def test_agent_plays_both_sides_of_each_opening() -> None:
    starts: list[tuple[int, Side | None]] = []

    def first(position: Position) -> int:
        starts.append((position.ply, position.turn))
        return position.legal_moves[0]

    measure_return(open_player(first), Game("7x6:4+gravity"), "random", pairs=1)
    plies = len(suite_openings(Game("7x6:4+gravity"))[0].moves)
    assert {(plies, Side.X), (plies + 1, Side.O)} <= set(starts)


def test_benchmark_of_a_seed_repeats_itself_and_ranks_levels() -> None:
    games = [Game("3x3")]
    scores = {
        name: bench_agent(name, partial(open_player, name, seed=1), games, pairs=3) for name in ("random", "insane")
    }
    again = bench_agent("random", lambda: open_player("random", seed=1), games, pairs=3)
    assert again == scores["random"]
    weak, strong = scores["random"].games[0], scores["insane"].games[0]
    assert weak.elo < strong.elo
    assert weak.mean_return < strong.mean_return
    assert weak.regret is not None
    assert strong.regret is not None
    assert weak.regret.mean > 0.5 > 0.1 > strong.regret.mean
    assert [each.opponent for each in weak.opponents] == list(OPPONENTS)


@pytest.mark.parametrize("elo", [700, 1000, 1400])
def test_rating_against_known_opponents_is_the_one_that_explains_the_points(elo: int) -> None:
    known = (400.0, 900.0, 1500.0)
    pairs = [PairScore(0, number, 200 * score_of(elo - each), 200) for number, each in enumerate(known)]
    rating = rate_against(known, pairs)
    assert rating.elo == pytest.approx(elo, abs=0.01)
    assert 20 < rating.error < 60
    assert not rating.is_bound


@pytest.mark.parametrize(("points", "is_above"), [(2, True), (0, False)])
def test_rating_of_a_clean_score_is_a_bound(points: float, is_above: bool) -> None:
    rating = rate_against([1000.0], [PairScore(0, 0, points, 2)] * 5)
    assert rating.is_bound
    assert (rating.elo > 1000) is is_above


# The command


def bench(data: Path, *arguments: str) -> Result:
    """Run the command in a terminal that is wide enough for its table."""
    return in_process(data, "bench", "agents", *arguments, columns=160)


def test_table_has_a_row_for_each_game_and_json_the_same_numbers(tmp_path: Path) -> None:
    words = ("random", "easy", "--game", "3x3", "--pairs", "1")
    table, found = bench(tmp_path, *words), bench(tmp_path, *words, "--json")
    assert table.stderr == found.stderr == ""
    lines = table.stdout.splitlines()
    assert lines[0] == "random"
    assert lines[1].split()[:4] == ["game", "regret", "mistakes", "return"]
    scores = [json.loads(line) for line in found.stdout.splitlines()]
    assert [score["agent"] for score in scores] == ["random", "easy"]
    (game,) = scores[0]["games"]
    assert lines[2].split()[:2] == ["3x3", f"{game['regret']['mean']:.3f}"]
    assert [each["opponent"] for each in game["opponents"]] == list(OPPONENTS)


def test_class_in_a_file_is_measured_in_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(
        "class First:\n    def choose(self, position, limit=None):\n        return position.legal_moves[0]\n"
    )
    found = bench(tmp_path, f"{tmp_path}/first.py:First", "--game", "3x3", "--pairs", "1", "--json")
    (game,) = json.loads(found.stdout)["games"]
    assert game["regret"]["failures"] == 0
    assert 0 < game["regret"]["mean"] < 1
    nothing_left()


def test_agent_of_the_tutorial_is_measured_as_written(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tutorials" / "train-agent.md").read_text(encoding="utf-8")
    (tmp_path / "careful.py").write_text(page.split("```python\n")[1].split("```")[0])
    words = ("random", f"{tmp_path}/careful.py:Careful", "--game", "3x3", "--pairs", "1", "--json")
    random, careful = (json.loads(line)["games"][0] for line in bench(tmp_path, *words).stdout.splitlines())
    assert careful["regret"]["failures"] == 0
    assert careful["regret"]["mean"] < random["regret"]["mean"] / 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["deepblue"], "unknown player 'deepblue'"),
        (["easy", "dificult"], "did you mean difficult?"),
        (["easy", "--game", "5x5:4"], "expected a game of 3x3, 7x6:4+gravity, 4x4x4, ultimate:3, got '5x5:4'"),
        (["easy", "--pairs", "0"], "expected a whole number from 1 to 1,000"),
        (["mcts:0", "--game", "3x3"], "expected the simulations of mcts from 1"),
        (["missing.py:Agent", "--game", "3x3"], "missing.py:Agent cannot be measured: "),
        ([], "missing argument"),
    ],
)
def test_nonsense_gets_one_line(words: list[str], message: str, tmp_path: Path) -> None:
    found = bench(tmp_path, *words)
    assert found.returncode == 2
    assert message in found.stderr
    assert len(found.stderr.splitlines()) == 1
    assert found.stdout == ""


def test_signature_needs_no_subcommand(tmp_path: Path) -> None:
    assert in_process(tmp_path, "bench", "--signature").stdout.strip().isdigit()
