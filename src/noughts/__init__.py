"""Plays, solves and teaches every game of the tic-tac-toe family.

>>> import noughts as no
>>> position = no.Game("3x3").start()
>>> position.play("b2")
>>> position.text
'3/1x1/3 o'
"""

from noughts.engine import LEVELS, Engine, InvalidProof, Level, Limit, Proof, SearchResult, level, verify
from noughts.games import (
    Entry,
    Eval,
    Game,
    IllegalMove,
    InvalidFile,
    InvalidGame,
    InvalidNotation,
    InvalidPosition,
    Outcome,
    Playthrough,
    Position,
    Side,
    catalogue,
    find_game,
    load,
    load_all,
    load_game,
    save,
    save_game,
)

__version__ = "0.1.0"

__all__ = [
    "LEVELS",
    "Engine",
    "Entry",
    "Eval",
    "Game",
    "IllegalMove",
    "InvalidFile",
    "InvalidGame",
    "InvalidNotation",
    "InvalidPosition",
    "InvalidProof",
    "Level",
    "Limit",
    "Outcome",
    "Playthrough",
    "Position",
    "Proof",
    "SearchResult",
    "Side",
    "__version__",
    "catalogue",
    "find_game",
    "level",
    "load",
    "load_all",
    "load_game",
    "save",
    "save_game",
    "verify",
]
