"""A friend game: a match between two players who hold secret tokens. Knows nothing of sockets or disks."""

from __future__ import annotations

import hashlib
import hmac
import math
import secrets
import time
from collections.abc import Callable
from enum import StrEnum

from noughts.ask.games import OutcomeAnswer
from noughts.ask.positions import PositionAnswer
from noughts.games import Outcome, Side, Termination
from noughts.games.outcome import decide
from noughts.match import Clock, Match, MatchError, Offer, TimeControl, events
from noughts.store.web_games import FriendGame
from noughts.web.friend_messages import (
    ClockAnswer,
    EventKind,
    FriendState,
    OfferState,
    Presence,
    RoomEvent,
    SeriesAnswer,
)
from noughts.web.limits import EMOTE_RATE, TokenBucket

__all__ = ["ActionRefused", "Emote", "Room", "fingerprint", "new_id", "new_secret"]

END_KINDS: dict[Termination, EventKind] = {
    Termination.RESIGN: "resign",
    Termination.AGREEMENT: "draw",
    Termination.TIME: "time",
}


class Emote(StrEnum):
    """Messages that players can send each other: without free text, nothing needs to be moderated."""

    HELLO = "hello"
    NICE = "nice"
    OOPS = "oops"
    THINKING = "thinking"
    THANKS = "thanks"
    GOOD_GAME = "good-game"


def new_id() -> str:
    """Return a public id for a game: it cannot be guessed, but is not a secret."""
    return secrets.token_urlsafe(9)


def new_secret() -> str:
    """Return a token for a player, or an invitation."""
    return secrets.token_urlsafe(24)


