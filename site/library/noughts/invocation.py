"""A page has no shell: nothing can be installed in it."""


def install_line(extra: str) -> str:
    """Return what a message says in place of a command; NumPy is the only extra a translated module asks for."""
    return f"install noughts[{extra}] with Python; this page cannot"
