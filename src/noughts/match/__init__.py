"""Matches between two players: turns, clocks, takebacks, offers; every change is reported as an event."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names
from noughts.match.clock import Clock, ClockState, TimeControl, format_seconds
from noughts.match.events import Offer
from noughts.match.match import Failure, Match, MatchError, PendingMove, ask_player, play_out

if TYPE_CHECKING:
    from noughts.match.recorder import Recorder, resume_match

__all__ = [
    "Clock",
    "ClockState",
    "Failure",
    "Match",
    "MatchError",
    "Offer",
    "PendingMove",
    "Recorder",
    "TimeControl",
    "ask_player",
    "format_seconds",
    "play_out",
    "resume_match",
]

__getattr__, __dir__ = lazy_names(__name__, {".recorder": ["Recorder", "resume_match"]})
