"""Openings: from a file, or random ones that leave neither side with much of an advantage."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from noughts.engine import Engine, Limit
from noughts.games import Game, InvalidFile, Playthrough, Position, load_all

__all__ = ["Opening", "random_moves", "random_opening", "read_openings", "usual_plies"]

TRIES = 40
LARGE = 100
"""Cells from which random marks would lie too far apart to matter, and are kept near each other."""
GLANCE, LOOK = Limit(nodes=2_000), Limit(nodes=20_000)
"""How far an opening is searched, and how far once a glance has called it even: wins may lie a little deeper."""
MOST_MISTAKES = 20


@dataclass(frozen=True)
class Opening:
    """Where a pair of playthroughs begins: a position string, or None for the empty board, and moves."""

    start: str | None = None
    moves: tuple[int, ...] = ()

    def position(self, game: Game) -> Position:
        """Return the position from which the bots play."""
        position = game.start() if self.start is None else game.parse(self.start)
        for move in self.moves:
            position.play(move)
        return position


def read_openings(path: Path, game: Game) -> list[Opening]:
    """Return the openings of a file: playthroughs in ``.ngn`` or ``.sgf``, else moves or a position string a line.

    Lines that are empty or begin with ``#`` do not count. Raises ValueError with a line for each mistake, or OSError.
    """
    if path.suffix.lower() in (".ngn", ".sgf"):
        return [_of_play(play, game, f"{path}: playthrough {n}") for n, play in enumerate(load_all(path), 1)]
    try:
        lines = path.read_bytes().decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InvalidFile(f"{path}: expected text in UTF-8") from None
    found, mistakes = [], []
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if text:
            try:
                found.append(_checked(_of_line(text, game), game))
            except ValueError as error:
                mistakes.append(f"{path}: line {number}: {error}")
    if mistakes or not found:
        raise ValueError("\n".join(mistakes[:MOST_MISTAKES]) or f"{path}: expected openings, got none")
    return found


def _of_play(play: Playthrough, game: Game, where: str) -> Opening:
    if play.game != game:
        raise ValueError(f"{where}: expected the game {game.id}, got {play.game.id}")
    try:
        return _checked(Opening(play.start, play.moves), game)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _of_line(text: str, game: Game) -> Opening:
    if "/" in text or text.endswith((" x", " o", " -")):
        return Opening(game.parse(text).text)
    position = game.start()
    for word in text.split():
        position.play(word)
    return Opening(None, tuple(position.moves))


def _checked(opening: Opening, game: Game) -> Opening:
    if opening.position(game).is_over:
        raise ValueError("expected an opening after which the game goes on, but it is over")
    return opening


def usual_plies(game: Game) -> int:
    """Return how many random plies open a playthrough: enough for variety, too few to decide it."""
    if game.is_ultimate:
        return 2 + 2 * (game.block_size or 0)
    if game.cells <= 9 or (len(game.dimensions or ()) > 2 and not game.has_gravity):
        return 2  # a cube is soon won: more random marks and one side has a forced win
    return 4 if game.cells <= 30 else 6


def random_opening(game: Game, seed: object, plies: int | None = None, balance: int = 120) -> Opening:
    """Return an opening that a short search calls even, or the most even one of some tries.

    The same seed gives the same opening, as long as the engine is the same. Nobody completes a line in it, and no
    proven win is taken while there is anything else.
    """
    length = usual_plies(game) if plies is None else plies
    if length == 0:
        return Opening()
    random, judge = Random(f"{game.id} {seed}"), Engine(hash_mb=1, book=False)
    best, best_worth = Opening(), (2, 0)
    for _ in range(TRIES):
        opening = Opening(None, tuple(random_moves(game, random, length)))
        worth = _unevenness(opening.position(game), judge, GLANCE)
        if worth <= (0, balance):
            worth = max(worth, _unevenness(opening.position(game), judge, LOOK))
        if worth < best_worth:
            best, best_worth = opening, worth
        if worth <= (0, balance):
            break
    return best


def random_moves(game: Game, random: Random, plies: int) -> list[int]:
    """Return random plies after which it goes on; fewer when that is not to be had."""
    while True:
        position = game.start()
        for _ in range(plies):
            position.play(random.choice(_sensible(position)))
            if position.is_over:
                break
        if not position.is_over:
            return position.moves
        plies = max(0, plies - 1)


def _sensible(position: Position) -> list[int]:
    """The legal moves; on large flat boards those near a mark, or near the middle when there is none."""
    game, moves = position.game, position.legal_moves
    if game.dimensions is None or game.cells < LARGE or game.has_gravity:
        return moves
    points = game.coordinates
    marks = [points[move] for move in position.moves] or [tuple((side - 1) / 2 for side in game.dimensions)]
    return [move for move in moves if any(_distance(points[move], mark) <= 2 for mark in marks)] or moves


def _distance(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def _unevenness(position: Position, judge: Engine, limit: Limit) -> tuple[int, int]:
    """Smaller is more even: first whether it is proven to be won, then the score of a short search."""
    judge.clear()
    found = judge.search(position, limit)
    return int(found.value in ("win", "loss")), abs(found.score)
