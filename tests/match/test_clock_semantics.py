"""The clocks mean the same everywhere: one script of moves and takebacks gives the same times in every interface."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from arenas import make_plan
from clock_script import MOVES, TAKEBACKS
from manual_time import ManualTime, clocks_of
from noughts import Game, Limit, Position, Side
from noughts.arena.schedule import Key, ScheduledGame
from noughts.arena.worker import Worker
from noughts.cli.terminal.commands import receive
from noughts.cli.terminal.session import Session
from noughts.match import Clock, Match, Offer, TimeControl
from noughts.players import HostedPlayer, Limits, open_player
from noughts.store.web_games import FriendGame
from noughts.web.room import Room

CONTROL = TimeControl.parse("1+2")
NAMES = {Side.X: "you", Side.O: "friend"}


def new_match(time: ManualTime) -> Match:
    return Match(Game("3x3").start(), NAMES, clock=Clock(CONTROL, now=time), now=time)


class MatchDriver:
    """Plays a match through one interface: here the match itself."""

    def __init__(self, time: ManualTime) -> None:
        self.match = new_match(time)
        self.match.start()

    def play(self, move: str) -> None:
        self.match.play(move)

    def take_back(self, side: Side) -> None:
        self.match.take_back(self.match.plies_to_take_back(side))


class TerminalDriver(MatchDriver):
    """Lines typed in a session of two people, where ``undo`` takes back one move."""

    def __init__(self, time: ManualTime) -> None:
        self.session = Session(new_match(time))
        self.match = self.session.match
        self.session.start()

    def play(self, move: str) -> None:
        receive(self.session, move)

    def take_back(self, side: Side) -> None:
        for _ in range(self.match.plies_to_take_back(side)):
            receive(self.session, "undo")


class RoomDriver(MatchDriver):
    """A friend game of the web page, where takebacks are offered and accepted."""

    def __init__(self, time: ManualTime) -> None:
        clock, left = (CONTROL.base, CONTROL.increment), dict.fromkeys(Side, CONTROL.base)
        friend = FriendGame("id", Game("3x3").start(), dict(NAMES), dict.fromkeys(Side), Side.O, clock=clock, left=left)
        self.room = Room(friend, now=time)
        self.match = self.room.match

    def play(self, move: str) -> None:
        self.room.play(self.match.turn, self.match.position.ply, move)

    def take_back(self, side: Side) -> None:
        self.room.make_offer(side, Offer.TAKEBACK)
        self.room.accept(side.opponent, Offer.TAKEBACK)


@pytest.mark.parametrize("interface", [MatchDriver, TerminalDriver, RoomDriver])
def test_moves_and_takebacks_give_the_same_clocks_everywhere(interface: type[MatchDriver]) -> None:
    time = ManualTime()
    driver = interface(time)
    for number, step in enumerate(MOVES + TAKEBACKS):
        time.pass_seconds(step.seconds)
        if step.move is not None:
            driver.play(step.move)
        if step.takeback is not None:
            driver.take_back(step.takeback)
        assert clocks_of(driver.match) == step.left, f"step {number}"


class ScriptedPlayer(HostedPlayer):
    """Takes the time and makes the moves of the script, then others, and notes what the clocks show before each.

    ``thinks`` says how long it reports to have thought about a ply instead.
    """

    name = "scripted"
    protocol = "in-process"

    def __init__(self, shown: list[tuple[float, float]], thinks: Mapping[int, float] | None = None) -> None:
        self._shown = shown
        self._thinks = thinks or {}

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        assert limit is not None
        assert limit.clock is not None
        self._shown.append(limit.clock.left)
        step = MOVES[position.ply] if position.ply < len(MOVES) else None
        self.last_seconds = self._thinks.get(position.ply, 0.0 if step is None else step.seconds)
        return position.legal_moves[0] if step is None or step.move is None else position.parse_move(step.move)


class Played(NamedTuple):
    """What two scripted players saw on the clocks before each move, and how their match ended."""

    shown: list[tuple[float, float]]
    winner: str | None
    reason: str


def play_in_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thinks: Mapping[int, float]) -> Played:
    shown: list[tuple[float, float]] = []
    monkeypatch.setattr("noughts.arena.worker.open_entrant", lambda *_: ScriptedPlayer(shown, thinks))
    plan = make_plan(tmp_path, "easy", "random", limit={"clock": "1+2"}, openings={"plies": 0})
    result = Worker(plan).play(ScheduledGame(Key(0, 0, 0), 0, 1))
    return Played(shown, result.winner, result.reason)


def play_in_terminal(thinks: Mapping[int, float]) -> Played:
    """Time passes before each question and after each answer, as when the board is drawn; it is not charged."""
    shown: list[tuple[float, float]] = []
    time = ManualTime()
    session = Session(new_match(time), {side: ScriptedPlayer(shown, thinks) for side in Side})
    session.start()
    while session.waits_for_engine:
        time.pass_seconds(70)
        session.ask_engine()
    outcome = session.match.outcome
    assert outcome is not None
    return Played(shown, outcome.winner, outcome.reason)


@pytest.mark.parametrize(
    ("thinks", "reason"),
    [
        ({}, "line"),
        ({3: 52.2}, "line"),  # O has 52 seconds for its second move: 0.2 s late is within the grace
        ({3: 52.4}, "time"),
        ({0: 1000.0}, "time"),
    ],
    ids=["in time", "within the grace", "late", "late at once"],
)
def test_players_have_the_same_clocks_and_lose_on_time_alike_at_the_prompt_and_in_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thinks: Mapping[int, float], reason: str
) -> None:
    arena = play_in_arena(tmp_path, monkeypatch, thinks)
    assert arena == play_in_terminal(thinks)
    assert arena.reason == reason
    expected = [(60, 60), *(step.left for step in MOVES)]
    assert arena.shown[: len(expected)] == expected[: len(arena.shown)]


def test_level_that_takes_longer_than_its_clock_loses_on_time_everywhere(tmp_path: Path) -> None:
    """``insane`` looks six plies ahead and ignores the clock; ``margin`` makes it late on the fastest machine."""
    limit = {"clock": "0.001s", "margin": 0}
    plan = make_plan(tmp_path, "insane", "random", game="15x15:5", limit=limit, openings={"plies": 0})
    result = Worker(plan).play(ScheduledGame(Key(0, 0, 0), 0, 1))
    engine = open_player("insane", limits=Limits(grace_seconds=0), seed=1)
    match = Match(Game("15x15:5").start(), NAMES, clock=Clock(TimeControl(0.001)))
    session = Session(match, {Side.X: engine})
    session.start()
    session.ask_engine()
    assert match.outcome is not None
    assert (result.winner, result.reason) == (match.outcome.winner, match.outcome.reason) == ("O", "time")
