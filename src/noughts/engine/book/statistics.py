"""Builds a book from playthroughs: how often each position was won, drawn and lost. Nothing here is proven."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from noughts.engine.book.book import Book, BookEntry
from noughts.engine.engine import Engine
from noughts.games import Game, Playthrough, Position, Side, Value
from noughts.games.position_text import canonical
from noughts.limit import Limit

__all__ = ["StatisticsBuilder", "self_play"]

WEIGHTS = (6, 3, 1)
"""How often self-play chooses the best move of the engine, the second, the third."""


class StatisticsBuilder:
    """Counts playthroughs of a game in a book. The counts that the book has already stay; proven entries stay proven.

    ``most_plies`` is the number of plies that are counted from the start of a playthrough.
    """

    def __init__(self, book: Book, most_plies: int) -> None:
        self.book = book
        self._most_plies = most_plies
        self._played: dict[str, tuple[Game, set[int]]] = {}
        """The moves that were played in the canonical image of each position."""
        self._changed: set[str] = set()

    def add(self, playthrough: Playthrough) -> bool:
        """Count a playthrough; returns False for one without an outcome, which is not counted."""
        if playthrough.outcome is None:
            return False
        for position, move in _moves_of(playthrough, self._most_plies):
            entry = self.book.find(position) or BookEntry(None)
            self.book.add(position, _counted(entry, position.turn, playthrough.outcome.winner))
            image = canonical(position)
            self._played.setdefault(image.text, (position.game, set()))[1].add(image.move_there(move))
            self._changed.add(image.text)
        return True

    def choose_moves(self) -> None:
        """Give the positions of the playthroughs added since the last call the move that did best.

        A move is judged by its mean result, as if it had won once and lost once more.
        """
        while self._changed:
            text = self._changed.pop()
            game, moves = self._played[text]
            position = game.parse(text)
            entry = self.book.find(position)
            assert entry is not None
            if entry.value is None:
                candidates = sorted(moves if entry.move is None else moves | {entry.move})
                merits = [self._merit(position, move) for move in candidates]
                self.book.add(position, entry._replace(move=candidates[merits.index(max(merits))]))

    def _merit(self, position: Position, move: int) -> float:
        """The mean result of a move; a proven value counts instead."""
        after = position.after(move)
        entry = None if after.is_over else self.book.find(after)
        if after.is_over or entry is None:
            return 0.5 if after.winner is None else 1.0
        if entry.value is not None:
            return (1 - entry.value.number) / 2
        return (entry.losses + entry.draws / 2 + 1) / (entry.played + 2)


def _moves_of(playthrough: Playthrough, most_plies: int) -> Iterator[tuple[Position, int]]:
    position = playthrough.position(0)
    for move in playthrough.moves[:most_plies]:
        yield position.copy(), move
        position.play(move)


def _counted(entry: BookEntry, turn: Side | None, winner: Side | None) -> BookEntry:
    if winner is None:
        return entry._replace(draws=entry.draws + 1)
    return entry._replace(wins=entry.wins + 1) if winner is turn else entry._replace(losses=entry.losses + 1)


def self_play(game: Game, number: int, limit: Limit, random_plies: int, engine: Engine) -> Playthrough:
    """Return a playthrough of the engine against itself; the same number gives the same one if the limit is in nodes.

    In the first ``random_plies`` plies one of its best moves is chosen at random, so that playthroughs differ.
    """
    random, position = Random(f"{game.rules_key} {number}"), game.start()
    engine.clear()
    while not position.is_over:
        if position.ply < random_plies:
            found = engine.analyse(position, limit, min(len(WEIGHTS), len(position.legal_moves)))
            sound = [each for each in found if each.value is not Value.LOSS] or found[:1]
            position.play(random.choices(sound, WEIGHTS[: len(sound)])[0].move)
        else:
            position.play(engine.search(position, limit).move)
    return Playthrough.of(position)
