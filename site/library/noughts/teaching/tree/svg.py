"""A page draws trees by its own means."""


def tree_svg(*_: object, **__: object) -> str:
    """Raise OSError."""
    raise OSError("a page draws trees by its own means")
