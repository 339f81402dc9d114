"""Other processes: programs of others under supervision, within limits, in a sandbox; workers of our own."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.process.failure import FailureReason, NotStarted, PlayerFailed
    from noughts.process.limits import Limits
    from noughts.process.program import Deadline, Program, split_command
    from noughts.process.sandbox import Sandbox, why_no_programs, why_no_sandbox

__all__ = [
    "Deadline",
    "FailureReason",
    "Limits",
    "NotStarted",
    "PlayerFailed",
    "Program",
    "Sandbox",
    "split_command",
    "why_no_programs",
    "why_no_sandbox",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Deadline": ".program",
        "FailureReason": ".failure",
        "Limits": ".limits",
        "NotStarted": ".failure",
        "PlayerFailed": ".failure",
        "Program": ".program",
        "Sandbox": ".sandbox",
        "split_command": ".program",
        "why_no_programs": ".sandbox",
        "why_no_sandbox": ".sandbox",
    },
)
