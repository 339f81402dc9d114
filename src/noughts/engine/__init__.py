"""The engine, its limits, and opponents of every strength."""

from noughts.engine.engine import Engine, SearchResult
from noughts.engine.levels import LEVELS, EnginePlayer, FixedDepthPlayer, Level, LevelPlayer, level
from noughts.engine.limit import ClockReading, Limit, subtract_overhead

__all__ = [
    "LEVELS",
    "ClockReading",
    "Engine",
    "EnginePlayer",
    "FixedDepthPlayer",
    "Level",
    "LevelPlayer",
    "Limit",
    "SearchResult",
    "level",
    "subtract_overhead",
]
