"""The engine, its limits, and opponents of every strength."""

from noughts.engine.book import Book, BookEntry, InvalidBook
from noughts.engine.engine import Engine
from noughts.engine.evaluator import Evaluator, Search
from noughts.engine.levels import (
    LEVELS,
    MAX_ELO,
    MIN_ELO,
    RANDOM,
    EnginePlayer,
    Level,
    LevelPlayer,
    is_level_name,
    level,
    rating_of,
)
from noughts.engine.ratings import all_ratings, ratings_of
from noughts.engine.results import SearchResult
from noughts.lazy import public_names
from noughts.limit import ClockReading, Limit, subtract_overhead

__all__ = [
    "LEVELS",
    "MAX_ELO",
    "MIN_ELO",
    "RANDOM",
    "Book",
    "BookEntry",
    "ClockReading",
    "Engine",
    "EnginePlayer",
    "Evaluator",
    "InvalidBook",
    "Level",
    "LevelPlayer",
    "Limit",
    "Search",
    "SearchResult",
    "all_ratings",
    "is_level_name",
    "level",
    "rating_of",
    "ratings_of",
    "subtract_overhead",
]

__dir__ = public_names(__name__)
