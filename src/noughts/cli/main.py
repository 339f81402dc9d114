"""The entry point: finds the subcommand, turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

import click
from click.shell_completion import CompletionItem

from noughts.cli.groups import HelpfulGroup
from noughts.cli.output import system_reason, terminal_width, warn

CLICK_LEAST_WIDTH = 52
"""Click lays out help for this many columns at least, unless it is told otherwise."""
COMPLETE_VARIABLE = "_NOUGHTS_COMPLETE"
"""Set by the scripts of ``noughts completion``: the shell wants candidates, not a command run."""
GROUPS = {
    "Play": {
        "play": "Play a game in the terminal.",
        "web": "Play, analyse and learn in the browser.",
        "rules": "Explain how a game is played, with boards.",
        "puzzle": "Solve puzzles: find the only move that wins or holds the draw.",
        "games": "List, show, resume, export and delete saved games.",
        "stats": "Show your results and your rating.",
        "classic": "Play the five original console programs.",
    },
    "Study": {
        "review": "Review your last game: mistakes, better moves and why.",
        "hint": "Give a hint for a position: the idea first, then the move.",
        "analyse": "Show the engine's best lines for a position.",
        "convert": "Convert saved games between .ngn and SGF.",
    },
    "Compete": {
        "arena": "Run tournaments between bots, rate them and check them.",
        "engine": "Play for another program: UGI, UCI, Gomocup, CodinGame, JSON lines.",
        "judge": "Judge moves for other programs: values, regrets, rated opponents.",
        "mcp": "Serve the games to language models: the Model Context Protocol.",
    },
    "Teach": {
        "tree": "Draw the search tree of a textbook search.",
        "compare": "Compare the textbook searches on a position.",
        "grade": "Grade a search written in Python, and show where it fails.",
        "autograder": "Write an autograder for Gradescope, Otter, nbgrader or check50.",
    },
    "Research": {
        "solve": "Prove whether a position is a win, a draw or a loss.",
        "verify": "Check proofs by the rules alone.",
        "proof": "Look into a proof: its nodes, its moves and its parts.",
        "book": "Show, build and check opening books.",
        "atlas": "Build, show and check the atlas of solved games.",
        "train": "Train a network for a game by self-play.",
        "bench": "Measure the search, or agents against the levels.",
    },
    "Set up": {
        "config": "Show and change the settings.",
        "doctor": "Check the installation: core, storage, terminal and optional parts.",
        "completion": "Print or install the completion script of bash, zsh or fish.",
        "man": "Show the manual pages, or write them to a folder.",
        "backup": "Write everything that is saved to one file.",
        "restore": "Replace everything that is saved with a backup.",
    },
}
"""The subcommands by purpose, with their one-line help; each is in the module of the same name."""
COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}


class LazyGroup(HelpfulGroup):
    """A group that imports a subcommand's module only when that subcommand runs, so that ``--help`` is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the subcommand, or None if it does not exist."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"noughts.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a subcommand. A closed pipe, as in ``noughts games | head``, is not an error."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the subcommands and options that begin with the text without importing any subcommand."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=COMMANDS[name]) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands by purpose without importing any of them."""
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), about) for name, about in commands.items()])


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from noughts import __version__

        click.echo(f"noughts {__version__}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
def group() -> None:
    """Play, solve and study every game of the tic-tac-toe family."""


def main(program: str = "noughts") -> NoReturn:
    """Run the command line and leave with 0, 1 (a check failed), 2 (usage or bad input), 3 (undecided) or 130 (Ctrl-C).

    ``program`` is how the command was called, for its help.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that the terminal cannot show is not an error
    if COMPLETE_VARIABLE in os.environ:
        import_module("noughts.cli.shells")  # the shells register themselves
    try:
        columns = terminal_width()
        code = group.main(
            prog_name=program,
            standalone_mode=False,
            complete_var=COMPLETE_VARIABLE,
            terminal_width=columns if columns < CLICK_LEAST_WIDTH else None,
        )
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        warn(_in_our_style(error.format_message()))
        sys.exit(2)
    except OSError as error:
        warn(_without_number(error))
        sys.exit(2)
    except RecursionError:
        click.echo("noughts: the depth is too large for Python's stack, which holds some hundred plies", err=True)
        sys.exit(2)
    except ValueError as error:
        warn(str(error))
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


def _in_our_style(message: str) -> str:
    """Return a message of click in our style: one line, lower case, no full stop."""
    line = " ".join(message.split()).removesuffix(".")
    return line[:1].lower() + line[1:] if line[1:2].islower() else line


def _without_number(error: OSError) -> str:
    """Return the message of a system error, without its number."""
    reason = system_reason(error)
    return reason if error.filename is None else f"{error.filename}: {reason}"
