"""Files that come with the package."""

from __future__ import annotations

from pathlib import Path

__all__ = ["packaged_path", "read_packaged"]


def packaged_path(name: str) -> Path:
    """Return the path of a file, whose name is relative to the package: ``"engine/ratings.json"``."""
    return Path(__file__).parent / name


def read_packaged(name: str) -> bytes:
    """Return the contents of a file; raises OSError."""
    return packaged_path(name).read_bytes()
