"""Games, positions, notation, drawing and saved playthroughs."""

from noughts.games.catalogue import Entry, catalogue
from noughts.games.errors import IllegalMove, InvalidFile, InvalidGame, InvalidNotation, InvalidPosition
from noughts.games.game import Game
from noughts.games.outcome import Outcome, Side
from noughts.games.position import Position

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
    "catalogue",
]
