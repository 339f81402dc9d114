"""The names of proven values."""

from __future__ import annotations

from typing import Literal

__all__ = ["Value"]

Value = Literal["win", "draw", "loss"]
"""What is proven of a position, for the side to move."""
