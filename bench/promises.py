"""What neither speed nor a plain match shows: forced wins found, values kept, the first move used, two threads."""

from __future__ import annotations

import random
from functools import partial

from bench.chains import has_chain, winning_cells
from bench.match import Match, play_match
from bench.peers_table import NEEDS, OPPONENTS, can_play
from bench.plan import Plan
from bench.players import PlayerSpec, make_player
from bench.results import Record, Store, say
from bench.strength import summary
from noughts import Engine, Game, Limit, Position, Side, solve

__all__ = ["run"]

SECONDS = 0.05
FORCED = {"4x4x4": 170, "6x6:4": 160, "15x15:5": 170}
MARKS = {"4x4x4": (10, 26), "6x6:4": (6, 16), "15x15:5": (12, 40)}
THREATS = 3
KEPT = 300
FIRST = 10
THREADED = ("4x4x4", "ultimate:3", "15x15:5")
THREADED_PAIRS = 30


def run(store: Store, plan: Plan) -> None:
    """Measure every promise."""
    for game, count in FORCED.items():
        found = store.measure(f"forced {game}", partial(_forced, game, 5 if plan.quick else count))
        say(f"forced wins found on {game}: {found['found']} of {found['positions']}")
    found = store.measure("kept 7x6:4+gravity", partial(_kept, 10 if plan.quick else KEPT))
    say(f"values kept on connect4: {found['kept']} of {found['positions']}")
    for kind, patience in OPPONENTS:
        if can_play(kind, "4x4x4"):
            measure = partial(_first, kind, patience, 1 if plan.quick else FIRST)
            found = store.measure(f"first {kind} x{patience}", measure)
            say(f"moving first on 4x4x4 against {kind} x{patience}: {found['won']} of {found['played']}")
    for game in plan.of_games(THREADED):
        found = store.measure(f"threads {game}", partial(_threads, game, plan.of_pairs(THREADED_PAIRS)))
        say(f"two threads against one on {game}: {found['score']:.1%}, Elo {found['elo']}")


def _forced(id: str, count: int) -> Record:
    """Search positions that a slow search has shown to be won by threats alone, each from a fresh table."""
    game, dice, found = Game(id), random.Random(id), 0
    for number in range(count):
        position = _won_by_threats(game, dice)
        found += Engine().search(position, Limit(seconds=SECONDS)).value == "win"
        say(f"forced wins on {id}: {found} of {number + 1}")
    return {"positions": count, "found": found}


def _won_by_threats(game: Game, dice: random.Random) -> Position:
    """Return a random position won by up to THREATS threats, but not at once."""
    while True:
        position, marks = game.start(), dice.randint(*MARKS[game.id])
        while len(position.moves) < marks and not position.is_over:
            position.play(dice.choice(_near(position)))
        if position.turn is None or winning_cells(position, position.turn):
            continue
        if not winning_cells(position, position.turn.opponent) and has_chain(position, THREATS):
            return position


def _near(position: Position) -> list[int]:
    """The legal moves on lines that hold a mark, so that there is something to win; all of them at the start."""
    near = {cell for line in position.game.lines if any(position.cells[mark] for mark in line) for cell in line}
    return [move for move in position.legal_moves if move in near] or position.legal_moves


def _kept(count: int) -> Record:
    """Whether the engine's move keeps the solved value, over random positions that are not over."""
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


def _first(kind: str, patience: int, count: int) -> Record:
    """Play X from the empty board."""
    game, won = Game("4x4x4"), 0
    players = {Side.X: make_player(PlayerSpec(seconds=SECONDS)), Side.O: make_player(_opponent(kind, patience))}
    try:
        for seed in range(count):
            for player in players.values():
                player.new(seed)
            position = game.start()
            while position.turn is not None:
                position.play(players[position.turn].choose(position))
            won += position.winner is Side.X
    finally:
        for player in players.values():
            player.close()
    return {"played": count, "won": won}


def _opponent(kind: str, patience: int) -> PlayerSpec:
    return PlayerSpec(kind, seconds=None if kind not in (*NEEDS, "uct") else SECONDS * patience)


def _threads(game: str, pairs: int) -> Record:
    """Two threads against one at equal time."""
    match = Match(game, PlayerSpec(seconds=SECONDS, threads=2), PlayerSpec(seconds=SECONDS), pairs)
    return summary(match, play_match(match))
