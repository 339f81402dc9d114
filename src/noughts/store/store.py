"""The store: playthroughs kept as they are played, and values kept as they are proven."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any

from noughts.games import Game, Outcome, Position, ProvenValue, Side, Value
from noughts.games.symmetry import canonical
from noughts.store.location import store_path
from noughts.store.records import Kept, Summary, now
from noughts.store.schema import (
    PATIENCE,
    Busy,
    StoreError,
    connect,
    connect_to_read,
    row_errors,
    store_errors,
    transaction,
)

__all__ = ["Store", "open_store_if_possible"]

NOT_SHELVED = "id NOT IN (SELECT playthrough FROM shelves)"
"""Games of visitors of the web page are theirs alone."""
NOT_EMPTY = "(reason IS NOT NULL OR EXISTS (SELECT 1 FROM moves WHERE playthrough = playthroughs.id))"
SUMMARY = """
    SELECT *, (SELECT count(*) FROM moves WHERE playthrough = playthroughs.id) AS plies FROM playthroughs
"""


class Store:
    """What is kept, in one file: the user's own, or another. Each call is on disk when it returns.

    Several processes may use the same file; a store is for the thread that made it. All methods raise StoreError.
    """

    def __init__(self, path: Path | None = None, patience: float = PATIENCE, read_only: bool = False) -> None:
        """Open the file; each call waits up to ``patience`` seconds for another program that is writing.

        With ``read_only`` a file on a disk that cannot be written to is opened as a copy in memory: writes succeed,
        and are lost.
        """
        self.path = path or store_path()
        self._connection = connect_to_read(self.path) if read_only else connect(self.path, patience)

    def set_busy_timeout(self, seconds: float) -> None:
        """Set how long to wait for another program that writes to the file."""
        self._connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for queries of other modules of this package."""
        return self._connection

    # As a game is played

    def begin(
        self,
        position: Position,
        x: str,
        o: str,
        seconds: float | None = None,
        clock: str | None = None,
        source: str = "terminal",
    ) -> int:
        """Keep a new playthrough, with the moves behind the position, and return its number."""
        game, time = position.game, now()
        data = json.dumps(game.to_data()) if game.is_custom else None
        with self.transaction():
            number = self._insert(
                game=game.id, game_data=data, start=position.start_text, x=x, o=o, source=source,
                seconds=seconds, clock=clock, started=time, updated=time,
            )  # fmt: skip
            self._connection.executemany(
                "INSERT INTO moves (playthrough, ply, side, move) VALUES (?, ?, ?, ?)",
                [(number, ply, side, move) for ply, side, move in _numbered(position)],
            )
        return number

    def transaction(self) -> AbstractContextManager[None]:
        """Write everything in the block together; blocks within others belong to the outermost."""
        return transaction(self._connection, self.path)

    def _insert(self, **values: Any) -> int:
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        cursor = self._connection.execute(
            f"INSERT INTO playthroughs ({names}) VALUES ({marks})", tuple(values.values())
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def add_move(
        self, number: int, ply: int, side: str, move: int, seconds: float | None = None, clock: float | None = None
    ) -> None:
        """Keep a move: the ply counts from 1, ``clock`` is what the mover has left after it."""
        with self.transaction():
            self._connection.execute(
                "INSERT INTO moves (playthrough, ply, side, move, seconds, clock) VALUES (?, ?, ?, ?, ?, ?)",
                (number, ply, str(side), move, seconds, clock),
            )
            self._connection.execute("UPDATE playthroughs SET updated = ? WHERE id = ?", (now(), number))

    def cut(self, number: int, plies: int) -> None:
        """Forget all moves after so many, and the result with them."""
        with self.transaction():
            self._connection.execute("DELETE FROM moves WHERE playthrough = ? AND ply > ?", (number, plies))
            self._connection.execute(f"UPDATE playthroughs SET {NO_RESULT} WHERE id = ?", (number,))

    def finish(self, number: int, outcome: Outcome) -> None:
        """Keep how it ended."""
        x, o = outcome.points
        winner = None if outcome.winner is None else str(outcome.winner)
        self.change(number, winner=winner, reason=outcome.reason, x_points=x, o_points=o)

    def change(self, number: int, **values: str | float | None) -> None:
        """Change columns of a playthrough: its players, its clocks, its accuracy."""
        columns = ", ".join(f"{name} = ?" for name in (*values, "updated"))
        with store_errors(self.path):
            done = self._connection.execute(
                f"UPDATE playthroughs SET {columns} WHERE id = ?", (*values.values(), now(), number)
            )
        if done.rowcount == 0:
            raise _missing(number)

    # Afterwards

    def get(self, number: int) -> Kept:
        """Return a playthrough; raises StoreError when there is none of that number."""
        _check_number(number)
        with row_errors(self.path):
            row = self._connection.execute(f"{SUMMARY} WHERE id = ?", (number,)).fetchone()
            moves = self._connection.execute("SELECT * FROM moves WHERE playthrough = ? ORDER BY ply", (number,))
            if row is None:
                raise _missing(number)
            return Kept.of(row, moves.fetchall())

    def moves_of(self, number: int) -> tuple[int, ...]:
        """Return the moves of a playthrough; raises StoreError if there is none of that number."""
        with row_errors(self.path):
            if self._connection.execute("SELECT 1 FROM playthroughs WHERE id = ?", (number,)).fetchone() is None:
                raise _missing(number)
            rows = self._connection.execute("SELECT move FROM moves WHERE playthrough = ? ORDER BY ply", (number,))
            return tuple(row["move"] for row in rows)

    def list(self, game: str | None = None, unfinished: bool = False, limit: int = -1) -> list[Summary]:
        """Return lines about the playthroughs, the latest first; of one game, or of those that can be resumed.

        Those whose moves were all taken back are left out.
        """
        where = f"WHERE (?1 IS NULL OR game = ?1) AND (NOT ?2 OR reason IS NULL) AND {NOT_SHELVED} AND {NOT_EMPTY}"
        with row_errors(self.path):
            rows = self._connection.execute(
                f"{SUMMARY} {where} ORDER BY id DESC LIMIT ?3", (game, unfinished, limit)
            ).fetchall()
            return [Summary.of(row) for row in rows]

    def delete(self, number: int) -> None:
        """Forget a playthrough for good; its number is not given again."""
        _check_number(number)
        with store_errors(self.path):
            done = self._connection.execute("DELETE FROM playthroughs WHERE id = ?", (number,))
        if done.rowcount == 0:
            raise _missing(number)

    # What is proven

    def keep_value(self, position: Position, found: ProvenValue) -> None:
        """Keep the value of a position, which is then that of all symmetric ones; a shorter bound replaces a longer."""
        image = canonical(position)
        move = None if found.move is None else image.move_there(found.move)
        key, what = (position.game.rules_key, image.text), (found.value, move, found.plies, found.nodes, found.seconds)
        with store_errors(self.path):
            self._connection.execute(
                """
                INSERT INTO solved (game, position, value, move, plies, nodes, seconds, solved)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (game, position) DO UPDATE SET
                    value = excluded.value, move = excluded.move, plies = excluded.plies, nodes = excluded.nodes,
                    seconds = excluded.seconds, solved = excluded.solved
                WHERE value <> excluded.value OR plies IS NULL OR excluded.plies < plies
                """,
                (*key, *what, now()),
            )

    def has_values(self, game: Game) -> bool:
        """Whether any position of a game was solved."""
        with store_errors(self.path):
            found = self._connection.execute(
                "SELECT 1 FROM solved WHERE game = ? LIMIT 1", (game.rules_key,)
            ).fetchone()
        return found is not None

    def value_of(self, position: Position) -> ProvenValue | None:
        """Return the value of a position, if it or a symmetric one was solved."""
        if not self.has_values(position.game):  # the image takes time and memory where there are many symmetries
            return None
        image = canonical(position)
        with store_errors(self.path):
            row = self._connection.execute(
                "SELECT * FROM solved WHERE game = ? AND position = ?", (position.game.rules_key, image.text)
            ).fetchone()
        if row is None:
            return None
        move = None if row["move"] is None else image.move_here(row["move"])
        return ProvenValue(Value(row["value"]), move, row["plies"], row["nodes"], row["seconds"])


def open_store_if_possible(
    path: Path | None = None, *, warn: Callable[[str], object], read_only: bool = False, raise_busy: bool = False
) -> Store | None:
    """Return the store; if it cannot be opened, warn and return None.

    With ``read_only`` a file that does not exist is not created, and its absence is not worth a warning. With
    ``raise_busy`` a file that another program is writing to raises Busy, for callers that try again later.
    """
    path = path or store_path()
    if read_only and not path.exists():
        return None
    try:
        return Store(path, read_only=read_only)
    except StoreError as error:
        if raise_busy and isinstance(error, Busy):
            raise
        warn(f"continuing without saved games and solved positions: {error}")
        return None


NO_RESULT = "winner = NULL, reason = NULL, x_points = NULL, o_points = NULL, x_accuracy = NULL, o_accuracy = NULL"


LARGEST = 2**63 - 1
"""SQLite's whole numbers end here; there is no game beyond."""


def _check_number(number: int) -> None:
    if abs(number) > LARGEST:
        raise _missing(number)


def _missing(number: int) -> StoreError:
    return StoreError(f"there is no game {number}; noughts games lists those there are")


def _numbered(position: Position) -> list[tuple[int, Side, int]]:
    """The moves behind a position, each with its ply and side."""
    back, found = position.copy(), []
    while back.ply:
        ply, move = back.ply, back.undo()
        assert back.turn is not None
        found.append((ply, back.turn, move))
    return found[::-1]
