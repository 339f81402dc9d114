"""The commands one can type at any prompt instead of a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from noughts.cli.groups import nearest
from noughts.cli.terminal import advice_commands as advice
from noughts.cli.terminal import events
from noughts.cli.terminal import file_commands as files
from noughts.cli.terminal import play_commands as play
from noughts.cli.terminal.session import Session

__all__ = ["COMMANDS", "Command", "find_command", "nearest_command"]

Events = Iterator[events.Event]


@dataclass(frozen=True)
class Command:
    """A command: how it is typed, what it does in a few words, and the function that does it."""

    usage: str
    about: str
    run: Callable[[Session, str], Events]


def find_command(line: str) -> tuple[Command | None, str]:
    """Return the command a line calls and what follows its name; None when it is none."""
    name, _, argument = line.partition(" ")
    name = ALIASES.get(name.lower(), name.lower())
    return (COMMANDS | HIDDEN).get(name), argument.strip()


def nearest_command(line: str) -> str | None:
    """Return the command that a mistyped line probably meant, None when nothing is near."""
    return nearest(line.partition(" ")[0], COMMANDS)


def show_help(session: Session, argument: str) -> Events:
    """Say how to move and what can be typed."""
    how = session.position.game.how_to_type
    lines = [f"  {command.usage:<12} {command.about}" for command in COMMANDS.values()]
    text = "\n".join([f"A move is {how}. Instead of a move you can type:", *lines])
    data = {"move": how} | {name: command.about for name, command in COMMANDS.items()}
    yield events.Said("help", text, data)


def leave(session: Session, argument: str) -> Events:
    """End the session; an unfinished game is kept."""
    yield from session.leave("quit")


COMMANDS = {
    "undo": Command("undo", "take your last move back", play.undo),
    "redo": Command("redo", "play again what was taken back", play.redo),
    "hint": Command("hint", "an idea; typed again, a move and why", advice.hint),
    "eval": Command("eval", "who is ahead", advice.evaluate),
    "moves": Command("moves", "the legal moves, and those played", advice.moves),
    "board": Command("board", "draw the board again", advice.board),
    "save": Command("save FILE", "write the game to a file, .ngn or .sgf", files.save),
    "load": Command("load FILE", "go on with a game from a file", files.load),
    "swap": Command("swap", "change sides", play.swap),
    "level": Command("level NAME", "another opponent; alone, lists them", play.level),
    "new": Command("new", "begin another game", play.new),
    "resign": Command("resign", "give the game up", play.resign),
    "draw?": Command("draw?", "offer a draw", play.offer_draw),
    "review": Command("review", "the mistakes, and what was better", advice.review),
    "stats": Command("stats", "your results so far", advice.stats),
    "help": Command("help", "show this", show_help),
    "quit": Command("quit", "leave; an unfinished game is kept", leave),
}
"""Every command by its name."""

HIDDEN = {"save!": Command("save! FILE", "write over a file that is there", files.save_over)}
"""Commands that help need not list: another one names them when they are wanted."""

ALIASES = {"?": "help", "exit": "quit", "bye": "quit", "draw": "draw?"}
