"""Requests and messages of friend games."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from typing import Annotated, Literal

from noughts.ask.games import OutcomeAnswer
from noughts.ask.moves import TimeControlText
from noughts.ask.positions import PositionAnswer
from noughts.ask.requests import MoveText, PositionRequest
from noughts.games import Game, Side
from noughts.games.custom import GameData
from noughts.match import Clock, Offer, TimeControl
from noughts.schema import CheckedBy, InvalidData, Length, Shape

__all__ = [
    "ActionMessage",
    "ClaimRequest",
    "ClockAnswer",
    "EventKind",
    "FriendAnswer",
    "FriendRequest",
    "FriendState",
    "HelloMessage",
    "JoinAnswer",
    "OfferState",
    "PersonName",
    "Presence",
    "RefusedMessage",
    "ResignRequest",
    "RoomEvent",
    "SeriesAnswer",
    "TimedRequest",
    "UpdateMessage",
    "WelcomeMessage",
    "check_game_size",
    "clean_name",
]

MAX_GAME_BYTES = 32 * 1024
"""Custom games that friends play or visitors save, as JSON."""
INVISIBLE_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co"))
"""Unicode categories of control, format (zero width, writing direction), surrogate and private characters."""
BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that look like nothing, though Unicode does not call them spaces."""
MAX_MARKS = 2
"""Accents on one letter; more of them would cover the lines above and below."""


def clean_name(text: str) -> str:
    """Return a name as other people may see it: composed, on one line, and without characters that cannot be seen."""
    letters: list[str] = []
    marks = MAX_MARKS  # an accent needs a letter
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if letter in BLANK_LETTERS or (category in INVISIBLE_CATEGORIES and not letter.isspace()):
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            letters.append(letter)
    return " ".join("".join(letters).split())


def check_game_size(game: Game) -> None:
    """Raise InvalidData if the data of a custom game is too large to be kept for others."""
    size = len(json.dumps(game.to_data()))
    if size > MAX_GAME_BYTES:
        raise InvalidData(f"expected a custom game of at most {MAX_GAME_BYTES} bytes, got {size}")


PersonName = Annotated[str, CheckedBy(clean_name), Length(40)]
Secret = Annotated[str, Length(100)]
Presence = Literal["here", "away", "open"]
EventKind = Literal[
    "move",
    "joined",
    "presence",
    "offer",
    "declined",
    "takeback",
    "resign",
    "draw",
    "time",
    "rematch",
    "emote",
    "expired",
    "repeated",
]


@dataclass(frozen=True, kw_only=True)
class TimedRequest(PositionRequest):
    """A game that may have a time control."""

    time_control: TimeControlText | None = None

    def find_time_control(self) -> TimeControl | None:
        """Return the time control; raises ValueError."""
        return None if self.time_control is None else TimeControl.parse(self.time_control)


@dataclass(frozen=True, kw_only=True)
class FriendRequest(TimedRequest):
    """A game to play with a friend."""

    side: Side | Literal["random"] = Side.X
    name: PersonName = ""
    is_challenge: Annotated[bool, "Whether anyone may join, without the invitation: an open challenge."] = False


@dataclass(frozen=True, kw_only=True)
class ClaimRequest(Shape):
    """An invitation, exchanged for the free side of a friend game; an open challenge needs none."""

    invite: Secret | None = None
    name: PersonName = ""


@dataclass(frozen=True, kw_only=True)
class ResignRequest(Shape):
    """The resignation of the player who holds this token."""

    token: Secret


@dataclass(frozen=True, kw_only=True)
class JoinAnswer(Shape):
    """A side of a friend game. The token gives control of that side: keep it secret."""

    friend: str
    side: Side
    token: str


@dataclass(frozen=True, kw_only=True)
class FriendAnswer(JoinAnswer):
    """A new friend game: your side, and the invitation for the other one."""

    invite: str


@dataclass(frozen=True, kw_only=True)
class OfferState(Shape):
    """An offer that has not been answered."""

    what: Offer
    side: Side


@dataclass(frozen=True, kw_only=True)
class ClockAnswer(Shape):
    """The clocks at the time of the answer, in seconds; ``running`` is the side whose clock runs."""

    control: str
    left: dict[Side, float]
    running: Side | None

    @classmethod
    def of(cls, clock: Clock) -> ClockAnswer:
        """Return the answer for the clocks of a match, which have the same time control."""
        left = {side: round(clock.left(side), 3) for side in Side}
        return cls(control=str(clock.controls[Side.X]), left=left, running=clock.running)


@dataclass(frozen=True, kw_only=True)
class SeriesAnswer(Shape):
    """The score of a game and the games before it, of which it is the rematch."""

    won: Annotated[dict[Side, int], "Games won by the player of each side of this game."]
    drawn: int


@dataclass(frozen=True, kw_only=True)
class FriendState(Shape):
    """A friend game as everyone may see it."""

    friend: str
    version: int
    data: GameData
    position: PositionAnswer
    players: dict[Side, str]
    presence: dict[Side, Presence]
    watching: int
    offer: OfferState | None
    outcome: OutcomeAnswer | None
    clock: ClockAnswer | None
    series: SeriesAnswer
    next: str | None
    is_challenge: Annotated[bool, "Whether it began as an open challenge."]
    is_listed: Annotated[bool, "Whether it is in the list of open challenges and their games."]


@dataclass(frozen=True, kw_only=True)
class HelloMessage(Shape):
    """The first message of a client: a player's token, or none to watch."""

    type: Literal["hello"]
    token: Secret | None = None


@dataclass(frozen=True, kw_only=True)
class ActionMessage(Shape):
    """A move, an offer, the answer to one, or an emote."""

    type: Literal["move", "offer", "accept", "decline", "emote"]
    ply: int | None = None
    move: int | MoveText | None = None
    what: Offer | None = None
    emote: MoveText | None = None


@dataclass(frozen=True, kw_only=True)
class RoomEvent(Shape):
    """Something that happened in a room, sent to everyone in it."""

    kind: EventKind
    side: Side | None = None
    ply: int | None = None
    move: str | None = None
    cell: int | None = None
    name: Annotated[str | None, "The offer or the emote."] = None


@dataclass(frozen=True, kw_only=True)
class WelcomeMessage(Shape):
    """First message to a connection: the side it plays, or null if it watches."""

    type: Literal["welcome"] = "welcome"
    side: Side | None
    state: FriendState


@dataclass(frozen=True, kw_only=True)
class UpdateMessage(Shape):
    """An event, and the state after it."""

    type: Literal["state"] = "state"
    event: RoomEvent
    state: FriendState


@dataclass(frozen=True, kw_only=True)
class RefusedMessage(Shape):
    """Answer to an action that was refused, with the state that holds; without a state the connection is closed."""

    type: Literal["refused"] = "refused"
    error: str
    ply: int | None = None
    state: FriendState | None = None
