"""Groups of commands: alone they print their help, and a mistyped command gets the nearest one."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from noughts.games.quoting import nearest, quote
from noughts.invocation import command_line

__all__ = ["BotCommand", "HelpfulGroup"]


LEAST_WIDTH = 50
"""Columns in which two columns of help fit side by side."""
WORD_PART = re.compile(r"[^\s|:/]*[|:/]*\s*")
"""What stays together in a narrow terminal: a word, or a part of one such as a choice before its ``|``."""


class _HelpFormatter(click.HelpFormatter):
    """Writes help for terminals of any width: in narrow ones the explanation stands below the option."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options or commands with their explanations, in two columns or stacked."""
        rows = list(rows)
        widest = self.current_indent + max(len(term.strip()) for term, _ in rows)
        if self.width >= max(LEAST_WIDTH, widest):
            super().write_dl(rows, col_max, col_spacing)
            return
        for term, about in rows:
            for indent, text in ((0, term), (4, about)):
                self._write_lines(text.strip(), self.current_indent + indent)

    def _write_lines(self, text: str, indent: int) -> None:
        line = ""
        for part in WORD_PART.findall(text):
            if line.strip() and indent + len((line + part).rstrip()) > self.width:
                self.write(f"{'':>{indent}}{line.rstrip()}\n")
                line = ""
            line += part
        self.write(f"{'':>{indent}}{line.rstrip()}\n" if line else "")


class _HelpContext(click.Context):
    formatter_class = _HelpFormatter


class HelpfulGroup(click.Group):
    """A group that, without a command, prints its help on standard output and leaves with 0."""

    context_class = _HelpContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; none at all is a request for help, not an error."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments begin with; an unknown one is a usage error with a suggestion."""
        word = args[0]
        if self.get_command(ctx, word) is None and not ctx.resilient_parsing and not word.startswith("-"):
            names = self.list_commands(ctx)
            near = nearest(word, names)
            hint = f"did you mean {near}?" if near else f"{command_line(*_words(ctx), '--help')} lists them"
            ctx.fail(f"no such command {quote(word)}; {hint}")
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            command.context_class = _HelpContext
        return name, command, rest


def _words(ctx: click.Context) -> list[str]:
    """Return the words of a command after the program's name."""
    return [] if ctx.parent is None else [*_words(ctx.parent), ctx.info_name or ""]


class BotCommand(click.Command):
    """A command that runs bots as programs; where that is impossible it says so instead of running."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, or raise a usage error on a system that lacks what bots need. Help always works."""
        from noughts.process.sandbox import why_no_programs

        why = why_no_programs()
        if why is not None:
            ctx.fail(why)
        return super().invoke(ctx)
