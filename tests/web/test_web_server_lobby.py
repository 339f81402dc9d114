"""Open challenges: visitors meet without links; nobody else's game is listed, and no one can flood the list."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from noughts.games import Game, Side
from noughts.store.web_games import FriendGame
from noughts.web import lobby as lobby_module
from noughts.web.limits import LOCAL_LIMITS, Settings
from noughts.web.lobby import MAX_CHALLENGES, MAX_NAME, Lobby, shorten
from noughts.web.network import address_in_network
from noughts.web.room import Room
from noughts.web.rooms import LiveRoom
from waiting import wait_until_async
from web_servers import Pair, SocketClient, join_game, open_socket, post, refusal, serving


@pytest.fixture(scope="module")
def meeting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that lists open challenges."""
    with serving(tmp_path_factory.mktemp("lobby") / "store.sqlite3", lobby=True) as address:
        yield address


@pytest.fixture(autouse=True)
def fresh_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_module, "CACHE_SECONDS", 0.0)


def listed(address: str) -> dict[str, Any]:
    answer = httpx.get(f"{address}/api/lobby")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def names(address: str) -> list[str]:
    return [each["name"] for each in listed(address)["challenges"]]


@asynccontextmanager
async def challenge(address: str, **request: Any) -> AsyncIterator[tuple[str, SocketClient]]:
    """A challenge whose creator is connected."""
    made = post(address, "/api/friends", **{"game": "3x3", "name": "Ann", "is_challenge": True} | request)
    async with join_game(address, made["friend"], made["token"]) as socket:
        yield made["friend"], socket


async def test_two_visitors_meet_by_a_challenge_and_a_third_watches(meeting: str) -> None:
    async with challenge(meeting, game="connect4", side="O", time_control="5+3") as (friend, ann):
        assert listed(meeting) == {
            "challenges": [
                {
                    "friend": friend,
                    "game": "7x6:4+gravity",
                    "title": "Connect Four",
                    "marks": "." * 42,
                    "clock": "5+3",
                    "name": "Ann",
                    "side": "X",
                }
            ],
            "games": [],
            "hidden": 0,
        }
        bob_seat = post(meeting, f"/api/friends/{friend}/claim", name="Bob")
        assert bob_seat["side"] == "X"
        async with (
            join_game(meeting, friend, bob_seat["token"]) as bob,
            join_game(meeting, friend, None) as eve,
        ):
            assert (await ann.receive_event("joined"))["is_listed"]
            await bob.send(type="move", ply=0, move="d")
            for each in (ann, bob, eve):
                assert (await each.receive_event("move"))["position"]["line"] == ["d1"]
            found = listed(meeting)
            assert found["challenges"] == []
            (game,) = found["games"]
            assert (game["players"], game["ply"], game["watching"]) == ({"X": "Bob", "O": "Ann"}, 1, 1)
            assert game["marks"].count("X") == 1
            status, error = refusal(meeting, f"/api/friends/{friend}/claim", name="Eve")
            assert (status, error) == (403, "this game is not an open challenge, or it has two players; you can watch")
            await ann.send(type="move", ply=1, move="a")
            await bob.receive_event("move")
        await ann.receive_event("presence")
    await wait_until_async(lambda: listed(meeting)["games"] == [])


async def test_first_to_connect_gets_the_side_that_two_have_claimed(meeting: str) -> None:
    async with challenge(meeting) as (friend, _):
        late, quick = (post(meeting, f"/api/friends/{friend}/claim", name=name) for name in ("Late", "Quick"))
        async with join_game(meeting, friend, quick["token"]):
            assert listed(meeting)["games"][0]["players"]["O"] == "Quick"
            async with open_socket(meeting, f"/api/friends/{friend}/play") as refused:
                told = await refused.ask("refused", type="hello", token=late["token"])
                assert told["error"] == "this is not a token of a player in this game"


async def test_games_by_link_are_never_listed_and_need_their_invitation(meeting: str) -> None:
    pair = Pair(meeting)
    waiting = post(meeting, "/api/friends", game="3x3", name="Secret")
    async with pair.join("X"), pair.join("O"), join_game(meeting, waiting["friend"], waiting["token"]):
        assert listed(meeting) == {"challenges": [], "games": [], "hidden": 0}
        assert refusal(meeting, f"/api/friends/{waiting['friend']}/claim", name="Eve")[0] == 403
        assert refusal(meeting, f"/api/friends/{waiting['friend']}/claim", invite="", name="Eve")[0] == 403
        assert pair.state()["is_challenge"] is pair.state()["is_listed"] is False


