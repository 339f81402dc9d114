"""A page has no compressed files: it unpacks them before it asks."""


class BadGzipFile(OSError):
    """A damaged file."""


class GzipFile:
    """A compressed file."""

    def __init__(self, *_: object, **__: object) -> None:
        raise OSError("a page has no files")
