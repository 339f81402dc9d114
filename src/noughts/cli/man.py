"""``noughts man``: the manual pages."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from noughts.cli.main import COMMANDS, group
from noughts.cli.output import explained
from noughts.games.atomic_file import write_file
from noughts.games.quoting import count


@click.command(name="man")
@click.argument("name", metavar="[COMMAND]", required=False, type=click.Choice(sorted(COMMANDS)))
@click.option(
    "--output", "-o", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="Write all pages to a folder instead, for a package or ~/.local/share/man/man1.",
)  # fmt: skip
def command(name: str | None, folder: Path | None) -> int:
    """Show the manual page of noughts or of COMMAND; in a pipe it is printed as its source, in roff.

    Pages that are installed can also be read by man noughts and man noughts-COMMAND.

    \b
    noughts man play
    noughts man -o ~/.local/share/man/man1
    """
    from noughts import __version__
    from noughts.cli.manual import format_pages

    if name is not None and folder is not None:
        raise click.UsageError("expected a command or --output, which writes all pages, got both")
    pages = format_pages(group, __version__)
    if folder is not None:
        _write(pages, folder)
        return 0
    file = "noughts.1" if name is None else f"noughts-{name}.1"
    if sys.stdout.isatty():
        return _show(file, pages[file])
    click.echo(pages[file], nl=False)
    return 0


def _write(pages: dict[str, str], folder: Path) -> None:
    with explained(f"cannot write to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            write_file(folder / name, text)
    click.echo(f"{folder}: {count(len(pages), 'page')}", err=True)


def _show(file: str, text: str) -> int:
    """Show a page with the system's man and its pager; returns the exit code."""
    man = shutil.which("man")
    if man is None:
        raise click.ClickException("there is no man program to show the page; noughts --help has the same text")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file)
        path.write_text(text, encoding="utf-8")
        return subprocess.run([man, str(path)], check=False).returncode
