"""Numbers with their nouns."""

__all__ = ["count"]


def count(number: int, noun: str) -> str:
    """Return a number of things: ``1 game``, ``2,000 games``, ``3 plies``."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"
