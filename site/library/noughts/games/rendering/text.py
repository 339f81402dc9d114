"""A page draws boards by its own means."""


def draw(*_: object, **__: object) -> str:
    """Raise ValueError."""
    raise ValueError("this page draws boards by its own means, not as text")
