"""Games, positions and annotated random playthroughs for the tests of all formats."""

from __future__ import annotations

import random

from noughts import Eval, Game, Playthrough, Position, Side, Variation

TEXTS = [
    "plain",
    'quote " and \\',
    "brace } { bracket ] [",
    "two\nlines",
    "[%eval 3] \\[%clk",
    "a:b;c",
    "Zoë ♟ \t tab",
]
OPINIONS = [Eval(-35), Eval(0), Eval(value="win", plies=5), Eval(value="draw")]


def fano() -> Game:
    """The Fano plane: seven cells, seven lines, every two of them crossing."""
    lines = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]]
    return Game.from_lines("fano", 7, lines)


def tower() -> Game:
    """A small custom game with every feature except guards."""
    lines = [[0, 1, 2], [3, 4, 5], [0, 3], [2, 5]]
    layout = [(0, 1), (1, 1), (2, 1), (0, 0), (1, 0), (2, 0.5)]
    return Game.from_lines('a "tower"', 6, lines, None, {3: 0, 4: 1, 5: [2, 1]}, layout, misere=True)


def random_play(game: Game, seed: str) -> Playthrough:
    """Return a playthrough with every kind of annotation, finished or not."""
    chance = random.Random(seed)
    position = play_randomly(game.start(), chance, chance.randrange(3))
    position = game.parse(position.text) if chance.random() < 0.5 else position
    plies = chance.choice([0, 5, game.cells])
    play_randomly(position, chance, plies - position.ply)
    return _annotated(Playthrough.of(position), chance)


def _annotated(play: Playthrough, chance: random.Random) -> Playthrough:
    plies = range(len(play.moves) + 1)
    names = chance.sample(["X", "O", "Date", "TimeControl", "Event", "Mood", "Room_7"], 4)
    play = play.replace(
        tags={name: chance.choice(TEXTS) for name in names},
        clocks=[chance.choice([None, 59.5, 3661.001, 0]) for _ in play.moves],
        comments={ply: chance.choice(TEXTS) for ply in plies if chance.random() < 0.2},
        evals={ply: chance.choice(OPINIONS) for ply in plies if chance.random() < 0.2},
    )
    play = play.replace(variations=_variations(play, chance))
    reason = chance.choice([None, "time", "resign", "agreement", "illegal", "crash"])
    if play.outcome is not None or reason is None:
        return play
    return play.decided(reason, None if reason == "agreement" else chance.choice(list(Side)))


def _variations(play: Playthrough, chance: random.Random) -> list[Variation]:
    """Some lines that leave the main line, or each other, with annotations."""
    lines, variations = [play.moves], []
    for _ in range(chance.randrange(6)):
        left = chance.choice(lines)
        position = play.position(0)
        position.play_all(left[: chance.randrange(len(left))] if left else ())
        branch = position.ply + 1
        play_randomly(position, chance, chance.randrange(1, 5))
        if tuple(position.moves[: len(play.moves)]) == play.moves:
            continue  # it continues the main line
        plies = range(branch, position.ply + 1)
        own = {ply: chance.choice(TEXTS) for ply in plies if chance.random() < 0.3}
        evals = {ply: chance.choice(OPINIONS) for ply in plies if chance.random() < 0.2}
        clocks = {ply: 59.5 for ply in plies if chance.random() < 0.2}
        lines.append(tuple(position.moves))
        variations.append(Variation(lines[-1], own, evals, clocks))
    return variations


def position_after(game: Game | str, *moves: int | str) -> Position:
    """Return the position of a game after some moves."""
    position = (Game(game) if isinstance(game, str) else game).start()
    position.play_all(moves)
    return position


def play_randomly(position: Position, chance: random.Random, plies: int | None = None) -> Position:
    """Play this many random moves, but not beyond the end of the game, up to which None plays; return the position."""
    last = position.game.cells if plies is None else position.ply + plies
    while position.ply < last and not position.is_over:
        position.play(chance.choice(position.legal_moves))
    return position


def played_at_random(game: Game | str, seed: int, plies: int | None = None) -> Position:
    """Return the position of a game after random moves."""
    return play_randomly(position_after(game), random.Random(seed), plies)