async def test_challenge_is_listed_only_while_its_creator_is_there(meeting: str) -> None:
    made = post(meeting, "/api/friends", game="3x3", name="Ann", is_challenge=True)
    friend = made["friend"]
    assert listed(meeting)["challenges"] == []
    assert refusal(meeting, f"/api/friends/{friend}/claim", name="Bob")[0] == 403
    async with join_game(meeting, friend, None) as eve:
        assert listed(meeting)["challenges"] == []
        async with join_game(meeting, friend, made["token"]):
            assert names(meeting) == ["Ann"]
            assert (await eve.receive_event("presence"))["is_listed"]
        assert not (await eve.receive_event("presence"))["is_listed"]
        assert listed(meeting)["challenges"] == []
    async with join_game(meeting, friend, made["token"]):
        assert names(meeting) == ["Ann"]


async def test_challenge_that_was_resigned_is_not_listed(meeting: str) -> None:
    made = post(meeting, "/api/friends", game="3x3", is_challenge=True)
    async with join_game(meeting, made["friend"], made["token"]):
        post(meeting, f"/api/friends/{made['friend']}/resign", token=made["token"])
        assert listed(meeting)["challenges"] == listed(meeting)["games"] == []


async def test_rematch_of_a_challenge_is_listed_too(meeting: str) -> None:
    async with challenge(meeting, side="X") as (friend, ann):
        seat = post(meeting, f"/api/friends/{friend}/claim", name="Bob")
        async with join_game(meeting, friend, seat["token"]) as bob:
            post(meeting, f"/api/friends/{friend}/resign", token=seat["token"])
            await bob.receive_event("resign")
            await ann.send(type="offer", what="rematch")
            await bob.receive_event("offer")
            await bob.send(type="accept", what="rematch")
            following = (await ann.receive_event("rematch"))["next"]
            async with join_game(meeting, following, seat["token"]):
                assert [each["friend"] for each in listed(meeting)["games"]] == [following]


