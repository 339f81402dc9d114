"""The strength of the levels: Elo of each over the next weaker one, in several games.

``python -m bench.measure.levels`` plays these matches and writes the ratings of the levels, which ``--elo`` and
``elo:N`` use, to the package, and their table to ``docs/levels.md``.
"""

from __future__ import annotations

import argparse
import json
import math
from functools import partial
from itertools import pairwise

from bench.matches import Match, Player, opponent, play_match
from bench.measure.scope import Scope
from bench.results import ROOT, Record, Results
from noughts import LEVELS
from noughts.engine.levels import RANDOM, SKILLS, Level
from noughts.engine.ratings import FILE, OTHER_GAMES
from noughts.packaged import packaged_path

__all__ = ["GAMES", "main", "run"]

GAMES = ("3x3", "5x5:4", "6x6:4", "4x4x4", "7x6:4+gravity", "15x15:5", "ultimate:3", "ultimate:4+count")
PAIRS = 30
ANCHOR, ANCHOR_RATING = Level.EASY, 1000
"""The level whose rating is the same in every game, and that rating."""
PAGE = ROOT / "docs" / "levels.md"
TABLE_BEGIN, TABLE_END = "<!-- ratings -->\n", "<!-- end of ratings -->\n"


def run(results: Results, scope: Scope) -> None:
    """Play each level against the next weaker one in every game."""
    for game in scope.select_games(GAMES):
        for weaker, stronger in pairwise(LEVELS):
            match = _match(game, stronger, weaker, scope.select_pairs(PAIRS))
            results.measure(f"{game} {stronger} {weaker}", partial(_play, match, scope.concurrency))


def _match(game: str, stronger: str, weaker: str, pairs: int) -> Match:
    return Match(game, _player(stronger), _player(weaker), pairs)


def _player(name: str) -> Player:
    """A level; the engine gets the nodes of the upper end of the scale of ratings."""
    return opponent(name, nodes=SKILLS[name].nodes) if name == Level.MASTER else opponent(name)


def _play(match: Match, concurrency: int) -> Record:
    return play_match(match, concurrency).to_data()


# Ratings


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.measure.levels", description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="GAME", help="measure these, keep the others")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="pairs of playthroughs of each match")
    parser.add_argument("--concurrency", type=int, default=1, help="playthroughs at the same time")
    options = parser.parse_args(arguments)
    ratings = json.loads(packaged_path(FILE).read_text(encoding="utf-8"))
    for game in options.games:
        ratings[game] = _rate(game, options.pairs, options.concurrency)
        measured = {each: ratings[each] for each in GAMES if each in ratings}
        _write(measured | {OTHER_GAMES: _average(list(measured.values()))})


def _rate(game: str, pairs: int, concurrency: int) -> dict[str, int]:
    """The ratings of the marks of the scale in a game, from matches between neighbours."""
    rating, ratings = 0.0, {RANDOM: 0.0}
    for weaker, stronger in pairwise(SKILLS):
        score = play_match(_match(game, stronger, weaker, pairs), concurrency).score
        least = 0.25 / pairs  # as if half a playthrough more had been lost, or won
        rating += _elo(min(max(score, least), 1 - least))
        ratings[stronger] = rating
    shift = ANCHOR_RATING - ratings[ANCHOR]
    return {name: round(each + shift) for name, each in ratings.items()}


def _elo(score: float) -> float:
    return 400 * math.log10(score / (1 - score))


def _average(ratings: list[dict[str, int]]) -> dict[str, int]:
    return {name: round(sum(each[name] for each in ratings) / len(ratings)) for name in SKILLS}


def _write(ratings: dict[str, dict[str, int]]) -> None:
    rows = ",\n".join(f"  {json.dumps(game)}: {json.dumps(each)}" for game, each in ratings.items())
    packaged_path(FILE).write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(TABLE_BEGIN)
    _, _, after = rest.partition(TABLE_END)
    PAGE.write_text(before + TABLE_BEGIN + table(ratings) + TABLE_END + after, encoding="utf-8")


def table(ratings: dict[str, dict[str, int]]) -> str:
    """Return the ratings as a table of the documentation."""
    lines = [f"| game | {' | '.join(SKILLS)} |", f"|---|{'---:|' * len(SKILLS)}"]
    for game, each in ratings.items():
        name = "other games (average)" if game == OTHER_GAMES else f"`{game}`"
        lines.append(f"| {name} | {' | '.join(str(each[mark]) for mark in SKILLS)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
