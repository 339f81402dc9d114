"""Context managers."""

from collections.abc import Callable, Generator
from typing import Any


class AbstractContextManager:
    """The type of context managers."""


class nullcontext:
    """Does nothing."""

    def __init__(self, enter_result: Any = None) -> None:
        self._result = enter_result

    def __enter__(self) -> Any:
        return self._result

    def __exit__(self, *_: object) -> bool:
        return False


class suppress:
    """Suppresses exceptions of the given classes."""

    def __init__(self, *kinds: type[BaseException]) -> None:
        self._kinds = kinds

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        return isinstance(error, self._kinds)


class _GeneratorManager:
    def __init__(self, generator: Generator[Any, None, None]) -> None:
        self._generator = generator

    def __enter__(self) -> Any:
        return next(self._generator)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if error is None:
            next(self._generator, None)
            return False
        try:
            self._generator.throw(error)
        except StopIteration:
            return True
        except BaseException as raised:
            if raised is error:
                return False
            raise
        return True


def contextmanager(function: Callable[..., Generator[Any, None, None]]) -> Callable[..., _GeneratorManager]:
    """Make a function that returns a context manager from a generator function that yields once."""

    def make(*args: Any, **kwargs: Any) -> _GeneratorManager:
        return _GeneratorManager(function(*args, **kwargs))

    return make
