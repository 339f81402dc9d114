"""What this operating system lacks for running other programs as players."""

from __future__ import annotations

import os

__all__ = ["why_no_programs"]


def why_no_programs() -> str | None:
    """Return None where programs can be run under supervision, else one line that says why not."""
    if hasattr(os, "fork"):
        return None
    return "running bots as programs needs Linux or macOS: this system has no process groups"
