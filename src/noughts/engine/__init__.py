"""The engine, its limits, and opponents of every strength."""

from noughts.engine.engine import Engine, SearchResult
from noughts.engine.levels import LEVELS, Level, level
from noughts.engine.limit import Limit
from noughts.engine.proof import InvalidProof, Proof
from noughts.engine.verify import verify

__all__ = ["LEVELS", "Engine", "InvalidProof", "Level", "Limit", "Proof", "SearchResult", "level", "verify"]
