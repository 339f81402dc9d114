"""Other processes: programs of others under supervision, within limits, in a sandbox; workers of our own."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.process.failure import FailureReason, NotStarted, PlayerFailed
    from noughts.process.forked import ForkedProgram, can_fork
    from noughts.process.limits import Limits
    from noughts.process.program import Deadline, Program, split_command
    from noughts.process.sandbox import Sandbox, why_no_programs, why_no_sandbox
    from noughts.process.worker import LineProcess

__all__ = [
    "Deadline",
    "FailureReason",
    "ForkedProgram",
    "Limits",
    "LineProcess",
    "NotStarted",
    "PlayerFailed",
    "Program",
    "Sandbox",
    "can_fork",
    "split_command",
    "why_no_programs",
    "why_no_sandbox",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Deadline": ".program",
        "FailureReason": ".failure",
        "ForkedProgram": ".forked",
        "LineProcess": ".worker",
        "Limits": ".limits",
        "NotStarted": ".failure",
        "PlayerFailed": ".failure",
        "Program": ".program",
        "Sandbox": ".sandbox",
        "can_fork": ".forked",
        "split_command": ".program",
        "why_no_programs": ".sandbox",
        "why_no_sandbox": ".sandbox",
    },
)
