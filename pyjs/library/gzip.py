"""Compressed files: there are no files in a browser, so opening one raises OSError."""


class BadGzipFile(OSError):
    """A damaged file."""


class GzipFile:
    """A compressed file."""

    def __init__(self, *_: object, **__: object) -> None:
        raise OSError("a page has no files")
