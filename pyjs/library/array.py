"""Arrays of numbers, which are lists."""

from collections.abc import Iterable


def array(typecode: str, initializer: Iterable[float] = ()) -> list[float]:
    """Return the numbers as a list."""
    return list(initializer)
