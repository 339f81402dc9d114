"""One play of a game as a value: moves, outcome, notes."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

import noughts as no
from noughts import Eval, Outcome, Playthrough, Side
from plays import play_randomly

WON = ["b2", "b1", "a3", "c1", "a1", "a2", "c3"]


def test_moves_are_taken_as_text_or_numbers() -> None:
    assert Playthrough(no.Game("3x3"), ["b2", 0]).moves == (4, 0)


def test_outcome_follows_from_the_moves() -> None:
    play = Playthrough(no.Game("3x3"), WON)
    assert play.outcome == Outcome(Side.X, no.Termination.LINE, (2, 0))
    assert play.result == "1-0"
    assert Playthrough(no.Game("3x3"), WON[:-1]).outcome is None


def test_illegal_move_is_reported_with_its_ply() -> None:
    with pytest.raises(no.IllegalMove, match=r"^move 3: b2 is taken by X$"):
        Playthrough(no.Game("3x3"), ["b2", "a1", "b2"])
    with pytest.raises(no.InvalidNotation, match=r"^move 2: expected a square"):
        Playthrough(no.Game("3x3"), ["b2", "z9"])


@pytest.mark.parametrize("reason", ["time", "resign", "illegal", "crash"])
def test_forfeit_gives_the_opponent_the_full_points(reason: no.Termination) -> None:
    start = Playthrough(no.Game("3x3"))
    assert start.decided(reason, winner="O").outcome == Outcome(Side.O, reason, (0, 2))
    big = Playthrough(no.Game("ultimate4"))
    assert big.decided(reason, winner="X").outcome == Outcome(Side.X, reason, (16, 0))


def test_agreement_is_a_draw_with_a_point_each() -> None:
    play = Playthrough(no.Game("3x3"), WON[:3]).decided("agreement")
    assert play.outcome == Outcome(None, no.Termination.AGREEMENT, (1, 1))
    assert play.result == "1/2-1/2"


def test_agreement_gives_the_blocks_won_so_far_where_blocks_count() -> None:
    # X fills the top row of block 1 while O is sent back to it each time from elsewhere.
    moves = ["1.1", "1.5", "5.1", "1.9", "9.1", "1.6", "6.1", "1.4"]
    play = Playthrough(no.Game("ultimate:3+count"), moves)
    assert play.position().blocks[0] is Side.O
    assert play.decided(no.Termination.AGREEMENT).outcome == Outcome(None, no.Termination.AGREEMENT, (0, 1))


@pytest.mark.parametrize(
    ("reason", "winner", "message"),
    [
        ("resign", None, "expected a winner when it ends by 'resign', got none"),
        ("agreement", "X", "expected no winner when it ends by 'agreement'"),
        ("line", "X", "expected one of time, resign, agreement, illegal, crash"),
        ("resign", "Z", "'Z' is not a valid Side"),
    ],
)
def test_decision_must_make_sense(reason: str, winner: str | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Playthrough(no.Game("3x3"), WON[:2]).decided(reason, winner)


def test_a_finished_game_cannot_be_resigned() -> None:
    with pytest.raises(ValueError, match=r"already over: X wins \(line, 2–0\)"):
        Playthrough(no.Game("3x3"), WON).decided("resign", winner="O")


def test_given_outcome_must_be_the_one_of_the_moves() -> None:
    game = no.Game("3x3")
    assert Playthrough(game, WON, None, Outcome(Side.X, no.Termination.LINE, (2, 0))).result == "1-0"
    with pytest.raises(ValueError, match="expected the outcome X wins"):
        Playthrough(game, WON, None, Outcome(Side.O, no.Termination.LINE, (0, 2)))
    with pytest.raises(ValueError, match="expected the outcome X wins"):
        Playthrough(game, (), None, Outcome(Side.X, no.Termination.TIME, (3, 0)))


def test_play_of_a_position_has_its_start_and_moves() -> None:
    position = no.Game("3x3").parse("3/1x1/3 o")
    position.play("a1")
    play = Playthrough.of(position, {"X": "Ann"})
    assert (play.start, play.moves, play.tags["X"]) == ("3/1x1/3 o", (6,), "Ann")
    assert play.position() == position


def test_empty_board_is_the_same_start_however_it_is_written() -> None:
    game = no.Game("3x3")
    assert Playthrough(game, ["b2"], start="3/3/3 x") == Playthrough(game, ["b2"])


def test_positions_run_from_the_start_to_the_end() -> None:
    play = Playthrough(no.Game("3x3"), WON)
    assert [position.moves for position in play] == [list(play.moves[:ply]) for ply in range(8)]
    assert play.position(2).text == play.game.parse("3/1x1/1o1 x").text
    with pytest.raises(ValueError, match="expected a ply from 0 to 7, got 8"):
        play.position(8)
    with pytest.raises(ValueError, match="expected a ply from 0 to 7, got -1"):
        play.position(-1)


def test_changing_a_position_leaves_the_play_alone() -> None:
    play = Playthrough(no.Game("3x3"), WON[:3])
    play.position().play("c3")
    play.tags["X"] = "Eve"
    assert play == Playthrough(no.Game("3x3"), WON[:3])


def test_tags_tell_what_follows_from_the_play_in_order() -> None:
    play = Playthrough(no.Game("tictactoe"), ["a1"], {"Zeta": "z", "O": "Bob", "X": "Ann"}, start="3/1x1/3 o")
    assert list(play.tags) == ["Game", "X", "O", "Result", "Position", "Zeta"]
    assert play.tags["Game"] == "3x3"
    assert play.tags["Result"] == "*"


def test_derived_tag_may_be_given_but_must_agree() -> None:
    game = no.Game("3x3")
    assert Playthrough(game, WON, {"Result": "1-0", "Game": "3x3"}) == Playthrough(game, WON)
    with pytest.raises(ValueError, match="expected the tag Result to be '1-0', as played, got '0-1'"):
        Playthrough(game, WON, {"Result": "0-1"})


@pytest.mark.parametrize("name", ["", "a b", "1st", "GameData", "é", "x" * 61])
def test_tag_names_are_checked(name: str) -> None:
    with pytest.raises(ValueError, match="expected "):
        Playthrough(no.Game("3x3"), (), {name: "text"})


def test_text_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="lone surrogate"):
        Playthrough(no.Game("3x3"), (), {"X": "\ud800"})
    with pytest.raises(ValueError, match="lone surrogate"):
        Playthrough(no.Game("3x3"), comments={0: "\ud800"})


def test_clocks_are_kept_to_the_millisecond() -> None:
    assert Playthrough(no.Game("3x3"), ["a1", "b1"], clocks=[1.23456, None]).clocks == (1.235, None)
    assert Playthrough(no.Game("3x3"), ["a1", "b1"], clocks=[None, None]).clocks == ()


@pytest.mark.parametrize("clocks", [[1.0], [1, 2, 3], [-1, 2], [float("nan"), 1], [float("inf"), 1], [10**400, 1]])
def test_impossible_clocks_are_refused(clocks: list[float | None]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Playthrough(no.Game("3x3"), ["a1", "b1"], clocks=clocks)


@pytest.mark.parametrize(
    "opinion",
    [Eval(), Eval(1, "win"), Eval(value="good"), Eval(1, None, 3), Eval(10**9), Eval(value="win", plies=-1)],
)
def test_impossible_evaluations_are_refused(opinion: Eval) -> None:
    with pytest.raises(ValueError, match="expected"):
        Playthrough(no.Game("3x3"), evals={0: opinion})


def test_notes_belong_to_a_ply_of_the_play() -> None:
    with pytest.raises(ValueError, match="expected comments and evaluations at plies from 0 to 1, got 2"):
        Playthrough(no.Game("3x3"), ["a1"], comments={2: "too late"})
    play = Playthrough(no.Game("3x3"), ["a1"], comments={1: "  a\r\nb ", 0: " "}, evals={1: 35})
    assert dict(play.comments) == {1: "a\nb"}
    assert dict(play.evals) == {1: Eval(35)}


@pytest.mark.parametrize("text", ["35", "-7", "win 5", "draw", "loss", "loss 12"])
def test_evaluation_prints_as_it_is_read(text: str) -> None:
    assert str(Eval.parse(text)) == text


@pytest.mark.parametrize("text", ["", "1.5", "won", "win x", "1" * 10, "５"])
def test_text_that_is_not_an_evaluation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected an evaluation"):
        Eval.parse(text)


def test_plays_are_equal_when_everything_is() -> None:
    game = no.Game("3x3")
    play = Playthrough(game, WON, {"X": "Ann"})
    assert play == Playthrough(no.Game("tictactoe"), WON, {"X": "Ann"})
    assert hash(play) == hash(Playthrough(game, WON, {"X": "Ann"}))
    changes: list[dict[str, Any]] = [
        {"tags": {}},
        {"comments": {0: "!"}},
        {"evals": {0: 1}},
        {"clocks": [1] * 7},
        {"moves": WON[:-1]},
    ]
    assert [play.replace(**change) == play for change in changes] == [False] * len(changes)
    assert play != "a play"


def test_replacing_the_moves_computes_the_outcome_again() -> None:
    lost = Playthrough(no.Game("3x3"), WON[:2]).decided("time", winner="X")
    assert lost.replace(tags={"X": "Ann"}).outcome == lost.outcome
    assert lost.replace(moves=WON[:3]).outcome is None


def test_copies_and_pickles_are_equal() -> None:
    game = no.Game("3x3")
    play = Playthrough(game, WON[:3], {"X": "Ann"}, clocks=[3, 2, 1], comments={1: "!"}, evals={0: Eval(value="draw")})
    play = play.decided("crash", winner="X")
    for twin in (play.copy(), copy.copy(play), copy.deepcopy(play), pickle.loads(pickle.dumps(play))):
        assert twin == play


def test_repr_tells_the_game_the_first_moves_and_the_result() -> None:
    assert repr(Playthrough(no.Game("3x3"), WON)) == "<Playthrough of 3x3: b2 b1 a3 c1 a1 a2 c3, 1-0>"
    assert repr(Playthrough(no.Game("3x3"))) == "<Playthrough of 3x3: no moves, *>"


@pytest.mark.parametrize("entry", no.catalogue(), ids=lambda entry: entry.id)
def test_random_play_of_every_game_ends_as_its_position_says(entry: no.Entry) -> None:
    position = play_randomly(no.Game(entry.id).start(), random.Random(entry.id))
    play = Playthrough.of(position)
    assert play.outcome == position.outcome
    assert play.position() == position
    assert play.position(0) == position.game.start()
