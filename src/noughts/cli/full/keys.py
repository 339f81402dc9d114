"""The keys of the full-screen game: one table for the bindings, the footer, the help and the command palette."""

from __future__ import annotations

from typing import NamedTuple

from textual.binding import Binding
from textual.content import Content

from noughts.cli.full.screens import table
from noughts.cli.terminal.commands import COMMANDS
from noughts.games import Game

__all__ = ["KEYS", "Key", "bindings", "help_text"]


class Key(NamedTuple):
    """A key, the action of the app, its name, and what it does."""

    keys: str
    shown: str
    action: str
    title: str
    about: str
    in_footer: bool = False


KEYS = (
    Key("u", "u", "line('undo')", "Undo", "take your last move back", True),
    Key("r", "r", "line('redo')", "Redo", "replay what was taken back"),
    Key("h", "h", "line('hint')", "Hint", "the idea; pressed again, the move and why", True),
    Key("a", "a", "toggle_analysis", "Analysis", "best moves with values and lines, live", True),
    Key("1,2,3", "1 2 3", "pick_line(-1)", "Preview", "show a line of the analysis on the board"),
    Key("comma,left_square_bracket", ", [", "step(-1)", "Back", "look at the position before"),
    Key("full_stop,right_square_bracket", ". ]", "step(1)", "Forward", "look at the next position"),
    Key("home", "Home", "step(-9999)", "First", "look at the first position"),
    Key("end", "End", "step(9999)", "Last", "return to the present"),
    Key("c", "c", "continue_here", "Continue here", "play on from the position shown"),
    Key("g", "g", "choose_game", "Game", "another game, opponent, side or clock", True),
    Key("n", "n", "begin_again", "New", "begin another playthrough of this game", True),
    Key("o", "o", "open_saved", "Open", "continue or look at a kept playthrough"),
    Key("s", "s", "type('save ')", "Save", "write the playthrough to a file, .ngn or .sgf"),
    Key("v", "v", "line('review')", "Review", "the mistakes, and what was better"),
    Key("w", "w", "line('swap')", "Swap", "change sides"),
    Key("d", "d", "line('draw?')", "Offer draw", "offer a draw"),
    Key("R", "R", "resign", "Resign", "resign the game"),
    Key("l", "l", "toggle_lines", "Lines", "show the lines through the cell under the cursor"),
    Key("p", "p", "pause", "Pause", "stop and continue two engines that play"),
    Key("t", "t", "toggle_theme", "Theme", "dark or light"),
    Key("colon", ":", "type", "Type", "type a move or a command", True),
    Key("question_mark,f1", "?", "help", "Help", "this page", True),
    Key("q", "q", "leave", "Quit", "leave; an unfinished game stays saved", True),
)
BOARD_KEYS = (
    ("arrows, mouse", "move the cursor; shift goes far"),
    ("Enter, click", "play in the cell under the cursor"),
    ("space", "the same"),
    ("PgUp PgDn", "the same cell on the next level or slice"),
)


def bindings() -> list[Binding]:
    found = []
    for key in KEYS:
        for each in key.keys.split(",") if key.action.startswith("pick_line") else [key.keys]:
            action = key.action.replace("-1", each) if key.action.startswith("pick_line") else key.action
            found.append(Binding(each, action, key.title, show=key.in_footer, key_display=key.shown))
    return found


def help_text(game: Game) -> Content:
    """Return all keys, how to type a move, and the commands."""
    parts = [
        table(BOARD_KEYS, "On the board"),
        table([(key.shown, f"{key.title}: {key.about}") for key in KEYS], "Keys"),
        table([(command.usage, command.about) for command in COMMANDS.values()], "Typed after :"),
        Content(f"A move is {game.how_to_type}. Ctrl+P opens the command palette."),
    ]
    return Content("\n").join(parts)
