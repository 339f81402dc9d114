"""Plays, solves and teaches every game of the tic-tac-toe family.

>>> import noughts as no
>>> position = no.Game("3x3").start()
>>> position.play("b2")
>>> position.text
'3/1x1/3 o'
"""

from typing import TYPE_CHECKING

from noughts.engine import LEVELS, Engine, Level, LevelPlayer, Limit, SearchResult, level
from noughts.games import (
    Entry,
    Eval,
    Game,
    GameOver,
    IllegalMove,
    InvalidFile,
    InvalidGame,
    InvalidNotation,
    InvalidPosition,
    Outcome,
    Playthrough,
    Position,
    ProvenValue,
    Side,
    Termination,
    UnknownGame,
    Value,
    Variation,
    catalogue,
    find_game,
    load,
    load_all,
    load_game,
    save,
    save_game,
)
from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.proof.proof import InvalidProof, Proof
    from noughts.proof.solver import Solution, Solver, solve
    from noughts.proof.verify import verify

__version__ = "0.1.0"

__all__ = [
    "LEVELS",
    "Engine",
    "Entry",
    "Eval",
    "Game",
    "GameOver",
    "IllegalMove",
    "InvalidFile",
    "InvalidGame",
    "InvalidNotation",
    "InvalidPosition",
    "InvalidProof",
    "Level",
    "LevelPlayer",
    "Limit",
    "Outcome",
    "Playthrough",
    "Position",
    "Proof",
    "ProvenValue",
    "SearchResult",
    "Side",
    "Solution",
    "Solver",
    "Termination",
    "UnknownGame",
    "Value",
    "Variation",
    "__version__",
    "catalogue",
    "find_game",
    "level",
    "load",
    "load_all",
    "load_game",
    "save",
    "save_game",
    "solve",
    "verify",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".proof.proof": ["InvalidProof", "Proof"],
        ".proof.solver": ["Solution", "Solver", "solve"],
        ".proof.verify": ["verify"],
    },
)
