"""Files of xz: there are no files in a browser, so opening one raises OSError."""


class LZMAError(Exception):
    """A damaged file."""


class LZMAFile:
    """A compressed file."""

    def __init__(self, *_: object, **__: object) -> None:
        raise OSError("a page has no files")