def fingerprint(secret: str) -> str:
    """Return the hash under which a secret is stored. Secrets are long and random, so a plain hash is enough."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


class ActionRefused(Exception):
    """The move or request is refused; the message says why, and nothing has changed."""


class Room:
    """One friend game. Methods that change it return what happened, or raise ActionRefused."""

    def __init__(self, game: FriendGame, now: Callable[[], float] = time.monotonic) -> None:
        self.game = game
        self.id = game.id
        self.version = int(time.time() * 1000)
        """Grows with every event, and across restarts of the server."""
        names = {side: game.names[side] or side.value for side in Side}
        self.match = Match(game.position, names, clock=_clock_of(game, now), outcome=_outcome_of(game), now=now)
        game.position = self.match.position  # on a large board a copy takes 25 kB
        if game.left is not None:
            self.match.restore_clocks(game.move_clocks or [None] * game.position.ply, game.left)
        self._events: list[events.Event] = []
        self._emotes = {side: TokenBucket(*EMOTE_RATE, now=now) for side in Side}
        self.match.subscribe(self._events.append)
        if self.has_both_players:
            self.match.start()
        self._events.clear()

    # Players

    @property
    def has_both_players(self) -> bool:
        """Whether the invited player has come; until then no clock runs."""
        return self.game.invite is None

    def side_of(self, token: str) -> Side | None:
        """Return the side that a token plays; both are compared, in constant time."""
        given = fingerprint(token)
        holds = {side: hmac.compare_digest(given, self.game.tokens[side] or "") for side in Side}
        return next((side for side in Side if holds[side]), None)

    def is_invitation(self, invite: str) -> bool:
        """Return whether this is the invitation to the free side."""
        return self.game.invite is not None and hmac.compare_digest(fingerprint(invite), self.game.invite)

    def claim(self, name: str) -> tuple[Side, str]:
        """Give the free side a new token, and its player a name; returns the side and the token."""
        side, token = self.game.invited, new_secret()
        self.game.tokens[side] = fingerprint(token)
        self.game.names[side] = name or self.game.names[side]
        self.match.change_players({**self.match.names, side: self.game.names[side] or side.value})
        return side, token

    def admit_invited(self) -> None:
        """Let the invited player in: the invitation is used up, and the clock starts."""
        self.game.invite = None
        self.match.start()

    # Play

    def play(self, side: Side | None, ply: int, move: int | str) -> RoomEvent | None:
        """Make a move meant for a ply; return None if this very move has been made already."""
        side = _check_player(side)
        if self._is_repeated(side, ply, move):
            return None
        if not self.match.is_over and ply != self.match.position.ply:
            raise ActionRefused(f"the game has moved on: moves made: {self.match.position.ply}, not {ply}")
        return self._change(lambda: self.match.play(move, side))

    def _is_repeated(self, side: Side, ply: int, move: int | str) -> bool:
        """Return whether the side made this move at that ply: a message sent again after the connection was lost."""
        if not 0 <= ply < self.match.position.ply:
            return False
        before = self.match.position.copy()
        while before.ply > ply:
            made = before.undo()
        try:
            return before.turn is side and made == (before.parse_move(move) if isinstance(move, str) else move)
        except ValueError:
            return False

    def resign(self, side: Side) -> RoomEvent | None:
        return self._change(lambda: self.match.resign(side))

    def make_offer(self, side: Side | None, offer: Offer) -> RoomEvent | None:
        """Offer a takeback, a draw or a rematch; the same offer from both sides is an agreement.

        Returns None if the side has made this offer already.
        """
        offerer = _check_player(side)
        self._check_rematch(offer)
        return self._change(lambda: self.match.make_offer(offerer, offer))

    def accept(self, side: Side | None, offer: Offer) -> RoomEvent | None:
        accepter = _check_player(side)
        self._check_rematch(offer)
        return self._change(lambda: self.match.accept(accepter, offer))

    def decline(self, side: Side | None, offer: Offer) -> RoomEvent | None:
        """Decline the opponent's offer, or withdraw your own."""
        decliner = _check_player(side)
        return self._change(lambda: self.match.decline(decliner, offer))

    def emote(self, side: Side | None, emote: Emote) -> RoomEvent:
        """Send the message of a player to everyone; it is not saved."""
        sender = _check_player(side)
        wait = self._emotes[sender].take()
        if wait:
            raise ActionRefused(f"too many messages; try again in {math.ceil(wait)} s")
        return RoomEvent(kind="emote", side=sender, name=emote)

    def call_flag(self) -> RoomEvent | None:
        """End the game if the time of the side to move is up; return None if it is not."""
        return self._change(self.match.check_flag)

    def _check_rematch(self, offer: Offer) -> None:
        if offer is Offer.REMATCH and self.game.next is not None:
            raise ActionRefused("the rematch has begun")

    def _change(self, act: Callable[[], object]) -> RoomEvent | None:
        """Change the match and return what happened, or None if nothing did."""
        self._events.clear()
        try:
            act()
        except (MatchError, ValueError) as error:
            raise ActionRefused(str(error)) from None
        if not self.has_both_players:
            self.match.pause()
        event = _room_event(self._events)
        self._events.clear()  # they hold copies of the position
        return event

    # State

    @property
    def series(self) -> SeriesAnswer:
        """The score of this game and those before it."""
        outcome, won, drawn = self.match.outcome, dict(self.game.won), self.game.drawn
        if outcome is not None and outcome.winner is not None:
            won[outcome.winner] += 1
        elif outcome is not None:
            drawn += 1
        return SeriesAnswer(won=won, drawn=drawn)

    def state(self, presence: dict[Side, Presence], watching: int, is_listed: bool = False) -> FriendState:
        """Return the game as everyone may see it."""
        match = self.match
        offer = None if match.offer is None else OfferState(what=match.offer[0], side=match.offer[1])
        return FriendState(
            friend=self.id,
            version=self.version,
            data=match.position.game.to_data(),
            position=PositionAnswer.of(match.position),
            players={side: match.names[side] for side in Side},
            presence=presence,
            watching=watching,
            offer=offer,
            outcome=OutcomeAnswer.if_over(match.outcome, match.position),
            clock=None if match.clock is None else ClockAnswer.of(match.clock),
            series=self.series,
            next=self.game.next,
            is_challenge=self.game.is_challenge,
            is_listed=is_listed,
        )


def _clock_of(game: FriendGame, now: Callable[[], float]) -> Clock | None:
    return None if game.clock is None else Clock(TimeControl(*game.clock, game.clock_moves), now=now)


def _outcome_of(game: FriendGame) -> Outcome | None:
    if game.reason is None or game.position.is_over:
        return None
    return decide(game.position, game.reason, game.winner)


def _check_player(side: Side | None) -> Side:
    if side is None:
        raise ActionRefused("you are watching; only players may do that")
    return side


def _room_event(happened: list[events.Event]) -> RoomEvent | None:
    """Return the first event that matters to the people in the room: a move, a takeback, an offer or an end."""
    accepter = None
    for event in happened:
        match event:
            case events.Moved():
                return RoomEvent(
                    kind="move",
                    side=event.side,
                    ply=event.position.ply,
                    move=event.text,
                    cell=event.position.last_move,
                )
            case events.OfferMade():
                return RoomEvent(kind="offer", side=event.side, name=event.offer)
            case events.OfferDeclined():
                return RoomEvent(kind="declined", side=event.side, name=event.offer)
            case events.OfferAccepted(offer=Offer.REMATCH):
                return RoomEvent(kind="rematch", side=event.side)
            case events.OfferAccepted():
                accepter = event.side
            case events.TookBack():
                return RoomEvent(kind="takeback", side=accepter and accepter.opponent, ply=event.position.ply)
            case events.Ended():
                winner = event.outcome.winner
                side = accepter if winner is None else winner.opponent
                return RoomEvent(kind=END_KINDS[event.outcome.reason], side=side)
    return None
