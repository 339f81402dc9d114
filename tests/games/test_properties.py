"""Any text gives a value or a one-line ValueError, and printed values parse back to themselves."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import noughts as no
from noughts.games.formats import format_game, format_plays, parse_plays
from noughts.games.formats.ngn import parse_ngn
from noughts.games.formats.sgf import parse_sgf

T = TypeVar("T")  # results of a reader


def examples(number: int) -> int:
    """The number of examples of a test: all in a slow run, a third otherwise."""
    return number if os.environ.get("NOUGHTS_SLOW") else number // 3


GAME_IDS = [
    "3x3",
    "5x5:4",
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
SGF_IDS = ["3x3", "5x5:4", "7x6:4+gravity", "15x15:5+exact"]
NAMES = [
    "tictactoe",
    "qubic",
    "gomoku",
    "connect4",
    "ultimate",
    "ultimate4",
    "renju",
    "ultimate:9",
    "1x1",
    "0x0",
]
ALPHABET = "xo-+:/|., ;()[]{}%\"'\\0123456789abchzXOABC\n\t٣é\x00"


def value_or_error(call: Callable[[], T], begins: str = "") -> T | None:
    """Return the result of a call, or None if it refuses in one line; anything else fails the test."""
    try:
        return call()
    except ValueError as error:
        message = str(error)
    assert message.strip()
    assert message.startswith(begins)
    assert len(message.splitlines()) == 1
    return None


@st.composite
def mutated_text(draw: st.DrawFn, texts: Sequence[str]) -> str:
    """A valid text with a few characters dropped, doubled, replaced or inserted."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 3))
        middle = draw(st.sampled_from(["", text[at : at + length] * 2, draw(st.sampled_from(ALPHABET))]))
        text = text[:at] + middle + text[at + length :]
    return text


def texts_like(samples: Sequence[str]) -> st.SearchStrategy[str]:
    return st.one_of(mutated_text(samples), st.text(ALPHABET, max_size=40), st.text(max_size=40))


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


NUMBERS = st.integers(-2, 8) | st.integers() | st.floats()
FIELDS = st.one_of(NUMBERS, st.none(), st.text(max_size=5), st.lists(NUMBERS), st.lists(st.lists(NUMBERS, max_size=4)))


def nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)


def random_playthrough(game: no.Game, seed: int) -> list[no.Position]:
    rng = random.Random(seed)
    positions = [game.start()]
    while not positions[-1].is_over:
        positions.append(positions[-1].after(rng.choice(positions[-1].legal_moves)))
    return positions


GAMES = {game_id: no.Game(game_id) for game_id in GAME_IDS}
PLAYED = {game_id: random_playthrough(game, seed=1) for game_id, game in GAMES.items()}
POSITION_TEXTS = {game_id: [position.text for position in played] for game_id, played in PLAYED.items()}
MOVE_TEXTS = ["1", "5", "b2", "d", "2b3", "1,2,0", "0,1,2,1", "e5", "5.5", "aa1", "h8"]


@st.composite
def games_and_texts(draw: st.DrawFn) -> tuple[str, str]:
    """A game, and a text that is nearly one of its positions, or arbitrary."""
    game_id = draw(st.sampled_from(GAME_IDS))
    return game_id, draw(texts_like(POSITION_TEXTS[game_id]))


@st.composite
def positions_and_texts(draw: st.DrawFn) -> tuple[str, int, str]:
    """A game, one of its plies, and a text that is nearly a move there, or arbitrary."""
    game_id = draw(st.sampled_from(GAME_IDS))
    ply = draw(st.integers(0, len(PLAYED[game_id]) - 1))
    position = PLAYED[game_id][ply]
    names = [position.format_move(move) for move in position.legal_moves]
    return game_id, ply, draw(texts_like([*names, *MOVE_TEXTS]))


