"""noughts as host plays whole games against noughts as engine, in every protocol."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mocks import command, nothing_left
from noughts import Game, Limit
from noughts.engine import ClockReading
from noughts.games import Position
from noughts.players import (
    HostedPlayer,
    InProcessPlayer,
    Limits,
    PlayerFailed,
    RandomPlayer,
    detect_protocol,
    open_player,
)
from noughts.players.protocols import gomocup
from noughts.players.registry import PROBED, _likely_first
from paths import ROOT
from plays import played_at_random
from terminals import in_process, without_spaces

ENGINE = f"{Path(sys.executable).parent / 'noughts'} engine"
EASY = f"{ENGINE} --level easy --seed 1"
PAIRS = {
    "ugi": ["3x3+misere", "4x4x4", "7x6:4+gravity", "ultimate:3+open", "15x15:5"],
    "uci": ["3x3", "15x15:5", "15x15:5+exact", "7x6:4+gravity", "4x4x4"],
    "gomocup": ["15x15:5", "15x15:5+exact", "8x6:5"],
    "codingame": ["ultimate:3+count"],
    "json": ["3x3", "4x4x4+gravity", "ultimate:4+count", "3x3x3x3"],
}
OWN = Game.from_lines("pyramid", cells=6, lines=[[0, 1, 3], [0, 2, 5], [3, 4, 5], [1, 2, 4]], rests_on={0: [1, 2]})


@pytest.fixture(scope="module")
def bots() -> Iterator[dict[str, HostedPlayer]]:
    """One engine for each protocol, which plays all the games in turn."""
    with nothing_left():
        opened = {
            protocol: open_player(EASY, protocol=protocol, limits=Limits(grace_seconds=2.0)) for protocol in PAIRS
        }
        yield opened
        for bot in opened.values():
            bot.close()


def play(first: HostedPlayer, second: HostedPlayer, position: Position, limit: Limit) -> Position:
    for bot in (first, second):
        bot.new_game(position)
    players = [first, second]
    while not position.is_over:
        position.play(players[position.ply % 2].choose(position, limit))
    return position


@pytest.mark.parametrize(("protocol", "id"), [(protocol, id) for protocol, ids in PAIRS.items() for id in ids])
def test_whole_playthroughs_as_either_side(protocol: str, id: str, bots: dict[str, HostedPlayer]) -> None:
    players: list[HostedPlayer] = [bots[protocol], InProcessPlayer(RandomPlayer(seed=1))]
    for first, second in (players, players[::-1]):
        assert play(first, second, Game(id).start(), Limit(seconds=5)).is_over


@pytest.mark.parametrize("protocol", ["ugi", "uci", "json"])
def test_custom_game_is_sent_whole(protocol: str, bots: dict[str, HostedPlayer]) -> None:
    assert play(bots[protocol], InProcessPlayer(RandomPlayer(seed=2)), OWN.start(), Limit(seconds=5)).is_over


@pytest.mark.parametrize(
    ("protocol", "id"), [("ugi", "ultimate:3"), ("uci", "3x3"), ("gomocup", "15x15:5"), ("json", "3x3")]
)
@pytest.mark.parametrize("is_parsed", [False, True])
def test_playthrough_may_begin_from_an_opening(
    protocol: str, id: str, is_parsed: bool, bots: dict[str, HostedPlayer]
) -> None:
    position = played_at_random(id, 3, 3)
    if is_parsed:
        position = position.game.parse(position.text)
    assert play(bots[protocol], InProcessPlayer(RandomPlayer(seed=3)), position, Limit(seconds=5)).is_over


def test_engine_wins_through_every_protocol() -> None:
    """The engine beats a random player as either side, so positions and answers are not mixed up."""
    games = {"ugi": "4x4x4", "uci": "15x15:5+exact", "gomocup": "15x15:5", "codingame": "ultimate:3+count"}
    for protocol, id in (games | {"json": "7x6:4+gravity"}).items():
        with open_player(f"{ENGINE} --seconds 0.03", protocol=protocol, limits=Limits(grace_seconds=2.0)) as bot:
            players: list[HostedPlayer] = [bot, InProcessPlayer(RandomPlayer(seed=4))]
            for side, (first, second) in {"X": players, "O": players[::-1]}.items():
                outcome = play(first, second, Game(id).start(), Limit(seconds=0.06)).outcome
                assert outcome is not None
                assert outcome.winner == side, (protocol, side)


@pytest.mark.parametrize("protocol", ["ugi", "uci", "gomocup", "json"])
def test_engine_keeps_within_its_clock(protocol: str) -> None:
    clock, position = [3.0, 3.0], Game("15x15:5").start()
    with open_player(ENGINE, protocol=protocol) as bot:
        bot.new_game(position)
        position.play(bot.choose(position, Limit(depth=1)))  # which starts the program
        for _ in range(6):
            side = position.ply % 2
            position.play(bot.choose(position, Limit(clock=ClockReading((clock[0], clock[1]), (0.01, 0.01)))))
            clock[side] += 0.01 - bot.last_seconds
    assert min(clock) > 0.5


def test_limit_on_nodes_is_kept_and_gives_the_same_move_every_time() -> None:
    position = Game("4x4x4").start()
    with open_player(ENGINE, protocol="ugi") as bot:
        found = []
        for _ in range(2):
            bot.new_game(position)
            found.append(bot.choose(position, Limit(nodes=3000)))
            assert "> go nodes 3000" in bot.exchange
    assert found[0] == found[1]


@pytest.mark.parametrize("protocol", ["gomocup", "codingame"])
def test_game_the_protocol_cannot_describe_is_refused(protocol: str) -> None:
    with open_player("true", protocol=protocol) as bot, pytest.raises(ValueError, match=r"protocol, got 4x4x4$"):
        bot.start(Game("4x4x4"))


def test_starting_is_not_on_the_clock_in_protocols_without_a_greeting(tmp_path: Path) -> None:
    """A program that takes half a second to start, and then answers at once, has a tenth of a second for a move."""
    bot_file = tmp_path / "bot.py"
    example = ROOT / "examples" / "bots" / "bot.py"
    bot_file.write_text(f"import time\ntime.sleep(0.5)\n{example.read_text()}")
    position = Game("3x3").start()
    with open_player([sys.executable, str(bot_file)], protocol="json") as bot:
        position.play(bot.choose(position, Limit(seconds=0.1)))
        assert bot.last_seconds == 0.1
        bot.choose(position, Limit(seconds=5))
        assert bot.last_seconds < 5


def test_question_and_answer_take_less_than_two_milliseconds() -> None:
    """The fastest tenth counts, because the machine may be busy."""
    example = ROOT / "examples" / "bots" / "bot.py"
    seconds, position = [], Game("3x3").start()
    with open_player([sys.executable, str(example)], protocol="json") as bot:
        for _ in range(100):
            bot.choose(position, Limit(seconds=5))
            seconds.append(bot.last_seconds)
    assert sorted(seconds)[len(seconds) // 10] < 0.002


def test_codingame_bot_cannot_begin_from_an_opening() -> None:
    with open_player(ENGINE, protocol="codingame") as bot:
        assert not bot.takes_openings
        with pytest.raises(ValueError, match="from the empty board"):
            bot.new_game(Game("ultimate:3+count").start().after("e5"))


@pytest.mark.parametrize("protocol", ["ugi", "uci", "gomocup"])
def test_program_that_speaks_something_else_does_not_start(protocol: str) -> None:
    with nothing_left(), open_player("echo hello", protocol=protocol) as bot:
        with pytest.raises(PlayerFailed, match=f"does not speak {protocol}: ") as caught:
            bot.start(Game("15x15:5"))
        assert caught.value.reason == "start"


def test_program_that_does_not_greet_is_not_waited_for_longer_than_it_may_take() -> None:
    with nothing_left(), open_player(command("deaf"), protocol="ugi", limits=Limits(start_seconds=2.0)) as bot:
        with pytest.raises(PlayerFailed, match="does not speak ugi: no answer within 2 s") as caught:
            bot.start(Game("3x3"))
        assert caught.value.reason == "start"


def test_name_and_exchange_are_kept() -> None:
    with open_player(ENGINE, protocol="ugi") as bot:
        bot.choose(Game("3x3").start(), Limit(depth=1))
        assert bot.name.startswith("noughts 0")
        assert bot.exchange[0] == "> ugi"
        assert "> go depth 1" in bot.exchange
        assert bot.exchange[-1].startswith("< bestmove ")


def test_protocol_is_detected() -> None:
    assert detect_protocol(ENGINE) == "ugi"
    assert detect_protocol(f"{ENGINE} --protocol gomocup") == "gomocup"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("import json, sys", "json"),
        ('cout << "uciok"', "uci"),
        ("print('ugiok')  # and json", "ugi"),
        ("if line == 'BEGIN':", "gomocup"),
        ("opponent_row, opponent_col = map(int, input().split())", "codingame"),
        ("echo hello", "ugi"),
    ],
)
def test_protocols_whose_words_are_in_the_file_are_tried_first(tmp_path: Path, text: str, first: str) -> None:
    (tmp_path / "bot.py").write_text(text)
    order = _likely_first("python3 bot.py", tmp_path)
    assert (order[0], sorted(order)) == (first, sorted(PROBED))


def test_bot_that_speaks_json_is_not_asked_in_other_protocols(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("noughts.players.registry._try", lambda host: asked.append(host.protocol))
    assert detect_protocol(f"{sys.executable} {ROOT}/examples/bots/bot.py") == "json"
    assert asked == ["json"]


def test_output_of_a_program_does_not_prevent_detection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.players.registry.PROBE_SECONDS", 1.0)
    code = """
