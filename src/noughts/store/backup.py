"""Backups: the store and the settings in one file, and the way back.

A backup is a ZIP archive of ``backup.json``, which describes it, a copy of the store and, if there is one, of the
configuration file. Unfinished solves are left out: they can be computed again.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from noughts.games.atomic_file import atomic_file, flush_to_disk, temporary_file
from noughts.games.quoting import quote
from noughts.invocation import command_line
from noughts.settings.config_file import ConfigError, config_path, parse_text, read_file
from noughts.store.database import (
    Busy,
    StoreError,
    check_version,
    connect_to_fill,
    copy_all,
    copy_file,
    fill,
    is_locked,
    store_errors,
    store_path,
)
from noughts.store.schema import version

__all__ = ["Contents", "Restored", "back_up", "restore"]

VERSION = 1
ABOUT, STORE, SETTINGS = "backup.json", "noughts.sqlite3", "config.toml"
MAX_TEXT_BYTES = 1_000_000
"""Size of the settings, and of the description of a backup."""
TABLES = {
    "games": "playthroughs",
    "friend_games": "friend_games",
    "tournaments": "tournaments",
    "solved": "solved",
}
BUSY_SECONDS = 1.0
"""Time for other programs to leave the store before a restore is refused."""


@dataclass(frozen=True)
class Contents:
    """The contents of a backup: the version of its store, the rows of some tables, and whether it has settings."""

    version: int
    games: int
    friend_games: int
    tournaments: int
    solved: int
    settings: bool


class Restored(NamedTuple):
    """The contents that were restored, and the copies of the files that they replaced."""

    contents: Contents
    kept: list[Path]


def back_up(target: Path) -> Contents:
    """Write the store and the settings to a file, also while other programs use them; raises OSError and ConfigError.

    An old file is replaced only when the new one is complete.
    """
    source, settings = store_path(), config_path()
    if not source.exists():
        raise StoreError(f"there is nothing to back up: {source} does not exist")
    text = settings.read_bytes() if settings.exists() else None
    with temporary_file(target) as file:
        with store_errors(source), closing(connect_to_fill(file.name)) as copy:
            fill(copy, source)
        with store_errors(source), closing(_connect_to_check(file)) as copy:
            contents = _check(copy, source, has_settings=text is not None)
        with atomic_file(target) as out, ZipFile(out, "w", ZIP_DEFLATED) as archive:
            archive.writestr(ABOUT, json.dumps(_describe(contents), indent=2))
            archive.write(file.name, STORE)
            if text is not None:
                archive.writestr(SETTINGS, text)
    return contents


def _describe(contents: Contents) -> dict[str, object]:
    from noughts import __version__

    made = datetime.now(UTC).isoformat(timespec="seconds")
    return {"noughts_backup": VERSION, "noughts": __version__, "made": made, "contents": asdict(contents)}


def _connect_to_check(file: BinaryIO) -> sqlite3.Connection:
    """Open a file that no other program uses; nothing is written."""
    return sqlite3.connect(f"{Path(file.name).as_uri()}?immutable=1", uri=True)


def _check(connection: sqlite3.Connection, path: Path, has_settings: bool) -> Contents:
    """Check a database as a whole and count its contents; raises StoreError, which names ``path``."""
    check_version(connection, path)
    problem = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if problem != "ok":
        raise StoreError(f"{path} is damaged: {' '.join(str(problem).split())}")
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    counts = {
        name: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] if table in tables else 0
        for name, table in TABLES.items()
    }
    return Contents(version(connection), **counts, settings=has_settings)


# --- the way back -----------------------------------------------------------------------------------------------------


def restore(backup: Path, with_settings: bool = True) -> Restored:
    """Replace the store and the settings by those of a backup, which is checked first; raises OSError and ConfigError.

    The files that are replaced are kept beside the new ones. Raises Busy if another program uses the store.
    """
    target, settings = store_path(), config_path()
    target.parent.mkdir(parents=True, exist_ok=True)
    with temporary_file(target) as file:
        text = _unpack(backup, file)
        if not with_settings:
            text = None
        if text is not None:
            _check_settings(text, settings, backup)
        with store_errors(backup), closing(_connect_to_check(file)) as new:
            contents = _check(new, backup, has_settings=text is not None)
            kept = _replace_store(new, file, target)
    if text is not None and not (settings.exists() and settings.read_bytes() == text):
        kept += _keep(settings)
        settings.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(settings) as changed:
            changed.write(text)
    return Restored(contents, kept)


@contextmanager
def _archive_errors(backup: Path) -> Iterator[None]:
    """Turn the errors of a file that is not an archive, or is damaged, into a StoreError that names it."""
    try:
        yield
    except (BadZipFile, EOFError, KeyError, NotImplementedError, RuntimeError, ValueError, zlib.error) as error:
        why = str(error).strip("'\"") or type(error).__name__
        raise StoreError(f"{backup}: expected a whole backup of noughts: {why[:1].lower()}{why[1:]}") from error


def _read_text(archive: ZipFile, name: str) -> bytes:
    """Return a short file of an archive; a few bytes may stand for gigabytes."""
    with archive.open(name) as file:
        text = file.read(MAX_TEXT_BYTES + 1)
    if len(text) > MAX_TEXT_BYTES:
        raise ValueError(f"{name} has more than {MAX_TEXT_BYTES:,} bytes")
    return text


def _unpack(backup: Path, store: BinaryIO) -> bytes | None:
    """Copy the store of a backup into a file, and return the text of its settings, if it has any."""
    with _archive_errors(backup), ZipFile(backup) as archive:
        about = json.loads(_read_text(archive, ABOUT))
        number = about["noughts_backup"] if isinstance(about, dict) else None
        if not isinstance(number, int):
            raise ValueError(f"{ABOUT} describes something else")
        if number > VERSION:
            raise StoreError(f"{backup} was made by a newer noughts: expected version {VERSION}, got {number}")
        with archive.open(STORE) as packed:
            shutil.copyfileobj(packed, store)
        flush_to_disk(store)
        return _read_text(archive, SETTINGS) if SETTINGS in archive.namelist() else None


def _check_settings(text: bytes, settings: Path, backup: Path) -> None:
    """Refuse settings that cannot be read, or that would let noughts look for the store elsewhere."""
    inside = Path(f"{backup}/{SETTINGS}")
    try:
        folder = parse_text(text.decode(), inside).get("data")
    except UnicodeDecodeError:
        raise ConfigError(f"{inside}: expected a text in UTF-8") from None
    if "NOUGHTS_DATA" not in os.environ and folder != read_file(settings).get("data"):
        advice = command_line("config", *(("set", "data", folder) if folder else ("unset", "data")))
        raise ConfigError(
            f"{inside}: the data folder is {quote(folder)} there; set it first ({advice}), or use --no-settings"
        )


def _replace_store(new: sqlite3.Connection, file: BinaryIO, target: Path) -> list[Path]:
    """Replace the contents of the store in one transaction, and return the copies of the old one."""
    is_first = not target.exists()
    with store_errors(target), closing(sqlite3.connect(target, timeout=BUSY_SECONDS, isolation_level=None)) as store:
        try:
            _lock(store)
            kept = [] if is_first else [_free_name(target)]
            for copy in kept:
                copy_file(target, copy, store)
        except sqlite3.DatabaseError as error:
            if is_locked(error):
                raise Busy(f"{target} is in use, perhaps by a server or a game; end it and try again") from None
            store.close()
            return _replace_damaged(file, target)
        copy_all(new, store)
        store.execute("PRAGMA locking_mode = NORMAL")
        store.execute("SELECT count(*) FROM sqlite_master")  # unlocks the file
        store.execute("PRAGMA journal_mode = DELETE")  # removes the journal, which exclusive mode keeps
        store.execute("PRAGMA journal_mode = WAL")
    return kept


def _lock(store: sqlite3.Connection) -> None:
    """Keep other programs out until the connection is closed; raises an SQLite error if one is using the file."""
    store.execute("PRAGMA journal_mode = PERSIST")  # needs the file for itself, and empties its log
    store.execute("PRAGMA locking_mode = EXCLUSIVE")
    store.execute("BEGIN EXCLUSIVE")
    store.execute("COMMIT")


def _replace_damaged(file: BinaryIO, target: Path) -> list[Path]:
    """Put the new file in the place of one that is not a database, or whose tables cannot be read."""
    name = _free_name(target)
    kept = [name]
    shutil.copyfile(target, name)
    for end in ("-wal", "-journal"):
        with suppress(FileNotFoundError):
            target.with_name(target.name + end).replace(name.with_name(name.name + end))
            kept.append(name.with_name(name.name + end))
    target.with_name(f"{target.name}-shm").unlink(missing_ok=True)
    with atomic_file(target) as new, open(file.name, "rb") as source:
        shutil.copyfileobj(source, new)
    return kept


def _keep(path: Path) -> list[Path]:
    """Copy a file that is about to be replaced; returns the copy, if there is something to copy."""
    if not path.exists():
        return []
    copy = _free_name(path)
    with atomic_file(copy) as file:
        file.write(path.read_bytes())
    return [copy]


def _free_name(path: Path) -> Path:
    number = 1
    while (name := path.with_name(f"{path.name}.replaced-{number}")).exists():
        number += 1
    return name
