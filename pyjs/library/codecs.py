"""Encodings of files: there are no files in a browser, so none is known."""


def lookup(encoding: str) -> object:
    """Raise LookupError for any encoding."""
    raise LookupError(f"unknown encoding: {encoding}")
