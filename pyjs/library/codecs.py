"""Character sets of files; the page itself has only text."""


def lookup(encoding: str) -> object:
    """Raise LookupError."""
    raise LookupError(f"unknown encoding: {encoding}")
