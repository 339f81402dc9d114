"""A page has no database: nothing that was solved is saved."""


class Busy(OSError):
    """Another program is writing to the store."""
