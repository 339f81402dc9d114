"""Plays, solves and teaches every game of the tic-tac-toe family.

>>> import noughts as no
>>> position = no.Game("3x3").start()
>>> position.play("b2")
>>> position.text
'3/1x1/3 o'
"""

from noughts.games import (
    Entry,
    Game,
    IllegalMove,
    InvalidFile,
    InvalidGame,
    InvalidNotation,
    InvalidPosition,
    Outcome,
    Position,
    Side,
    catalogue,
)

__version__ = "0.1.0"

__all__ = [
    "Entry",
    "Game",
    "IllegalMove",
    "InvalidFile",
    "InvalidGame",
    "InvalidNotation",
    "InvalidPosition",
    "Outcome",
    "Position",
    "Side",
    "__version__",
    "catalogue",
]
