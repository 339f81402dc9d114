"""Playthroughs as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts as no
from noughts import Eval, Outcome, Playthrough, Side
from noughts.games.formats.ngn import format_ngn, parse_ngn
from plays import fano, random_play, tower

GOLDEN = """\
[Game "3x3"]
[X "Ann \\"the fork\\" A."]
[O "Bob"]
[Result "1-0"]
[Date "2026-05-01"]
[TimeControl "60+1"]
[Termination "line"]
[Event "A lesson"]

{In braces \\}.} 1. b2 {[%eval 0] [%clk 0:01:00]} 1... b1
{[%eval win 5] [%clk 0:00:58.5] An edge loses.} 2. a3 c1 3. a1 a2 4. c3 1-0
"""
LATER = """\
[Game "ultimate:3+count"]
[Result "0-1"]
[Termination "time"]
[Position "9/9/9/9/4x4/9/9/9/9 o 5"]
[Points "0-9"]

1... e6 2. e9 0-1
"""
WITH_VARIATIONS = """\
[Game "3x3"]
[Result "*"]

1. b2 (1. a1 {A corner} 1... b2 (1... a2 2. b2 {[%eval win 5]}) 2. c3) (1. a2)
1... a1 {The right reply} (1... b1) 2. c3 (2. c1 a3) 2... a3 *
"""


def test_golden_text_reads_as_the_play_it_shows() -> None:
    (play,) = parse_ngn(GOLDEN)
    assert play.game == no.Game("3x3")
    assert [play.game.format_cell(move) for move in play.moves] == ["b2", "b1", "a3", "c1", "a1", "a2", "c3"]
    assert play.tags["X"] == 'Ann "the fork" A.'
    assert play.tags["Event"] == "A lesson"
    assert play.outcome == Outcome(Side.X, no.Termination.LINE, (2, 0))
    assert play.clocks == (60.0, 58.5, None, None, None, None, None)
    assert dict(play.comments) == {0: "In braces }.", 2: "An edge loses."}
    assert dict(play.evals) == {1: Eval(0), 2: Eval(value="win", plies=5)}


@pytest.mark.parametrize("text", [GOLDEN, LATER, WITH_VARIATIONS])
def test_golden_text_is_printed_as_it_was_read(text: str) -> None:
    assert [format_ngn(play) for play in parse_ngn(text)] == [text]


def test_variations_are_lines_from_the_first_position_with_notes_of_their_own() -> None:
    (play,) = parse_ngn(WITH_VARIATIONS)
    lines = [" ".join(map(play.game.format_cell, line.moves)) for line in play.variations]
    assert lines == ["a1 b2 c3", "a1 a2 b2", "a2", "b2 b1", "b2 a1 c1 a3"]
    assert [play.game.format_cell(move) for move in play.moves] == ["b2", "a1", "c3", "a3"]
    assert dict(play.variations[0].comments) == {1: "A corner"}
    assert dict(play.variations[1].evals) == {3: Eval(value="win", plies=5)}
    assert dict(play.comments) == {2: "The right reply"}


def test_comment_before_the_first_move_of_a_variation_belongs_to_that_move() -> None:
    (play,) = parse_ngn('[Game "3x3"] 1. b2 ({Or} 1. a1 {the corner}) *')
    assert dict(play.variations[0].comments) == {1: "Or the corner"}


def test_start_position_with_o_to_move_counts_from_there() -> None:
    (play,) = parse_ngn(LATER)
    assert play.start == "9/9/9/9/4x4/9/9/9/9 o 5"
    assert play.outcome == Outcome(Side.O, no.Termination.TIME, (0, 9))


def test_one_file_holds_several_playthroughs() -> None:
    assert parse_ngn(GOLDEN + "\n" + LATER) == parse_ngn(GOLDEN) + parse_ngn(LATER)
    assert parse_ngn("") == []


def test_little_is_needed() -> None:
    (play,) = parse_ngn('[Game "connect4"] d d d 4. *'.replace("4.", "2."))
    assert play.moves == tuple(play.game.parse_cell(name) for name in ("d1", "d2", "d3"))
    assert list(play.tags) == ["Game", "Result"]


def test_digits_and_block_dot_cell_are_moves_not_numbers() -> None:
    assert parse_ngn('[Game "3x3"] 1. 5 1 2. 9 *')[0].moves == (4, 0, 8)
    assert parse_ngn('[Game "ultimate"] 1.5.5 *'.replace("1.5", "1. 5"))[0].moves == (40,)
    assert parse_ngn('[Game "4x4x4x4"] 1. 0,1,2,3 0,0,0,0 *')[0].moves[1] == 0


def test_windows_line_ends_and_byte_order_mark_make_no_difference() -> None:
    assert parse_ngn("\ufeff" + GOLDEN.replace("\n", "\r\n")) == parse_ngn(GOLDEN)


def test_rest_of_line_comments_and_several_comments_are_joined() -> None:
    (play,) = parse_ngn('[Game "3x3"]\n1. b2 ; the centre\n{of it} {all} a1 *')
    assert dict(play.comments) == {1: "the centre of it all"}


def test_unknown_commands_stay_in_the_comment() -> None:
    (play,) = parse_ngn('[Game "3x3"] 1. b2 {[%emt 3] [%eval 4] hm} *')
    assert dict(play.comments) == {1: "[%emt 3] hm"}
    assert "{[%eval 4] [%emt 3] hm}" in format_ngn(play)


@pytest.mark.parametrize(
    ("termination", "reason"),
    [
        ("time", "time"),
        ("Time forfeit", "time"),
        ("rules infraction", "illegal"),
        ("normal", "resign"),
        (None, "resign"),
    ],
)
def test_termination_tells_why_it_ended(termination: str | None, reason: no.Termination) -> None:
    tag = f'[Termination "{termination}"]' if termination else ""
    (play,) = parse_ngn(f'[Game "3x3"] {tag} 1. b2 0-1')
    assert play.outcome == Outcome(Side.O, reason, (0, 2))


def test_draw_without_a_reason_was_agreed() -> None:
    assert parse_ngn('[Game "3x3"] 1. b2 1/2-1/2')[0].outcome == Outcome(None, no.Termination.AGREEMENT, (1, 1))


def test_unknown_result_of_finished_moves_is_found_from_them() -> None:
    assert parse_ngn('[Game "3x3"] b2 b1 a3 c1 a1 a2 c3 *')[0].result == "1-0"


def test_custom_game_is_saved_with_its_play() -> None:
    play = Playthrough(tower(), [0, 3, 1], {"X": "Ann"})
    text = format_ngn(play)
    assert '[Game "a \\"tower\\""]\n[GameData "{\\"name\\":' in text
    (back,) = parse_ngn(text)
    assert back == play
    assert back.game.to_data() == tower().to_data()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. b2 *", 'line 1: expected a tag with the game, such as [Game "3x3"]'),
        ('[Game "3x4x"] *', "line 1: expected a game id"),
        ('[Game "3x3"]\n[Game "3x3"] *', "line 2: expected the tag Game once, got it again"),
        ('[Game "3x3"]\n[Position "3/3 x"] *', "line 2: expected 3 rows"),
        ('[Game "3x3"]\n\n1. b2 a1\n2. b2 *', "line 4: move 3: b2 is taken by X"),
        ('[Game "3x3"]\n\n1. b2 i9 *', "line 3: move 2: expected a square"),
        ('[Game "3x3"]\n\n1. b2 a1 3. a2 *', "line 3: expected move number 2, got 3."),
        (
            '[Game "3x3"]\n\n1. b2 a1\n',
            "line 3: expected a result (1-0, 0-1, 1/2-1/2, *) after the last move",
        ),
        ('[Game "3x3"] 1. b2\n[Game "3x3"] *', "line 2: expected a result (1-0, 0-1, 1/2-1/2, *) before"),
        (
            '[Game "3x3"] 1. b2\n[X "Ann"] *',
            "line 2: expected a result (1-0, 0-1, 1/2-1/2, *) before the next tag",
        ),
        ('[Game "3x3"]\n{never closed *', "line 2: expected } at the end of a comment"),
        ('[Game "3x3"]\n[X Ann] *', 'line 2: expected a tag such as [Game "3x3"], got'),
        ('[Game "3x3"]\n1. b2 (1. a1 *', "line 2: expected ) at the end of a variation, got *"),
        ('[Game "3x3"]\n(1. a1) *', "line 2: expected a move before a variation, got ("),
        ('[Game "3x3"]\n1. b2 ((1. a1)) *', "line 2: expected a move before a variation, got ("),
        ('[Game "3x3"]\n1. b2 () *', "line 2: expected a move in a variation, got )"),
        ('[Game "3x3"]\n1. b2) *', "line 2: expected ( before )"),
        ('[Game "3x3"]\n1. b2 (1. b2 a1) *', "line 2: expected another move than b2, which the variation replaces"),
        ('[Game "3x3"]\n1. b2 ({[%eval 1]} 1. a1) *', "line 2: expected [%eval] after a move, got it before the first"),
        ('[Game "3x3"]\n1. b2 a1\n(1... b2) *', "line 3: move 2: b2 is taken by X"),
        ('[Game "3x3"]\n] *', "line 2: expected a tag, a move, a comment or a result, got"),
        ('[Game "3x3"]\n[Result "1-0"]\n1. b2 0-1', "line 3: expected the result of the tag, '1-0', got 0-1"),
        ('[Game "3x3"]\n[Termination "boredom"] 1-0', "line 2: expected a termination such as"),
        ('[Game "3x3"]\n[Termination "line"] 1-0', "line 2: expected one of time, resign"),
        ('[Game "3x3"]\n[Termination "time"] *', "line 2: expected a result for a game that ended by 'time'"),
        (
            '[Game "3x3"]\nb2 b1 a3 c1 a1 a2 c3 0-1',
            "line 2: expected the result 1-0, which the moves give, got 0-1",
        ),
        ('[Game "3x3"]\n[Points "3-0"] b2 1-0', "line 2: expected the points 2-0, got '3-0'"),
        ('[Game "3x3"]\n1. b2 {[%clk 90]} *', "line 2: expected a clock such as 0:01:30.5, got ' 90'"),
        ('[Game "3x3"]\n{[%clk 0:00:01]} *', "line 2: expected [%clk] after a move"),
        ('[Game "3x3"]\n1. b2 {[%eval ?]} *', "line 2: expected an evaluation such as 35"),
        ('[Game "3x3"]\n1. b2 {[%eval 1]} {[%eval 2]} *', "line 2: expected [%eval] once after a move"),
        ('[Game "y"]\n[GameData "{"] *', "line 2: expected JSON: "),
        (
            '[Game "y"]\n[GameData "[]"] *',
            "line 2: expected a game id or an object with name, cells and lines, got list",
        ),
        ('[Game "y"]\n[GameData "' + "[" * 9999 + '"] *', "line 2: expected JSON"),
        (
            format_ngn(Playthrough(fano())).replace('Game "fano', 'Game "nano'),
            "line 1: expected 'fano', the name in",
        ),
    ],
)
def test_broken_text_is_an_error_with_its_line(text: str, message: str) -> None:
    with pytest.raises(no.InvalidFile) as caught:
        parse_ngn(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("id", [*(entry.id for entry in no.catalogue()), "fano", "tower"])
def test_random_plays_of_every_game_survive_text(id: str) -> None:
    own = {"fano": fano(), "tower": tower()}
    for seed in range(6):
        play = random_play(own.get(id) or no.Game(id), f"{id} {seed}")
        text = format_ngn(play)
        assert parse_ngn(text) == [play]
        assert format_ngn(parse_ngn(text)[0]) == text


def test_variations_are_nested_at_most_100_deep() -> None:
    cells = [f"{column}{row}" for row in range(1, 13) for column in "abcdefghijkl"]
    nested = " ".join(f"(1. {cell}" for cell in cells[1:102])
    with pytest.raises(no.InvalidFile, match="expected variations in variations at most 100 deep"):
        parse_ngn(f'[Game "12x12"] 1. {cells[0]} {nested} {")" * 101} *')


def test_lines_are_at_most_80_wide_where_comments_allow() -> None:
    game = no.Game("12x12")
    play = Playthrough(game, range(100), clocks=range(100), evals=dict.fromkeys(range(0, 100, 7), 35))
    assert max(map(len, format_ngn(play).splitlines())) <= 80


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.text(), st.text())
def test_any_text_survives_in_tags_and_comments(tag: str, comment: str) -> None:
    try:
        play = Playthrough(no.Game("3x3"), ["b2"], {"X": tag}, comments={0: comment, 1: comment})
    except ValueError:
        assert any("\ud800" <= character <= "\udfff" for character in tag + comment)
        return
    assert parse_ngn(format_ngn(play)) == [play]
