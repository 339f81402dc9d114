"""Bisection of sorted sequences."""

from collections.abc import Callable, Sequence
from typing import Any


def bisect_left(a: Sequence[Any], x: Any, *, key: Callable[[Any], Any] | None = None) -> int:
    """Return the first index at which an item, or its key, is not smaller than ``x``."""
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            low = middle + 1
        else:
            high = middle
    return low
