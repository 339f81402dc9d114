"""Judgements: the value of every move, regrets, and verdicts on proposed moves."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import pytest

import noughts as no
from exhaustive import OPPOSITE, Exhaustive
from noughts.analysis import Judge, Judgement, Verdict
from noughts.analysis.advice import Advisor
from noughts.engine.levels import rating_of
from noughts.games.outcome import ProvenValue
from noughts.store import Store
from plays import play_randomly, position_after

NUMBERS = {"win": 1, "draw": 0, "loss": -1}
STOP_SECONDS = 60


@pytest.mark.parametrize("game", ["3x3", "3x3+misere", "3x3+gravity", "4x3:3", "ultimate:2"])
def test_values_and_regrets_of_small_games_are_exact(game: str) -> None:
    truth, judge, chance = Exhaustive(), Judge(no.Limit(nodes=100_000)), random.Random(game)
    for _ in range(6):
        position = play_randomly(no.Game(game).start(), chance, chance.randrange(3 if game == "4x3:3" else 2, 6))
        if position.is_over:
            continue
        judgement = judge.judge(position)
        here = truth.value(position)
        assert judgement.evaluation.value == here
        assert sorted(each.move for each in judgement.moves) == sorted(position.legal_moves)
        for each in judgement.moves:
            reached = OPPOSITE[truth.value(position.after(each.move))]
            assert each.evaluation.value == reached
            assert (each.regret, each.is_exact) == (NUMBERS[here] - NUMBERS[reached], True)
        best = {move for move in position.legal_moves if OPPOSITE[truth.value(position.after(move))] == here}
        assert {each.move for each in judgement.best_moves} == best


def test_quick_win_comes_before_a_slow_one_and_has_the_same_regret() -> None:
    judgement = Judge().judge(no.Game("3x3").parse("xx1/1o1/o2 x"))
    assert (judgement.best.move, judgement.best.evaluation.plies) == (2, 1)
    assert [each.evaluation.plies for each in judgement.best_moves] == sorted(
        each.evaluation.plies or 0 for each in judgement.best_moves
    )


def test_moves_of_a_lost_position_have_no_regret() -> None:
    judgement = Judge().judge(no.Game("3x3").parse("x1x/1o1/x1o o"))
    assert judgement.evaluation.value == "loss"
    assert {(each.regret, each.is_exact) for each in judgement.moves} == {(0.0, True)}


def test_moves_are_proven_one_by_one_where_the_search_only_estimates() -> None:
    position = position_after("connect4", *"ddceecbbddff")
    judgement = Judge(no.Limit(nodes=2_000_000)).judge(position)
    for each in judgement.moves:
        assert each.is_exact
        after = position.after(each.move)
        assert each.evaluation.value == ("win" if after.is_over else OPPOSITE[str(no.solve(after).value)])


WON_IN_SPITE_OF_ITS_ESTIMATE = "agffeeffcddc"
"""Connect Four: X wins with d3 alone and draws with e3, but a search of one ply estimates that X loses."""


def judge_with(position: no.Position, path: Path, *known: tuple[no.Position, no.Value]) -> Judgement:
    """Judge by a search of one ply and the values in a store, which are known without a move."""
    with Store(path / "store.db") as store:
        for each, value in known:
            store.solved.add(each, ProvenValue(value))
        return Judge(no.Limit(depth=1), advisor=Advisor(no.Engine(book=False), store)).judge(position)


def test_best_move_has_no_regret_where_only_the_value_of_the_position_is_known(tmp_path: Path) -> None:
    position = position_after("connect4", *WON_IN_SPITE_OF_ITS_ESTIMATE)
    judgement = judge_with(position, tmp_path, (position, no.Value.WIN))
    assert judgement.evaluation.value == "win"
    assert all(each.evaluation.chance < 0.5 and not each.is_exact for each in judgement.moves)
    assert judgement.best.regret == 0
    verdicts = [judgement.of(each.move).verdict for each in judgement.moves]
    assert verdicts == [Verdict.BEST] + [Verdict.WORSE] * 6


def test_proven_draw_is_not_the_best_move_of_a_won_position(tmp_path: Path) -> None:
    position = position_after("connect4", *WON_IN_SPITE_OF_ITS_ESTIMATE)
    judgement = judge_with(position, tmp_path, (position, no.Value.WIN), (position.after("e3"), no.Value.DRAW))
    drawn, last = judgement.of("e3"), judgement.moves[-1]
    assert (drawn.verdict, drawn.judged) == (Verdict.WORSE, last)
    assert (last.regret, last.is_exact) == (1, True)
    assert judgement.best.regret == 0


def test_estimates_are_said_to_be_estimates() -> None:
    judgement = Judge(no.Limit(nodes=5_000)).judge(position_after("ultimate:3", "e5"))
    assert judgement.evaluation.value is None
    assert not any(each.is_exact for each in judgement.moves)
    assert judgement.best.regret == 0
    assert all(0 <= each.regret <= 2 for each in judgement.moves)
    chances = [each.evaluation.chance for each in judgement.moves]
    assert chances == sorted(chances, reverse=True)


def test_no_move_is_better_than_those_a_deeper_search_preferred() -> None:
    judgement = Judge(no.Limit(nodes=20_000)).judge(position_after("15x15:5", "h8", "h9"))
    assert len(judgement.moves) == 223
    third = judgement.moves[2].evaluation.chance
    assert all(each.evaluation.chance <= third for each in judgement.moves[3:])


def test_proposed_move_gets_a_closer_look() -> None:
    position, judge = position_after("15x15:5", "h8", "a15", "h9", "c15", "h10"), Judge(no.Limit(nodes=2_000))
    plain, closer = judge.judge(position).of("o1").judged, judge.judge(position, proposed="o1").of("o1").judged
    assert plain is not None
    assert closer is not None
    assert plain.evaluation.value is None
    assert (closer.evaluation.value, closer.evaluation.plies) == ("loss", 4)


@pytest.mark.parametrize(
    ("move", "verdict", "message"),
    [
        ("a3", Verdict.BEST, ""),
        (0, Verdict.BEST, ""),
        ("1", Verdict.BEST, ""),
        (" A3 ", Verdict.BEST, ""),
        ("b3", Verdict.WORSE, ""),
        ("b2", Verdict.ILLEGAL, "b2 is taken by X"),
        (9, Verdict.ILLEGAL, "there is no such cell"),
        (-1, Verdict.ILLEGAL, "there is no such cell"),
        (10**100, Verdict.ILLEGAL, "there is no such cell"),
        ("d4", Verdict.INVALID, "expected a square from a1 to c3"),
        ("I play a3.", Verdict.INVALID, "expected a square from a1 to c3"),
        ("", Verdict.INVALID, "expected a square from a1 to c3"),
        (None, Verdict.INVALID, "expected a square from a1 to c3, or 1 to 9, got null"),
        (True, Verdict.INVALID, "expected a square from a1 to c3, or 1 to 9, got true"),
        (1.5, Verdict.INVALID, "expected a square from a1 to c3, or 1 to 9, got 1.5"),
        (["a3"], Verdict.INVALID, "expected a square from a1 to c3"),
    ],
)
def test_verdict_on_every_kind_of_proposal(move: object, verdict: Verdict, message: str) -> None:
    proposal = Judge().judge(position_after("3x3", "b2")).of(move)
    assert proposal.verdict is verdict
    assert proposal.message.startswith(message)
    assert (proposal.regret is not None) == verdict.is_legal == (not message)


def test_full_column_is_illegal_and_unknown_column_invalid() -> None:
    judgement = Judge(no.Limit(nodes=1_000)).judge(position_after("connect4", *"dddddd"))
    assert [judgement.of(text).verdict for text in ("d", "d6", "e2", "h")] == [
        "illegal",
        "illegal",
        "illegal",
        "invalid",
    ]


@pytest.mark.parametrize("limit", [no.Limit(nodes=3_000), no.Limit(depth=2)], ids=str)
def test_judgement_does_not_depend_on_what_was_judged_before(limit: no.Limit) -> None:
    judge, position = Judge(limit), position_after("6x6:4", "c3", "a1", "d5")
    first = judge.judge(position)
    judge.judge(position.after("e4"))
    assert judge.judge(position) == first == Judge(limit).judge(position)


@pytest.mark.parametrize("proposed", [None, "a"])
def test_limit_on_depth_leaves_out_proofs_that_would_take_all_the_time(proposed: str | None) -> None:
    position = position_after("connect4", "d", "d", "d", "c")
    judgement = Judge(no.Limit(seconds=10 * STOP_SECONDS, depth=2)).judge(position, proposed=proposed)
    assert judgement.seconds < STOP_SECONDS
    assert not all(each.is_exact for each in judgement.moves)


def test_position_is_left_unchanged_and_a_finished_one_refused() -> None:
    position = position_after("3x3", "b2")
    Judge().judge(position, proposed="a3")
    assert position.moves == [4]
    with pytest.raises(ValueError, match="the game is over"):
        Judge().judge(no.Game("3x3").parse("xxx/oo1/3 -"))


@pytest.mark.parametrize("game", ["15x15:5", "4x4x4"])
def test_judge_can_be_stopped(game: str) -> None:
    judge, found = Judge(no.Limit(seconds=10 * STOP_SECONDS)), list[Judgement]()
    position = position_after(game)
    position.play(position.legal_moves[7])
    worker = threading.Thread(target=lambda: found.append(judge.judge(position, proposed=0)))
    began = time.monotonic()
    worker.start()
    while worker.is_alive() and time.monotonic() - began < STOP_SECONDS:
        judge.stop()
        worker.join(0.05)
    assert sorted(each.move for each in found[0].moves) == sorted(position.legal_moves)


def test_custom_game_is_judged_like_any_other() -> None:
    line = no.Game.from_lines("strip", cells=4, lines=[[0, 1], [2, 3]])
    judgement = Judge().judge(line.start().after(0))
    assert judgement.evaluation.value == "draw"
    assert [judgement.of(move).verdict for move in (0, 1, 2, 4)] == ["illegal", "best", "worse", "illegal"]


def test_ratings_of_names_stay_on_the_scale_of_the_game() -> None:
    game = no.Game("connect4")
    assert rating_of(game, "easy") == 1000
    assert rating_of(game, "random") < rating_of(game, "elo:700") == 700 < rating_of(game, "master")
    assert rating_of(no.Game("3x3"), "elo:0") == rating_of(no.Game("3x3"), "random") > 0
    assert rating_of(game, "elo:3000") == rating_of(game, "master")
    with pytest.raises(ValueError, match="expected a level of beginner"):
        rating_of(game, "mcts")
