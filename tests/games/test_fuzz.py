"""Every reader of text, files and data: hostile input gets a value or a one-line ValueError, in linear time.

A value that was read is printed and read again, which changes nothing.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import noughts as no
from fuzzing import check_linear, check_message, fuzz, mutate_text
from noughts.arena.plan import InvalidPlan, parse_toml, read_plan
from noughts.cli.classics import mnk
from noughts.games.formats import decode, format_plays, parse_plays
from noughts.games.formats.sgf import left_out
from noughts.games.formats.tokens import parse_json
from noughts.games.playthrough import Eval
from noughts.match import TimeControl
from noughts.players import PlayerFailed
from noughts.players.protocols import codingame, gomocup
from noughts.players.protocols.dialects import Cutechess
from noughts.players.protocols.json_protocol import parse_answer, parse_position
from noughts.players.protocols.serve import recognise
from plays import fano, played_at_random

GAME_IDS = [
    "3x3",
    "15x15:5+exact",
    "7x6:4+gravity",
    "4x4+wrap+misere",
    "4x4x4",
    "3x3x3+gravity",
    "3x3x3x3",
    "ultimate:3",
    "ultimate:2+open",
    "ultimate:3+count",
]
FANO = fano()
STACK = no.Game.from_lines(
    "stack", 4, [[0, 2], [1, 3]], guards=[[1], []], rests_on={2: [0], 3: 1}, layout=[[0, 0], [1, 0], [0, 1], [1, 1]]
)
GAMES = {game_id: no.Game(game_id) for game_id in GAME_IDS} | {"fano": FANO}


def playthrough(game: no.Game, plies: int) -> no.Playthrough:
    position = played_at_random(game, plies, plies)
    return no.Playthrough.of(
        position,
        {"X": 'Ann "the Cross"', "O": "Bob \\ Öl", "Date": "2026.01.31", "TimeControl": "60+1"},
        clocks=[60.0 - ply / 8 for ply in range(position.ply)],
        comments={0: "the start", position.ply: "a {brace}, a ] and a ; here"},
        evals={1: 12, 2: Eval(value="win", plies=5)},
    )


def resigned_later(game: no.Game) -> no.Playthrough:
    """A playthrough from a position on that a player gave up."""
    start, moves = game.start(), played_at_random(game, 4, 4).moves
    start.play_all(moves[:2])
    return no.Playthrough(game, moves[2:], start=start.text).decided("resign", winner="O")


NGN_TEXTS = [format_plays([playthrough(game, 8)], "ngn") for game in [*GAMES.values(), STACK]]
NGN_TEXTS += [format_plays([resigned_later(game), playthrough(game, game.cells)], "ngn") for game in GAMES.values()]
SGF_TEXTS = [
    format_plays([playthrough(GAMES[game_id], 8)], "sgf") for game_id in ["3x3", "15x15:5+exact", "7x6:4+gravity"]
]
SGF_TEXTS += [
    "(;GM[4]FF[4]SZ[15]AB[aa:bb][cc]AW[dd:ee][ff]PL[B]C[a \\] b];B[gg](;W[hh])(;W[ii]))",
    "To: ann@example.org\n\n(;GaMe[4]SiZe[15]AP[Other:1.0]KM[0];B[hh]LB[hh:1]C[soft \\\nbreak])\n(;GM[4]SZ[3];B[bb])",
]
PLAN = """\
game = "3x3"
rounds = 2

[limit]
clock = "1+0.5"

[[bots]]
name = "a"
run = "easy"

