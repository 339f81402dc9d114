"""The keys of the full-screen game: one table for the bindings, the footer, the help and the command palette."""

from __future__ import annotations

from typing import NamedTuple

from textual.binding import Binding
from textual.content import Content

from noughts.cli.full.screens import table
from noughts.cli.terminal.commands import COMMANDS
from noughts.games import Game

__all__ = ["KEYS", "KeyBinding", "bindings", "help_text"]


class KeyBinding(NamedTuple):
    """A key, the action of the app, its name, and what it does."""

    keys: str
    shown: str
    action: str
    title: str
    about: str
    in_footer: bool = False


KEYS = (
    KeyBinding("u", "u", "line('undo')", "Undo", "take your last move back", True),
    KeyBinding("r", "r", "line('redo')", "Redo", "replay what was taken back"),
    KeyBinding("h", "h", "line('hint')", "Hint", "the idea; pressed again, the move and why", True),
    KeyBinding("a", "a", "toggle_analysis", "Analysis", "best moves with values and lines, live", True),
    KeyBinding("1,2,3", "1 2 3", "pick_line(-1)", "Preview", "show a line of the analysis on the board"),
    KeyBinding("comma,left_square_bracket", ", [", "step(-1)", "Back", "look at the position before"),
    KeyBinding("full_stop,right_square_bracket", ". ]", "step(1)", "Forward", "look at the next position"),
    KeyBinding("home", "Home", "step(-9999)", "First", "look at the first position"),
    KeyBinding("end", "End", "step(9999)", "Last", "return to the present"),
    KeyBinding("c", "c", "continue_here", "Continue here", "play on from the position shown"),
    KeyBinding("g", "g", "choose_game", "Game", "another game, opponent, side or clock", True),
    KeyBinding("n", "n", "begin_again", "New", "begin another game with these rules", True),
    KeyBinding("o", "o", "open_saved", "Open", "continue or look at a saved game"),
    KeyBinding("s", "s", "type('save ')", "Save", "write the game to a file, .ngn or .sgf"),
    KeyBinding("v", "v", "line('review')", "Review", "the mistakes, and what was better"),
    KeyBinding("w", "w", "line('swap')", "Swap", "change sides"),
    KeyBinding("d", "d", "line('draw?')", "Offer draw", "offer a draw"),
    KeyBinding("R", "R", "resign", "Resign", "resign the game"),
    KeyBinding("l", "l", "toggle_lines", "Lines", "show the lines through the cell under the cursor"),
    KeyBinding("p", "p", "pause", "Pause", "stop and continue two engines that play"),
    KeyBinding("t", "t", "toggle_theme", "Theme", "dark or light"),
    KeyBinding("colon", ":", "type", "Type", "type a move or a command", True),
    KeyBinding("question_mark,f1", "?", "help", "Help", "this page", True),
    KeyBinding("q", "q", "leave", "Quit", "leave; an unfinished game stays saved", True),
)
BOARD_KEYS = (
    ("arrows, mouse", "move the cursor; shift goes far"),
    ("Enter, click", "play in the cell under the cursor"),
    ("space", "the same"),
    ("PgUp PgDn", "the same cell on the next level or slice"),
)


def bindings() -> list[Binding]:
    """Return the bindings. In the footer, Quit and Help come first: a narrow terminal cuts off the last ones."""
    found = []
    for key in sorted(KEYS, key=lambda key: key.title not in ("Quit", "Help")):
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
