"""Paths: there are no files in a browser."""


class Path:
    """A path; making one raises OSError."""

    def __init__(self, *parts: object) -> None:
        raise OSError("a page has no files")
