"""Any text gives a value or a one-line ValueError, and what is printed parses back to itself."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import noughts as no
from noughts.games.ngn import format_ngn, parse_ngn
from noughts.games.sgf import format_sgf, parse_sgf

T = TypeVar("T")  # what a reader makes of a text

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
SGF_IDS = ["3x3", "5x5:4", "7x6:4+gravity", "15x15:5"]
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


def value_or_error(call: Callable[[], T]) -> T | None:
    """What the call returns, or None when it refuses in one line; anything else fails the test."""
    try:
        return call()
    except ValueError as error:
        message = str(error)
        assert message.strip()
        assert len(message.splitlines()) == 1
        return None


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[str]) -> str:
    """A right text with a few characters dropped, doubled, replaced or put in."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 3))
        middle = draw(st.sampled_from(["", text[at : at + length] * 2, draw(st.sampled_from(ALPHABET))]))
        text = text[:at] + middle + text[at + length :]
    return text


def texts_like(samples: Sequence[str]) -> st.SearchStrategy[str]:
    return st.one_of(mutated(samples), st.text(ALPHABET, max_size=40), st.text(max_size=40))


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
    """A game, and a text that is nearly one of its positions or no such thing at all."""
    game_id = draw(st.sampled_from(GAME_IDS))
    return game_id, draw(texts_like(POSITION_TEXTS[game_id]))


@st.composite
def positions_and_texts(draw: st.DrawFn) -> tuple[str, int, str]:
    """A game and a ply of it, and a text that is nearly a move there or no such thing at all."""
    game_id = draw(st.sampled_from(GAME_IDS))
    ply = draw(st.integers(0, len(PLAYED[game_id]) - 1))
    position = PLAYED[game_id][ply]
    names = [position.format_move(move) for move in position.legal_moves]
    return game_id, ply, draw(texts_like([*names, *MOVE_TEXTS]))


def playthrough(game_id: str) -> no.Playthrough:
    return no.Playthrough(GAMES[game_id], PLAYED[game_id][-1].moves)


NGN_TEXTS = [format_ngn(playthrough(game_id)) for game_id in GAME_IDS]
SGF_TEXTS = [format_sgf(playthrough(game_id)) for game_id in SGF_IDS]


@given(texts_like([*GAME_IDS, *NAMES]))
@example("99999999999999999999x99999999999999999999")
@example("x".join(["2"] * 40))
@example("ultimate:" + "9" * 5000)
@example("3x3" + "+misere" * 1000)
@example("3x3:٣")
@settings(max_examples=600)
def test_any_text_is_a_game_or_a_one_line_error(text: str) -> None:
    game = value_or_error(lambda: no.Game(text))
    if game is not None:
        assert no.Game(game.id) == game
        assert no.Game(game.id).id == game.id


@given(games_and_texts())
@example(("3x3", "9" * 5000 + " x"))
@example(("3x3", "3/3/3 " + "x" * 5000))
@settings(max_examples=1_500)
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
@settings(max_examples=1_500)
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
@settings(max_examples=300)
def test_any_integer_is_a_legal_move_or_a_one_line_error(game_id: str, move: int) -> None:
    start = GAMES[game_id].start()
    played = value_or_error(lambda: start.after(move))
    assert (played is None) == (move not in start.legal_moves)


@given(texts_like(NGN_TEXTS))
@settings(max_examples=1_000)
def test_any_text_is_a_playthrough_or_a_one_line_error(text: str) -> None:
    play = value_or_error(lambda: parse_ngn(text))
    if play is not None:
        assert_stable(play, format_ngn, parse_ngn)


@given(texts_like(SGF_TEXTS))
@settings(max_examples=1_000)
def test_any_text_is_an_sgf_playthrough_or_a_one_line_error(text: str) -> None:
    play = value_or_error(lambda: parse_sgf(text))
    if play is not None:
        assert_stable(play, format_sgf, parse_sgf)


def assert_stable(
    play: no.Playthrough,
    print_: Callable[[no.Playthrough], str],
    parse: Callable[[str], no.Playthrough],
) -> None:
    """Printing what was parsed, and parsing that, changes nothing more."""
    printed = print_(play)
    again = parse(printed)
    assert again.game == play.game
    assert list(again.moves) == list(play.moves)
    assert print_(again) == printed


@given(st.sampled_from(GAME_IDS), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_random_playthroughs_survive_the_file_format(game_id: str, rng: random.Random) -> None:
    moves = random_playthrough(GAMES[game_id], seed=rng.randrange(10_000))[-1].moves
    play = no.Playthrough(GAMES[game_id], moves[: rng.randint(0, len(moves))])
    again = parse_ngn(format_ngn(play))
    assert list(again.moves) == list(play.moves)
    assert_stable(again, format_ngn, parse_ngn)
