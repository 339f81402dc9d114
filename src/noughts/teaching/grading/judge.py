"""The exact values of positions, and the positions on which submissions are tried."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import TypeVar

from noughts.games import Game, Position, Side
from noughts.teaching.tree.search_tree import count_nodes
from noughts.textbook import Evaluate, alphabeta
from noughts.textbook.common import plies_to_search

__all__ = [
    "MinimaxJudge",
    "best_of",
    "empty_cells",
    "finished_positions",
    "judge_of",
    "sample_positions",
    "unfinished_positions",
    "wins_at_once",
]

Number = TypeVar("Number", int, float)
MAX_POSITIONS = 20_000
SAMPLE_SIZE = 60
"""With a depth, a search is tried on this many positions of random playthroughs."""


class MinimaxJudge:
    """The exact values of positions: plain minimax with memoization, to the end or to a depth."""

    def __init__(self, game: Game, depth: int | None, evaluate: Evaluate) -> None:
        self.game, self.depth, self.evaluate = game, depth, evaluate
        self._values: dict[tuple[int, int], int] = {}
        self._nodes: dict[tuple[str, bool], int] = {}

    def value(self, position: Position, ply: int = 0) -> int:
        """Return the value, from X's side, of a position ``ply`` plies below the root of a search."""
        left = -1 if self.depth is None else self.depth - ply
        if position.is_over or left == 0:
            return self.evaluate(position)
        key = position.hash, left
        if key not in self._values:
            values = []
            for move in position.legal_moves:
                position.play(move)
                values.append(self.value(position, ply + 1))
                position.undo()
            self._values[key] = best_of(position.turn, values)
        return self._values[key]

    def best_moves(self, position: Position) -> list[int]:
        """Return the legal moves that keep the value of the position at the root of a search."""
        exact = self.value(position)
        return [move for move in position.legal_moves if self.value(position.after(move), 1) == exact]

    def nodes_allowed(self, text: str, prunes: bool) -> int:
        """Return the number of nodes that a search may visit on a position."""
        if (text, prunes) not in self._nodes:
            self._nodes[text, prunes] = self._count_allowed(self.game.parse(text), prunes)
        return self._nodes[text, prunes]

    def _count_allowed(self, position: Position, prunes: bool) -> int:
        if not prunes:
            return count_nodes(position, plies_to_search(position, self.depth))
        left = None if self.depth is None else self.depth - 1
        following = (position.after(move) for move in position.legal_moves)
        return 2 * (1 + sum(alphabeta(after, depth=left, evaluate=self.evaluate).nodes for after in following))


def best_of(turn: Side | None, values: Iterable[Number]) -> Number:
    """Return the value that the side to move prefers, of values from X's side."""
    return max(values) if turn is Side.X else min(values)


@lru_cache(maxsize=8)
def judge_of(game: Game, depth: int | None, evaluate: Evaluate) -> MinimaxJudge:
    """Return the judge of a game; it is cached, so that later gradings reuse its values."""
    return MinimaxJudge(game, depth, evaluate)


@lru_cache(maxsize=8)
def unfinished_positions(game: Game) -> list[str]:
    """Return every unfinished position, one of each symmetric kind, the fullest boards first."""
    seen: dict[int, str] = {}
    _collect(game.start(), seen)
    if len(seen) > MAX_POSITIONS:
        most = f"{MAX_POSITIONS:,}"
        raise ValueError(f"expected a game of at most {most} positions to grade on without a depth, got {game.id}")
    return _fullest_first(game, seen.values())


@lru_cache(maxsize=8)
def finished_positions(game: Game) -> list[str]:
    """Return the end of every playthrough, symmetric ones too, the emptiest boards first."""
    found: dict[str, int] = {}
    seen: set[int] = set()
    _collect_finished(game.start(), seen, found)
    return sorted(found, key=found.__getitem__)


def _collect_finished(position: Position, seen: set[int], found: dict[str, int]) -> None:
    if position.is_over:
        found.setdefault(position.text, sum(mark is not None for mark in position.cells))
    if position.is_over or position.hash in seen:
        return
    seen.add(position.hash)
    for move in position.legal_moves:
        position.play(move)
        _collect_finished(position, seen, found)
        position.undo()


@lru_cache(maxsize=8)
def sample_positions(game: Game) -> list[str]:
    """Return some unfinished positions of random playthroughs with a fixed seed, the fullest boards first."""
    random, seen = Random(1), dict[int, str]()
    for _ in range(SAMPLE_SIZE * 10):
        position = game.start()
        for _ in range(random.randrange(game.cells)):
            if not position.is_over:
                position.play(random.choice(position.legal_moves))
        if not position.is_over and len(seen) < SAMPLE_SIZE:
            seen[position.canonical_hash] = position.text
    return _fullest_first(game, seen.values())


def _fullest_first(game: Game, texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: empty_cells(game.parse(text)))


def empty_cells(position: Position) -> int:
    """Return the number of empty cells of an unfinished position."""
    return plies_to_search(position, None)


def _collect(position: Position, seen: dict[int, str]) -> None:
    if position.is_over or position.canonical_hash in seen or len(seen) > MAX_POSITIONS:
        return
    seen[position.canonical_hash] = position.text
    for move in position.legal_moves:
        position.play(move)
        _collect(position, seen)
        position.undo()


def wins_at_once(position: Position) -> list[int]:
    """Return the moves with which the side to move wins at once."""
    return [move for move in position.legal_moves if position.after(move).winner is position.turn]
