"""``noughts convert``: converts saved playthroughs between formats."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

import click

from noughts.cli.options import json_option
from noughts.cli.output import explained, print_json
from noughts.cli.types import PLAYTHROUGH_SUFFIXES, File
from noughts.games.atomic_file import write_file
from noughts.games.formats import FORMATS, decode, format_of, format_plays, parse_plays
from noughts.games.quoting import count, escape_lines

STANDARD = "-"
TYPE = File(*PLAYTHROUGH_SUFFIXES, as_text=True, dir_okay=True, allow_dash=True)


@dataclass(frozen=True)
class ConvertedPlaythrough:
    """A playthrough that was converted."""

    game: str
    plies: int
    result: str


@dataclass(frozen=True)
class Conversion:
    """The names and formats of both files, and what they contain."""

    in_: str
    out: str
    from_: str
    to: str
    playthroughs: list[ConvertedPlaythrough]
    left_out: list[str]
    text: str | None
    """The new text, if it was not written to a file."""


@click.command()
@click.argument("source", type=TYPE, metavar="IN")
@click.argument("target", type=TYPE, metavar="[OUT]", default=STANDARD)
@click.option(
    "--from", "source_format", type=click.Choice(FORMATS), help="Format of IN; by default from its name or text."
)
@click.option("--to", "target_format", type=click.Choice(FORMATS), help="Format of OUT. Default: by its name.")
@click.option("--force", is_flag=True, help="Overwrite OUT if it exists.")
@json_option("Report as JSON.")
def command(
    source: str, target: str, source_format: str | None, target_format: str | None, force: bool, as_json: bool
) -> None:
    """Convert saved games between .ngn and SGF.

    IN and OUT are files; - is standard input or output. Without OUT the text goes to standard output, in the other
    format. An existing file is overwritten only with --force.
    """
    data = _read(source)
    old = source_format or _source_format(source, data)
    new = target_format or _target_format(target, old)
    plays = parse_plays(data, old, "standard input" if source == STANDARD else source)
    text = format_plays(plays, new)
    omitted = _left_out(data, old)
    for item in omitted:
        click.echo(f"left out: {item}", err=True)
    if target != STANDARD:
        _write(target, text, force)
    converted = [ConvertedPlaythrough(play.game.id, len(play.moves), play.result) for play in plays]
    printed = text if target == STANDARD else None
    _report(Conversion(source, target, old, new, converted, omitted, printed), as_json)


def _read(source: str) -> bytes:
    if source == STANDARD:
        return sys.stdin.buffer.read()
    with explained(f"cannot read {source}"), open(source, "rb") as file:
        data: bytes = file.read()
    return data


def _source_format(source: str, data: bytes) -> str:
    """The format from the name, or for standard input from the first character."""
    if source != STANDARD:
        return format_of(source)
    return "sgf" if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"(") else "ngn"


def _target_format(target: str, old: str) -> str:
    if target != STANDARD:
        return format_of(target)
    return "sgf" if old == "ngn" else "ngn"


def _left_out(data: bytes, old: str) -> list[str]:
    from noughts.games.formats.sgf import left_out

    return left_out(decode(data, old)) if old == "sgf" else []


def _write(target: str, text: str, force: bool) -> None:
    if os.path.isfile(target) and not force:
        raise click.UsageError(f"{target} already exists; --force overwrites it")
    with explained(f"cannot write {target}"):
        write_file(target, text)


def _report(done: Conversion, as_json: bool) -> None:
    """Report the conversion; without OUT the text itself is printed."""
    if as_json:
        print_json(done)
    elif done.text is not None:
        on_screen = sys.stdout.isatty()  # a pipe gets the file unchanged
        click.echo(escape_lines(done.text) if on_screen else done.text.encode(), nl=False)
    else:
        click.echo(f"{done.in_} -> {done.out}: {count(len(done.playthroughs), 'playthrough')}", err=True)
