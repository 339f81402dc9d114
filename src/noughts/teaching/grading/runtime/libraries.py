"""Tells the functions of a student from those of libraries."""

from __future__ import annotations

import sysconfig
from pathlib import Path

__all__ = ["is_of_library"]

LIBRARIES = tuple(
    {str(Path(__file__).parents[3]), sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), "<frozen"}
)
"""Beginnings of the files whose functions are not the student's."""


def is_of_library(file: str) -> bool:
    """Whether the code of a file is that of noughts, of Python or of an installed package."""
    return file.startswith(LIBRARIES)
