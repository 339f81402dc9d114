"""Hints say what a move does, in the words of the game."""

from __future__ import annotations

import random

import pytest

from noughts import Game, Limit, Position, SearchResult, Value, catalogue
from noughts.analysis.advice import Advice
from noughts.analysis.hints import area_of, explain, hint
from noughts.analysis.reasons import reasons
from noughts.analysis.region_names import describe_line, line_name
from plays import play_randomly


def make_advice(move: int, value: Value | None = None, plies: int | None = None) -> list[Advice]:
    """Return advice as a search might give it."""
    return [Advice.of_result(SearchResult(move, 0, value, plies, 1, 1, [move]), scale=50)]


def texts(game: str, position: str, move: str) -> list[str]:
    parsed = Game(game).parse(position)
    return [reason.text for reason in reasons(parsed, parsed.parse_move(move))]


def test_area_is_a_line_that_can_still_be_completed() -> None:
    # The column is fuller than the row and the diagonal, but both sides have marks on it.
    position = Game("4x4").parse("x3/o3/4/4 x")
    assert area_of(position, position.parse_move("a1"))[1] in ("the row a1–d1", "the diagonal d4–a1")


@pytest.mark.parametrize(
    ("game", "position", "move", "expected"),
    [
        ("3x3", "xx1/oo1/3 x", "c3", "completes the row a3–c3 and wins"),
        ("3x3", "x2/xo1/o2 x", "c1", "is on 1 line that X can still complete"),
        ("3x3", "xx1/1o1/3 o", "c3", "blocks the row a3–c3"),
        ("3x3", "1x1/1xo/3 o", "b1", "blocks the column b3–b1"),
        ("7x7:4+exact", "o1o1o1o/7/7/xxx1x2/3x3/3x3/o1ox3 o", "d4", "blocks the column d4–d1"),  # the row has five
        ("3x3", "o2/1x1/2x o", "c3", "threatens to complete the row a3–c3 at b3"),
        ("3x3", "xo1/3/o1x x", "b2", "completes the diagonal a3–c1 and wins"),
        ("3x3", "xo1/3/3 x", "a1", "threatens to complete the column a3–a1 at a2"),
        ("3x3", "xo1/1x1/2o x", "a1", "makes two threats: c3 and a2"),
        ("3x3+misere", "xx1/oo1/3 x", "a1", "does not complete a line, as c3 would"),
        ("4x4x4", "xxx1/4/4/4|ooo1/4/4/4|4/4/4/4|4/4/4/4 x", "1d4", "completes the row 1a4–1d4 and wins"),
        ("4x4x4", "x3/4/4/4|x3/4/4/4|x3/4/4/4|4/oo2/4/4 o", "4a4", "blocks the pillar 1a4–4a4"),
        ("ultimate", "xx7/9/9/9/9/9/oo7/9/9 x 1", "c9", "wins the top left board with the row a9–c9"),
        (
            "ultimate",
            "xx7/9/9/9/9/9/oo7/9/9 x 7",
            "c3",
            "keeps O from winning the bottom left board: blocks the row a3–c3",
        ),
        ("ultimate", "9/9/9/9/9/9/9/9/9 x -", "a9", "sends O to the top left board, which it cannot win at once"),
        ("ultimate", "xxx6/9/9/ooo6/9/9/9/9/9 x -", "9.1", "sends O to a closed board, so O may play anywhere"),
        (
            "ultimate",
            "xx7/9/9/o8/9/9/9/9/9 o 1",
            "c9",
            "keeps X from winning the top left board: blocks the row a9–c9",
        ),
        # X still completes the column a9–a7.
        ("ultimate", "xx7/x8/9/oo7/9/9/9/9/9 o 1", "c9", "blocks the row a9–c9 in the top left board"),
    ],
)
def test_effects_of_a_move_are_described(game: str, position: str, move: str, expected: str) -> None:
    assert expected in texts(game, position, move)


def test_winning_the_game_in_ultimate_names_the_blocks() -> None:
    position = "xxxxxxxx1/9/9/ooo6/ooo6/oo7/9/9/9 x -"
    expected = "wins the top right board and the game with three boards in the top row"
    assert texts("ultimate", position, "i9")[0] == expected


def test_forced_win_comes_before_the_first_threat_of_it() -> None:
    position = Game("3x3").parse("xo1/1x1/2o x")
    given = explain(position, make_advice(6, Value.WIN, 3))
    assert given.idea == "There is a forced win."
    assert given.why[:2] == ("wins by force in at most 2 moves", "makes two threats: c3 and a2")


def test_win_at_once_needs_no_proof() -> None:
    given = explain(Game("3x3").parse("xx1/oo1/3 x"), make_advice(2, Value.WIN, 1))
    assert given.idea == "X can win at once."
    assert given.why == ("completes the row a3–c3 and wins",)


def test_idea_does_not_give_the_move_away() -> None:
    for text, move in [("xx1/oo1/3 x", 2), ("xx1/1o1/3 o", 2), ("xo1/1x1/2o x", 6)]:
        position = Game("3x3").parse(text)
        assert position.format_move(move) not in explain(position, make_advice(move)).idea


