"""What happens in a session, as plain values. Faces turn them into text; ``as_data`` into JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from noughts.games import Outcome, Position, Side

__all__ = [
    "Answer",
    "Asked",
    "Drawn",
    "Ended",
    "Event",
    "Left",
    "Moved",
    "Refused",
    "Said",
    "Seated",
    "Started",
    "TookBack",
    "Turned",
    "as_data",
]


@dataclass(frozen=True)
class Event:
    """Something happened; the name of the class says what."""


Answer = Callable[[bool], Iterator[Event]]
"""What follows when a question is answered with yes or no."""


@dataclass(frozen=True)
class Started(Event):
    """A playthrough begins or goes on."""

    position: Position
    x: str
    o: str
    clock: str | None = None
    resumed: bool = False
    kept: int | None = None


@dataclass(frozen=True)
class Seated(Event):
    """Somebody else plays a side from now on."""

    x: str
    o: str


@dataclass(frozen=True)
class Turned(Event):
    """A person is to move."""

    position: Position
    side: Side
    name: str


@dataclass(frozen=True)
class Moved(Event):
    """A move was made. ``position`` is the one after it; ``clock`` what the mover has left."""

    position: Position
    side: Side
    name: str
    move: int
    text: str
    seconds: float
    clock: float | None = None


@dataclass(frozen=True)
class TookBack(Event):
    """Moves were taken back, or made again; their texts, in the order in which they were played."""

    position: Position
    moves: tuple[str, ...]
    again: bool = False


@dataclass(frozen=True)
class Drawn(Event):
    """Somebody wants to see the board."""

    position: Position


@dataclass(frozen=True)
class Said(Event):
    """An answer to a command. ``topic`` is the command, ``data`` the same for programs."""

    topic: str
    text: str
    data: Any = None


@dataclass(frozen=True)
class Refused(Event):
    """What was typed could not be done; nothing has changed."""

    text: str


@dataclass(frozen=True)
class Asked(Event):
    """A question that the next line answers."""

    text: str


@dataclass(frozen=True)
class Ended(Event):
    """The playthrough is over."""

    position: Position
    outcome: Outcome
    x: str
    o: str
    line: tuple[str, ...] | None
    kept: int | None = None


@dataclass(frozen=True)
class Left(Event):
    """The session was left; ``resume`` is the command that continues an unfinished game.

    ``lost_plies`` counts the plies of an unfinished game that is not kept; None when it is kept or over.
    """

    resume: str | None
    why: str
    lost_plies: int | None = None


def as_data(event: Event) -> dict[str, Any]:
    """Return an event as data for JSON: ``event`` is its name in lower case, positions are position strings."""
    data: dict[str, Any] = {"event": type(event).__name__.lower()}
    for field in fields(event):
        data |= _field_data(field.name, getattr(event, field.name))
    if isinstance(event, Turned):
        data["legal_moves"] = [event.position.format_move(move) for move in event.position.legal_moves]
    return data


def _field_data(name: str, value: object) -> dict[str, Any]:
    if isinstance(value, Position):
        return {"game": value.game.id, name: value.text, "turn": value.turn}
    if isinstance(value, Outcome):
        return {name: {"winner": value.winner, "reason": value.reason, "points": list(value.points)}}
    return {name: value}
