"""Openings: from a file, or random ones that give neither side much of an advantage."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from noughts.engine import Engine, Limit
from noughts.games import Game, InvalidFile, Playthrough, Position, Value, load_all

__all__ = ["Opening", "default_plies", "random_moves", "random_opening", "read_openings"]

MAX_TRIES = 40
MIN_LARGE_CELLS = 100
"""On boards of at least this size, random marks are placed near each other; otherwise they would not interact."""
QUICK_LIMIT, DEEP_LIMIT, LARGE_BOARD_LIMIT = Limit(nodes=2_000), Limit(nodes=20_000), Limit(nodes=300_000)
"""An opening that looks even in the quick search is searched deeper, since a win may be slightly further away.

On large boards much deeper: of openings of 15x15:5 that look even after 20,000 nodes, seven in ten decide the game.
"""
MAX_MISTAKES = 20


@dataclass(frozen=True)
class Opening:
    """The beginning of a pair of playthroughs: a position string, or None for the empty board, and moves from there."""

    start: str | None = None
    moves: tuple[int, ...] = ()

    @classmethod
    def from_data(cls, data: tuple[str | None, list[int]]) -> Opening:
        start, moves = data
        return cls(start, tuple(moves))

    def to_data(self) -> tuple[str | None, tuple[int, ...]]:
        return self.start, self.moves

    def start_position(self, game: Game) -> Position:
        """Return the position before the moves of the opening."""
        return game.start_from(self.start)

    def position(self, game: Game) -> Position:
        """Return the position from which the bots play."""
        position = self.start_position(game)
        position.play_all(self.moves)
        return position


def read_openings(path: Path, game: Game) -> list[Opening]:
    """Return the openings of a file: playthroughs in ``.ngn`` or ``.sgf``, else moves or a position string per line.

    Empty lines and comments after ``#`` are skipped. Raises ValueError with a line for each mistake, or OSError.
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
                found.append(_require_unfinished(_of_text(text, game), game))
            except ValueError as error:
                mistakes.append(f"{path}: line {number}: {error}")
    if mistakes or not found:
        raise ValueError("\n".join(mistakes[:MAX_MISTAKES]) or f"{path}: expected openings, got none")
    return found


def _of_play(play: Playthrough, game: Game, where: str) -> Opening:
    if play.game != game:
        raise ValueError(f"{where}: expected the game {game.id}, got {play.game.id}")
    try:
        return _require_unfinished(Opening(play.start, play.moves), game)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _of_text(text: str, game: Game) -> Opening:
    if "/" in text or text.endswith((" x", " o", " -")):
        return Opening(game.parse(text).text)
    position = game.start()
    for word in text.split():
        position.play(word)
    return Opening(None, tuple(position.moves))


def _require_unfinished(opening: Opening, game: Game) -> Opening:
    if opening.position(game).is_over:
        raise ValueError("expected an opening that does not end the game, got one that does")
    return opening


def default_plies(game: Game) -> int:
    """Return the usual number of random plies for a game: enough for variety, too few to decide it."""
    if game.is_ultimate:
        return 2 + 2 * (game.block_size or 0)
    if game.cells <= 9 or (len(game.dimensions or ()) > 2 and not game.has_gravity):
        return 2  # in a cube more random marks give one side a forced win
    return 4 if game.cells <= 30 else 6


def random_opening(game: Game, seed: object, plies: int | None = None, balance: int = 120) -> Opening:
    """Return an opening with a score of at most ``balance`` in a short search, or the most even one of some tries.

    The same seed gives the same opening as long as the engine does not change. No line is completed in it, and a
    proven win is returned only if nothing else was found.
    """
    length = default_plies(game) if plies is None else plies
    if length == 0:
        return Opening()
    random, engine = Random(f"{game.id} {seed}"), Engine(hash_mb=1, book=False)
    deep = LARGE_BOARD_LIMIT if game.cells >= MIN_LARGE_CELLS and not game.is_ultimate else DEEP_LIMIT
    best, best_worth = Opening(), (2, 0)
    for _ in range(MAX_TRIES):
        opening = Opening(None, tuple(random_moves(game, random, length)))
        worth = _unevenness(opening.position(game), engine, QUICK_LIMIT)
        if worth <= (0, balance):
            worth = max(worth, _unevenness(opening.position(game), engine, deep))
        if worth < best_worth:
            best, best_worth = opening, worth
        if worth <= (0, balance):
            break
    return best


def random_moves(game: Game, random: Random, plies: int) -> list[int]:
    """Return random moves that do not end the game; fewer than ``plies`` if there are no others."""
    while True:
        position = game.start()
        for _ in range(plies):
            position.play(random.choice(_candidates(position)))
            if position.is_over:
                break
        if not position.is_over:
            return position.moves
        plies = max(0, plies - 1)


def _candidates(position: Position) -> list[int]:
    """The legal moves; on large boards only those near a mark, or near the centre if there is none."""
    game, moves = position.game, position.legal_moves
    if game.dimensions is None or game.cells < MIN_LARGE_CELLS or game.has_gravity:
        return moves
    points = game.coordinates
    marks = [points[move] for move in position.moves] or [tuple((side - 1) / 2 for side in game.dimensions)]
    return [move for move in moves if any(_distance(points[move], mark) <= 2 for mark in marks)] or moves


def _distance(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def _unevenness(position: Position, engine: Engine, limit: Limit) -> tuple[int, int]:
    """The unevenness of a position: first whether it is a proven win, then the score of a short search."""
    engine.clear()
    found = engine.search(position, limit)
    return int(found.value in (Value.WIN, Value.LOSS)), abs(found.score)
