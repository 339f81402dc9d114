"""A worker of a page has one thread: locks are always free."""


class Lock:
    """A lock."""

    def __enter__(self) -> bool:
        return True

    def __exit__(self, *_: object) -> None:
        return None

    def acquire(self, blocking: bool = True) -> bool:
        """Return True: the lock is free."""
        return True

    def release(self) -> None:
        """Do nothing."""


def get_ident() -> int:
    """Return the number of the thread."""
    return 1
