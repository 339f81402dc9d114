"""Wins by threats and threats of a fork: found, true, and collected from self-play."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from bench.measure import threat_suite
from bench.measure.threat_suite import LEAST_PLIES, MOST_PLIES, collect, read_suite, solve

import noughts as no
from exhaustive import Exhaustive, random_position, turn_of
from noughts import _core


def test_suite_holds_three_hundred_wins_of_nine_to_twenty_one_plies() -> None:
    problems = read_suite()
    assert len(problems) == len({problem.text for problem in problems}) == 300
    assert all(LEAST_PLIES <= problem.plies <= MOST_PLIES for problem in problems)
    assert threat_suite.SUITE.stat().st_size < 100_000


def test_engine_solves_a_sample_of_the_suite() -> None:
    assert solve(read_suite(positions=6), no.Limit(nodes=400_000)).share >= 0.5


def test_sample_and_result_are_described(tmp_path: Path) -> None:
    suite = tmp_path / "suite.txt"
    suite.write_text("# two\n" + "\n".join(str(problem) for problem in read_suite(positions=2)), encoding="utf-8")
    assert read_suite(suite) == read_suite(positions=2)
    assert str(threat_suite.Solved(4, (0.2, 0.4, 0.1))) == "3 of 4 solved (75.0%), median 200 ms"


def test_problems_are_collected_from_self_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threat_suite, "PLAYING", no.Limit(nodes=1_000))
    monkeypatch.setattr(threat_suite, "LONG_SEARCH_NODES", 2_000)
    [problem] = collect("15x15:5", 1, seed="test")
    assert LEAST_PLIES <= problem.plies <= MOST_PLIES
    assert not _core.forced_win(problem.position(), 1_000)


def test_solver_proves_wins_of_the_suite() -> None:
    for problem in [problem for problem in read_suite() if problem.plies == LEAST_PLIES][:2]:
        solution = no.Solver(problem.position()).solve(no.Limit(seconds=30))
        assert solution.value == no.Value.WIN
        assert solution.proof is not None
        assert no.verify(solution.proof).claims > 0


@pytest.mark.parametrize("index", range(0, 300, 60))
def test_win_is_kept_against_any_defence(index: int) -> None:
    problem, random = read_suite()[index], Random(index)
    position = problem.position()
    winner = turn_of(position)
    while not position.is_over:
        plies, line = _core.fork_threat_win(position, 1_000_000)
        assert plies > 0, f"{problem}: {position!r}"
        position.play(line[0])
        if not position.is_over:
            replies = list(position.legal_moves)
            engine = no.Engine(hash_mb=1, book=False)
            is_random = random.random() < 0.3
            position.play(random.choice(replies) if is_random else engine.search(position, no.Limit(nodes=2_000)).move)
    assert position.outcome is not None
    assert position.outcome.winner == winner


@pytest.mark.parametrize(("id", "free"), [("5x5:4", 14), ("6x6:4", 13), ("9x9:5+wrap", 10), ("7x7:4+exact", 12)])
def test_wins_are_true(id: str, free: int) -> None:
    game, random, truth, wins = no.Game(id), Random(id), Exhaustive(), 0
    for _ in range(60):
        position = random_position(game, random, most_free=free)
        plies, line = _core.fork_threat_win(position, 2_000)
        if plies == 0:
            continue
        wins += 1
        assert truth.wins_within(position.after(line[0]), turn_of(position), plies - 1), f"{position!r}: {plies}"
    assert wins > 0
