"""Paths; a page has no files."""


class Path:
    """A path: no file can be read or written."""

    def __init__(self, *parts: object) -> None:
        raise OSError("a page has no files")
