"""A forced move is played at once; an analysis takes its full time."""

from __future__ import annotations

import time
from io import StringIO
from threading import Event

import pytest

import noughts as no
from noughts.engine import ClockReading
from noughts.players.protocols.background_search import BackgroundSearch, SearchSettings
from noughts.players.protocols.serve import serve

SECONDS = 10.0
AT_ONCE = 5.0
"""Half the time a search would use up: generous, for busy machines."""
HOUR = no.Limit(seconds=3600)
LONG_CLOCK = no.Limit(clock=ClockReading((7200, 7200)))

FOUR = ("15x15:5", "15/15/15/15/15/15/4xoooo6/5x9/6x8/15/3x11/15/15/15/15 x", "j9")
FORCED = [
    FOUR,
    ("4x4x4", "xxx1/4/4/4|4/oo2/4/4|4/4/4/4|4/4/4/4 o", "1d4"),
    ("7x6:4+gravity", "7/7/7/7/o6/xxx1o2 o", "d1"),
    ("ultimate:3", "1oxxx1xoo/3oox1x1/1ooxoo1x1/ox2oo1o1/ox2xx3/2xo3oo/1xx1x1xoo/o1xxo1x2/3o1xoxx x 2", "f9"),
    ("15x15:5", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x", "h8"),
]


@pytest.mark.parametrize(("game", "text", "move"), FORCED)
def test_master_plays_the_only_move_at_once(game: str, text: str, move: str) -> None:
    position, start = no.Game(game).parse(text), time.monotonic()
    chosen = no.level("master", limit=no.Limit(seconds=SECONDS)).choose(position)
    assert position.format_move(chosen) == move
    assert time.monotonic() - start < AT_ONCE


@pytest.mark.parametrize(("game", "text", "move"), FORCED[:4])
def test_only_move_comes_with_a_score(game: str, text: str, move: str) -> None:
    result = no.Engine(hash_mb=4).search(no.Game(game).parse(text), no.Limit(seconds=SECONDS))
    assert result.depth >= 2
    assert len(result.pv) > 1


@pytest.mark.parametrize("limit", [HOUR, LONG_CLOCK])
@pytest.mark.parametrize(("game", "text", "move"), FORCED)
def test_only_move_is_played_at_once_however_much_time_there_is(
    game: str, text: str, move: str, limit: no.Limit
) -> None:
    position = no.Game(game).parse(text)
    result = no.Engine(hash_mb=4, book=False).search(position, limit)
    assert position.format_move(result.move) == move
    assert result.seconds < AT_ONCE / 2


@pytest.mark.parametrize(
    ("game", "text", "value"),
    [
        ("15x15:5", "14o/15/15/15/15/5oo8/6xxx6/15/15/15/15/15/15/15/15 x", "win"),
        ("15x15:5", "15/15/15/15/15/5oo8/6xxxx5/14o/15/15/15/15/15/15/15 o", "loss"),
        ("3x3", "xo1/1x1/o2 x", "win"),
        ("3x3", "xox/1o1/1x1 o", "draw"),
    ],
)
def test_proven_result_is_played_at_once(game: str, text: str, value: str) -> None:
    result = no.Engine(hash_mb=4, book=False).search(no.Game(game).parse(text), HOUR)
    assert result.value == value
    assert result.seconds < AT_ONCE / 2


def test_single_legal_move_is_played_at_once() -> None:
    position = no.Game("3x3").parse("xox/xoo/ox1 x")
    assert no.Engine(hash_mb=1, book=False).search(position, HOUR).move == position.legal_moves[0]


PROTOCOL_QUESTIONS = {
    "ugi": ("ugi\nsetoption name Game value 15x15:5\ngo movetime 3600000\n", "bestmove h8"),
    "uci": ("uci\nsetoption name UCI_Variant value gomokufreestyle\ngo wtime 7200000 btime 7200000\n", "P@h8"),
    "gomocup": ("START 15\nINFO timeout_turn 3600000\nBEGIN\n", "7,7"),
    "json": ('{"game": "15x15:5", "moves": [], "time_ms": 3600000}\n', "h8"),
}


@pytest.mark.parametrize("protocol", PROTOCOL_QUESTIONS)
def test_only_move_is_played_at_once_in_every_protocol(protocol: str) -> None:
    question, answer = PROTOCOL_QUESTIONS[protocol]
    out = StringIO()
    serve(StringIO(question), out, print, SearchSettings(hash_mb=4), protocol)
    assert answer in out.getvalue()


def test_choice_is_thought_about() -> None:
    position = no.Game("15x15:5").parse("15/15/15/15/15/15/15/6xo7/15/15/15/15/15/15/15 x")
    start = time.monotonic()
    no.Engine(hash_mb=4).search(position, no.Limit(seconds=0.5))
    assert time.monotonic() - start >= 0.5


def test_fixed_time_is_used_up_beside_a_clock_with_plenty_of_time() -> None:
    """Managers of Gomoku programs send the time of the match, even if the time of a move is what counts."""
    position = no.Game("15x15:5").parse("15/15/15/15/15/15/15/6xo7/15/15/15/15/15/15/15 x")
    start = time.monotonic()
    no.Engine(hash_mb=4).search(position, no.Limit(seconds=0.5, clock=ClockReading((100_000, 100_000))))
    assert time.monotonic() - start >= 0.5


def test_analysis_of_an_only_move_takes_its_time() -> None:
    game, text, _ = FOUR
    position, start = no.Game(game).parse(text), time.monotonic()
    no.Engine(hash_mb=4).analyse(position, no.Limit(seconds=0.5))
    assert time.monotonic() - start >= 0.5


def test_depth_is_reached_where_there_is_one_move() -> None:
    game, text, _ = FOUR
    assert no.Engine(hash_mb=4).search(no.Game(game).parse(text), no.Limit(depth=8)).depth == 8


def test_endless_search_of_an_only_move_continues() -> None:
    game, text, _ = FOUR
    search, deep = BackgroundSearch(SearchSettings()), Event()
    found: list[no.SearchResult] = []
    search.begin(
        no.Game(game).parse(text), None, 1, lambda result: deep.set() if result.depth > 7 else None, found.extend
    )
    assert deep.wait(60)
    assert search.is_thinking
    search.stop()
    assert found[0].depth > 7
