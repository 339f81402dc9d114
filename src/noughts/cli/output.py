"""Printing text that may quote a file, a bot, a name or the command line."""

from __future__ import annotations

import click

from noughts.games.plain import plain_lines

__all__ = ["say"]


def say(text: str, err: bool = False) -> None:
    """Print lines with their control characters escaped."""
    click.echo(plain_lines(text), err=err)
