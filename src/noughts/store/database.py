"""The database file: its path, opening it, transactions, and readable messages for SQLite errors."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from noughts.games.atomic_file import atomic_file
from noughts.games.quoting import escape_control_characters
from noughts.settings import resolve
from noughts.settings.table import DATA
from noughts.store import schema

__all__ = [
    "BUSY_SECONDS",
    "Busy",
    "Conflict",
    "StoreError",
    "check_version",
    "connect",
    "connect_to_fill",
    "connect_to_read",
    "copy_all",
    "copy_file",
    "data_folder",
    "fill",
    "insert",
    "is_locked",
    "row_errors",
    "store_errors",
    "store_path",
    "transaction",
]

FILE_NAME = "noughts.sqlite3"
MEMORY_FOLDER = Path("/dev/shm")
"""A folder in memory, on systems that have one, which has space even when the disk is full."""
BUSY_SECONDS = 5.0
"""Seconds to wait for another program that is writing."""


def data_folder() -> Path:
    """Return the folder for data, which need not exist yet: the setting ``data``, or the user's data folder.

    Raises ConfigError, a ValueError.
    """
    return resolve(DATA).value


def store_path() -> Path:
    """Return the path of the store in the data folder."""
    return data_folder() / FILE_NAME


class StoreError(OSError):
    """The store cannot be read or written; the message says why."""


class Busy(StoreError):
    """Another program has been writing for too long; a later attempt may succeed."""


class Conflict(StoreError):
    """Another session has changed the same playthrough; writing to it would mix the two."""


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn SQLite errors into a StoreError that names the file."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise Conflict(f"{path}: this game was changed by another session ({error})") from error
    except sqlite3.Error as error:
        kind = Busy if is_locked(error) else StoreError
        raise kind(f"{path}: {_describe(error)}") from error


@contextmanager
def row_errors(path: Path) -> Iterator[None]:
    """Turn the errors that damaged rows cause into a StoreError that names the file."""
    with store_errors(path):
        try:
            yield
        except (IndexError, KeyError, OverflowError, TypeError) as error:
            raise StoreError(f"{path} is damaged: {escape_control_characters(str(error))}") from error


def _describe(error: sqlite3.Error) -> str:
    """SQLite's message, or for common errors a message that says what to do."""
    return {
        "database is locked": "another program has been writing to it for too long; try again",
        "unable to open database file": "it cannot be opened; is its folder writable?",
        "attempt to write a readonly database": "it cannot be written to; is it writable, and its folder?",
        "database or disk is full": "the disk is full",
    }.get(str(error), escape_control_characters(" ".join(str(error).split())))


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Commit all writes of the block, or none if it raises; raises StoreError.

    A nested transaction is part of the outer one.
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
            if connection.in_transaction:  # Ctrl-C may come just before BEGIN or just after COMMIT
                connection.execute("ROLLBACK")
            raise


def insert(
    connection: sqlite3.Connection, table: str, values: Mapping[str, object], on_conflict: str = "ABORT"
) -> int | None:
    """Insert a row and return its number, if the table has numbers; raises an SQLite error."""
    marks = ", ".join("?" * len(values))
    query = f"INSERT OR {on_conflict} INTO {table} ({', '.join(values)}) VALUES ({marks})"
    return connection.execute(query, tuple(values.values())).lastrowid


