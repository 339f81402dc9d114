"""A page writes no files."""

FilePath = str


def atomic_file(*_: object) -> object:
    """Raise OSError."""
    raise OSError("a page has no files")


write_file = atomic_file
