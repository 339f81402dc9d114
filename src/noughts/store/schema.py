"""The tables, and the steps that lead from one version of them to the next.

A file knows its version (``PRAGMA user_version``): how many steps it has taken. To change the tables, append a step;
never edit one that has been released.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from noughts.games.quoting import escape_control_characters

__all__ = [
    "PATIENCE",
    "STEPS",
    "Busy",
    "Conflict",
    "StoreError",
    "connect",
    "connect_to_read",
    "row_errors",
    "store_errors",
    "transaction",
]

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
)
"""Each step is a script of SQL. A playthrough with a reason is over; one with a reason and no winner is a draw.

A solved position is the canonical one of all its images, as text: values are never kept by a hash alone. Its game is an
id, or the rules of a game of one's own as data; its value is for the side to move, and its move is one in that image.
"""

SPARE = Path("/dev/shm")
"""A folder in memory, where the system has one: it is not full when the disk is."""
PATIENCE = 5.0
"""Seconds to wait for another process that writes."""


class StoreError(OSError):
    """What is kept cannot be read or written; the message says why."""


class Busy(StoreError):
    """Another program has been writing for too long; a later attempt may succeed."""


class Conflict(StoreError):
    """Another session has changed the same game; writing to it would mix the two."""


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into a StoreError that names the file."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise Conflict(f"{path}: this game was changed by another session ({error})") from error
    except sqlite3.Error as error:
        kind = Busy if _is_locked(error) else StoreError
        raise kind(f"{path}: {_plainly(error)}") from error


@contextmanager
def row_errors(path: Path) -> Iterator[None]:
    """Turn the errors that damaged rows cause into a StoreError that names the file."""
    with store_errors(path):
        try:
            yield
        except (IndexError, KeyError, OverflowError, TypeError) as error:
            raise StoreError(f"{path} is damaged: {escape_control_characters(str(error))}") from error


def _plainly(error: sqlite3.Error) -> str:
    """SQLite's message; for common ones, a plainer one that says what to do."""
    return {
        "database is locked": "another program has been writing to it for too long; try again",
        "unable to open database file": "it cannot be opened; is its folder writable?",
        "attempt to write a readonly database": "it cannot be written to; is it writable, and its folder?",
        "database or disk is full": "the disk is full",
    }.get(str(error), escape_control_characters(" ".join(str(error).split())))


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Write all of a block or nothing of it, whatever ends it; raises StoreError.

    A block within another belongs to the outer one.
    """
    if connection.in_transaction:
        yield
        return
    with store_errors(path):
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # Ctrl-C may come just before the beginning or just after the end
                connection.execute("ROLLBACK")
            raise


def connect(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open the file, make it when it is not there, and bring its tables up to date; raises StoreError.

    Waits ``patience`` seconds for another program that writes; raises Busy when that is not enough.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StoreError(f"cannot make the folder {path.parent}: {why}; NOUGHTS_DATA names another") from error
    with store_errors(path):
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open the file, or, where it or its disk cannot be written to, a copy in memory; raises StoreError.

    SQLite writes beside a file in WAL mode even to read it. In the copy everything works, and nothing lasts.
    """
    try:
        return connect(path)
    except Busy:  # a copy of a file that is being written might be inconsistent
        raise
    except StoreError:
        pass
    with store_errors(path):
        return _copy_in_memory(path)


def _is_locked(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _copy_in_memory(path: Path) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None)
    try:
        if path.exists():
            _fill(copy, path)
        _prepare(copy, path)
    except BaseException:
        copy.close()
        raise
    return copy


def _fill(copy: sqlite3.Connection, path: Path) -> None:
    """Copy the contents of the file, with those still in its log."""
    try:
        _back_up(copy, path, "mode=ro")
    except sqlite3.OperationalError as error:
        if _is_locked(error):
            raise
        if _has_log(path):
            _replay_log(copy, path)
        else:
            _back_up(copy, path, "immutable=1")


def _replay_log(copy: sqlite3.Connection, path: Path) -> None:
    """Copy a file with its log. Replaying the log writes, so it is done on a second copy."""
    try:
        with TemporaryDirectory(dir=SPARE if SPARE.is_dir() else None) as folder:
            for file in (path, _log_of(path)):
                shutil.copyfile(file, Path(folder) / file.name)
            _back_up(copy, Path(folder) / path.name, "mode=rw")
    except OSError as error:
        raise StoreError(f"{path}: cannot be copied to be read: {(error.strerror or str(error)).lower()}") from error


def _back_up(copy: sqlite3.Connection, path: Path, how: str) -> None:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=PATIENCE)) as file:
        file.backup(copy)


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _has_log(path: Path) -> bool:
    return _log_of(path).exists() and _log_of(path).stat().st_size > 0


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    _refuse_foreign(connection, path)
    if _version(connection) < len(STEPS):
        connection.execute("PRAGMA journal_mode = WAL")
        _migrate(connection)
    # With WAL, FULL writes each move through to the disk: not even a power cut takes it back.
    connection.execute("PRAGMA synchronous = FULL")


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN")  # both questions of one state: another process may be making the tables
    version = _version(connection)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    connection.execute("COMMIT")
    if version > len(STEPS):
        raise StoreError(f"{path} was made by a newer noughts: expected version {len(STEPS)} or older, got {version}")
    if version == 0 and tables:
        raise StoreError(f"{path} is a database of something else; set NOUGHTS_DATA to another folder")


def _migrate(connection: sqlite3.Connection) -> None:
    """Take the steps that are still to be taken, all or none; another process may just have taken them."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in STEPS[_version(connection) :]:
            for statement in filter(str.strip, step.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(STEPS)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
