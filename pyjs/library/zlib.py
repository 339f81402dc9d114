"""Compressed data, which a page has not."""


class error(Exception):
    """Damaged data."""
