"""Shelves: which kept games belong to which browser, where several people use one store.

The names of shelves are hashes of secrets.
"""

from __future__ import annotations

from noughts.store.records import Summary
from noughts.store.schema import row_errors, store_errors
from noughts.store.store import NOT_EMPTY, SUMMARY, Store

__all__ = ["clear_shelves", "is_on_shelf", "put_on_shelf", "shelf_size", "shelved"]


FORGET_OLDEST = """
    DELETE FROM playthroughs
    WHERE id IN (SELECT id FROM playthroughs JOIN shelves ON playthrough = id ORDER BY updated LIMIT ?)
"""


def put_on_shelf(store: Store, shelf: str, number: int) -> None:
    """Put a playthrough on a shelf."""
    with store_errors(store.path):
        store.connection.execute("INSERT INTO shelves (playthrough, shelf) VALUES (?, ?)", (number, shelf))


def is_on_shelf(store: Store, shelf: str | None, number: int) -> bool:
    """Return whether there is such a playthrough, and, where a shelf is given, on it."""
    joined = "playthroughs LEFT JOIN shelves ON playthrough = id"
    query = f"SELECT 1 FROM {joined} WHERE id = ?1 AND (?2 IS NULL OR shelf = ?2)"
    with store_errors(store.path):
        return store.connection.execute(query, (number, shelf)).fetchone() is not None


def shelf_size(store: Store, shelf: str) -> int:
    """Return how many playthroughs are on a shelf."""
    with store_errors(store.path):
        count: int = store.connection.execute("SELECT count(*) FROM shelves WHERE shelf = ?", (shelf,)).fetchone()[0]
    return count


def clear_shelves(store: Store, most: int) -> None:
    """When more than so many are on all shelves, forget those left alone for longest, and some more for the next."""
    with store_errors(store.path):
        count = store.connection.execute("SELECT count(*) FROM shelves").fetchone()[0]
        if count > most:
            store.connection.execute(FORGET_OLDEST, (count - most + most // 100,))


def shelved(store: Store, shelf: str, game: str | None, unfinished: bool, limit: int) -> list[Summary]:
    """Return lines about the playthroughs on a shelf, the latest first."""
    where = f"""
        WHERE id IN (SELECT playthrough FROM shelves WHERE shelf = ?1)
        AND (?2 IS NULL OR game = ?2) AND (NOT ?3 OR reason IS NULL) AND {NOT_EMPTY} ORDER BY id DESC LIMIT ?4
    """
    with row_errors(store.path):
        rows = store.connection.execute(SUMMARY + where, (shelf, game, unfinished, limit)).fetchall()
        return [Summary.of(row) for row in rows]