import json, sys
for line in sys.stdin:
    if not line.startswith("{"):
        print("hello, a game can be started", "hello, a game can be started", sep=chr(10), flush=True)
        sys.stdin.readline()
        break
    print(json.dumps({"move": json.loads(line)["legal"][0]}), flush=True)
"""
    assert detect_protocol([sys.executable, "-S", "-c", code]) == "json"


def test_unknown_protocol_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected a protocol of json, ugi, .* got 'xboard'"):
        open_player("true", protocol="xboard")


@pytest.mark.parametrize("answer", ["15,0", "0,15", "-1,7", "7,-1"])
def test_square_beside_the_board_is_an_illegal_move(answer: str) -> None:
    with pytest.raises(PlayerFailed, match="expected a move from 0,0 to 14,14") as caught:
        gomocup.parse_answer(Game("15x15:5").start(), answer)
    assert caught.value.reason == "illegal"


def test_engine_is_an_opponent_in_the_terminal(tmp_path: Path) -> None:
    who = f"gomocup:{EASY}"  # which is told moves one by one, and the whole board after a takeback
    result = in_process(tmp_path, "play", "15x15:5", "--o", who, typed="a1\nundo\nb1\nmoves\n")
    assert without_spaces(result.stdout).count(without_spaces(f"O ({who}) plays")) == 2
    assert "played: b1" in result.stdout


def test_engine_that_cannot_play_the_game_is_refused_before_it_begins(tmp_path: Path) -> None:
    result = in_process(tmp_path, "play", "3x3", "--o", f"gomocup:{EASY}", typed="a1\n")
    assert (result.returncode, result.stdout) == (2, "")
    assert "expected five in a row on a 2D board for the Gomocup" in result.stderr
