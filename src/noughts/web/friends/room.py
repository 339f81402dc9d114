"""A friend game as it is played: seats, moves, offers, clocks. Knows nothing of sockets or disks."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from noughts.games import Outcome, Position, Side
from noughts.games.outcome import decide
from noughts.store.friends import FriendGame
from noughts.web.views import outcome_data, position_data

__all__ = ["Event", "No", "Room", "fingerprint", "new_id", "new_secret"]

OFFERS = ("takeback", "draw", "rematch")


def new_id() -> str:
    """Return a public name for a game: not to be guessed, but no secret."""
    return secrets.token_urlsafe(9)


def new_secret() -> str:
    """Return a token for a seat, or an invitation to one."""
    return secrets.token_urlsafe(24)


def fingerprint(secret: str) -> str:
    """Return what is kept of a secret. They are long and random, so a plain hash does not give them away."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


class No(Exception):
    """The move or request is refused; the text says why."""


@dataclass(frozen=True)
class Event:
    """Something that happened, as all are told, and what of it is to be written."""

    kind: str
    side: Side | None = None
    ply: int | None = None
    name: str | None = None

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {key: value for key, value in vars(self).items() if value is not None}


class Room:
    """One friend game. Methods that change it raise No and then have changed nothing."""

    def __init__(self, friend: FriendGame, now: Callable[[], float] = time.monotonic) -> None:
        self.kept = friend
        self.id = friend.id
        self.position: Position = friend.position
        self.outcome: Outcome | None = self.position.outcome
        if friend.reason is not None and self.outcome is None:
            self.outcome = decide(self.position, friend.reason, friend.winner)
        self.offer: tuple[str, Side] | None = None
        self.version = int(time.time() * 1000)
        """Grows with every event, and across restarts of the server."""
        self._now = now
        self._since = now()
        self.left = dict(friend.left) if friend.left else None

    # Seats

    def seat_of(self, token: str | None) -> Side | None:
        """Return the seat a token holds; both are compared, and in constant time."""
        given = fingerprint(token or "")
        held = {side: hmac.compare_digest(given, self.kept.tokens[side] or "") for side in Side}
        return next((side for side in Side if held[side]), None)

    def is_invitation(self, invite: str) -> bool:
        """Return whether this is the invitation to the free seat."""
        return hmac.compare_digest(fingerprint(invite), self.kept.invite or "")

    # Play

    @property
    def turn(self) -> Side | None:
        """Who is to move; None when it is over."""
        return None if self.outcome is not None else self.position.turn

    def play(self, side: Side | None, ply: int, move: int | str) -> Event | None:
        """Make a move meant for a ply; None when this very move has been made already."""
        self._check_seated(side)
        if self._is_repeated(side, ply, move):
            return None
        if self.outcome is not None:
            raise No("the game is over")
        if ply != self.position.ply:
            raise No(f"the game has moved on: expected ply {self.position.ply}, got {ply}")
        if self.turn is not side:
            raise No(f"it is {self.turn}'s move")
        if self.flag_has_fallen():
            raise No("the time is up")
        try:
            self.position.play(move)
        except ValueError as error:
            raise No(str(error)) from None
        self._press_clock(side)
        self.outcome, self.offer = self.position.outcome, None
        return Event("move", side, self.position.ply, self.position.format_move(self.position.moves[-1]))

    def _is_repeated(self, side: Side | None, ply: int, move: int | str) -> bool:
        """Whether the side made this very move at that ply: a message sent again after a cut."""
        if not 0 <= ply < self.position.ply:
            return False
        before = self.position.copy()
        while before.ply > ply:
            made = before.undo()
        try:
            return before.turn is side and made == (before.parse_move(move) if isinstance(move, str) else move)
        except ValueError:
            return False

    def resign(self, side: Side | None) -> Event:
        """Give the game up."""
        self._check_going_on(side)
        assert side is not None
        self._end(decide(self.position, "resign", side.opponent))
        return Event("resign", side)

    # Offers

    def make_offer(self, side: Side | None, what: str) -> Event | None:
        """Offer a takeback, a draw or a rematch; the same offer from both sides is agreement."""
        self._check_seated(side)
        assert side is not None
        if what not in OFFERS:
            raise No(f"expected an offer of {', '.join(OFFERS)}")
        if self.offer == (what, side):
            return None
        if self.offer == (what, side.opponent):
            return self.accept(side, what)
        self._check_offer(side, what)
        self.offer = (what, side)
        return Event("offer", side, name=what)

    def _check_offer(self, side: Side, what: str) -> None:
        if what == "rematch":
            if self.outcome is None:
                raise No("a rematch comes after the game")
            if self.kept.next is not None:
                raise No("there is a rematch already")
            return
        self._check_going_on(side)
        if what == "takeback" and self._plies_back(side) is None:
            raise No("you have made no move to take back")

    def accept(self, side: Side | None, what: str) -> Event:
        """Agree to the other's offer."""
        self._check_seated(side)
        assert side is not None
        if self.offer != (what, side.opponent):
            raise No("there is no such offer")
        self._check_offer(side.opponent, what)
        self.offer = None
        if what == "takeback":
            return self._take_back(side.opponent)
        if what == "draw":
            self._end(decide(self.position, "agreement"))
            return Event("draw", side)
        return Event("rematch", side)

    def decline(self, side: Side | None, what: str) -> Event:
        """Turn the other's offer down, or take one's own back."""
        self._check_seated(side)
        if self.offer is None or self.offer[0] != what:
            raise No("there is no such offer")
        self.offer = None
        return Event("declined", side, name=what)

    def _plies_back(self, side: Side) -> int | None:
        """How many plies lead back to the side's own last move; None when it made none here."""
        back = 1 if self.position.turn is not side else 2
        return back if self.position.ply >= back else None

    def _take_back(self, asker: Side) -> Event:
        back = self._plies_back(asker)
        assert back is not None
        if self.left is not None:
            self._stop_clock()
        for _ in range(back):
            self.position.undo()
        return Event("takeback", asker, self.position.ply)

    # Clocks

    @property
    def running(self) -> Side | None:
        """Whose clock runs: nobody's before the friend has come, before the first move, or when it is over."""
        has_begun = self.position.ply > 0 and self.kept.invite is None
        return self.turn if self.left is not None and has_begun else None

    def time_left(self, side: Side) -> float:
        """Return what a side's clock shows."""
        assert self.left is not None
        gone = self._now() - self._since if self.running is side else 0.0
        return max(0.0, self.left[side] - gone)

    def flag_has_fallen(self) -> bool:
        """Return whether the side to move has no time left."""
        running = self.running
        return running is not None and self.time_left(running) <= 0.0

    def call_flag(self) -> Event | None:
        """End the game when the time is up."""
        running = self.running
        if running is None or not self.flag_has_fallen():
            return None
        self._end(decide(self.position, "time", running.opponent))
        return Event("time", running)

    def restart_clock(self) -> None:
        """Let the clock run from now."""
        self._since = self._now()

    def _press_clock(self, side: Side | None) -> None:
        """Called with the move made: the mover's clock has run unless it was the first move."""
        if self.left is None or self.kept.clock is None or side is None:
            return
        if self.position.ply > 1 and self.kept.invite is None:
            spent = self._now() - self._since
            self.left[side] = max(0.0, self.left[side] - spent) + self.kept.clock[1]
        self._since = self._now()

    def _stop_clock(self) -> None:
        running = self.running
        if running is not None and self.left is not None:
            self.left[running] = self.time_left(running)
        self._since = self._now()

    # Ends and shows

    def _end(self, outcome: Outcome) -> None:
        self._stop_clock()
        self.outcome, self.offer = outcome, None

    def _check_seated(self, side: Side | None) -> None:
        if side is None:
            raise No("you are watching; only players may do that")

    def _check_going_on(self, side: Side | None) -> None:
        self._check_seated(side)
        if self.outcome is not None:
            raise No("the game is over")

    def state(self, presence: dict[str, str], watching: int) -> dict[str, Any]:
        """Return the game as everybody may see it."""
        return {
            "friend": self.id,
            "version": self.version,
            "data": self.position.game.to_data(),
            "position": position_data(self.position),
            "players": {side.value: self.kept.names[side] or side.value for side in Side},
            "presence": presence,
            "watching": watching,
            "offer": None if self.offer is None else {"what": self.offer[0], "side": self.offer[1]},
            "outcome": outcome_data(self.outcome),
            "clock": self._clock_data(),
            "next": self.kept.next,
        }

    def _clock_data(self) -> dict[str, Any] | None:
        if self.kept.clock is None:
            return None
        seconds, increment = self.kept.clock
        left = {side.value: round(self.time_left(side), 3) for side in Side}
        return {"seconds": seconds, "increment": increment, "left": left, "running": self.running}
