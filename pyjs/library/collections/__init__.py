"""Specialised dicts and lists."""

from collections.abc import Callable, Iterable
from typing import Any


class OrderedDict(dict):
    """A dict whose items can be moved to the end."""

    def move_to_end(self, key: Any) -> None:
        """Make the item the last one."""
        self[key] = self.pop(key)

    def popitem(self, last: bool = True) -> tuple[Any, Any]:
        """Remove the last item, or the first, and return it."""
        keys = list(self)
        key = keys[-1] if last else keys[0]
        return key, self.pop(key)


class defaultdict(dict):
    """A dict that makes missing values."""

    def __init__(self, default_factory: Callable[[], Any]) -> None:
        self.default_factory = default_factory

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self.default_factory()
        return value


class Counter(dict):
    """Counts things."""

    def __init__(self, iterable: Iterable[Any] = ()) -> None:
        for item in iterable:
            self[item] += 1

    def __missing__(self, key: Any) -> int:
        return 0


class deque(list):
    """A list from which items are taken at both ends."""

    def __init__(self, iterable: Iterable[Any] = ()) -> None:
        self.extend(iterable)

    def popleft(self) -> Any:
        """Remove the first item and return it."""
        return self.pop(0)
