"""Which operating systems can run other programs as players."""

from __future__ import annotations

import os

__all__ = ["why_no_programs"]


def why_no_programs() -> str | None:
    """Return None where programs can be run under supervision, else the reason in one line."""
    if hasattr(os, "fork"):
        return None
    return "running bots as programs needs Linux or macOS: this system has no process groups"
