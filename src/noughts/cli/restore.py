"""``noughts restore``: the contents of a backup in the place of everything that is saved."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import click

from noughts.cli.backup import BACKUP_FILE, describe
from noughts.cli.options import json_option
from noughts.cli.output import print_json, say
from noughts.store.backup import Contents


@dataclass(frozen=True, kw_only=True)
class RestoredBackup(Contents):
    """A backup that was restored, and the files that have what it replaced."""

    file: str
    kept: list[str]


@click.command(name="restore")
@click.argument("file", type=BACKUP_FILE)
@click.option("--no-settings", is_flag=True, help="Leave the configuration file as it is.")
@json_option()
def command(file: Path, no_settings: bool, as_json: bool) -> None:
    """Replace everything that is saved with the contents of FILE, which noughts backup wrote.

    The file is checked first. The store and the configuration file that it replaces are kept beside the new ones; their
    names end in .replaced-1, .replaced-2 and so on. Stop servers and games that use the store first.

    \b
    noughts restore noughts-backup-2026-11-18.zip
    """
    from noughts.store.backup import restore

    restored = restore(file, with_settings=not no_settings)
    kept = [str(path) for path in restored.kept]
    say(f"restored from {file}: {describe(restored.contents)}", err=True)
    for path in kept:
        say(f"what it replaced is kept as {path}", err=True)
    if as_json:
        print_json(RestoredBackup(**asdict(restored.contents), file=str(file), kept=kept))
