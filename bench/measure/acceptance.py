"""Acceptance criteria beyond speed and matches: forced wins found, values kept, wins moving first, two threads."""

from __future__ import annotations

import random
import sys
from functools import partial

from bench.matches import Match, engine, play_match
from bench.measure.peers import OPPONENTS, SECONDS, can_play, make_match
from bench.measure.scope import Scope
from bench.results import ROOT, Record, Results, say
from noughts import Engine, Game, Limit, Position, solve

sys.path.append(str(ROOT / "tests" / "helpers"))
from threat_chains import has_chain, winning_cells

__all__ = ["run"]

FORCED_POSITIONS = {"4x4x4": 170, "6x6:4": 160, "15x15:5": 170}
MARKS = {"4x4x4": (10, 26), "6x6:4": (6, 16), "15x15:5": (12, 40)}
THREATS = 3
KEPT_POSITIONS = 300
FIRST_MOVE_PAIRS = 10
THREADED_GAMES = ("4x4x4", "ultimate:3", "15x15:5")
THREADED_PAIRS = 30


def run(results: Results, scope: Scope) -> None:
    """Measure every criterion."""
    for game, count in FORCED_POSITIONS.items():
        results.measure(f"forced {game}", partial(_count_forced_wins, game, 5 if scope.quick else count))
    results.measure("kept 7x6:4+gravity", partial(_count_kept_values, 10 if scope.quick else KEPT_POSITIONS))
    for name, time_factor in OPPONENTS:
        if can_play(name, "4x4x4"):
            pairs = 1 if scope.quick else FIRST_MOVE_PAIRS
            measure = partial(_play_first, name, time_factor, pairs, scope.concurrency)
            results.measure(f"first {name} x{time_factor}", measure)
    for game in scope.select_games(THREADED_GAMES):
        results.measure(f"threads {game}", partial(_play_threads, game, scope.select_pairs(THREADED_PAIRS)))


def _count_forced_wins(id: str, count: int) -> Record:
    """Search positions that a slow search has shown to be won by threats alone, each with an empty table."""
    game, dice, found = Game(id), random.Random(id), 0
    for number in range(count):
        position = _won_by_threats(game, dice)
        found += Engine().search(position, Limit(seconds=SECONDS)).value == "win"
        say(f"forced wins on {id}: {found} of {number + 1}")
    return {"positions": count, "found": found}


def _won_by_threats(game: Game, dice: random.Random) -> Position:
    """A random position that is won by up to ``THREATS`` threats, but not at once."""
    while True:
        position, marks = game.start(), dice.randint(*MARKS[game.id])
        while len(position.moves) < marks and not position.is_over:
            position.play(dice.choice(_moves_near_marks(position)))
        if position.turn is None or winning_cells(position, position.turn):
            continue
        if not winning_cells(position, position.turn.opponent) and has_chain(position, THREATS):
            return position


def _moves_near_marks(position: Position) -> list[int]:
    """The legal moves on lines with a mark, so that threats arise; all legal moves at the start."""
    near = {cell for line in position.game.lines if any(position.cells[mark] for mark in line) for cell in line}
    return [move for move in position.legal_moves if move in near] or position.legal_moves


def _count_kept_values(count: int) -> Record:
    """Count the random positions in which the engine's move keeps the solved value."""
    game, dice, kept = Game("7x6:4+gravity"), random.Random("kept"), 0
    opposite = {"win": "loss", "draw": "draw", "loss": "win"}
    for number in range(count):
        position = _random_position(game, dice, dice.randint(8, 30))
        before = solve(position).value
        after = position.after(Engine().search(position, Limit(seconds=SECONDS)).move)
        kept += before == (opposite[solve(after).value or ""] if not after.is_over else _value_of_end(after, position))
        say(f"values kept on connect4: {kept} of {number + 1}")
    return {"positions": count, "kept": kept}


def _value_of_end(after: Position, before: Position) -> str:
    return "draw" if after.winner is None else "win" if after.winner is before.turn else "loss"


def _random_position(game: Game, dice: random.Random, plies: int) -> Position:
    while True:
        position = game.start()
        for _ in range(plies):
            if not position.is_over:
                position.play(dice.choice(position.legal_moves))
        if not position.is_over:
            return position


def _play_first(name: str, time_factor: int, pairs: int, concurrency: int) -> Record:
    """Count the wins of ``master`` as X from the empty board."""
    found = play_match(make_match("4x4x4", name, time_factor, pairs, plies=0), concurrency)
    return {"played": pairs, "won": found.wins_as_x}


def _play_threads(game: str, pairs: int) -> Record:
    """Play two threads against one with equal time."""
    match = Match(game, engine(threads=2, seconds=SECONDS), engine(seconds=SECONDS), pairs)
    return play_match(match).to_data()
