"""Groups of commands: alone they print their help, and a mistyped command gets the nearest one."""

from __future__ import annotations

import click

from noughts.games.quoting import nearest, quote
from noughts.invocation import command_line

__all__ = ["BotCommand", "HelpfulGroup"]


class HelpfulGroup(click.Group):
    """A group that, without a command, prints its help on standard output and leaves with 0."""

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
        return super().resolve_command(ctx, args)


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
