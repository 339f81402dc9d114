"""Functions that combine iterables."""

from collections.abc import Iterable, Iterator
from typing import Any


def product(*iterables: Iterable[Any], repeat: int = 1) -> Iterator[tuple[Any, ...]]:
    """Yield the Cartesian product; the last item changes fastest."""
    rows: list[tuple[Any, ...]] = [()]
    for pool in [tuple(each) for each in iterables] * repeat:
        rows = [(*row, item) for row in rows for item in pool]
    return iter(rows)


def permutations(iterable: Iterable[Any], r: int | None = None) -> Iterator[tuple[Any, ...]]:
    """Yield all orders of the items, or of ``r`` of them."""
    pool = tuple(iterable)
    size = len(pool) if r is None else r
    if size == 0:
        yield ()
        return
    for at, item in enumerate(pool):
        for rest in permutations(pool[:at] + pool[at + 1 :], size - 1):
            yield (item, *rest)


def pairwise(iterable: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield each item with the next one."""
    items = tuple(iterable)
    for at in range(1, len(items)):
        yield items[at - 1], items[at]
