"""How ``noughts arena check`` tells what it found."""

from __future__ import annotations

import click

from noughts.arena.check import Check
from noughts.cli.output import say
from noughts.games.quoting import escape_control_characters

__all__ = ["tell_check"]


def tell_check(check: Check) -> None:
    """Print a line about a check, and below it what was said where it failed."""
    mark = "note" if check.is_remark else "ok" if check.passed else "FAIL"
    colour = {"ok": "green", "FAIL": "red", "note": "cyan"}[mark]
    detail = f": {check.detail}" if check.detail else ""
    click.echo(f"{click.style(f'{mark:4}', fg=colour)}  {escape_control_characters(check.name + detail)}")
    if not check.passed:
        for line in check.exchange:
            say(f"        {line}")
        for line in check.stderr.splitlines()[-5:]:
            say(f"        stderr: {line}")
