"""The measuring tools must be right before what they measure can be."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isclose
from pathlib import Path
from random import Random

import pytest
from bench import match as match_module
from bench.elo import elo_of, estimate, likelihood_ratio, score_of
from bench.engine_server import Server, game_with_weights
from bench.features import counts_along, current_weights, feature_names, from_vector, to_vector
from bench.match import Match, play_match, play_pair
from bench.openings import default_plies, opening
from bench.peers import spiel_name
from bench.players import PlayerSpec
from bench.regression import fit, sigmoid, solve
from bench.report import report
from bench.results import Store, load
from bench.rules import random_playthroughs
from bench.uct import UctPlayer

from noughts import Game, Position, Side


class Recorder:
    """Plays the first legal move and remembers which sides it had."""

    def __init__(self) -> None:
        self.sides: list[Side | None] = []
        self.seen: list[list[int]] = []

    def new(self, seed: int) -> None:
        self.sides.append(None)

    def choose(self, position: Position) -> int:
        if self.sides[-1] is None:
            self.seen.append(position.moves)
        self.sides[-1] = position.turn
        return position.legal_moves[0]

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (190.8485, 0.75)])
def test_elo_and_score_are_each_others_inverse(elo: float, score: float) -> None:
    assert score_of(elo) == pytest.approx(score, abs=1e-6)
    assert elo_of(score) == pytest.approx(elo, abs=1e-3)


def test_elo_of_a_perfect_score_is_infinite() -> None:
    assert elo_of(1) == inf
    assert elo_of(0) == -inf


def test_log_likelihood_ratio_is_the_published_one() -> None:
    scores = [1.0] * 4307 + [0.0] * 4063 + [0.5] * 8620
    assert likelihood_ratio(scores, 0, 3) == pytest.approx(2.99, abs=0.01)


def test_error_bars_use_the_variance_of_pairs() -> None:
    # Each opening is won by X: single results vary as much as they can, pairs not at all.
    even = estimate([(1, 0)] * 50 + [(1, 1)])
    assert even.score == pytest.approx(51 / 102 + 1 / 102)
    assert even.error == pytest.approx((1 / 51) / 2, rel=1e-6)
    assert even.counts == (0, 0, 50, 0, 1)
    assert (even.wins, even.draws, even.losses) == (52, 0, 50)


def test_interval_of_a_spotless_match_is_not_a_point() -> None:
    found = estimate([(1, 1)] * 30)
    assert found.elo == inf
    assert found.elo_high == inf
    assert 250 < found.elo_low < 500


def test_interval_contains_the_truth_about_nineteen_times_in_twenty() -> None:
    random, inside = Random(1), 0
    for _ in range(400):
        pairs = [(float(random.random() < 0.6), float(random.random() < 0.5)) for _ in range(60)]
        found = estimate(pairs)
        inside += found.low <= 0.55 <= found.high
    assert 365 <= inside <= 395


@pytest.mark.parametrize("id", ["3x3", "4x4x4", "7x6:4+gravity", "15x15:5", "ultimate:3"])
def test_openings_are_seeded_unfinished_and_of_the_right_length(id: str) -> None:
    game = Game(id)
    for seed in range(3):
        moves = opening(game, seed)
        assert moves == opening(game, seed)
        assert len(moves) <= default_plies(game) + 1
        position = game.start()
        for move in moves:
            position.play(move)
        assert not position.is_over


def test_pair_plays_the_same_opening_with_both_sides() -> None:
    first, second = Recorder(), Recorder()
    results = play_pair(Game("4x4:3"), first, second, [5, 10], seed=0)
    assert first.sides == [Side.X, Side.O]
    assert second.sides == [Side.O, Side.X]
    assert first.seen[0][:2] == first.seen[1][:2] == [5, 10]
    # Both play the same moves, so whoever is X has the same result.
    assert sum(results) == 1


def _pairs_in(path: Path) -> list[object]:
    return [record for record in load(path) if "pair" in record]


def test_resumed_match_equals_an_uninterrupted_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(pairs: int) -> Match:
        match = Match("4x4:3", PlayerSpec(nodes=300, hash_mb=1), PlayerSpec(nodes=50, hash_mb=1), pairs)
        play_match(match)
        return match

    monkeypatch.setattr(match_module, "MATCHES", tmp_path / "once")
    whole = _pairs_in(play(6).path)
    monkeypatch.setattr(match_module, "MATCHES", tmp_path / "twice")
    torn = play(3).path
    with torn.open("a") as file:
        file.write('{"pair": 3, "resu')
    assert _pairs_in(play(6).path) == whole
    assert len(whole) == 6


def test_store_measures_nothing_twice_and_survives_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    assert Store(path).measure("a", lambda: {"value": 1})["value"] == 1
    with path.open("a") as file:
        file.write('{"name": "b", "va')
    store = Store(path)
    assert store.measure("a", lambda: {"value": 2})["value"] == 1
    assert store.measure("b", lambda: {"value": 3})["value"] == 3
    assert Store(path).records.keys() == {"a", "b"}


def test_store_measures_again_on_another_build(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for build, value in (("one", 1), ("two", 2)):
        assert Store(path, build).measure("a", lambda value=value: {"value": value})["value"] == value  # type: ignore[misc]
    assert Store(path).records["a"]["value"] == 2
    assert Store(path, "one").records["a"]["value"] == 1


@pytest.mark.parametrize(("text", "winning"), [("xx1/oo1/3 x", 2), ("x1x/oo1/x2 o", 5)])
def test_uct_takes_a_win_in_one(text: str, winning: int) -> None:
    player = UctPlayer(simulations=400)
    player.new(seed=1)
    position = Game("3x3").parse(text)
    assert player.choose(position) == winning
    assert position.text == text


def test_uct_blocks_a_win_in_one() -> None:
    player = UctPlayer(simulations=1500)
    player.new(seed=2)
    assert player.choose(Game("3x3").parse("xx1/o2/3 o")) == 2


@pytest.mark.parametrize("id", ["4x4x4", "15x15:5+exact", "ultimate:3", "ultimate:4+count", "7x6:4+gravity"])
def test_counts_times_weights_are_the_evaluation(id: str) -> None:
    game = Game(id)
    names = feature_names(game)
    weights = to_vector(names, current_weights(game))
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
    names, weights = feature_names(game), current_weights(game)
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


def test_report_shows_what_is_on_file_and_nothing_else(tmp_path: Path) -> None:
    levels = Store(tmp_path / "levels.jsonl", "build")
    levels.add("machine", {"cores": 2, "processor": "x86_64", "python": "3.11", "compiler": "c++ 12"})
    levels.add("3x3 easy beginner", {"score": 1.0, "elo": None, "elo_low": 120.4, "elo_high": None})
    Store(tmp_path / "speed.jsonl").add("depth 4x4x4", {"plain": 0.025, "engine": 1.5, "target": 0.05})
    page = report(tmp_path)
    assert "| `3x3` | ∞ (+120 … ∞) |" in page
    assert "| `4x4x4` | 25.0 ms (< 50.0 ms) | 1.50 s |" in page
    assert "## Rules" not in page
    assert "Nodes a second" not in page


def test_report_tells_what_tournaments_cost_and_that_nothing_is_lost(tmp_path: Path) -> None:
    arena = Store(tmp_path / "arena.jsonl")
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
    assert "killed 25 times and resumed | **different from** a tournament left in peace |" in page


def test_engine_behind_json_lines_answers_as_the_engine_does() -> None:
    server = Server({"hash_mb": 1})
    assert server.answer({"new": True}) == {}
    answer = server.answer({"game": "3x3", "moves": [0, 3, 1, 4], "nodes": 100, "seconds": None})
    assert (answer["move"], answer["value"]) == (2, "win")


def test_other_weights_change_the_judgement_and_nothing_else() -> None:
    plain, other = Game("4x4x4"), game_with_weights("4x4x4", current_weights(Game("4x4x4")) | {"line": [0, 1, 2, 3, 4]})
    positions = plain.start(), other.start()
    for position in positions:
        position.play(21)
    assert positions[0].legal_moves == positions[1].legal_moves
    assert positions[0].hash == positions[1].hash
    assert positions[1]._score == 7
    assert game_with_weights("4x4x4", None) == plain
