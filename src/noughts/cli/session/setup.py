"""The questions before a game: which one, against whom, and who begins."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable

from noughts.cli.session.reader import Reader
from noughts.cli.session.seats import COMMAND_PREFIX, PEOPLE, bot_names, default_bot, make_seat
from noughts.cli.session.terminal import terminal_width
from noughts.games import Game, Side, catalogue, find_game

__all__ = ["Players", "Setup", "ask_game", "ask_players", "choose_beginner"]

Players = dict[Side, str]
Say = Callable[[str], None]
COMMON = ("tictactoe", "connect4", "qubic", "ultimate", "gomoku", "5x5:4", "3x3x3", "4x4x4+gravity", "ultimate4")
"""The games of the first menu; ``more`` shows the whole catalogue."""
NAME_WIDTH = 22


class Setup:
    """Asks with menus. A wrong answer is asked again; at the end of the input the first choice is taken."""

    def __init__(self, reader: Reader, say: Say) -> None:
        self._reader = reader
        self._say = say

    def choose(self, title: str, choices: dict[str, str], default: str, other: Callable[[str], str]) -> str:
        """Return the name of a choice, picked by its number or name; ``other`` takes anything else or raises."""
        self._show(title, choices)
        names = list(choices)
        while True:
            word = (self._reader.read(f"number or name [{default}]: ") or "").strip()
            if not word:
                return default
            numbers = {str(number): name for number, name in enumerate(names, start=1)}
            if word in numbers:
                return numbers[word]
            if word.lower() in choices:
                return word.lower()
            try:
                return other(word)
            except (ValueError, OSError) as error:
                self._say(textwrap.fill(str(error), terminal_width(), break_on_hyphens=False))

    def _show(self, title: str, choices: dict[str, str]) -> None:
        self._say(f"\n{title}")
        column = min(NAME_WIDTH, 2 + max(map(len, choices)))
        indent = " " * (6 + column)
        for number, (name, about) in enumerate(choices.items(), start=1):
            line = f"  {number:>2}  {name:<{column}}{about}"
            self._say(textwrap.fill(line, terminal_width(), subsequent_indent=indent, break_on_hyphens=False))


def ask_game(setup: Setup) -> Game:
    """Ask which game: one of the catalogue, any id, or a file with a game of one's own."""

    def other(word: str) -> str:
        find_game(word)
        return word

    about = {entry.name: entry.about for entry in catalogue()}
    common = {name: about[name] for name in COMMON} | {"more": f"show all {len(about)}"}
    chosen = setup.choose("Which game? Or type any id, such as 6x6:4.", common, "tictactoe", other)
    if chosen == "more":
        chosen = setup.choose("All games:", about, "tictactoe", other)
    return find_game(chosen)


def ask_players(setup: Setup, seed: int | None = None) -> Players:
    """Ask against whom and who begins; returns the players' names, X begins."""
    default = default_bot()
    choices = {"friend": PEOPLE["friend"], **bot_names(), "watch": "watch two of them play"}
    title = f"Against whom? Or type {COMMAND_PREFIX}COMMAND for a program of your own."
    opponent = setup.choose(title, choices, default, _command)
    if opponent == "watch":
        sides = [setup.choose(f"Who plays {side}?", bot_names(), default, _command) for side in Side]
        return dict(zip(Side, sides, strict=True))
    other = "friend" if opponent in PEOPLE else "engine"
    beginners = {"you": "you are X", other: "you are O", "coin": "flip a coin"}
    return choose_beginner(opponent, setup.choose("Who begins?", beginners, "you", _refuse), seed)


def choose_beginner(opponent: str, first: str, seed: int | None) -> Players:
    """Return who plays which side when ``you``, a ``coin`` or, by any other name, the opponent begins."""
    if first == "coin":
        first = random.Random(seed).choice(["you", opponent])
    pair = ["you", opponent] if first == "you" else [opponent, "you"]
    return dict(zip(Side, pair, strict=True))


def _command(word: str) -> str:
    """Take a program of one's own; raises ValueError when it is none."""
    return make_seat(word).name if word.lower().startswith(COMMAND_PREFIX) else _refuse(word)


def _refuse(word: str) -> str:
    raise ValueError(f"expected a number or a name of the list, got {word[:40]!r}")
