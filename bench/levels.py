"""What each level is worth: measured Elo against the next weaker one, game by game."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from bench.match import Match, play_match
from bench.plan import Plan
from bench.players import PlayerSpec
from bench.results import Store, say
from bench.strength import summary
from noughts import LEVELS

__all__ = ["GAMES", "run"]

GAMES = ("3x3", "4x4x4", "7x6:4+gravity", "15x15:5", "ultimate:3", "ultimate:4+count")
MASTER_SECONDS = 0.05
PAIRS = 30


def _play(match: Match, concurrency: int) -> dict[str, object]:
    return summary(match, play_match(match, concurrency))


def run(store: Store, plan: Plan) -> None:
    """Play each level against the next weaker one in every game."""
    for game in plan.of_games(GAMES):
        for weaker, stronger in pairwise(LEVELS):
            match = Match(game, _player(stronger), _player(weaker), plan.of_pairs(PAIRS))
            name = f"{game} {stronger} {weaker}"
            found = store.measure(name, partial(_play, match, plan.concurrency))
            say(f"{name}: {found['score']:.1%}, Elo {found['elo']}")


def _player(name: str) -> PlayerSpec:
    return PlayerSpec(name, seconds=MASTER_SECONDS) if name == "master" else PlayerSpec(name)
