"""Text that a person pastes: moves, a position, or a file."""

from __future__ import annotations

import re

import pytest

import noughts as no
from noughts.games.formats import format_plays
from noughts.games.formats.pasted import parse_pasted
from plays import position_after, random_play


def moves_of(text: str, id: str, *before: str) -> list[str]:
    pasted = parse_pasted(text, position_after(id, *before))
    assert pasted.kind == "moves"
    (play,) = pasted.plays
    return [play.game.format_cell(move) for move in play.moves]


@pytest.mark.parametrize(
    ("text", "id", "moves"),
    [
        ("c3 c4", "5x5:4", ["c3", "c4"]),
        ("c3, c4,c5", "5x5:4", ["c3", "c4", "c5"]),
        ("C3c4", "5x5:4", ["c3", "c4"]),
        ("dddd", "connect4", ["d1", "d2", "d3", "d4"]),
        ("d D e", "connect4", ["d1", "d2", "e1"]),
        ("1. d d 2. e", "connect4", ["d1", "d2", "e1"]),
        ("h8h9j10", "gomoku", ["h8", "h9", "j10"]),
        ("5 1 9", "3x3", ["b2", "a3", "c1"]),
        ("2b3 1,2,2", "4x4x4", ["2b3", "2c2"]),
        ("5.5 5.1", "ultimate", ["e5", "d6"]),
        ("1. b2 {the centre} a1 (1... b1) 2. c3 *", "3x3", ["b2", "a1", "c3"]),
    ],
)
def test_moves_are_read_however_they_are_written(text: str, id: str, moves: list[str]) -> None:
    assert moves_of(text, id) == moves


def test_moves_continue_the_position_or_begin_where_it_began() -> None:
    assert moves_of("a3", "3x3", "b2", "a1") == ["b2", "a1", "a3"]
    assert moves_of("b2 b1 a1", "3x3", "b2", "a1") == ["b2", "b1", "a1"]


def test_moves_with_variations_have_them() -> None:
    (play,) = parse_pasted("b2 a1 (b1 c3) a2", position_after("3x3")).plays
    assert [len(line.moves) for line in play.variations] == [3]


def test_position_of_the_board_is_read() -> None:
    pasted = parse_pasted("7/7/7/3x3/2xo3/1oxo3 x", position_after("connect4", "d"))
    assert (pasted.kind, pasted.plays[0].start) == ("position", "7/7/7/3x3/2xo3/1oxo3 x")


@pytest.mark.parametrize(
    ("text", "id"),
    [("7/7/7/3x3/2xo3/1oxo3 x", "7x6:4+gravity"), ("3/1x1/3 o", "3x3"), ("9/9/9/9/4x4/9/9/9/9 o 5", "ultimate:3")],
)
def test_position_of_another_board_opens_that_game(text: str, id: str) -> None:
    (play,) = parse_pasted(text, position_after("5x5:4")).plays
    assert (play.game.id, play.start) == (id, text)


@pytest.mark.parametrize("format", ["ngn", "sgf"])
def test_text_of_a_file_is_read(format: str) -> None:
    play = random_play(no.Game("5x5:4"), "pasted")
    pasted = parse_pasted(format_plays([play], format), position_after("3x3"))
    assert (pasted.kind, pasted.plays) == ("file", [play])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected moves, a position or the text of a file, got nothing"),
        ("hello", "expected moves, a position or the text of a file, got 'hello': move 1: expected a square"),
        ("b2 b2", "expected moves, a position or the text of a file, got 'b2 b2': move 2: b2 is taken by X"),
        ("3/3 x", "expected 3 rows separated by /, got 2"),
        ("[Game", "line 1: expected a tag"),
    ],
)
def test_other_text_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}.*$") as caught:
        parse_pasted(text, position_after("3x3"))
    assert "\n" not in str(caught.value)
