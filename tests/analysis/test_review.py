"""Reviews of playthroughs, hints, and the commands that print them."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import noughts as no
from exhaustive import OPPOSITE, Exhaustive, turn_of
from noughts.analysis.advice import Advisor, advise
from noughts.analysis.evaluation import Evaluation, Source, chance_of_score
from noughts.analysis.reviews import Label, review
from noughts.ask import encode, read
from noughts.ask.review import ReviewAnswer
from plays import play_randomly
from terminals import run_here

LIMIT = no.Limit(nodes=20_000)


def labels_of(id: str, moves: str) -> list[str]:
    return [move.label for move in review(no.Playthrough(no.Game(id), moves.split()), LIMIT).moves]


# --- reviews --------------------------------------------------------------------------------------------------------


def test_walking_into_a_proven_loss_is_a_blunder_and_the_win_is_taken() -> None:
    assert labels_of("3x3", "b2 b3 a1 c3 a3 a2 c1") == ["best", "blunder", "best", "best", "best", "best", "best"]


def test_throwing_away_a_proven_win_is_a_missed_win() -> None:
    found = review(no.Playthrough(no.Game("3x3"), ["b2", "b3", "b1"]), LIMIT)
    missed = found.moves[2]
    assert (missed.label, missed.before.value, missed.after.value) == ("missed win", "win", "draw")
    assert missed.best != missed.move
    assert missed.line[0] == missed.best


def test_overlooking_a_line_of_three_is_a_missed_win_and_not_blocking_one_a_blunder() -> None:
    found = review(no.Playthrough(no.Game("3x3"), ["b2", "a1", "a3", "b1", "a2", "c2"]), LIMIT)
    assert [move.label for move in found.moves[3:]] == ["blunder", "missed win", "missed win"]
    assert {found.playthrough.game.format_cell(move.best) for move in found.moves[3:]} == {"c1"}


def test_only_move_is_best_and_says_nothing_about_accuracy() -> None:
    play = no.Playthrough(no.Game("3x3"), ["a1", "b2", "c3", "b3", "b1", "c1", "a3", "a2", "c2"])
    found = review(play, LIMIT)
    assert found.moves[-1].choices == 1
    assert found.moves[-1].label == "best"
    assert found.accuracy("X") == found.accuracy("O") == 100.0


def test_misere_is_judged_the_other_way_round() -> None:
    found = review(no.Playthrough(no.Game("3x3+misere"), ["b2", "a1", "c3", "c1", "a2", "b1"]), LIMIT)
    assert found.playthrough.outcome is not None
    assert found.playthrough.outcome.winner is no.Side.X
    assert (found.moves[-1].label, found.moves[-1].after.value) == ("missed win", "loss")


def test_labels_and_values_agree_with_exhaustive_search_on_three_by_three() -> None:
    truth, dice, advisor = Exhaustive(), random.Random(3), Advisor(no.Engine(hash_mb=1, book=False))
    for _ in range(30):
        position = play_randomly(no.Game("3x3").start(), dice)
        found = review(no.Playthrough.of(position), LIMIT, advisor=advisor)
        for move in found.moves:
            before = found.playthrough.position(move.ply - 1)
            assert truth.value(before.after(move.best)) == OPPOSITE[truth.value(before)]
            assert move.before.value == truth.value(before)
            lost = move.before.value != move.after.value
            assert (move.label in ("blunder", "missed win")) == lost, f"{before!r}: {move}"


def test_unfinished_and_resigned_games_are_reviewed_to_their_last_position() -> None:
    play = no.Playthrough(no.Game("7x6:4+gravity"), ["d", "d", "e", "a"])
    for each in (play, play.decided("resign", winner="X"), play.decided("time", winner="O")):
        found = review(each, LIMIT)
        assert len(found.moves) == 4
        assert len(found.graph) == 5
    assert found.moves[3].label == "blunder"


def test_game_without_moves_has_a_graph_of_one_point() -> None:
    found = review(no.Playthrough(no.Game("4x4x4")), no.Limit(nodes=500))
    assert (found.moves, len(found.graph), found.accuracy("X")) == ((), 1, None)


def own_game() -> no.Game:
    return no.Game.from_lines("fano", cells=7, lines=[[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)])


def games() -> list[no.Game]:
    ids = ("4x4:3+misere", "4x4x4", "9x9:5+exact", "6x6:4+wrap", "ultimate:2", "ultimate:3", "ultimate:3+open")
    return [own_game(), *(no.Game(id) for id in (*ids, "ultimate:4+count", "ultimate:3+misere", "3x3x3x3"))]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_reviews_of_every_family_hold_together(game: no.Game) -> None:
    position = play_randomly(game.start(), random.Random(game.id), 24)
    found = review(no.Playthrough.of(position), no.Limit(nodes=800))
    assert [move.move for move in found.moves] == position.moves
    for move in found.moves:
        assert isinstance(move.label, Label)
        assert (move.label == "best") == (move.best == move.move)
        assert 0 <= move.cost <= 1
        assert 0 <= move.accuracy <= 100
        assert move.side is turn_of(found.playthrough.position(move.ply - 1))
        found.playthrough.position(move.ply - 1).play(move.best)
        assert found.graph[move.ply].evaluation == move.after_for_x
        assert found.graph[move.ply - 1].evaluation == move.before_for_x
    for side in no.Side:
        assert 0 <= (found.accuracy(side) or 0) <= 100
    assert read(ReviewAnswer, json.loads(encode(ReviewAnswer.of(found)))) == ReviewAnswer.of(found)


def test_review_is_the_same_every_time_with_a_limit_on_nodes() -> None:
    play = no.Playthrough(no.Game("5x5:4"), ["c3", "b2", "d4", "a1", "e5"])
    assert review(play, no.Limit(nodes=3000)) == review(play, no.Limit(nodes=3000))


def test_progress_counts_the_positions() -> None:
    seen: list[tuple[int, int]] = []
    review(no.Playthrough(no.Game("3x3"), ["b2", "a1"]), LIMIT, progress=lambda *step: seen.append(step))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_chances_are_fair_and_grow_with_the_score() -> None:
    for id in ("3x3", "4x4x4", "15x15:5", "12x12:8", "ultimate:3", "ultimate:5"):
        scale = no.Engine(hash_mb=1).scale_of(no.Game(id))
        assert chance_of_score(0, scale) == 0.5
        chances = [chance_of_score(score, scale) for score in range(-(10**6), 10**6, 10**4)]
        assert chances == sorted(chances)
        assert chance_of_score(77, scale) + chance_of_score(-77, scale) == pytest.approx(1)


def test_rank_prefers_winning_sooner_and_losing_later() -> None:
    solver = Source.SOLVER
    evaluations = [
        Evaluation.of_value(no.Value.LOSS, 2, solver),
        Evaluation.of_value(no.Value.LOSS, 8, solver),
        Evaluation.of_score(-5, 0.4),
        Evaluation.of_value(no.Value.DRAW, None, solver),
    ]
    evaluations += [Evaluation.of_score(500, 0.999)]
    evaluations += [Evaluation.of_value(no.Value.WIN, plies, solver) for plies in (9, 1)]
    shuffled = evaluations[3:] + evaluations[:3]
    assert sorted(shuffled, key=lambda evaluation: evaluation.rank) == evaluations


def test_advice_finds_the_win_and_proves_it() -> None:
    position = no.Game("3x3").parse("xx1/oo1/3 x")
    best, *others = advise(position, LIMIT, lines=3)
    assert (position.format_move(best.move), str(best.evaluation), best.evaluation.chance) == (
        "c3",
        "win in 1 ply",
        1.0,
    )
    assert len(others) == 2


# --- the commands ---------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> str:
    path = tmp_path / "games.ngn"
    first = no.Playthrough(no.Game("3x3"), ["b2", "b3", "a1", "c3", "a3", "a2", "c1"], {"X": "Ann", "O": "Bob"})
    no.save([first, no.Playthrough(no.Game("ultimate:3"), ["e5", "d6"]).decided("resign", winner="X")], path)
    return str(path)


def test_review_prints_a_table_that_fits_80_columns(saved: str) -> None:
    result = run_here("review", saved, "--nodes", "5000")
    assert (result.returncode, result.stderr) == (0, "")
    assert "2. O  b3" in result.stdout
    assert "blunder" in result.stdout
    assert "O  accuracy 71%  2 best, 1 blunder" in result.stdout
    assert "X wins by resignation; the last position:" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "\x1b" not in result.stdout


def test_review_prints_json_for_every_game(saved: str) -> None:
    done = run_here("review", saved, "--nodes", "1000", "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["game"] for each in found] == ["3x3", "ultimate:3"]
    assert found[0]["moves"][1]["label"] == "blunder"
    assert len(found[0]["graph"]) == 8


def test_review_plots(saved: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = run_here("review", saved, "--nodes", "1000", "--plot", str(tmp_path / "plot.svg"))
    assert result.returncode == 0
    assert [path.name for path in sorted(tmp_path.glob("*.svg"))] == ["plot-1.svg", "plot-2.svg"]
    assert "<!-- blunder of O -->" in (tmp_path / "plot-1.svg").read_text(), "the sides have different marks"


def analysed(*words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run_here("analyse", *words, "--json").stdout)["moves"]
    return found


def test_analyse_takes_a_position_a_saved_game_or_the_empty_board(tmp_path: Path) -> None:
    best = analysed("3x3", "xx1/oo1/3 x", "--depth", "5", "--lines", "2")
    assert (best[0]["move"], best[0]["text"]) == ("c3", "win in 1 move")
    assert len(best) == 2
    path = tmp_path / "one.ngn"
    no.save(no.Playthrough(no.Game("3x3"), ["a3", "a2", "b3", "b2"]), path)
    assert analysed(str(path), "--nodes", "500")[0]["move"] == "c3"
    table = run_here("analyse", "qubic", "--nodes", "3000")
    assert table.returncode == 0
    assert "X to move: depth" in table.stdout
    assert max(map(len, table.stdout.splitlines())) <= 80


def test_analyse_reads_a_custom_game(tmp_path: Path) -> None:
    no.save_game(own_game(), tmp_path / "fano.json")
    assert run_here("analyse", str(tmp_path / "fano.json"), "--depth", "3").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("analyse", "3x3", "xxx/oo1/3 -"), "over"),
        (("analyse", "9y9"), "9y9"),
        (("analyse", "3x3", "nonsense"), "expected"),
        (("analyse", "3x3", "--nodes", "-1"), "--nodes"),
        (("analyse", "3x3", "--lines", "0"), "--lines"),
        (("analyse", "nowhere.ngn"), "cannot read nowhere.ngn"),
        (("hint", "3x3", "xxx/oo1/3 -"), "over"),
        (("review", "nowhere.ngn"), "cannot read nowhere.ngn"),
        (("review", "nowhere.txt"), "ends in .ngn or .sgf"),
        (("review", "nowhere.ngn", "--plot", "a.txt"), "expected a plot file"),
    ],
)
def test_wrong_arguments_get_one_line(arguments: tuple[str, ...], message: str) -> None:
    result = run_here(*arguments)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupt_ends_an_analysis_at_once_with_130() -> None:
    program = "from noughts.cli import main; print('ready', flush=True); main()"
    command = [sys.executable, "-c", program, "analyse", "5x5x5", "--seconds", "200"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, talk = process.communicate(timeout=60)
    assert (process.returncode, talk.strip()) == (130, "interrupted")


class Forgetful(no.Engine):
    """Proves wins for X, and nothing for O."""

    def analyse(self, position: no.Position, *_: object, **__: object) -> list[no.SearchResult]:
        best = {0: 4, 1: 0, 2: 0, 3: 8, 4: 2}[position.ply]
        plies = {2: 5, 4: 3}.get(position.ply)
        return [no.SearchResult(best, 0, None if plies is None else no.Value.WIN, plies, 1, 1, [best])]


def test_move_from_a_lost_position_is_not_a_blunder_even_if_only_the_earlier_search_saw_the_loss() -> None:
    found = review(
        no.Playthrough(no.Game("3x3"), ["b2", "b3", "a3", "c2"]),
        no.Limit(depth=1),
        advisor=Advisor(Forgetful(hash_mb=1)),
    )
    last = found.moves[-1]
    assert (str(last.before), str(last.after), last.label) == ("loss in 4 plies", "loss in 3 plies", "good")
    assert [str(point.evaluation) for point in found.graph[-2:]] == ["win in 4 plies", "win in 3 plies"]
