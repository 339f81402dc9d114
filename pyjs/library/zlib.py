"""Only the exception: there is no compressed data in a browser."""


class error(Exception):
    """Damaged data."""
