"""Playthroughs on 2D boards as SGF."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts as no
from noughts import Eval, Outcome, Playthrough, Side
from noughts.games.formats.sgf import format_sgf, left_out, parse_sgf
from plays import fano, random_play

GOLDEN = """\
(;GM[4]FF[4]CA[UTF-8]SZ[7:6]NGAME[7x6:4+gravity]PB[Ann [1\\]]PW[Bob]DT[2026-05-01]TM[60]\
NTAG[Mood:calm]RE[B+F]NTERM[crash]NEVAL[0]C[A back\\\\slash]
;B[df]BL[59.5]NEVAL[win 40]C[The middle];W[de]WL[60];B[dd])
"""
FOREIGN = """\
To: somebody@example.org

(;GaMe[4]SiZe[15]AP[Other:1.0]PB[Black]KM[0]
 ;B[hh]LB[hh:1](;W[ii];B[ih]C[soft \\
break])(;W[hi](;B[ih])(;B[ig])))
(;GM[4]SZ[3];B[bb])
"""
SETUP = "(;GM[4]FF[4]CA[UTF-8]SZ[3]NGAME[3x3]AB[bb][ac]AW[aa]PL[W]\n;W[ca])\n"
WITH_VARIATIONS = """\
(;GM[4]FF[4]CA[UTF-8]SZ[3]NGAME[3x3]
(;B[bb]
(;W[ac];B[ca])
(;W[bc]C[An edge loses.]))
(;B[ac]
(;W[bb])
(;W[aa]NEVAL[win 5])))
"""
FLAT = [entry.id for entry in no.catalogue() if len(no.Game(entry.id).dimensions or ()) == 2]


def parse_one(text: str) -> Playthrough:
    return parse_sgf(text)[0]


def test_golden_text_reads_as_the_play_it_shows() -> None:
    play = parse_one(GOLDEN)
    assert play.game == no.Game("connect4")
    assert [play.game.format_cell(move) for move in play.moves] == ["d1", "d2", "d3"]
    assert (play.tags["X"], play.tags["TimeControl"], play.tags["Mood"]) == ("Ann [1]", "60", "calm")
    assert play.outcome == Outcome(Side.X, no.Termination.CRASH, (2, 0))
    assert play.clocks == (59.5, 60.0, None)
    assert dict(play.comments) == {0: "A back\\slash", 1: "The middle"}
    assert dict(play.evals) == {0: Eval(0), 1: Eval(value="win", plies=40)}


@pytest.mark.parametrize("text", [GOLDEN, SETUP, WITH_VARIATIONS])
def test_golden_text_is_printed_as_it_was_read(text: str) -> None:
    assert format_sgf(parse_one(text)) == text


def test_setup_stones_are_the_start_position() -> None:
    play = parse_one(SETUP)
    assert play.start == "o2/1x1/x2 o"
    assert play.position().text == "o1o/1x1/x2 x"


def test_rectangles_of_stones_are_filled() -> None:
    play = parse_one("(;GM[4]SZ[5]AB[aa:ba]AW[ab:bb])")
    assert play.start == "xx3/oo3/5/5/5 x"


def test_first_branches_are_the_main_line_and_the_others_variations() -> None:
    play = parse_one(FOREIGN)
    assert [play.game.format_cell(move) for move in play.moves] == ["h8", "i7", "i8"]
    assert dict(play.comments) == {3: "soft break"}
    lines = [" ".join(map(play.game.format_cell, line.moves)) for line in play.variations]
    assert lines == ["h8 h7 i8", "h8 h7 i9"]


def test_properties_that_are_not_read_are_named() -> None:
    assert left_out(FOREIGN) == ["the properties KM, LB"]
    assert left_out(GOLDEN) == []
    assert left_out("(;GM[4](;B[hh])(;B[ii]LB[ii:1]))") == ["the properties LB"]


def test_all_games_of_a_collection_are_read() -> None:
    assert [play.game.id for play in parse_sgf(FOREIGN)] == ["15x15:5", "3x3"]


@pytest.mark.parametrize(
    ("size", "id"),
    [("", "15x15:5"), ("SZ[19]", "19x19:5"), ("SZ[3]", "3x3"), ("SZ[4]", "4x4"), ("SZ[7:9]", "7x9:5")],
)
def test_foreign_file_without_a_game_id_is_five_in_a_row(size: str, id: str) -> None:
    assert parse_one(f"(;GM[4]{size})").game.id == id


def test_columns_beyond_z_are_capital_letters() -> None:
    play = Playthrough(no.Game("30x30:5"), ["aa30", "ad1"])
    text = format_sgf(play)
    assert ";B[Aa];W[DD])" in text
    assert parse_one(text) == play


@pytest.mark.parametrize(
    ("result", "winner", "reason"),
    [
        ("B+", Side.X, "resign"),
        ("W+R", Side.O, "resign"),
        ("b+time", Side.X, "time"),
        ("W+Forfeit", Side.O, "illegal"),
        ("B+3.5", Side.X, "resign"),
        ("Draw", None, "agreement"),
        ("0", None, "agreement"),
    ],
)
def test_results_of_other_programs_are_understood(result: str, winner: Side | None, reason: str) -> None:
    outcome = parse_one(f"(;GM[4]RE[{result}];B[hh])").outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (winner, reason)


def test_void_and_unknown_results_leave_it_open() -> None:
    assert parse_one("(;GM[4]RE[Void];B[hh])").outcome is None
    assert parse_one("(;GM[4]RE[?];B[hh])").outcome is None


def test_moves_in_the_first_node_and_comments_without_a_move_are_read() -> None:
    play = parse_one("(;GM[4]SZ[3]B[bb];C[first];C[second]W[aa])")
    assert play.moves == (4, 0)
    assert dict(play.comments) == {1: "first", 2: "second"}


@pytest.mark.parametrize("id", ["4x4x4", "ultimate:3", "4x4x4x4"])
def test_only_2d_boards_can_be_written(id: str) -> None:
    with pytest.raises(ValueError, match=f"expected a 2D board, all that SGF can hold, got {id}; .ngn takes any"):
        format_sgf(Playthrough(no.Game(id)))


def test_custom_games_and_huge_boards_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="expected a 2D board"):
        format_sgf(Playthrough(fano()))
    with pytest.raises(ValueError, match="expected a board of at most 52×52 for SGF, got 60x10:5"):
        format_sgf(Playthrough(no.Game("60x10:5")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected a game that begins with (;"),
        ("(;", "line 1: expected ) at the end of a game"),
        ("(;FF[4])", "line 1: expected GM[4], the Gomoku kind of game, got no GM"),
        ("(;\nGM[1])", "line 2: expected GM[4], the Gomoku kind of game, got 'GM[1]'"),
        ("(;GM[4]\nSZ[99])", "line 2: expected a size such as 15 or 7:6, at most 52, got '99'"),
        ("(;GM[4]\nSZ[15:]) ", "line 2: expected a size"),
        ("(;GM[4]SZ[1])", "line 1: expected at least 2 in a row"),
        ("(;GM[4]SZ[4]\nNGAME[3x3])", "line 2: expected a game of the size SZ gives, got 3x3"),
        ("(;GM[4]\nNGAME[4x4x4])", "line 2: expected a 2D board"),
        ("(;GM[4]\nNGAME[chess])", "line 2: expected a game id"),
        ("(;GM[4]\n;B[hh]\n;B[ii])", "line 3: move 2: expected a move of W, got one of B"),
        ("(;GM[4]\n;W[hh])", "line 2: move 1: expected a move of B, got one of W"),
        ("(;GM[4]\n;B[])", "line 2: move 1: expected a move, got a pass"),
        ("(;GM[4]\n;B[tt])", "line 2: expected a point from aa to oo, got 'tt'"),
        ("(;GM[4]\n;B[hh];W[hh])", "line 2: move 2: h8 is taken by X"),
        ("(;GM[4]\n;B[hh]W[ii])", "line 2: expected one move in a node, got B and W"),
        ("(;GM[4]\n;B[hh][ii])", "line 2: expected one value of B, got 2"),
        ("(;GM[4]\n;AB[hh])", "line 2: expected stones set up in the first node only, got AB"),
        ("(;GM[4]AB[hh]\nAW[hh])", "line 2: expected one stone on a point, got AW over another"),
        ("(;GM[4]AB[hh][ii])", "line 1: expected as many stones of B as of W, or one more, got 2 and 0"),
        ("(;GM[4]AB[hh]\nPL[B])", "line 2: expected the side to move that follows from the stones, got 'B'"),
        ("(;GM[4]\nRE[Ann wins])", "line 2: expected a result such as B+, W+R or Draw, got 'Ann wins'"),
        ("(;GM[4]\nRE[B+]NTERM[nap])", "line 2: expected one of time, resign"),
        (
            "(;GM[4]SZ[3]\nRE[W+];B[aa];W[ab];B[ba];W[bb];B[ca])",
            "line 2: expected the result 1-0, which the moves",
        ),
        ("(;GM[4];B[hh]\nBL[soon])", "line 2: expected seconds on a clock, got 'soon'"),
        ("(;GM[4]PB[Ann]\nNTAG[X:Eve])", "line 2: expected the tag 'X' once, got it again"),
        ("(;GM[4]NTAG[bad name:x])", "line 1: expected a tag name of letters"),
        ("(;GM[4]\nC[never closed)", "line 2: expected ] at the end of a value"),
        ("(;GM[4]\n$)", "line 2: expected ( ) ; or a property, got '$)'"),
        ("(;GM[4]\nGM[4])", "line 2: expected each property once"),
        ("(;GM\n)", "line 2: expected a value of GM in [ ]"),
        ("(;[4])", "line 1: expected a property before a value"),
        ("(;GM[4])\n)", "line 2: expected ( at the beginning of a game, got )"),
        ("(;GM[4](;B[hh])\n;W[ii])", "line 2: expected ) or another variation"),
        ("(;GM[4]\n())", "line 2: expected a node between ( and )"),
    ],
)
def test_broken_text_is_an_error_with_its_line(text: str, message: str) -> None:
    with pytest.raises(no.InvalidFile) as caught:
        parse_one(text)
    assert str(caught.value).startswith(message)


def test_nesting_is_never_too_deep() -> None:
    assert parse_one("(;GM[4]" + "(;" * 20_000 + ")" * 20_001).moves == ()
    with pytest.raises(no.InvalidFile, match="expected variations in variations at most 100 deep"):
        parse_one("(;GM[4]" + "(;)(;" * 200 + ")" * 201)


@pytest.mark.parametrize("id", FLAT)
def test_random_plays_of_every_2d_game_survive_sgf(id: str) -> None:
    for seed in range(6):
        play = random_play(no.Game(id), f"{id} {seed}")
        text = format_sgf(play)
        assert parse_one(text) == play
        assert format_sgf(parse_one(text)) == text


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.text(), st.text())
def test_any_text_survives_in_tags_and_comments(tag: str, comment: str) -> None:
    try:
        play = Playthrough(no.Game("3x3"), ["b2"], {"X": tag, "Mood": tag}, comments={0: comment, 1: comment})
    except ValueError:
        assert any("\ud800" <= character <= "\udfff" for character in tag + comment)
        return
    assert parse_one(format_sgf(play)) == play