def test_lost_and_drawn_positions_say_so() -> None:
    position = Game("3x3").start()
    assert "loses in at most 3 moves" in explain(position, make_advice(0, Value.LOSS, 6)).why[0]
    assert explain(position, make_advice(0, Value.DRAW)).why == (
        "holds the draw",
        "is on 3 lines that X can still complete",
    )


def test_finished_game_gets_no_hint() -> None:
    with pytest.raises(ValueError, match="over"):
        hint(Game("3x3").parse("xxx/oo1/3 -"))


def test_area_and_candidates_include_the_move_without_giving_it_away() -> None:
    position = Game("3x3").parse("xo1/1x1/2o x")
    given = hint(position, Limit(nodes=2000))
    assert given.move in given.area
    assert len(set(given.area) & set(position.legal_moves)) > 1
    moves = [each.move for each in given.candidates]
    assert given.move in moves
    assert moves == sorted(moves)


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.id)
def test_every_move_of_every_game_can_be_explained(entry: tuple[str, str, str]) -> None:
    position: Position = Game(entry[0]).start()
    for ply in range(40):
        if position.is_over:
            break
        move = position.legal_moves[(7 * ply + 3) % len(position.legal_moves)]
        before = position.text
        assert all(reason.text for reason in reasons(position, move))
        assert position.text == before
        position.play(move)


def test_candidates_are_not_said_to_do_what_only_one_of_them_does() -> None:
    position = Game("3x3").parse("o2/1x1/3 x")
    advice = [make_advice(position.parse_move(name))[0] for name in ("a2", "c1", "b1")]
    given = explain(position, advice)
    assert given.idea == "Make a threat that must be answered."
    assert given.choice == "Compare a2, b1 and c1."
    assert explain(position, advice[:1]).choice == "Look at a2."


@pytest.mark.parametrize(
    ("game", "start", "move", "expected"),
    [
        ("3x3", "3/1o1/2x x", "c3", "the column c3–c1"),  # not the diagonal, whose centre is O's
        ("3x3", "xx1/1o1/3 o", "c3", "the row a3–c3"),
        ("3x3", "x2/1o1/2x o", "c3", "the diagonal c3–a1"),
        ("3x3", "xo1/xo1/3 x", "a1", "the column a3–a1"),
        ("3x3", "xo1/xo1/3 x", "b1", "the column b3–b1"),
        (
            "4x4x4+gravity",
            "ooxo/o1x1/x1ox/o1xx|1x1o/o3/x1xx/2ox|4/4/o1oo/4|4/4/x3/4 x",
            "1b2",
            "the row 2a2–2d2",  # the threat rests on the move
        ),
        ("ultimate:3", "9/9/9/9/9/9/9/9/9 x -", "e5", "the middle board"),
        ("ultimate:3", "9/9/9/9/9/9/9/9/9 x 5", "e5", ""),
    ],
)
def test_hint_points_to_a_line_that_can_be_completed(game: str, start: str, move: str, expected: str) -> None:
    position = Game(game).parse(start)
    assert area_of(position, position.parse_move(move))[1] == expected


@pytest.mark.parametrize("id", ["3x3", "3x3+misere", "connect4", "15x15:5", "4x4x4", "4x4x4+gravity", "7x7:4+exact"])
def test_hint_never_points_to_a_line_that_both_sides_block(id: str) -> None:
    chance = random.Random(id)
    for _ in range(2):
        position = Game(id).start()
        while not position.is_over:
            for move in position.legal_moves[:: max(1, len(position.legal_moves) // 8)]:
                area = area_of(position, move)[0]
                marks = {position.cells[cell] for cell in area} - {None}
                assert move in area or position.game.has_gravity
                assert len(marks) < 2 or set(area) == set(position.legal_moves), (position.text, move)
            play_randomly(position, chance, 1)


def test_line_of_a_custom_game_has_a_plain_name() -> None:
    game = Game.from_lines("triangle", cells=3, lines=[[0, 1], [1, 2]])
    assert line_name(game, (0, 1)) == "the line 0–1"


def test_engine_and_hints_agree_on_a_fork() -> None:
    position = Game("3x3").parse("xo1/1x1/2o x")
    given = hint(position, Limit(depth=9))
    assert given.why[0].startswith("wins by force")


def test_block_that_is_won_has_no_open_lines() -> None:
    found = texts("ultimate", "xx7/9/9/oo7/9/9/9/9/9 x 1", "c9")
    assert found[0] == "wins the top left board with the row a9–c9"
    assert not any("still complete" in text for text in found)


@pytest.mark.parametrize(
    ("game", "line", "expected"),
    [
        ("3x3", (6, 7, 8), "in the bottom row"),
        ("3x3", (0, 3, 6), "in the left column"),
        ("3x3", (2, 4, 6), "on the diagonal"),
        ("connect4", (0, 8, 16, 24), "with four on a diagonal"),
        ("4x4x4", (16, 17, 18, 19), "with four in a row of level 2"),
        ("4x4x4", (0, 16, 32, 48), "with four straight through the levels"),
        ("4x4x4", (0, 21, 42, 63), "with four on a diagonal through the cube"),
        ("ultimate", (0, 4, 8), "with three boards on the diagonal"),
        ("2x2x2x2", (0, 1), "with a line of two"),
    ],
)
def test_line_that_won_is_described_as_people_say_it(game: str, line: tuple[int, ...], expected: str) -> None:
    assert describe_line(Game(game), line) == expected
