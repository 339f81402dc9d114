"""The clocks mean the same everywhere: one script of moves and takebacks gives the same times in every interface."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from arenas import make_plan
from manual_time import ManualTime
from noughts import Game, Limit, Position, Side
from noughts.arena.schedule import Key, Task
from noughts.arena.worker import Worker
from noughts.cli.terminal.commands import receive
from noughts.cli.terminal.session import Session
from noughts.match import Clock, Match, Offer, TimeControl
from noughts.store.web_games import FriendGame
from noughts.web.room import Room

CONTROL = TimeControl.parse("1+2")
NAMES = {Side.X: "you", Side.O: "friend"}


class Step(NamedTuple):
    """After ``seconds``, the side to move plays, or a side takes its last move back; then the clocks show ``left``."""

    seconds: float
    left: tuple[float, float]
    move: str | None = None
    takeback: Side | None = None


MOVES = [
    Step(5, (57, 60), "b2"),  # the first move is charged
    Step(10, (57, 52), "a1"),
    Step(4, (55, 52), "c3"),
]
TAKEBACKS = [
    Step(3, (57, 52), takeback=Side.X),  # both clocks are back at the beginning of X's turn before c3
    Step(1, (58, 52), "a3"),
    Step(6, (58, 48), "c1"),
    Step(7, (58, 52), takeback=Side.O),  # X's seven seconds are given back, too
    Step(2, (58, 52), "c3"),
    Step(9, (58, 52), takeback=Side.O),
    Step(0, (57, 60), takeback=Side.O),  # and so on, back to the beginning
    Step(0, (60, 60), takeback=Side.X),
]


class Driver(Protocol):
    """Plays a match through one interface."""

    def play(self, move: str) -> None: ...

    def take_back(self, side: Side) -> None: ...

    def left(self) -> tuple[float, float]: ...


def new_match(time: ManualTime) -> Match:
    return Match(Game("3x3").start(), NAMES, clock=Clock(CONTROL, now=time), now=time)


def clocks_of(match: Match) -> tuple[float, float]:
    assert match.clock is not None
    return match.clock.left(Side.X), match.clock.left(Side.O)


class MatchDriver:
    """The match itself."""

    def __init__(self, time: ManualTime) -> None:
        self.match = new_match(time)
        self.match.start()

    def play(self, move: str) -> None:
        self.match.play(move)

    def take_back(self, side: Side) -> None:
        self.match.take_back(self.match.plies_to_take_back(side))

    def left(self) -> tuple[float, float]:
        return clocks_of(self.match)


class TerminalDriver:
    """Lines typed in a session of two people, where ``undo`` takes back one move."""

    def __init__(self, time: ManualTime) -> None:
        self.session = Session(new_match(time))
        self.session.start()

    def play(self, move: str) -> None:
        receive(self.session, move)

    def take_back(self, side: Side) -> None:
        for _ in range(self.session.match.plies_to_take_back(side)):
            receive(self.session, "undo")

    def left(self) -> tuple[float, float]:
        return clocks_of(self.session.match)


class RoomDriver:
    """A friend game of the web page, where takebacks are offered and accepted."""

    def __init__(self, time: ManualTime) -> None:
        clock, left = (CONTROL.base, CONTROL.increment), dict.fromkeys(Side, CONTROL.base)
        friend = FriendGame("id", Game("3x3").start(), dict(NAMES), dict.fromkeys(Side), Side.O, clock=clock, left=left)
        self.room = Room(friend, now=time)

    def play(self, move: str) -> None:
        self.room.play(self.room.match.turn, self.room.match.position.ply, move)

    def take_back(self, side: Side) -> None:
        self.room.make_offer(side, Offer.TAKEBACK)
        self.room.accept(side.opponent, Offer.TAKEBACK)

    def left(self) -> tuple[float, float]:
        return clocks_of(self.room.match)


DRIVERS: dict[str, Callable[[ManualTime], Driver]] = {
    "match": MatchDriver,
    "terminal": TerminalDriver,
    "room": RoomDriver,
}


@pytest.mark.parametrize("name", DRIVERS)
def test_moves_and_takebacks_give_the_same_clocks_everywhere(name: str) -> None:
    time = ManualTime()
    driver = DRIVERS[name](time)
    for number, step in enumerate(MOVES + TAKEBACKS):
        time.pass_seconds(step.seconds)
        if step.move is not None:
            driver.play(step.move)
        if step.takeback is not None:
            driver.take_back(step.takeback)
        assert driver.left() == step.left, f"step {number}"


class ScriptedPlayer:
    """A player of the arena that makes the moves of the script, and notes what the clocks show before each of them."""

    name = "scripted"
    protocol = "in-process"
    takes_openings = True
    stderr_tail = ""

    def __init__(self, shown: list[tuple[float, float]]) -> None:
        self._shown = shown
        self.last_seconds = 0.0

    def start(self, game: Game) -> None:
        pass

    def new_game(self, start: Position) -> None:
        pass

    def close(self) -> None:
        pass

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        assert limit is not None
        assert limit.clock is not None
        self._shown.append(limit.clock.left)
        if position.ply >= len(MOVES):
            self.last_seconds = 0.0
            return position.legal_moves[0]
        step = MOVES[position.ply]
        assert step.move is not None
        self.last_seconds = step.seconds
        return position.parse_move(step.move)


def test_moves_give_the_same_clocks_in_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[float, float]] = []
    monkeypatch.setattr("noughts.arena.worker.open_entrant", lambda *_: ScriptedPlayer(shown))
    plan = make_plan(tmp_path, "easy", "random", limit={"clock": "1+2"}, openings={"plies": 0})
    Worker(plan).play(Task(Key(0, 0, 0), 0, 1))
    for found, expected in zip(shown, [(60, 60), *(step.left for step in MOVES)], strict=False):
        assert found == pytest.approx(expected, abs=1)  # it is asked a moment after the turn began
