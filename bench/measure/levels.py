"""The strength of the levels: Elo of each over the next weaker one, in several games."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from bench.matches import Match, opponent, play_match
from bench.measure.scope import Scope
from bench.results import Record, Results
from noughts import LEVELS

__all__ = ["GAMES", "run"]

GAMES = ("3x3", "4x4x4", "7x6:4+gravity", "15x15:5", "ultimate:3", "ultimate:4+count")
MASTER_SECONDS = 0.05
PAIRS = 30


def run(results: Results, scope: Scope) -> None:
    """Play each level against the next weaker one in every game."""
    for game in scope.select_games(GAMES):
        for weaker, stronger in pairwise(LEVELS):
            match = Match(game, opponent(stronger, seconds=MASTER_SECONDS), opponent(weaker), scope.select_pairs(PAIRS))
            results.measure(f"{game} {stronger} {weaker}", partial(_play, match, scope.concurrency))


def _play(match: Match, concurrency: int) -> Record:
    return play_match(match, concurrency).to_data()
