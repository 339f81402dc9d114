"""How commands say something that may quote a file, a bot, a name or what was typed."""

from __future__ import annotations

import click

from noughts.games.plain import plain_lines

__all__ = ["say"]


def say(text: str, err: bool = False) -> None:
    """Print lines without anything that a terminal would obey."""
    click.echo(plain_lines(text), err=err)
