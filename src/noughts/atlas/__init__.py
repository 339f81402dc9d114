"""The atlas: whole families of small games, solved, with verified certificates."""

from noughts.atlas.build import Build
from noughts.atlas.check import Comparison, compare, contradiction, sample
from noughts.atlas.families import FAMILIES, Family, find_families, make_game
from noughts.atlas.known import DISAGREEMENTS, SOURCES, KnownValue, known_value
from noughts.atlas.records import Budget, Certificate, InvalidRecords, Record, Records
from noughts.atlas.worker import Checks, GameToSolve, Refused, solve_game

__all__ = [
    "DISAGREEMENTS",
    "FAMILIES",
    "SOURCES",
    "Budget",
    "Build",
    "Certificate",
    "Checks",
    "Comparison",
    "Family",
    "GameToSolve",
    "InvalidRecords",
    "KnownValue",
    "Record",
    "Records",
    "Refused",
    "compare",
    "contradiction",
    "find_families",
    "known_value",
    "make_game",
    "sample",
    "solve_game",
]
