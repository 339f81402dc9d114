"""Saved playthroughs of visitors: on a network, each browser sees only the playthroughs it has saved.

A visitor is identified by the hash of a secret that the browser generated.
"""

from __future__ import annotations

from noughts.store.database import row_errors, store_errors
from noughts.store.playthroughs import Summary
from noughts.store.store import NOT_EMPTY, SUMMARY, Store

__all__ = ["VisitorGames"]

DELETE_OLDEST = """
    DELETE FROM playthroughs
    WHERE id IN (SELECT id FROM playthroughs JOIN visitor_games ON playthrough = id ORDER BY updated LIMIT ?)
"""


class VisitorGames:
    """The playthroughs of a store that belong to visitors. All methods raise StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def assign_owner(self, number: int, visitor: str) -> None:
        """Assign a playthrough to a visitor."""
        with store_errors(self._store.path):
            self._store.connection.execute(
                "INSERT INTO visitor_games (playthrough, visitor) VALUES (?, ?)", (number, visitor)
            )

    def is_visible(self, number: int, visitor: str | None) -> bool:
        """Whether a playthrough exists and belongs to the visitor; without a visitor, whether it exists."""
        joined = "playthroughs LEFT JOIN visitor_games ON playthrough = id"
        query = f"SELECT 1 FROM {joined} WHERE id = ?1 AND (?2 IS NULL OR visitor = ?2)"
        with store_errors(self._store.path):
            return self._store.connection.execute(query, (number, visitor)).fetchone() is not None

    def count(self, visitor: str) -> int:
        """Return the number of playthroughs of a visitor."""
        query = "SELECT count(*) FROM visitor_games WHERE visitor = ?"
        with store_errors(self._store.path):
            count: int = self._store.connection.execute(query, (visitor,)).fetchone()[0]
        return count

    def delete_oldest(self, limit: int) -> None:
        """If all visitors together have more than ``limit`` playthroughs, delete the oldest, plus 1 % to make room."""
        with store_errors(self._store.path):
            count = self._store.connection.execute("SELECT count(*) FROM visitor_games").fetchone()[0]
            if count > limit:
                self._store.connection.execute(DELETE_OLDEST, (count - limit + limit // 100,))

    def list(self, visitor: str, game: str | None, unfinished: bool, limit: int) -> list[Summary]:
        """Return the summaries of a visitor's playthroughs, the latest first."""
        where = f"""
            WHERE id IN (SELECT playthrough FROM visitor_games WHERE visitor = ?1)
            AND (?2 IS NULL OR game = ?2) AND (NOT ?3 OR reason IS NULL) AND {NOT_EMPTY} ORDER BY id DESC LIMIT ?4
        """
        with row_errors(self._store.path):
            rows = self._store.connection.execute(SUMMARY + where, (visitor, game, unfinished, limit)).fetchall()
            return [Summary.of(row) for row in rows]
