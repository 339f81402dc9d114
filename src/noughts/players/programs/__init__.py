"""Programs as players: run under supervision, within limits, and always ended."""

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.players.programs.limits import Limits, why_no_programs, why_no_sandbox
    from noughts.players.programs.program import Deadline, Program, split_command

__all__ = ["Deadline", "Limits", "Program", "split_command", "why_no_programs", "why_no_sandbox"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Deadline": ".program",
        "Limits": ".limits",
        "Program": ".program",
        "split_command": ".program",
        "why_no_programs": ".limits",
        "why_no_sandbox": ".limits",
    },
)
