"""The atlas: whole families of small games, solved, with verified certificates."""

from noughts.atlas.build import Build
from noughts.atlas.check import RecordComparison, compare, contradiction, sample
from noughts.atlas.families import FAMILIES, GameFamily, find_families, make_game
from noughts.atlas.known import DISAGREEMENTS, SOURCES, KnownValue, known_value
from noughts.atlas.records import Budget, Certificate, InvalidRecords, Record, Records
from noughts.atlas.worker import CertificateRefused, Checks, GameToSolve, solve_game
from noughts.lazy import public_names

__all__ = [
    "DISAGREEMENTS",
    "FAMILIES",
    "SOURCES",
    "Budget",
    "Build",
    "Certificate",
    "CertificateRefused",
    "Checks",
    "GameFamily",
    "GameToSolve",
    "InvalidRecords",
    "KnownValue",
    "Record",
    "RecordComparison",
    "Records",
    "compare",
    "contradiction",
    "find_families",
    "known_value",
    "make_game",
    "sample",
    "solve_game",
]

__dir__ = public_names(__name__)
