"""Friends by link: tokens, moves, offers, clocks; lost connections and restarts neither lose nor double a move."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from noughts import Game, Outcome, Side, Termination
from noughts.ask.games import OutcomeAnswer
from noughts.match import Offer
from noughts.schema import encode
from noughts.store import Store
from noughts.store.web_games import FriendGame
from noughts.web.room import ActionRefused, Emote, Room, fingerprint
from noughts.web.workers import StoreThread
from web_servers import TIMEOUT_SECONDS, Pair, SocketClient, join_game, open_socket, post, program, refusal, serving


async def two_moves(ann: SocketClient, bob: SocketClient) -> None:
    """Play the centre and a corner; X has received both events."""
    await ann.send(type="move", ply=0, move=4)
    await bob.receive_event("move")
    await bob.send(type="move", ply=1, move=0)
    await ann.receive_event("move")
    await ann.receive_event("move")


async def test_two_friends_play_a_game_to_its_end_and_swap_sides(server: str) -> None:
    pair = Pair(server)
    async with pair.join("X") as ann, pair.join("O") as bob:
        joined = await ann.receive_event("joined")
        assert joined["presence"] == {"X": "here", "O": "here"}
        assert joined["players"] == {"X": "Ann", "O": "Bob"}
        for ply, move in enumerate([4, 0, 2, 3, 6]):
            await (ann, bob)[ply % 2].send(type="move", ply=ply, move=move)
            states = [await each.receive_event("move") for each in (ann, bob)]
            assert states[0] == states[1]
        assert states[0]["outcome"]["winner"] == "X"
        await ann.send(type="offer", what="rematch")
        assert (await bob.receive_event("offer"))["offer"] == {"what": "rematch", "side": "X"}
        await bob.send(type="accept", what="rematch")
        following = (await ann.receive_event("rematch"))["next"]
    async with open_socket(server, f"/api/friends/{following}/play") as again:
        welcome = await again.ask("welcome", type="hello", token=pair.tokens["X"])
        assert welcome["side"] == "O"
        assert welcome["state"]["players"] == {"X": "Bob", "O": "Ann"}
        assert welcome["state"]["series"] == {"won": {"X": 0, "O": 1}, "drawn": 0}


async def test_emotes_reach_everyone_and_only_players_send_them(server: str) -> None:
    pair = Pair(server)
    async with (
        pair.join("X") as ann,
        pair.join("O") as bob,
        open_socket(server, f"/api/friends/{pair.friend}/play") as eve,
    ):
        await eve.ask("welcome", type="hello")
        await bob.send(type="emote", emote="nice")
        for each in (ann, bob, eve):
            told = await each.receive_event("emote")
            assert told["position"]["cells"] == []
        refused = await eve.ask("refused", type="emote", emote="nice")
        assert refused["error"] == "you are watching; only players may do that"
        for wrong in ({"emote": "any text"}, {}):
            assert (await ann.ask("refused", type="emote", **wrong))["error"].startswith("expected")


def test_player_sends_few_emotes_at_once_and_more_later() -> None:
    time = [0.0]
    played = room(time=time)
    for _ in range(5):
        played.emote(Side.X, Emote.NICE)
    with pytest.raises(ActionRefused, match="too many messages; try again in 2 s"):
        played.emote(Side.X, Emote.NICE)
    played.emote(Side.O, Emote.NICE)
    time[0] += 2.0
    played.emote(Side.X, Emote.NICE)


async def test_resignation_is_sent_without_a_connection_and_counts_once(server: str) -> None:
    pair = Pair(server)
    async with pair.join("O") as bob:
        state = pair.resign("X")
        assert (state["outcome"]["winner"], state["outcome"]["reason"]) == ("O", "resign")
        assert (await bob.receive_event("resign"))["outcome"] == state["outcome"]
        assert pair.resign("X")["version"] == pair.resign("O")["version"] == state["version"]
    status, error = refusal(server, f"/api/friends/{pair.friend}/resign", token="guessed")
    assert (status, error) == (403, "this is not a token of a player in this game")


def test_qr_code_of_a_link_has_the_three_corners_that_cameras_look_for(server: str) -> None:
    drawn = post(server, "/api/qr", text=f"{server}/#friend=k3v9&invite=secret")
    assert drawn["size"] >= 25
    for x, y in ((0, 0), (drawn["size"] - 7, 0), (0, drawn["size"] - 7)):
        assert f"M{x} {y}h7v1h-7z" in drawn["path"]
    assert httpx.post(f"{server}/api/qr", json={"text": "x" * 1001}).status_code == 422


async def test_move_sent_again_after_a_cut_is_played_once(server: str) -> None:
    pair = Pair(server)
    async with pair.join("X") as ann:
        await ann.send(type="move", ply=0, move="b2")
        ann.connection.transport.abort()  # the cable is cut before the confirmation
    async with pair.join("X") as ann, pair.join("O") as bob:
        for _ in range(3):
            await ann.send(type="move", ply=0, move="b2")
        await bob.send(type="move", ply=1, move="a1")
        assert (await ann.receive_event("move"))["position"]["line"][:1] == ["b2"]
        state = pair.state()
        assert state["position"]["line"] == ["b2", "a1"]
        late = await ann.ask("refused", type="move", ply=0, move="c3")
        assert late["error"] == "the game has moved on: moves made: 2, not 0"
        assert late["state"]["position"]["line"] == ["b2", "a1"]


async def move_through_cuts(pair: Pair, side: str, ply: int, move: int, chance: Random) -> None:
    """Make a move as the page does: send it, and after a lost connection send it again if the state lacks it."""
    for attempt in range(20):
        with suppress(ConnectionClosed):
            async with open_socket(pair.address, f"/api/friends/{pair.friend}/play") as talk:
                welcome = await talk.ask("welcome", type="hello", token=pair.tokens[side])
                if len(welcome["state"]["position"]["cells"]) > ply:
                    return
                await talk.send(type="move", ply=ply, move=move)
                if attempt < 19 and chance.random() < 0.6:
                    await asyncio.sleep(chance.choice([0, 0, 0.002, 0.01]))
                    talk.connection.transport.abort()
                else:
                    await talk.receive_event("move")
                    return


async def test_cuts_at_any_moment_neither_lose_nor_double_a_move(server: str) -> None:
    async def play(seed: int) -> tuple[list[int], list[int]]:
        chance, pair, position = Random(seed), Pair(server, game="6x6:5"), Game("6x6:5").start()
        while position.ply < 10:
            move = chance.choice(position.legal_moves)
            await move_through_cuts(pair, "XO"[position.ply % 2], position.ply, move, chance)
            position.play(move)
        return position.moves, pair.state()["position"]["cells"]

    for sent, saved in await asyncio.gather(*map(play, range(6))):
        assert saved == sent


async def test_games_survive_a_restart_in_mid_game(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite3"
    with serving(store) as address:
        pair = Pair(address, time_control="100s+2s")
        async with pair.join("X") as ann, pair.join("O") as bob:
            await two_moves(ann, bob)
    with serving(store) as address:
        pair.address = address
        before = pair.state()
        assert before["position"]["cells"] == [4, 0]
        assert before["clock"]["running"] == "X"
        assert 100 < before["clock"]["left"]["O"] <= 102
        assert 95 < before["clock"]["left"]["X"] <= 102
        async with pair.join("X") as ann:
            await ann.send(type="move", ply=2, move=8)
            assert (await ann.receive_event("move"))["position"]["cells"] == [4, 0, 8]
        async with pair.join("X") as ann, pair.join("O") as bob:
            await bob.send(type="offer", what="takeback")
            await ann.receive_event("offer")
            await ann.send(type="accept", what="takeback")
            state = await ann.receive_event("takeback")
            assert state["position"]["cells"] == [4]
            assert 95 < state["clock"]["left"]["O"] <= 100  # as before O's move, made before the restart
            assert state["clock"]["left"]["X"] >= before["clock"]["left"]["X"]


async def test_confirmed_moves_survive_a_kill(tmp_path: Path) -> None:
    with program(tmp_path) as (server, address):
        pair = Pair(address)
        async with pair.join("X") as ann:
            await ann.send(type="move", ply=0, move="c3")
            await ann.receive_event("move")
            server.kill()
            server.wait(TIMEOUT_SECONDS)
    with serving(tmp_path / "noughts.sqlite3") as address:
        pair.address = address
        assert pair.state()["position"]["line"] == ["c3"]


async def test_write_that_fails_does_not_take_others_with_it(tmp_path: Path) -> None:
    def insert(store: Store, id: int) -> None:
        store.connection.execute("INSERT INTO visitor_games (playthrough, visitor) VALUES (?, 'x')", (id,))

    def count(store: Store) -> Any:
        return store.connection.execute("SELECT count(*) FROM visitor_games").fetchone()[0]

    thread = StoreThread(tmp_path / "store.sqlite3")
    try:
        first = await thread.run(lambda store: store.begin(Game("3x3").start(), "a", "b"))
        second = await thread.run(lambda store: store.begin(Game("3x3").start(), "a", "b"))
        writes = [thread.write(partial(insert, id=id)) for id in (first, 999, second)]
        done = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(each).__name__ for each in done] == ["NoneType", "Conflict", "NoneType"]
        assert await thread.run(count) == 2
    finally:
        thread.close()


def test_store_holds_no_token(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite3"
    with serving(store) as address:
        pair = Pair(address)
    with sqlite3.connect(store) as connection:
        rows = str(connection.execute("SELECT * FROM friend_games").fetchall())
    connection.close()
    for secret in (*pair.tokens.values(), pair.invite):
        assert secret not in rows
        assert fingerprint(secret) in rows


async def test_side_is_free_until_its_token_is_used_and_then_taken_for_good(server: str) -> None:
    made = post(server, "/api/friends", game="3x3", side="O")
    claim = f"/api/friends/{made['friend']}/claim"
    first = post(server, claim, invite=made["invite"], name="Eve")
    second = post(server, claim, invite=made["invite"], name="Bob")
    assert first["side"] == second["side"] == "X"

    async with open_socket(server, f"/api/friends/{made['friend']}/play") as eve:
        answer = await eve.ask("refused", type="hello", token=first["token"])
        assert "not a token of a player" in answer["error"]
    async with join_game(server, made["friend"], second["token"]):
        pass
    assert refusal(server, claim, invite=made["invite"])[0] == 403


async def test_watchers_see_everything_and_may_do_nothing(server: str) -> None:
    pair = Pair(server)
    async with pair.join("X") as ann, join_game(server, pair.friend, None) as eve:
        assert (await ann.receive_event("presence"))["watching"] == 1
        for message in (
            {"type": "move", "ply": 0, "move": 4},
            {"type": "offer", "what": "draw"},
            {"type": "accept", "what": "draw"},
        ):
            assert (await eve.ask("refused", **message))["error"] == "you are watching; only players may do that"
        await ann.send(type="move", ply=0, move=4)
        assert (await eve.receive_event("move"))["position"]["cells"] == [4]


async def test_presence_is_sent_when_a_player_leaves(server: str) -> None:
    pair = Pair(server)
    assert pair.state()["presence"] == {"X": "away", "O": "open"}
    async with pair.join("X") as ann:
        async with pair.join("O"):
            await ann.receive_event("joined")
        assert (await ann.receive_event("presence"))["presence"] == {"X": "here", "O": "away"}


async def test_friend_whose_connection_is_dead_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.web.server.PING_SECONDS", 0.5)

    with serving(tmp_path / "store.sqlite3") as address:
        pair = Pair(address)
        async with pair.join("X") as ann, pair.join("O") as bob:
            await ann.receive_event("joined")
            bob.connection.transport.pause_reading()  # neither closed nor answering: a cable that was pulled
            gone = await ann.receive_event("presence")
            assert gone["presence"] == {"X": "here", "O": "away"}
            bob.connection.transport.abort()


async def test_takeback_needs_consent_and_returns_to_the_move_of_the_offerer(server: str) -> None:
    pair = Pair(server)
    async with pair.join("X") as ann, pair.join("O") as bob:
        await two_moves(ann, bob)
        await ann.send(type="offer", what="takeback")
        assert (await bob.receive_event("offer"))["position"]["ply"] == 2
        assert (await ann.ask("refused", type="accept", what="takeback"))["error"] == "there is no such offer"
        await bob.send(type="decline", what="takeback")
        assert (await ann.receive_event("declined"))["offer"] is None
        await ann.send(type="offer", what="takeback")
        await bob.receive_event("offer")
        await bob.send(type="accept", what="takeback")
        assert (await ann.receive_event("takeback"))["position"]["cells"] == []
    assert pair.state()["position"]["cells"] == []


async def test_flag_falls_while_no_player_moves(server: str) -> None:
    pair = Pair(server, time_control="1s")
    async with pair.join("X") as ann:
        await ann.send(type="move", ply=0, move=4)
        assert (await ann.receive_event("move"))["clock"]["running"] is None  # the friend has not come yet
        async with pair.join("O"):
            assert (await ann.receive_event("joined"))["clock"]["running"] == "O"
        ended = await ann.receive_event("time")
        expected = OutcomeAnswer.of(Outcome(Side.X, Termination.TIME, (2, 0)))
        assert ended["outcome"] == json.loads(encode(expected))
        assert ended["outcome"]["text"] == "X wins on time"
        assert ended["clock"]["left"]["O"] == 0
        assert pair.resign("X")["outcome"] == ended["outcome"]
    assert pair.state()["outcome"]["reason"] == "time"


def room(**clock: Any) -> Room:
    """A room whose time a test controls."""
    time = clock.pop("time", [0.0])
    friend = FriendGame(
        id="0" * 12,
        position=Game("3x3").start(),
        names={Side.X: "Ann", Side.O: "Bob"},
        tokens={Side.X: fingerprint("x"), Side.O: fingerprint("o")},
        invited=Side.O,
        invite=clock.get("invite"),
        clock=clock.get("clock"),
        left=dict.fromkeys(Side, clock["clock"][0]) if clock.get("clock") else None,
    )
    return Room(friend, now=lambda: time[0])


def clocks(played: Room) -> tuple[float, float]:
    assert played.match.clock is not None
    return played.match.clock.left(Side.X), played.match.clock.left(Side.O)


def test_move_that_comes_too_late_loses_on_time() -> None:
    time = [0.0]
    played = room(clock=(10.0, 3.0), time=time)
    time[0] = 11.0
    event = played.play(Side.X, 0, 4)
    assert event is not None
    assert (event.kind, event.side) == ("time", Side.X)
    assert played.match.outcome is not None
    assert (played.match.outcome.winner, played.match.outcome.reason) == (Side.O, "time")
    assert played.match.position.moves == []


def test_clock_stands_still_until_both_players_have_come() -> None:
    time = [0.0]
    played = room(clock=(10.0, 0.0), time=time, invite="secret")
    time[0] = 100.0
    played.play(Side.X, 0, 4)
    time[0] = 200.0
    assert clocks(played) == (10.0, 10.0)
    played.admit_invited()
    time[0] = 203.0
    assert clocks(played) == (10.0, 7.0)


def test_takeback_is_an_event_of_the_side_that_asked_for_it() -> None:
    played = room()
    played.play(Side.X, 0, 4)
    played.play(Side.O, 1, 0)
    played.make_offer(Side.X, Offer.TAKEBACK)
    event = played.accept(Side.O, Offer.TAKEBACK)
    assert event is not None
    assert (event.kind, event.side, event.ply) == ("takeback", Side.X, 0)


def test_room_refuses_actions_that_are_not_allowed() -> None:
    played = room()
    for side, ply, move, words in (
        (Side.O, 0, 4, "it is not your turn"),
        (Side.X, 1, 4, "moves made: 0, not 1"),
        (Side.X, -1, 4, "moves made: 0, not -1"),
        (Side.X, 0, 9, "there is no such cell"),
        (Side.X, 0, "z9", "expected a square"),
        (None, 0, 4, "you are watching"),
    ):
        with pytest.raises(ActionRefused, match=words):
            played.play(side, ply, move)
    with pytest.raises(ActionRefused, match="you have not made a move yet"):
        played.make_offer(Side.X, Offer.TAKEBACK)
    with pytest.raises(ActionRefused, match="after the game"):
        played.make_offer(Side.O, Offer.REMATCH)
    assert played.match.position.moves == []


def test_same_offer_from_both_sides_is_agreement() -> None:
    played = room()
    assert played.make_offer(Side.X, Offer.DRAW) is not None
    assert played.make_offer(Side.X, Offer.DRAW) is None
    event = played.make_offer(Side.O, Offer.DRAW)
    assert event is not None
    assert event.kind == "draw"
    assert played.match.outcome is not None
    assert played.match.outcome.reason == "agreement"


def test_moves_typed_in_another_way_count_as_the_same_when_sent_again() -> None:
    played = room()
    played.play(Side.X, 0, "b2")
    assert played.play(Side.X, 0, 4) is None
    assert played.play(Side.X, 0, " 5 ") is None
    with pytest.raises(ActionRefused, match="moved on"):
        played.play(Side.O, 0, "b2")


async def test_friend_game_that_does_not_exist_is_404_and_a_closed_socket(server: str) -> None:
    assert httpx.get(f"{server}/api/friends/{'A' * 12}").status_code == 404

    async with open_socket(server, f"/api/friends/{'A' * 12}/play") as talk:
        assert (await talk.ask("refused", type="hello"))["error"] == "there is no such friend game"
        await talk.connection.wait_closed()
        assert talk.connection.close_code == 4004
