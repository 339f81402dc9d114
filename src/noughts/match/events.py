"""Events of a match, in the order in which they happen. Positions in them are copies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from noughts.games import Outcome, Position, Side
from noughts.match.clock import TimeControl

__all__ = [
    "Ended",
    "Event",
    "Moved",
    "Offer",
    "OfferAccepted",
    "OfferDeclined",
    "OfferMade",
    "PlayersChanged",
    "Replayed",
    "Started",
    "Suspended",
    "TookBack",
]


class Offer(StrEnum):
    """An offer to the opponent."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    REMATCH = "rematch"


@dataclass(frozen=True)
class Event:
    """Something that happened in a match; the class says what."""

    position: Position


@dataclass(frozen=True)
class Started(Event):
    """The match begins, or is resumed."""

    names: Mapping[Side, str]
    control: TimeControl | None
    """X's time control."""


@dataclass(frozen=True)
class Moved(Event):
    """A move was made; ``position`` is the one after it."""

    side: Side
    name: str
    move: int
    text: str
    """The move in notation."""
    seconds: float
    """Thinking time, not rounded."""
    left: float | None
    """Time left on the player's clock after the move; None without clocks."""


@dataclass(frozen=True)
class TookBack(Event):
    """Moves were taken back; ``moves`` are their texts in the order in which they had been played."""

    moves: tuple[str, ...]


@dataclass(frozen=True)
class Replayed(Event):
    """Moves that had been taken back were made again."""

    moves: tuple[Moved, ...]


@dataclass(frozen=True)
class PlayersChanged(Event):
    """The players were replaced."""

    names: Mapping[Side, str]


@dataclass(frozen=True)
class OfferMade(Event):
    """A side made an offer."""

    side: Side
    offer: Offer


@dataclass(frozen=True)
class OfferAccepted(Event):
    """A side accepted the opponent's offer; ``TookBack`` or ``Ended`` follows."""

    side: Side
    offer: Offer


@dataclass(frozen=True)
class OfferDeclined(Event):
    """A side declined the opponent's offer, or withdrew its own."""

    side: Side
    offer: Offer


@dataclass(frozen=True)
class Suspended(Event):
    """The match is left unfinished; ``left`` is the time on the clocks."""

    left: Mapping[Side, float] | None


@dataclass(frozen=True)
class Ended(Event):
    """The match is over; ``detail`` says more about a forfeit."""

    outcome: Outcome
    names: Mapping[Side, str]
    detail: str = ""
