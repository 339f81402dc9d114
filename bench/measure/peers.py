"""The strength of ``master`` against a level, our tree search and the players of other libraries."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec

from bench.matches import Match, opponent, play_match
from bench.measure.libraries import spiel_name
from bench.measure.scope import Scope
from bench.results import Record, Results
from noughts import LEVELS, Game

__all__ = ["OPPONENTS", "SECONDS", "can_play", "run"]

SECONDS = 0.05
PAIRS = 30
GAMES = ("ultimate:3", "4x4x4", "15x15:5", "7x6:4+gravity", "ultimate:4+count")
OPPONENTS = (
    *(("insane", 1), ("spiel-mcts", 10), ("easyai", 10), ("mcts", 10), ("spiel-alphabeta", 10)),
    *(("mcts", 1), ("easyai", 1)),
)
"""Each opponent with its time as a multiple of ours."""
PACKAGES = {"easyai": "easyAI", "spiel-mcts": "pyspiel", "spiel-alphabeta": "pyspiel"}


def run(results: Results, scope: Scope) -> None:
    """Play every opponent in every game that it can play."""
    for game in scope.select_games(GAMES):
        for name, time_factor in OPPONENTS:
            if can_play(name, game):
                match = make_match(game, name, time_factor, scope.select_pairs(PAIRS))
                measure = partial(_play, match, time_factor, scope.concurrency)
                results.measure(f"{game} {name} x{time_factor}", measure)


def can_play(name: str, game: str) -> bool:
    """Whether an opponent is installed and has the game."""
    if name in PACKAGES and find_spec(PACKAGES[name]) is None:
        return False
    return PACKAGES.get(name) != "pyspiel" or spiel_name(Game(game)) is not None


def make_match(game: str, name: str, time_factor: int, pairs: int, plies: int | None = None) -> Match:
    """Return a match of ``master`` against an opponent; levels below master have no time limit."""
    seconds = None if name in LEVELS else SECONDS * time_factor
    return Match(game, opponent("master", seconds=SECONDS), opponent(name, seconds=seconds), pairs, plies=plies)


def _play(match: Match, time_factor: int, concurrency: int) -> Record:
    return play_match(match, concurrency).to_data() | {"time_factor": time_factor}
