"""``noughts backup``: everything that is saved, in one file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

import click

from noughts.cli.options import json_option
from noughts.cli.output import print_json, say
from noughts.cli.types import File
from noughts.games.quoting import count
from noughts.store.backup import Contents

__all__ = ["BACKUP_FILE", "command", "describe"]

BACKUP_FILE = File(".zip")


@dataclass(frozen=True, kw_only=True)
class WrittenBackup(Contents):
    """A backup that was written."""

    file: str
    bytes: int


@click.command(name="backup")
@click.argument("file", type=BACKUP_FILE, required=False)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@json_option()
def command(file: Path | None, force: bool, as_json: bool) -> None:
    """Write everything that is saved to FILE, a ZIP archive; by default noughts-backup-DATE.zip in this folder.

    A backup contains the store (saved games, games between friends on the web page, tournaments, solved positions) and
    the configuration file. It does not contain unfinished solves, training runs and cups, which have their own folders.

    A server and games may run meanwhile: the backup is a consistent copy of what was saved when it began.

    \b
    noughts backup
    noughts backup /media/disk/noughts.zip --force
    noughts restore noughts-backup-2026-11-18.zip
    """
    from noughts.store.backup import back_up

    path = file or Path(f"noughts-backup-{datetime.now():%Y-%m-%d}.zip")
    if path.exists() and not force:
        raise click.ClickException(f"{path} already exists; --force overwrites it")
    contents = back_up(path)
    size = path.stat().st_size
    say(f"backup written to {path}: {describe(contents)}", err=True)
    if as_json:
        print_json(WrittenBackup(**asdict(contents), file=str(path), bytes=size))


def describe(contents: Contents) -> str:
    """Return the contents of a backup in words."""
    parts = [
        count(contents.games, "saved game"),
        count(contents.friend_games, "game") + " between friends",
        count(contents.tournaments, "tournament"),
        count(contents.solved, "solved position"),
    ]
    return ", ".join(parts) + (" and the settings" if contents.settings else "")
