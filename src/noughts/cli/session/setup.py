"""The questions before a game: which one, against whom, and who begins."""

from __future__ import annotations

import random
from collections.abc import Callable

from noughts.cli.session.reader import Reader
from noughts.cli.session.seats import PEOPLE, bot_names
from noughts.games import Game, Side, catalogue

__all__ = ["Setup", "ask_game", "ask_players", "choose_beginner"]

Players = dict[Side, str]
Say = Callable[[str], None]


class Setup:
    """Asks with menus. A wrong answer is asked again; at the end of the input the first choice is taken."""

    def __init__(self, reader: Reader, say: Say) -> None:
        self._reader = reader
        self._say = say

    def choose(self, title: str, choices: dict[str, str], default: str, other: Callable[[str], str]) -> str:
        """Return the name of a choice, picked by its number or name; ``other`` takes anything else or raises."""
        self._say(f"\n{title}")
        for number, (name, about) in enumerate(choices.items(), start=1):
            self._say(f"  {number:>2}  {name:<20} {about}")
        names = list(choices)
        while True:
            line = self._reader.read(f"number or name [{default}]: ")
            word = (line or "").strip()
            if not word:
                return default
            if word.isascii() and word.isdigit() and 1 <= int(word) <= len(names):
                return names[int(word) - 1]
            if word.lower() in choices:
                return word.lower()
            try:
                return other(word)
            except (ValueError, OSError) as error:
                self._say(str(error))


def ask_game(setup: Setup, find: Callable[[str], Game]) -> Game:
    """Ask which game: one of the catalogue, any id, or a file with a game of one's own."""

    def other(word: str) -> str:
        find(word)
        return word

    choices = {entry.name: entry.about for entry in catalogue()}
    return find(setup.choose("Which game? (or type any id, such as 6x6:4)", choices, "tictactoe", other))


def ask_players(setup: Setup, default: str) -> Players:
    """Ask against whom and who begins; returns the players' names, X begins."""
    choices = {"friend": PEOPLE["friend"], **bot_names(), "watch": "watch two of them play"}
    opponent = setup.choose("Against whom?", choices, default, _refuse)
    if opponent == "watch":
        sides = [setup.choose(f"Who plays {side}?", bot_names(), default, _refuse) for side in Side]
        return dict(zip(Side, sides, strict=True))
    beginners = {"you": "you are X", "opponent": "you are O", "coin": "flip a coin"}
    return choose_beginner(opponent, setup.choose("Who begins?", beginners, "you", _refuse), None)


def choose_beginner(opponent: str, first: str, seed: int | None) -> Players:
    """Return who plays which side when ``you``, the ``opponent`` or a ``coin`` begins."""
    if first == "coin":
        first = random.Random(seed).choice(["you", "opponent"])
    pair = ["you", opponent] if first == "you" else [opponent, "you"]
    return dict(zip(Side, pair, strict=True))


def _refuse(word: str) -> str:
    raise ValueError(f"expected a number or a name of the list, got {word[:40]!r}")
