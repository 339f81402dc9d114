"""Printing text that may quote a file, a bot, a name or the command line."""

from __future__ import annotations

import click

from noughts.games.quoting import escape_lines

__all__ = ["say"]


def say(text: str, err: bool = False) -> None:
    """Print lines with their control characters escaped."""
    click.echo(escape_lines(text), err=err)