def connect(path: Path, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Open the file, or create it, and bring its tables up to date; raises StoreError.

    Raises Busy if another program is still writing after ``busy_seconds``.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StoreError(f"cannot make the folder {path.parent}: {why}; set NOUGHTS_DATA to another") from error
    with store_errors(path):
        connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open the file or, if it cannot be written to, a copy of it in memory; raises StoreError.

    SQLite in WAL mode writes beside the file even to read it. Writes to the copy succeed and are lost.
    """
    try:
        return connect(path)
    except Busy:  # a copy of a file that is being written might be inconsistent
        raise
    except StoreError:
        pass
    with store_errors(path):
        return _copy_in_memory(path)


def is_locked(error: sqlite3.Error) -> bool:
    """Whether an error says that another program is using the file."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _copy_in_memory(path: Path) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None)
    try:
        if path.exists():
            fill(copy, path)
        _prepare(copy, path, is_file=False)
    except BaseException:
        copy.close()
        raise
    return copy


def fill(copy: sqlite3.Connection, path: Path) -> None:
    """Copy the contents of the file, including its log, without upgrading them; raises SQLite errors and StoreError."""
    try:
        _back_up(copy, path, "mode=ro")
    except sqlite3.OperationalError as error:
        if is_locked(error):
            raise
        if _has_log(path):
            _replay_log(copy, path)
        else:
            _back_up(copy, path, "immutable=1")


def _replay_log(copy: sqlite3.Connection, path: Path) -> None:
    """Copy a file with its log. Replaying the log modifies the file, so it is done on a second copy."""
    try:
        with TemporaryDirectory(dir=MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None) as folder:
            for file in (path, _log_of(path)):
                shutil.copyfile(file, Path(folder) / file.name)
            _back_up(copy, Path(folder) / path.name, "mode=rw")
    except OSError as error:
        raise StoreError(f"cannot copy {path} to read it: {(error.strerror or str(error)).lower()}") from error


def _back_up(copy: sqlite3.Connection, path: Path, how: str) -> None:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=BUSY_SECONDS)) as file:
        copy_all(file, copy)


def copy_all(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy a whole database in one transaction; raises an SQLite error if another program keeps it locked."""
    deadline = monotonic() + BUSY_SECONDS

    def check(status: int, remaining: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and monotonic() > deadline:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = status
            raise error

    source.backup(target, progress=check)


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _has_log(path: Path) -> bool:
    return _log_of(path).exists() and _log_of(path).stat().st_size > 0


def _prepare(connection: sqlite3.Connection, path: Path, is_file: bool = True) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    check_version(connection, path)
    if schema.version(connection) < len(schema.STEPS):
        connection.execute("PRAGMA journal_mode = WAL")

        def keep_copy(version: int) -> None:
            if is_file:
                copy_file(path, _path_of_copy(path, version))

        before = schema.migrate(connection, keep_copy)
        if is_file and 0 < before < len(schema.STEPS):
            logging.getLogger(__name__).warning(
                "%s is upgraded from version %d to %d; the old one is kept as %s",
                path, before, len(schema.STEPS), _path_of_copy(path, before),
            )  # fmt: skip
    # With WAL, FULL flushes each transaction to the disk, so that moves survive a power cut.
    connection.execute("PRAGMA synchronous = FULL")


def _path_of_copy(path: Path, version: int) -> Path:
    return path.with_name(f"{path.name}.v{version}")


def copy_file(path: Path, target: Path, source: sqlite3.Connection | None = None) -> None:
    """Copy a database to a file, with all that was committed so far; an old file is replaced in one step.

    ``source`` is a connection to it that is outside a transaction, and needed if it has locked the file. Raises
    StoreError, which names the target, or an SQLite error.
    """
    try:
        with atomic_file(target) as file, closing(connect_to_fill(file.name)) as copy:
            if source is None:
                _back_up(copy, path, "mode=rw")
            else:
                copy_all(source, copy)
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"cannot copy {path} to {target}: {(error.strerror or str(error)).lower()}") from error
    except sqlite3.OperationalError as error:
        if is_locked(error):
            raise
        raise StoreError(f"cannot copy {path} to {target}: {_describe(error)}") from error


def connect_to_fill(path: str) -> sqlite3.Connection:
    """Open an empty file that no other program uses: nothing is written beside it, and its owner flushes it.

    SQLite does not lock it: on some systems its locks and those of our temporary files exclude each other.
    """
    connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?nolock=1", uri=True, isolation_level=None)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError if a database belongs to another program or to a newer version."""
    connection.execute("BEGIN")  # one snapshot for both queries: another process may be creating the tables
    version = schema.version(connection)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    connection.execute("COMMIT")
    if version > len(schema.STEPS):
        known = len(schema.STEPS)
        raise StoreError(f"{path} was made by a newer noughts: expected version {known} or older, got {version}")
    if version == 0 and tables:
        raise StoreError(f"{path} is a database of another program; set NOUGHTS_DATA to another folder")
