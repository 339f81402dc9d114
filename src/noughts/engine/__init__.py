"""The engine, its limits, and opponents of every strength."""

from noughts.engine.engine import Engine, SearchResult
from noughts.engine.levels import LEVELS, Level, LevelName, level
from noughts.engine.limit import Limit

__all__ = ["LEVELS", "Engine", "Level", "LevelName", "Limit", "SearchResult", "level"]
