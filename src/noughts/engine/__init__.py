"""The engine, its limits, and opponents of every strength."""

from noughts.engine.book import Book, BookEntry, InvalidBook
from noughts.engine.engine import Engine, SearchResult
from noughts.engine.levels import LEVELS, EnginePlayer, FixedDepthPlayer, Level, LevelPlayer, level
from noughts.engine.limit import ClockReading, Limit, subtract_overhead

__all__ = [
    "LEVELS",
    "Book",
    "BookEntry",
    "ClockReading",
    "Engine",
    "EnginePlayer",
    "FixedDepthPlayer",
    "InvalidBook",
    "Level",
    "LevelPlayer",
    "Limit",
    "SearchResult",
    "level",
    "subtract_overhead",
]
