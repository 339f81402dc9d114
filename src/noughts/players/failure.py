"""How a bot can fail. A failure is a result of the playthrough, so its reasons are few and fixed."""

from __future__ import annotations

from types import MappingProxyType

from noughts.games.quoting import escape_control_characters

__all__ = ["REASONS", "BotFailed", "NotStarted"]

REASONS = MappingProxyType(
    {
        "start": "could not be started, or did not speak the protocol",
        "crash": "ended, or closed its output",
        "time": "missed its deadline, or hung",
        "illegal": "made a move that is not legal",
        "garbage": "answered with something that is no move",
        "flood": "wrote more output than it may",
        "limit": "took more memory, processes or disk than it may",
        "forbidden": "broke a house rule, such as starting a thread or attacking the processes that watch it",
    }
)
"""Every reason for which a bot can lose without the board deciding, each with a line about it."""

_OUTCOMES = {"time": "time", "illegal": "illegal", "garbage": "illegal", "forbidden": "illegal"}


class BotFailed(RuntimeError):
    """The bot could not be started, ended, hung or answered with something else than a legal move.

    The message may quote the bot, so it is made plain: nobody can write lines of their own into a report.
    """

    def __init__(self, message: str, reason: str = "crash") -> None:
        if reason not in REASONS:
            raise ValueError(f"expected a reason of {', '.join(REASONS)}, got {reason!r}")
        super().__init__(escape_control_characters(message))
        self.reason = reason

    @property
    def outcome(self) -> str:
        """The reason as a Playthrough's outcome has it: ``time``, ``illegal`` or ``crash``."""
        return _OUTCOMES.get(self.reason, "crash")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.reason))


class NotStarted(BotFailed):
    """There is no such program, or the system does not run it."""
