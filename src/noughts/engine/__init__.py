"""The engine, its limits, and opponents of every strength."""

from noughts.engine.engine import Engine, SearchResult
from noughts.engine.levels import LEVELS, Level, level
from noughts.engine.limit import Limit
from noughts.engine.solving import Solution, SolveProgress, Solver, solve

__all__ = [
    "LEVELS",
    "Engine",
    "Level",
    "Limit",
    "SearchResult",
    "Solution",
    "SolveProgress",
    "Solver",
    "level",
    "solve",
]
