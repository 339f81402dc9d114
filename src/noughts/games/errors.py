"""Errors of games, moves and files; every one is a ``ValueError`` with a one-line message."""

from __future__ import annotations

__all__ = ["GameOver", "IllegalMove", "InvalidFile", "InvalidGame", "InvalidNotation", "InvalidPosition"]


class InvalidGame(ValueError):
    """The text or data does not describe a playable game."""


class UnknownGame(InvalidGame):
    """The text does not look like a game id at all; it may have been meant as something else, such as a file name."""


class InvalidNotation(ValueError):
    """The text is not a move of this game in any position."""


class IllegalMove(ValueError):
    """The move exists but may not be played in this position."""


class GameOver(ValueError):
    """The game is over: no side is to move."""

    def __init__(self) -> None:
        super().__init__("the game is over")


class InvalidPosition(ValueError):
    """The text does not describe a position of this game."""


class InvalidFile(ValueError):
    """A saved game or game file cannot be read; the message names the line."""
