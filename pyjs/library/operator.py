"""Operators as functions."""

from typing import Any


def index(a: Any) -> int:
    """Return an integer; raises TypeError for anything else."""
    if isinstance(a, int):
        return int(a)
    raise TypeError(f"'{type(a).__name__}' object cannot be interpreted as an integer")
