"""Solved positions: proven values, saved once for all symmetric positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.games import Game, Position, ProvenValue, Value
from noughts.games.symmetry import canonical
from noughts.store.database import store_errors
from noughts.store.playthroughs import now

if TYPE_CHECKING:
    from noughts.store.store import Store

__all__ = ["SolvedPositions"]

INSERT = """
    INSERT INTO solved (game, position, value, move, plies, nodes, seconds, solved)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (game, position) DO UPDATE SET
        value = excluded.value, move = excluded.move, plies = excluded.plies, nodes = excluded.nodes,
        seconds = excluded.seconds, solved = excluded.solved
    WHERE value <> excluded.value OR plies IS NULL OR excluded.plies < plies
"""


class SolvedPositions:
    """The solved positions of a store. All methods raise StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, position: Position, proven: ProvenValue) -> None:
        """Save the value of a position and of all symmetric ones; a shorter bound replaces a longer one."""
        image = canonical(position)
        move = None if proven.move is None else image.move_there(proven.move)
        row = (proven.value, move, proven.plies, proven.nodes, proven.seconds, now())
        with store_errors(self._store.path):
            self._store.connection.execute(INSERT, (position.game.rules_key, image.text, *row))

    def find(self, position: Position) -> ProvenValue | None:
        """Return the value of a position if it or a symmetric one was solved."""
        game = position.game
        if not self.has_any(game):  # finding the image takes time and memory in games with many symmetries
            return None
        image = canonical(position)
        query = "SELECT * FROM solved WHERE game = ? AND position = ?"
        with store_errors(self._store.path):
            row = self._store.connection.execute(query, (game.rules_key, image.text)).fetchone()
        if row is None:
            return None
        move = None if row["move"] is None else image.move_here(row["move"])
        return ProvenValue(Value(row["value"]), move, row["plies"], row["nodes"], row["seconds"])

    def has_any(self, game: Game) -> bool:
        """Whether any position of a game was solved."""
        query = "SELECT 1 FROM solved WHERE game = ? LIMIT 1"
        with store_errors(self._store.path):
            return self._store.connection.execute(query, (game.rules_key,)).fetchone() is not None
