"""Every reader of text, files and data: hostile input gets a value or a one-line ValueError, in linear time."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import noughts as no
from fuzzing import check_linear, fuzz
from noughts.arena.plan import InvalidPlan, parse_toml, read_plan
from noughts.cli.classics import mnk
from noughts.games.formats import format_plays, parse_plays
from noughts.games.formats.tokens import parse_json
from noughts.games.playthrough import Eval
from noughts.match import TimeControl
from noughts.players import PlayerFailed
from noughts.players.protocols import codingame, gomocup
from noughts.players.protocols.dialects import Cutechess
from noughts.players.protocols.json_protocol import parse_answer, parse_position
from noughts.players.protocols.serve import recognise

GAME_IDS = [
    "3x3",
    "15x15:5+exact",
    "7x6:4+gravity",
    "4x4x4",
    "3x3x3+gravity",
    "3x3x3x3",
    "ultimate:3",
    "ultimate:2+open",
]
FANO = no.Game.from_lines("fano", cells=7, lines=[[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)])
STACK = no.Game.from_lines(
    "stack", 4, [[0, 2], [1, 3]], guards=[[1], []], rests_on={2: [0], 3: 1}, layout=[[0, 0], [1, 0], [0, 1], [1, 1]]
)
GAMES = {game_id: no.Game(game_id) for game_id in GAME_IDS} | {"fano": FANO}


def position_after(game: no.Game, plies: int) -> no.Position:
    rng, position = random.Random(plies), game.start()
    while position.ply < plies and not position.is_over:
        position.play(rng.choice(position.legal_moves))
    return position


def playthrough(game: no.Game, plies: int) -> no.Playthrough:
    position = position_after(game, plies)
    return no.Playthrough.of(
        position,
        {"X": 'Ann "the Cross"', "O": "Bob \\ Öl", "Date": "2026.01.31", "TimeControl": "60+1"},
        clocks=[60.0 - ply / 8 for ply in range(position.ply)],
        comments={0: "the start", position.ply: "a {brace}, a ] and a ; here"},
        evals={1: 12, 2: Eval(value="win", plies=5)},
    )


NGN_TEXTS = [format_plays([playthrough(game, 8)], "ngn") for game in [*GAMES.values(), STACK]]
SGF_TEXTS = [
    format_plays([playthrough(GAMES[game_id], 8)], "sgf") for game_id in ["3x3", "15x15:5+exact", "7x6:4+gravity"]
]
SGF_TEXTS += ["(;GM[4]FF[4]SZ[15]AB[aa:bb][cc]AW[dd:ee][ff]PL[B]C[a \\] b];B[gg](;W[hh])(;W[ii]))"]
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


def from_json(text: str) -> object:
    return no.Game.from_data(parse_json(text))


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


def move(game_id: str) -> Callable[[str], object]:
    position = position_after(GAMES[game_id], 4)
    return lambda text: position.after(text)


READERS: dict[str, tuple[Callable[[str], object], list[str]]] = {
    "game ids": (no.Game, ["3x3", "5x5:4+misere", "connect4+exact", "ultimate:4+count"]),
    "game data": (from_json, [json.dumps(game.to_data()) for game in (FANO, STACK)]),
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
for game_id, game in GAMES.items():
    halfway = position_after(game, 4)
    names = [halfway.format_move(cell) for cell in halfway.legal_moves[:3]]
    READERS[f"positions of {game_id}"] = (game.parse, [game.start().text, halfway.text])
    READERS[f"cells of {game_id}"] = (game.parse_cell, names)
    READERS[f"moves of {game_id}"] = (move(game_id), names)


@pytest.mark.parametrize("name", READERS)
def test_reader_of_hostile_text_returns_or_refuses_in_one_line(name: str) -> None:
    reader, samples = READERS[name]
    fuzz(name, reader, samples)


def test_hostile_data_of_a_custom_game_are_taken_or_refused_in_one_line() -> None:
    fuzz("custom games", no.Game.from_data, [FANO.to_data(), STACK.to_data()])


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
