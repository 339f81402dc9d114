"""Names that programs use without touching files."""


class PathLike:
    """The type of paths."""


def fspath(path: object) -> str:
    """Return a path as text."""
    return str(path)


def getpid() -> int:
    """Return the number of the process."""
    return 1