async def test_challenge_expires_and_its_creator_is_told(meeting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with challenge(meeting) as (friend, ann):
        assert names(meeting) == ["Ann"]
        monkeypatch.setattr(lobby_module, "CHALLENGE_SECONDS", 0.0)
        assert listed(meeting)["challenges"] == []
        assert refusal(meeting, f"/api/friends/{friend}/claim", name="Bob")[0] == 403
        assert not (await ann.receive_event("expired"))["is_listed"]


async def test_challenge_survives_a_restart(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite3"
    with serving(store, lobby=True) as address:
        made = post(address, "/api/friends", game="3x3", name="Ann", is_challenge=True)
    with serving(store, lobby=True) as address:
        async with join_game(address, made["friend"], made["token"]):
            assert names(address) == ["Ann"]


async def test_server_without_lobby_lists_nothing_and_lets_no_one_in(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite3"
    off = (403, "this server lists no open challenges; start it with --lobby")
    with serving(store, lobby=True) as address:
        made = post(address, "/api/friends", game="3x3", is_challenge=True)
        assert httpx.get(f"{address}/api/about").json()["has_lobby"]
    with serving(store) as address:
        assert not httpx.get(f"{address}/api/about").json()["has_lobby"]
        answer = httpx.get(f"{address}/api/lobby")
        assert (answer.status_code, answer.json()["error"]) == off
        assert refusal(address, "/api/friends", game="3x3", is_challenge=True) == off
        async with join_game(address, made["friend"], made["token"]):
            assert refusal(address, f"/api/friends/{made['friend']}/claim", name="Bob")[0] == 403


# Hostile names, and floods


HOSTILE = [
    ("<img src=x onerror=alert(1)>", "<img src=x onerror=aler…"),
    ("A" * 40, "A" * (MAX_NAME - 1) + "…"),
    ("\u202egnp.exe\u2066", "gnp.exe"),
    ("Z" + "\u0348" * 30 + "o", "Z\u0348\u0348o"),
    ("  \n\t ", ""),
    ("\u3164\u2800", ""),
    ("a\x00b\x1b[31mc", "ab[31mc"),
]


@pytest.mark.parametrize(("typed", "shown"), HOSTILE)
async def test_hostile_names_are_one_short_line(meeting: str, typed: str, shown: str) -> None:
    async with challenge(meeting, name=typed):
        answer = httpx.get(f"{meeting}/api/lobby")
        assert answer.headers["content-type"] == "application/json"
        assert [each["name"] for each in answer.json()["challenges"]] == [shown]


def test_name_that_is_too_long_for_a_player_is_refused(meeting: str) -> None:
    assert refusal(meeting, "/api/friends", game="3x3", name="A" * 41, is_challenge=True)[0] == 422


async def test_title_of_a_custom_game_is_one_short_line_and_its_data_is_not_listed(meeting: str) -> None:
    game = {"name": "<b>" + "long" * 14, "cells": 3, "lines": [[0, 1, 2]]}
    async with challenge(meeting, game=game):
        (found,) = listed(meeting)["challenges"]
        assert found["game"] is None
        assert len(found["title"]) <= 40
        assert len(json.dumps(found)) < 400


async def test_client_with_many_challenges_is_refused_another_and_takes_no_one_s_place(tmp_path: Path) -> None:
    few = replace(LOCAL_LIMITS, open_challenges=3)
    with serving(tmp_path / "store.sqlite3", lobby=True, client_limits=few) as address:
        made = [post(address, "/api/friends", game="3x3", name=f"bot {n}", is_challenge=True) for n in range(5)]
        async with AsyncExitStack() as stack:
            for seat in made:
                await stack.enter_async_context(join_game(address, seat["friend"], seat["token"]))
            assert names(address) == ["bot 0", "bot 1", "bot 2"]
            status, error = refusal(address, "/api/friends", game="3x3", is_challenge=True)
            assert (status, error) == (429, "too many open challenges; try again in 60 s")
            post(address, "/api/friends", game="3x3")  # by link
            transport = httpx.HTTPTransport(local_address="127.0.0.2")
            with httpx.Client(base_url=address, transport=transport) as other:
                request = {"game": "3x3", "is_challenge": True}
                assert other.post("/api/friends", json=request).status_code == 200
        await wait_until_async(lambda: listed(address)["challenges"] == [])


def live_room(number: int, name: str = "") -> LiveRoom:
    game = FriendGame(
        id=f"{number:012}",
        position=Game("3x3").start(),
        names={Side.X: name, Side.O: ""},
        tokens={Side.X: "x", Side.O: None},
        invited=Side.O,
        invite="hash",
        is_challenge=True,
    )
    return LiveRoom(Room(game), None)


def test_list_has_a_bounded_length_and_clients_take_turns_in_it() -> None:
    time = [0.0]
    lobby = Lobby(per_client=1000, now=lambda: time[0])
    for number in range(500):
        time[0] += 0.001
        lobby.add(live_room(number, "flood"), "198.51.100.1")
    for number in range(500, 503):
        time[0] += 0.001
        lobby.add(live_room(number, "person"), f"192.0.2.{number - 499}")
    found = json.loads(lobby.answer())
    assert len(found["challenges"]) == MAX_CHALLENGES
    assert [each["name"] for each in found["challenges"]].count("person") == 3
    assert found["hidden"] == 503 - MAX_CHALLENGES
    assert len(lobby.answer()) < 20_000


def test_answer_is_made_at_most_four_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_module, "CACHE_SECONDS", 0.25)
    time = [0.0]
    lobby = Lobby(per_client=9, now=lambda: time[0])
    empty = lobby.answer()
    lobby.add(live_room(1, "Ann"), "192.0.2.1")
    assert lobby.answer() is empty
    time[0] += 0.25
    assert "Ann" in lobby.answer()


async def test_list_shows_an_accepted_challenge_at_once_as_a_game(
    meeting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with challenge(meeting) as (friend, _):
        assert len(listed(meeting)["challenges"]) == 1
        monkeypatch.setattr(lobby_module, "CACHE_SECONDS", 3600.0)
        assert len(listed(meeting)["challenges"]) == 1
        seat = post(meeting, f"/api/friends/{friend}/claim", name="Bob")
        async with join_game(meeting, friend, seat["token"]):
            found = listed(meeting)
            assert (found["challenges"], len(found["games"])) == ([], 1)


async def test_many_visitors_who_look_at_the_list_do_not_slow_a_move(meeting: str) -> None:
    async with AsyncExitStack() as stack, httpx.AsyncClient(base_url=meeting) as visitors:
        for number in range(20):
            await stack.enter_async_context(challenge(meeting, name=f"n{number}"))
        pair = Pair(meeting)
        ann = await stack.enter_async_context(pair.join("X"))
        await stack.enter_async_context(pair.join("O"))
        looking = [asyncio.ensure_future(visitors.get("/api/lobby")) for _ in range(100)]
        await ann.send(type="move", ply=0, move=4)
        assert (await ann.receive_event("move"))["position"]["ply"] == 1
        assert {answer.status_code for answer in await asyncio.gather(*looking)} == {200}


def test_texts_are_shortened_with_an_ellipsis() -> None:
    assert shorten("Ann", 3) == "Ann"
    assert shorten("Anna Lee", 6) == "Anna…"


# The address for others


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (Settings(), None),
        (Settings(host="192.168.1.7"), "http://192.168.1.7:8000/"),
        (Settings(host="2001:db8::7"), "http://[2001:db8::7]:8000/"),
        (Settings(host="0.0.0.0", names=("games.example.org",)), "http://games.example.org:8000/"),
        (Settings(host="192.168.1.7", names=("*",)), "http://192.168.1.7:8000/"),
        (Settings(host="0.0.0.0", proxies=("127.0.0.1",)), None),
    ],
)
def test_address_for_other_devices(settings: Settings, address: str | None) -> None:
    assert address_in_network(settings, 8000) == address


def test_machine_without_a_network_has_no_address_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unconnected:
        def __init__(self, *_: object) -> None:
            raise OSError("network is unreachable")

    monkeypatch.setattr("noughts.web.network.socket.socket", Unconnected)
    assert address_in_network(Settings(host="0.0.0.0"), 8000) is None