def playthrough(game_id: str) -> no.Playthrough:
    """A whole playthrough with every kind of annotation."""
    moves = PLAYED[game_id][-1].moves
    return no.Playthrough(
        GAMES[game_id],
        moves,
        tags={"X": 'Ann "the Cross"', "O": "Bob \\ Öl", "Date": "2025.01.31", "TimeControl": "60+1"},
        clocks=[60.0 - ply / 8 for ply in range(len(moves))],
        comments={0: "the start", 2: "a {brace}, a ] and a ; here", len(moves): "the end"},
        evals={1: 12, 3: -7},
    )


def beginnings(game_id: str) -> list[no.Playthrough]:
    """The same playthrough without its end, resigned, and from a position on."""
    played = PLAYED[game_id]
    half = no.Playthrough(GAMES[game_id], played[len(played) // 2].moves)
    later = no.Playthrough(GAMES[game_id], played[-1].moves[2:4], start=played[2].text)
    return [half, half.decided("resign", winner="O"), later]


FANO = no.Game.from_lines("fano", cells=7, lines=[[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)])
FANO_DATA: Any = FANO.to_data()
NGN_PLAYS = [play for game_id in GAME_IDS for play in [playthrough(game_id), *beginnings(game_id)]]
NGN_TEXTS = [format_plays([play], "ngn") for play in [*NGN_PLAYS, no.Playthrough(FANO, [0, 1, 2])]]
SGF_TEXTS = [
    format_plays([play], "sgf") for game_id in SGF_IDS for play in [playthrough(game_id), *beginnings(game_id)]
]
GAME_FILES = [format_game(FANO), format_game(GAMES["4x4x4"])]


@given(texts_like([*GAME_IDS, *NAMES]))
@example("99999999999999999999x99999999999999999999")
@example("x".join(["2"] * 40))
@example("ultimate:" + "9" * 5000)
@example("3x3" + "+misere" * 1000)
@example("3x3:٣")
@settings(max_examples=examples(600))
def test_any_text_is_a_game_or_a_one_line_error(text: str) -> None:
    game = value_or_error(lambda: no.Game(text))
    if game is not None:
        assert no.Game(game.id) == game
        assert no.Game(game.id).id == game.id


@given(games_and_texts())
@example(("3x3", "9" * 5000 + " x"))
@example(("3x3", "3/3/3 " + "x" * 5000))
@settings(max_examples=examples(1_500))
def test_any_text_is_a_position_or_a_one_line_error(game_and_text: tuple[str, str]) -> None:
    game, text = GAMES[game_and_text[0]], game_and_text[1]
    position = value_or_error(lambda: game.parse(text))
    if position is None:
        return
    again = game.parse(position.text)
    assert again == position
    assert again.text == position.text
    marks = [mark for mark in position.cells if mark is not None]
    assert marks.count(no.Side.X) - marks.count(no.Side.O) in (0, 1)
    assert position.turn in (None, "XO"[len(marks) % 2])
    for move in position.legal_moves:
        assert position.after(move).cells[move] == position.turn


@given(positions_and_texts())
@example(("3x3", 0, "a" * 5000))
@example(("4x4x4", 0, "1" * 5000))
@settings(max_examples=examples(1_500))
def test_any_text_is_a_legal_move_or_a_one_line_error(position_and_text: tuple[str, int, str]) -> None:
    game_id, ply, text = position_and_text
    position = PLAYED[game_id][ply]
    played = value_or_error(lambda: position.after(text))
    if played is None:
        return
    move = played.moves[-1]
    assert move in position.legal_moves
    assert position.parse_move(text) == move
    assert position.parse_move(position.format_move(move)) == move


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
def test_a_position_that_cannot_be_is_refused(game_id: str, text: str) -> None:
    with pytest.raises(ValueError, match="expected") as error:
        no.Game(game_id).parse(text)
    assert len(str(error.value).splitlines()) == 1


@given(st.sampled_from(GAME_IDS), st.integers())
@settings(max_examples=examples(300))
def test_any_integer_is_a_legal_move_or_a_one_line_error(game_id: str, move: int) -> None:
    start = GAMES[game_id].start()
    played = value_or_error(lambda: start.after(move))
    assert (played is None) == (move not in start.legal_moves)


@given(texts_like(NGN_TEXTS))
@example("[" * 5000)
@example("{" * 5000)
@example("1. " * 5000)
@settings(max_examples=examples(1_000))
def test_any_text_is_playthroughs_or_a_one_line_error(text: str) -> None:
    plays = value_or_error(lambda: parse_ngn(text))
    if plays is not None:
        assert_stable(plays, "ngn")


@given(texts_like(SGF_TEXTS))
@example("(" * 5000)
@example("(;GM[4]" * 1000)
@settings(max_examples=examples(1_000))
def test_any_text_is_sgf_playthroughs_or_a_one_line_error(text: str) -> None:
    plays = value_or_error(lambda: parse_sgf(text))
    if plays is not None:
        assert_stable(plays, "sgf")


def assert_stable(plays: list[no.Playthrough], format: str) -> None:
    """Printing what was parsed, and parsing that, changes nothing."""
    printed = format_plays(plays, format)
    again = {"ngn": parse_ngn, "sgf": parse_sgf}[format](printed)
    assert again == plays
    assert format_plays(again, format) == printed


@pytest.mark.parametrize("format", ["ngn", "sgf"])
@given(data=st.one_of(st.binary(max_size=60), texts_like([*NGN_TEXTS, *SGF_TEXTS]).map(encode)))
@settings(max_examples=examples(300))
def test_any_bytes_are_playthroughs_or_an_error_that_names_the_file(format: str, data: bytes) -> None:
    plays = value_or_error(lambda: parse_plays(data, format, name="some.file"), begins="some.file: line ")
    assert plays != []


@given(texts_like(GAME_FILES))
@example("[" * 5000)
@example('{"cells": 1e999}')
@example('{"cells": ' + "9" * 5000 + "}")
@settings(max_examples=examples(400))
def test_any_game_file_is_a_game_or_a_one_line_error(text: str) -> None:
    with NamedTemporaryFile(suffix=".json") as file:
        file.write(encode(text))
        file.flush()
        game = value_or_error(lambda: no.load_game(file.name))
    if game is not None:
        assert no.Game.from_data(game.to_data()) == game


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), nested))
@settings(max_examples=examples(300))
def test_any_data_is_a_game_or_a_one_line_error(data: object) -> None:
    value_or_error(lambda: no.Game.from_data(data))


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(FANO_DATA, FIELDS)))
@settings(max_examples=examples(500))
def test_a_game_file_with_any_field_replaced_is_a_game_or_a_one_line_error(changes: dict[str, object]) -> None:
    game = value_or_error(lambda: no.Game.from_data({**FANO_DATA, **changes}))
    if game is not None:
        assert no.Game.from_data(game.to_data()) == game


@given(st.sampled_from(GAME_IDS), st.integers(0, 10_000), st.floats(0, 1))
@settings(max_examples=60)
def test_random_playthroughs_survive_the_file_format(game_id: str, seed: int, part: float) -> None:
    moves = random_playthrough(GAMES[game_id], seed)[-1].moves
    play = no.Playthrough(GAMES[game_id], moves[: round(part * len(moves))])
    assert parse_ngn(format_plays([play], "ngn")) == [play]


@pytest.mark.parametrize("play", range(len(NGN_PLAYS)))
def test_everything_in_a_playthrough_survives_ngn(play: int) -> None:
    assert parse_ngn(format_plays([NGN_PLAYS[play]], "ngn")) == [NGN_PLAYS[play]]


def test_several_playthroughs_in_one_file_come_back_in_order() -> None:
    assert parse_ngn(format_plays(NGN_PLAYS, "ngn")) == NGN_PLAYS
