"""Games, positions, notation, drawing and saved playthroughs."""

from noughts.games.errors import (
    GameOver,
    IllegalMove,
    InvalidFile,
    InvalidGame,
    InvalidNotation,
    InvalidPosition,
    UnknownGame,
)
from noughts.games.formats import find_game, load, load_all, load_game, save, save_game
from noughts.games.game import Game
from noughts.games.outcome import Outcome, ProvenValue, Side, Termination, Value
from noughts.games.playthrough import Eval, Playthrough
from noughts.games.position import Position
from noughts.games.spec import Entry, catalogue
from noughts.games.variations import Variation
from noughts.lazy import public_names

__all__ = [
    "Entry",
    "Eval",
    "Game",
    "GameOver",
    "IllegalMove",
    "InvalidFile",
    "InvalidGame",
    "InvalidNotation",
    "InvalidPosition",
    "Outcome",
    "Playthrough",
    "Position",
    "ProvenValue",
    "Side",
    "Termination",
    "UnknownGame",
    "Value",
    "Variation",
    "catalogue",
    "find_game",
    "load",
    "load_all",
    "load_game",
    "save",
    "save_game",
]

__dir__ = public_names(__name__)
