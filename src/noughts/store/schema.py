"""The tables of the store and their migrations.

The version of a file (``PRAGMA user_version``) is the number of migrations applied to it. To change the tables, append
a migration; never edit one that has been released.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

__all__ = ["STEPS", "migrate", "version"]

STEPS = (
    """
    CREATE TABLE playthroughs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game TEXT NOT NULL,
        game_data TEXT,
        start TEXT,
        x TEXT NOT NULL,
        o TEXT NOT NULL,
        source TEXT NOT NULL,
        seconds REAL,
        clock TEXT,
        x_left REAL,
        o_left REAL,
        started TEXT NOT NULL,
        updated TEXT NOT NULL,
        winner TEXT CHECK (winner IN ('X', 'O')),
        reason TEXT,
        x_points INTEGER,
        o_points INTEGER,
        x_accuracy REAL,
        o_accuracy REAL
    ) STRICT;
    CREATE INDEX playthroughs_by_game ON playthroughs (game, id);
    CREATE TABLE moves (
        playthrough INTEGER NOT NULL REFERENCES playthroughs (id) ON DELETE CASCADE,
        ply INTEGER NOT NULL CHECK (ply > 0),
        side TEXT NOT NULL CHECK (side IN ('X', 'O')),
        move INTEGER NOT NULL CHECK (move >= 0),
        seconds REAL,
        clock REAL,
        PRIMARY KEY (playthrough, ply)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TABLE tournaments (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        game TEXT NOT NULL,
        format TEXT NOT NULL,
        bots INTEGER NOT NULL,
        plan TEXT NOT NULL,
        source TEXT,
        started TEXT NOT NULL,
        updated TEXT NOT NULL,
        finished TEXT
    ) STRICT;
    CREATE TABLE tournament_plays (
        tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
        pairing INTEGER NOT NULL,
        pair INTEGER NOT NULL,
        leg INTEGER NOT NULL CHECK (leg IN (0, 1)),
        x TEXT NOT NULL,
        o TEXT NOT NULL,
        start TEXT,
        opening INTEGER NOT NULL,
        moves TEXT NOT NULL,
        seconds TEXT NOT NULL,
        winner TEXT CHECK (winner IN ('X', 'O')),
        reason TEXT NOT NULL,
        x_points INTEGER NOT NULL,
        o_points INTEGER NOT NULL,
        failure TEXT,
        detail TEXT,
        stderr TEXT,
        ended TEXT NOT NULL,
        PRIMARY KEY (tournament, pairing, pair, leg)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TABLE friend_games (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        game_data TEXT,
        start TEXT,
        x_name TEXT NOT NULL,
        o_name TEXT NOT NULL,
        x_token TEXT,
        o_token TEXT,
        invite TEXT,
        invited TEXT NOT NULL CHECK (invited IN ('X', 'O')),
        clock_seconds REAL,
        clock_increment REAL,
        x_left REAL,
        o_left REAL,
        winner TEXT CHECK (winner IN ('X', 'O')),
        reason TEXT,
        next TEXT,
        updated TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX friend_games_by_age ON friend_games (updated);
    CREATE TABLE friend_moves (
        friend TEXT NOT NULL REFERENCES friend_games (id) ON DELETE CASCADE,
        ply INTEGER NOT NULL CHECK (ply > 0),
        move INTEGER NOT NULL CHECK (move >= 0),
        PRIMARY KEY (friend, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE shelves (
        playthrough INTEGER PRIMARY KEY REFERENCES playthroughs (id) ON DELETE CASCADE,
        shelf TEXT NOT NULL
    ) STRICT;
    CREATE INDEX shelves_by_name ON shelves (shelf, playthrough);
    """,
    """
    CREATE TABLE solved (
        game TEXT NOT NULL,
        position TEXT NOT NULL,
        value TEXT NOT NULL CHECK (value IN ('win', 'draw', 'loss')),
        move INTEGER CHECK (move >= 0),
        plies INTEGER CHECK (plies >= 0),
        nodes INTEGER NOT NULL,
        seconds REAL NOT NULL,
        solved TEXT NOT NULL,
        PRIMARY KEY (game, position)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE friend_games ADD COLUMN idle_hours INTEGER NOT NULL DEFAULT 0;
    DROP INDEX friend_games_by_age;
    CREATE INDEX friend_games_by_idleness ON friend_games (idle_hours);
    """,
    """
    ALTER TABLE friend_games ADD COLUMN clock_moves INTEGER;
    ALTER TABLE friend_moves ADD COLUMN clock REAL;
    """,
    """
    ALTER TABLE shelves RENAME TO visitor_games;
    ALTER TABLE visitor_games RENAME COLUMN shelf TO visitor;
    """,
    """
    ALTER TABLE friend_games ADD COLUMN x_won INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE friend_games ADD COLUMN o_won INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE friend_games ADD COLUMN drawn INTEGER NOT NULL DEFAULT 0;
    """,
    """
    CREATE TABLE save_keys (
        visitor TEXT NOT NULL,
        key TEXT NOT NULL,
        playthrough INTEGER NOT NULL REFERENCES playthroughs (id) ON DELETE CASCADE,
        PRIMARY KEY (visitor, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX save_keys_by_playthrough ON save_keys (playthrough);
    """,
    """
    ALTER TABLE friend_games ADD COLUMN is_challenge INTEGER NOT NULL DEFAULT 0;
    """,
    """
    CREATE TABLE puzzle_tries (
        id INTEGER PRIMARY KEY,
        puzzle TEXT NOT NULL UNIQUE,
        is_solved INTEGER NOT NULL CHECK (is_solved IN (0, 1)),
        is_hinted INTEGER NOT NULL CHECK (is_hinted IN (0, 1)),
        tried TEXT NOT NULL
    ) STRICT;
    """,
)
"""Migrations as SQL scripts. A playthrough with a reason is over; without a winner it is then a draw.

A solved position is stored as the text of its canonical image, so symmetric positions share a row and others do not.
Its game is ``Game.rules_key``; its value is for the side to move, and its move is a move in that image.
"""


def version(connection: sqlite3.Connection) -> int:
    """Return the number of migrations applied to a file."""
    taken: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return taken


def migrate(connection: sqlite3.Connection, keep_copy: Callable[[int], object]) -> int:
    """Apply the missing migrations, all or none, and return the version before; another process may have just done so.

    ``keep_copy`` is called with the version of a file that has tables before they change; no other process can write
    meanwhile. If it raises, the file stays as it is.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        before = version(connection)
        if 0 < before < len(STEPS):
            keep_copy(before)
        for step in STEPS[before:]:
            for statement in filter(str.strip, step.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(STEPS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself rolls back after some errors
            connection.execute("ROLLBACK")
        raise
    return before
