"""Abstract classes."""

from typing import Any


class ABC:
    """The base of abstract classes."""


def abstractmethod(function: Any) -> Any:
    """Return the function."""
    return function
