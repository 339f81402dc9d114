"""The questions before a game: which game, against whom, and who begins."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable

from noughts.cli.output import terminal_width
from noughts.cli.terminal.input import PromptInput
from noughts.games import Game, Side, catalogue, find_game
from noughts.games.quoting import quote
from noughts.players import PEOPLE, normalise_name, player_names

__all__ = ["Back", "Menu", "Players", "Quit", "ask_game", "ask_players", "assign_sides"]

Players = dict[Side, str]
Say = Callable[[str], None]
COMMON = ("tictactoe", "connect4", "qubic", "ultimate", "gomoku", "5x5:4", "3x3x3", "4x4x4+gravity", "ultimate4")
"""The games of the first menu; ``more`` shows the whole catalogue."""
NAME_WIDTH = 22
MIN_COLUMN_WIDTH = 20
QUIT, BACK, HELP = ("quit", "q", "exit", "bye"), ("back",), ("help", "?")
ABOUT_ANSWERS = (
    "Type a number or a name from the list, or press enter for the one in brackets. "
    "back returns to the previous question, quit leaves."
)


class Quit(Exception):
    """The answer was to quit."""


class Back(Exception):
    """The answer was to return to the previous question."""


class Menu:
    """Questions with numbered choices. An invalid answer repeats the question; at the end of a script, the default is
    chosen."""

    def __init__(self, prompts: PromptInput, say: Say) -> None:
        self._input = prompts
        self._say = say

    def choose(self, title: str, choices: dict[str, str], default: str, other: Callable[[str], str]) -> str:
        """Return the name of a choice, chosen by its number or name; other answers go to ``other``, which may raise
        ValueError. Raises Quit or Back if that is the answer.
        """
        self._show(title, choices)
        while True:
            line = self._input.read(f"number, name or quit [{default}]: ")
            if line is None and self._input.is_keyboard:
                raise Quit
            word = (line or "").strip()
            try:
                return self._find_choice(word, choices) or other(word) if word else default
            except (ValueError, OSError) as error:
                self.say(str(error))

    def _find_choice(self, word: str, choices: dict[str, str]) -> str | None:
        """Return the choice with a number or name, None if there is none; raises ValueError, Quit or Back."""
        name = word.lower()
        if name in choices:
            return name
        if name in QUIT:
            raise Quit
        if name in BACK:
            raise Back
        if name in HELP:
            raise ValueError(ABOUT_ANSWERS)
        if not (word.isascii() and word.isdigit()):
            return None
        if len(word) > 3 or not 1 <= int(word) <= len(choices):
            raise ValueError(f"expected a number from 1 to {len(choices)}, got {quote(word)}")
        return [*choices][int(word) - 1]

    def say(self, text: str) -> None:
        """Print a text in lines that fit the terminal."""
        self._say(textwrap.fill(text, terminal_width(), break_on_hyphens=False))

    def _show(self, title: str, choices: dict[str, str]) -> None:
        self._say("")
        self.say(title)
        column = min(NAME_WIDTH, 2 + max(map(len, choices)))
        width = terminal_width()
        for number, (name, about) in enumerate(choices.items(), start=1):
            head = f"  {number:>2}  {name:<{column}}"
            if width - len(head) < MIN_COLUMN_WIDTH:  # the description goes below the name
                self._say(head.rstrip())
                head = " " * 6
            indent = " " * len(head)
            self._say(textwrap.fill(head + about, width, subsequent_indent=indent, break_on_hyphens=False))


def ask_game(menu: Menu, default: str) -> Game:
    """Ask for the game: one of the catalogue, any id, or a file with a custom game."""

    def other(word: str) -> str:
        find_game(word)
        return word

    about = {entry.name: entry.about for entry in catalogue()}
    common = {name: about[name] for name in COMMON}
    few = common | {"more": f"show all {len(about)}"}
    every = common | about  # in this order, so that a game has the same number in both lists
    while True:
        try:
            chosen = menu.choose("Which game? Or type any id, such as 6x6:4.", few, default, other)
        except Back:
            menu.say("this is the first question; quit leaves")
            continue
        try:
            return find_game(menu.choose("All games:", every, default, other) if chosen == "more" else chosen)
        except Back:
            continue


def ask_players(menu: Menu, default: str, seed: int | None = None) -> Players:
    """Ask for the opponent and who begins; returns the players' names. Raises Back at the first question."""
    choices = {"friend": PEOPLE["friend"], **player_names(), "watch": "watch two of them play"}
    title = "Against whom? Or type bot:COMMAND for your own program."
    while True:
        opponent = menu.choose(title, choices, default, _command)
        try:
            return _ask_sides(menu, opponent, default, seed)
        except Back:
            continue


def _ask_sides(menu: Menu, opponent: str, default: str, seed: int | None) -> Players:
    if opponent == "watch":
        sides = [menu.choose(f"Who plays {side}?", player_names(), default, _command) for side in Side]
        return dict(zip(Side, sides, strict=True))
    other = "friend" if opponent in PEOPLE else "engine"
    beginners = {"you": "you are X", other: "you are O", "coin": "flip a coin"}
    return assign_sides(opponent, menu.choose("Who begins?", beginners, "you", _refuse), seed)


def assign_sides(opponent: str, first: str, seed: int | None) -> Players:
    """Return the players by side if ``first`` begins: ``you``, a ``coin``, or any other word for the opponent."""
    if first == "coin":
        first = random.Random(seed).choice(["you", opponent])
    pair = ["you", opponent] if first == "you" else [opponent, "you"]
    return dict(zip(Side, pair, strict=True))


def _command(word: str) -> str:
    """Return the name of a program; raises ValueError for any other word."""
    return normalise_name(word) if word.lower().startswith("bot:") else _refuse(word)


def _refuse(word: str) -> str:
    raise ValueError(f"expected a number or a name from the list, got {quote(word)}")