[[bots]]
run = "difficult"
"""


def game(text: str) -> None:
    read = no.Game(text)
    assert no.Game(read.id) == read
    assert no.Game(read.id).id == read.id


def game_data(data: object) -> None:
    read = no.Game.from_data(data)
    assert no.Game.from_data(read.to_data()) == read


def ngn(text: str) -> object:
    return parse_plays(text.encode("utf-8", "surrogatepass"), "ngn", "file")


def sgf(text: str) -> object:
    return parse_plays(text.encode("utf-8", "surrogatepass"), "sgf", "file")


def plan(text: str) -> object:
    try:
        return read_plan(parse_toml(text, "plan"), Path("/nowhere"))
    except InvalidPlan as bad:
        raise ValueError(max(bad.mistakes, key=len)) from None


def answer(parse: Callable[[no.Position, str], object], game_id: str) -> Callable[[str], object]:
    """Read the answer of a bot as a host does; a mistake of the bot counts as a refusal."""

    def read(text: str) -> object:
        try:
            return parse(GAMES[game_id].start(), text)
        except PlayerFailed as failed:
            raise ValueError(str(failed)) from None

    return read


def position(game: no.Game) -> Callable[[str], None]:
    def read(text: str) -> None:
        read = game.parse(text)
        assert game.parse(read.text) == read
        assert game.parse(read.text).text == read.text
        marks = [mark for mark in read.cells if mark is not None]
        assert marks.count(no.Side.X) - marks.count(no.Side.O) in (0, 1)
        assert read.turn in (None, "XO"[len(marks) % 2])
        for cell in read.legal_moves:
            assert read.after(cell).cells[cell] == read.turn

    return read


def move(before: no.Position) -> Callable[[str], None]:
    def read(text: str) -> None:
        cell = before.after(text).moves[-1]
        assert cell in before.legal_moves
        assert before.parse_move(text) == cell
        assert before.parse_move(before.format_move(cell)) == cell

    return read


READERS: dict[str, tuple[Callable[[str], object], list[str]]] = {
    "game ids": (game, ["3x3", "5x5:4+misere", "connect4+exact", "ultimate:4+count"]),
    "games by name": (no.find_game, ["3x3", "qubic", "ultimate:3+count"]),
    "game data": (lambda text: game_data(parse_json(text)), [json.dumps(game.to_data()) for game in (FANO, STACK)]),
    "ngn": (ngn, NGN_TEXTS),
    "sgf": (sgf, SGF_TEXTS),
    "evaluations": (Eval.parse, ["35", "win 5", "draw"]),
    "time controls": (TimeControl.parse, ["5+3", "10s+0.1s", "40/5"]),
    "tournament plans": (plan, [PLAN]),
    "JSON answers": (answer(parse_answer, "4x4x4"), ['{"move": "2b3"}', '{"move": 5}', '{"move": "1,2,0"}']),
    "JSON questions": (
        lambda text: parse_position(parse_json(text)),
        ['{"game": "3x3", "moves": ["b2", 0], "start": null}'],
    ),
    "Gomocup answers": (answer(gomocup.parse_answer, "15x15:5+exact"), ["7,7", "0 , 14"]),
    "CodinGame answers": (answer(lambda _, text: codingame.parse_answer(text), "ultimate:3"), ["4 4", " 0 8 "]),
    "first lines": (lambda text: recognise(text), ["ugi", "START 15", "-1 -1", '{"game": "3x3"}']),
    "cutechess moves": (lambda text: Cutechess().parse_move(GAMES["3x3"].start(), text), ["P@b2", "a1"]),
    "cutechess positions": (
        lambda text: Cutechess().parse_position(GAMES["3x3"], text),
        ["3/1P1/3[PPPPpppp] b - - 0 1"],
    ),
}
for game_id, known in GAMES.items():
    halfway = played_at_random(known, 4, 4)
    names = [halfway.format_move(cell) for cell in halfway.legal_moves[:3]]
    READERS[f"positions of {game_id}"] = (position(known), [known.start().text, halfway.text])
    READERS[f"cells of {game_id}"] = (known.parse_cell, names)
    READERS[f"moves of {game_id}"] = (move(halfway), names)
REFUSED = [
    ("game ids", "99999999999999999999x99999999999999999999"),
    ("game ids", "x".join(["2"] * 40)),
    ("game ids", "ultimate:" + "9" * 5000),
    ("game ids", "3x3" + "+misere" * 1000),
    ("game ids", "3x3:٣"),
    ("games by name", "/"),
    ("games by name", "x" * 5000),
    ("game data", '{"cells": 1e999}'),
    ("ngn", "1. " * 5000),
    ("sgf", "(;GM[4]" * 1000),
    ("positions of 3x3", "3/3/3 " + "x" * 5000),
]


@pytest.mark.parametrize("name", READERS)
def test_reader_of_hostile_text_returns_or_refuses_in_one_line(name: str) -> None:
    reader, samples = READERS[name]
    fuzz(name, reader, samples)


def test_hostile_data_of_a_custom_game_are_taken_or_refused_in_one_line() -> None:
    fuzz("custom games", game_data, [FANO.to_data(), STACK.to_data()])


@pytest.mark.parametrize(("format", "texts"), [("ngn", NGN_TEXTS), ("sgf", SGF_TEXTS)], ids=["ngn", "sgf"])
def test_hostile_file_is_read_and_printed_alike_or_refused_with_its_line(format: str, texts: list[str]) -> None:
    def read(data: bytes) -> None:
        try:
            found = parse_plays(data, format, "file")
        except no.InvalidFile as error:
            if not re.match(r"file: line [1-9][0-9]*: \S", str(error)):
                raise AssertionError(f"expected the file and the line, got {error}") from None
            raise
        printed = format_plays(found, format)
        again = parse_plays(printed, format, "file")
        assert again == found
        assert format_plays(again, format) == printed
        if format == "sgf":
            assert isinstance(left_out(decode(data, format)), list)

    samples = [text.encode() for text in texts]
    fuzz(f"{format} as text", read, samples, mutate=lambda rng, _: mutate_text(rng, texts).encode("utf-8", "ignore"))
    fuzz(f"{format} as bytes", read, samples)


@pytest.mark.parametrize(("name", "text"), REFUSED, ids=[f"{name} {text[:20]}" for name, text in REFUSED])
def test_reader_refuses_extreme_text_in_one_line(name: str, text: str) -> None:
    with pytest.raises(ValueError, match="expected") as error:
        READERS[name][0](text)
    check_message(str(error.value), name)


@pytest.mark.parametrize("name", READERS)
def test_reader_of_100_kb_of_repetition_takes_linear_time(name: str) -> None:
    reader, samples = READERS[name]
    check_linear(name, reader, samples[:2])


@pytest.mark.parametrize("charset", ["punycode", "idna", "utf-7", "unicode_escape", "rot13", "base64", "os", "utf-16"])
def test_sgf_file_cannot_choose_a_codec_that_is_not_a_character_set(charset: str) -> None:
    with pytest.raises(no.InvalidFile, match="expected a known character set in CA"):
        sgf(f"(;GM[4]FF[4]CA[{charset}]SZ[3]C[{'a' * 100_000}])")


@pytest.mark.parametrize("charset", ["ISO-8859-1", "GB2312", "Big5", "Shift_JIS", "EUC-KR", "koi8-r", "windows-1252"])
def test_sgf_file_may_be_in_any_common_character_set(charset: str) -> None:
    text = f"(;GM[4]FF[4]CA[{charset}]SZ[3];B[aa])".encode(charset)
    assert parse_plays(text, "sgf", "file")[0].moves == (0,)


def test_rectangles_of_stones_over_each_other_are_refused_before_they_take_long() -> None:
    text = f"(;GM[4]FF[4]SZ[52]NGAME[52x52:5]AB{'[aa:ZZ]' * 14_000})"
    begun = time.process_time()
    with pytest.raises(no.InvalidFile, match="expected one stone on a point"):
        sgf(text)
    assert time.process_time() - begun < 2


def test_files_without_end_are_not_read_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.games.formats.MAX_FILE", 1000)
    for name in ("long.ngn", "long.sgf", "long.json"):
        (tmp_path / name).write_text(" " * 1001)
        with pytest.raises(no.InvalidFile, match="expected a file of at most"):
            (no.load_game if name.endswith("json") else no.load)(tmp_path / name)


def test_numbers_of_thousands_of_digits_are_refused_in_our_own_words() -> None:
    digits = "9" * 5000
    with pytest.raises(ValueError, match="expected a row and a column from 0 to 2"):
        mnk._parse_move(f"{digits} 1", no.Game("3x3").start(), 3)
    with pytest.raises(no.InvalidPosition, match="expected rows of 3 cells"):
        no.Game("3x3").parse(f"{digits}/3/3 x")
    with pytest.raises(no.InvalidNotation, match="expected a square"):
        no.Game("3x3").parse_cell(f"a{digits}")
    with pytest.raises(no.InvalidGame, match="expected a game id of at most 200 characters"):
        no.Game(f"{digits}x3")
    with pytest.raises(InvalidPlan, match="expected TOML without huge numbers and deep nesting"):
        parse_toml(f"rounds = {digits}", "plan")
    with pytest.raises(no.InvalidFile, match="expected JSON without deep nesting and huge numbers"):
        parse_json(f'{{"cells": {digits}}}')


@pytest.mark.parametrize(
    ("game_id", "text"),
    [
        ("3x3", "3/3/3 o"),
        ("3x3", "x2/3/3 x"),
        ("3x3", "xx1/3/3 o"),
        ("3x3", "o2/3/3 x"),
        ("3x3", "3/3/3 -"),
        ("3x3", "xxx/oo1/3 o"),
        ("3x3", "xxx/ooo/3 -"),
        ("3x3", "xxx/oo1/o2 -"),
        ("3x3", "4/3/3 x"),
        ("3x3", "3/3 x"),
        ("3x3", "3|3|3 x"),
        ("3x3", "3/3/3"),
        ("3x3", "3/3/3 x -"),
        ("3x3x3", "3/3/3|3/3/3 x"),
        ("7x6:4+gravity", "7/7/7/7/3x3/7 o"),
        ("3x3x3+gravity", "3/3/3|3/1x1/3|3/3/3 o"),
        ("ultimate:2", "4/4/4/4 x"),
        ("ultimate:2", "4/4/4/4 x 5"),
        ("ultimate:2", "4/4/4/4 x 0"),
        ("ultimate:2", "xx2/4/oo2/4 x 1"),
        ("ultimate:2+open", "4/4/4/4 x -"),
        ("ultimate:2+open", "xx2/4/oo2/4 x 1 ...."),
        ("ultimate:2+open", "xx2/4/oo2/4 x 1 o.x."),
        ("ultimate:2+open", "xx2/4/oo2/4 x 1 xxo."),
    ],
)
def test_position_that_cannot_be_is_refused_in_one_line(game_id: str, text: str) -> None:
    with pytest.raises(ValueError, match="expected") as error:
        no.Game(game_id).parse(text)
    assert len(str(error.value).splitlines()) == 1
