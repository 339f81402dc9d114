"""Numbers with their nouns."""

__all__ = ["count"]


def count(number: int, noun: str) -> str:
    """Return a number of things: ``1 game``, ``2,000 games``, ``3 plies``, ``4 branches``."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith('ch') else 's'}"
