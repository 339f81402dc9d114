"""Failures of players and of programs."""

from __future__ import annotations

from enum import StrEnum

from noughts.games import Termination
from noughts.games.quoting import escape_control_characters

__all__ = ["FailureReason", "NotStarted", "PlayerFailed"]


class FailureReason(StrEnum):
    """Why a player forfeited; the members compare equal to their text."""

    START = "start"
    CRASH = "crash"
    TIME = "time"
    ILLEGAL = "illegal"
    GARBAGE = "garbage"
    FLOOD = "flood"
    LIMIT = "limit"
    FORBIDDEN = "forbidden"

    @property
    def description(self) -> str:
        """The reason in words that follow the name of the player."""
        return _DESCRIPTIONS[self]


_DESCRIPTIONS = {
    FailureReason.START: "could not be started, or did not speak the protocol",
    FailureReason.CRASH: "ended, or closed its output",
    FailureReason.TIME: "missed its deadline, or hung",
    FailureReason.ILLEGAL: "made an illegal move",
    FailureReason.GARBAGE: "answered with something that is not a move",
    FailureReason.FLOOD: "wrote too much output",
    FailureReason.LIMIT: "used too much memory, too many processes or too much disk space",
    FailureReason.FORBIDDEN: "broke a rule, such as starting a thread or attacking the processes that supervise it",
}
_TERMINATIONS = {
    FailureReason.TIME: Termination.TIME,
    FailureReason.ILLEGAL: Termination.ILLEGAL,
    FailureReason.GARBAGE: Termination.ILLEGAL,
    FailureReason.FORBIDDEN: Termination.ILLEGAL,
}


class PlayerFailed(RuntimeError):
    """The player could not be started, ended, hung, or answered with something other than a legal move.

    Control characters in the message are escaped: it may quote the player, which must not forge lines of a report.
    """

    def __init__(self, message: str, reason: FailureReason | str = FailureReason.CRASH, cause: str = "") -> None:
        super().__init__(escape_control_characters(message))
        self.reason, self.cause = FailureReason(reason), cause
        """The cause of ``limit`` is ``memory``, ``processes`` or ``files``, that of ``crash`` may be ``signal``."""

    @property
    def termination(self) -> Termination:
        """The end of the playthrough: ``time``, ``illegal`` or ``crash``."""
        return _TERMINATIONS.get(self.reason, Termination.CRASH)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.reason, self.cause))


class NotStarted(PlayerFailed):
    """The program does not exist, or the system cannot run it."""
