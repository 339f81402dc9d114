"""Names of players: the player each name opens, and messages about unknown names."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from noughts import Engine, Game, Level, Limit, SearchResult
from noughts.engine import ClockReading, EnginePlayer
from noughts.games import Position
from noughts.players import (
    PlayerFailed,
    is_builtin_name,
    is_person_name,
    normalise_name,
    open_player,
    player_names,
)
from paths import ROOT
from waiting import holds_within

BOTS = ROOT / "examples" / "bots"
PROGRAM = f"{sys.executable} {BOTS / 'bot.py'}"


@pytest.mark.parametrize("name", ["random", *Level, " Easy ", "MASTER"])
def test_built_in_name_opens_a_player_in_this_process(name: str) -> None:
    position = Game("3x3").start()
    with open_player(name, seed=1, limit=Limit(nodes=100)) as player:
        assert player.protocol == "in-process"
        assert player.name == name.strip().lower()
        player.new_game(position)
        assert position.is_legal(player.choose(position))


def test_built_in_names_are_random_and_the_levels() -> None:
    assert list(player_names()) == ["random", *Level]
    assert all(player_names().values())
    assert all(map(is_builtin_name, player_names()))
    assert not is_builtin_name("you")


def test_rating_is_a_name_of_a_player() -> None:
    assert is_builtin_name(" Elo:1500 ")
    assert not is_builtin_name("elo:5000")
    position = Game("4x4x4").start()
    with open_player("Elo:1500", seed=1) as player:
        assert player.name == "elo:1500"
        assert position.is_legal(player.choose(position))


@pytest.mark.parametrize("name", ["you", "Friend "])
def test_people_are_not_opened(name: str) -> None:
    assert is_person_name(name)
    with pytest.raises(ValueError, match="the moves of people come from a user interface"):
        open_player(name)


@pytest.mark.parametrize(
    ("name", "protocol"),
    [
        (f"json:{PROGRAM}", "json"),
        ("ugi:./engine", "ugi"),
        ("UCI: ./engine", "uci"),
        ("gomocup:./pbrain", "gomocup"),
        ("codingame:./bot", "codingame"),
        (f"{BOTS / 'greedy.py'}:Greedy", "python"),
        ("some.module:bot", "python"),
        (f"bot:{PROGRAM}", "json"),
        (PROGRAM, "json"),
    ],
)
def test_name_of_a_program_says_its_protocol_or_the_program_is_asked(name: str, protocol: str) -> None:
    opened = open_player(name)
    assert opened.protocol == protocol
    assert open_player(name, protocol=protocol).name == opened.name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dificult", "unknown player 'dificult'; did you mean difficult?"),
        (
            "deepblue",
            "choose you, friend, random, .*mcts, or a program: json:COMMAND, ugi:.*bot:COMMAND, FILE.py:NAME",
        ),
        ("", "expected a command"),
        ("ugi:", "expected a command"),
        ("json:'unclosed", 'expected a command, got "\'unclosed": no closing quotation'),
    ],
)
def test_name_that_means_nothing_is_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        open_player(name)


def test_program_that_speaks_nothing_is_not_opened() -> None:
    with pytest.raises(
        PlayerFailed, match=r"speaks none of ugi, uci, .*: the program ended with exit code 1"
    ) as caught:
        open_player("bot:false")
    assert caught.value.reason == "start"


def test_names_are_shown_in_one_way() -> None:
    assert [normalise_name(name) for name in (" YOU", "Easy", "UGI: ./Engine ", "My.py:Bot")] == [
        "you",
        "easy",
        "ugi:./Engine",
        "My.py:Bot",
    ]


def test_tree_search_with_a_number_searches_that_many_simulations_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Limit] = []
    search = Engine.search

    def watch(engine: Engine, position: Position, limit: Limit, **more: Any) -> SearchResult:
        limits.append(limit)
        return search(engine, position, limit, **more)

    monkeypatch.setattr(Engine, "search", watch)
    player, position = open_player("MCTS:50", seed=1), Game("5x5:4").start()
    assert player.name == "mcts:50"
    for limit in (None, Limit(seconds=60), Limit(nodes=10)):
        assert position.is_legal(player.choose(position, limit))
    assert limits == [Limit(nodes=50), Limit(seconds=60, nodes=50), Limit(nodes=10)]


def test_player_is_told_its_share_of_the_clock() -> None:
    limits: list[Limit | None] = []

    def choose(position: Position, limit: Limit | None) -> int:
        limits.append(limit)
        return position.legal_moves[0]

    position, clock = Game("15x15:5").start(), ClockReading((60.0, 60.0), (1.0, 1.0))
    open_player(choose).choose(position, Limit(depth=3, clock=clock))
    assert limits == [Limit(3.9, depth=3, clock=clock)]


def test_seed_reaches_a_program_that_starts(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, os\ninput()\nprint(json.dumps({'move': int(os.environ['NOUGHTS_SEED'])}), flush=True)\n"
    )
    for seed in (3, 5):
        with open_player(f"json:{sys.executable} {bot}", seed=seed) as player:
            assert player.choose(Game("3x3").start()) == seed


@pytest.mark.parametrize("is_opened", [True, False])
def test_engine_can_be_watched_and_stopped_from_another_thread(is_opened: bool) -> None:
    limit, position = Limit(seconds=60), Game("ultimate:4").start()
    player = open_player("master", limit=limit) if is_opened else EnginePlayer(limit)
    seen: list[int] = []

    def has_seen() -> bool:
        if (found := player.latest) is not None:
            seen.append(found.move)
        return bool(seen)

    def watch() -> None:
        holds_within(has_seen, 30)
        player.stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    began = time.monotonic()
    assert position.is_legal(player.choose(position))
    assert time.monotonic() - began < 50
    watcher.join(60)
    assert position.is_legal(seen[0])
    assert player.latest is None
