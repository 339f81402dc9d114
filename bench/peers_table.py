"""How ``master`` fares against its own lower level, a plain Monte-Carlo player, and other libraries' players."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec

from bench.match import Match, play_match
from bench.peers import spiel_name
from bench.plan import Plan
from bench.players import PlayerSpec
from bench.results import Store, say
from bench.strength import summary
from noughts import Game

__all__ = ["NEEDS", "OPPONENTS", "can_play", "run"]

SECONDS = 0.05
PAIRS = 30
GAMES = ("ultimate:3", "4x4x4", "15x15:5", "7x6:4+gravity", "ultimate:4+count")
OPPONENTS = (("insane", 1), ("mcts", 10), ("easyai", 10), ("uct", 10), ("alphabeta", 10), ("uct", 1), ("easyai", 1))
NEEDS = {"easyai": "easyAI", "mcts": "pyspiel", "alphabeta": "pyspiel"}


def run(store: Store, plan: Plan) -> None:
    """Play every opponent in every game it can play."""
    for game in plan.of_games(GAMES):
        for kind, patience in OPPONENTS:
            if not can_play(kind, game):
                continue
            name = f"{game} {kind} x{patience}"
            found = store.measure(name, partial(_play, game, kind, patience, plan))
            say(f"{name}: {found['score']:.1%}, Elo {found['elo']}")


def can_play(kind: str, game: str) -> bool:
    """Whether an opponent is installed and knows the game."""
    if kind in NEEDS and find_spec(NEEDS[kind]) is None:
        return False
    return kind not in ("mcts", "alphabeta") or spiel_name(Game(game)) is not None


def _play(game: str, kind: str, patience: int, plan: Plan) -> dict[str, object]:
    first = PlayerSpec(seconds=SECONDS)
    second = PlayerSpec(kind, seconds=None if kind == "insane" else SECONDS * patience)
    match = Match(game, first, second, plan.of_pairs(PAIRS))
    return summary(match, play_match(match, plan.concurrency)) | {"patience": patience}
