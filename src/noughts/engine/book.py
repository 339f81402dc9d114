"""The book: positions with proven values, which need no search.

A book maps the canonical text of a position to its value and, if known, a move that preserves it. All symmetric
positions and all orders of moves that lead to a position share one entry. Every value comes from the solver
(``noughts book build``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from noughts.games import Game, Position, ProvenValue, Value
from noughts.games.atomic_file import write_file
from noughts.games.position_text import canonical
from noughts.games.quoting import quote

__all__ = ["Book", "shipped_book"]

FORMAT = "noughts-book-1"
SHIPPED = Path(__file__).with_name("book.json")


Entries = dict[str, ProvenValue]
"""Entries by canonical text; their moves are those of the canonical image."""


class Book:
    """Proven values by game and position."""

    def __init__(self, games: Mapping[str, Entries] | None = None) -> None:
        self._games: dict[str, Entries] = {id: dict(entries) for id, entries in (games or {}).items()}
        self._most_marks = {id: max(map(_marks, entries), default=0) for id, entries in self._games.items()}

    def __repr__(self) -> str:
        return f"Book({len(self)} positions of {len(self._games)} games)"

    def __len__(self) -> int:
        return sum(map(len, self._games.values()))

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of its games."""
        return tuple(self._games)

    def covers(self, position: Position, plies: int = 0) -> bool:
        """Return whether there are entries for positions with as many marks, or at most ``plies`` fewer.

        This is cheap; looking a position up requires its canonical image.
        """
        game = position.game
        if game.spec is None or game.id not in self._games:  # a custom game may have any name
            return False
        return game.cells - position.cells.count(None) + plies <= self._most_marks[game.id]

    def look_up(self, position: Position) -> ProvenValue | None:
        """Return the proven value of a position, with a move for the position itself; None if it has no entry."""
        if position.is_over or not self.covers(position):
            return None
        image = canonical(position)
        entry = self._games[position.game.id].get(image.text)
        if entry is None or entry.move is None:
            return entry
        return entry._replace(move=image.move_here(entry.move))

    def add(self, position: Position, entry: ProvenValue) -> None:
        """Add the proven value of a position; raises ValueError for a custom game."""
        if position.game.spec is None:
            raise ValueError(f"expected a game with an id, got the custom game {position.game.id}")
        image = canonical(position)
        there = None if entry.move is None else image.move_there(entry.move)
        self._games.setdefault(position.game.id, {})[image.text] = entry._replace(move=there)
        most = max(self._most_marks.get(position.game.id, 0), _marks(image.text))
        self._most_marks[position.game.id] = most

    def positions(self, id: str) -> Iterator[tuple[Position, ProvenValue]]:
        """Yield the positions of a game with their entries, those with fewer marks first."""
        game = Game(id)
        for text, entry in sorted(self._games.get(id, {}).items(), key=lambda pair: (_marks(pair[0]), pair[0])):
            yield game.parse(text), entry

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Book:
        """Read a book; raises OSError, or ValueError when the file is not one."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"expected a book in {path}, got something that is not JSON: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("games"), dict):
            raise ValueError(f"expected a book of the format {FORMAT} in {path}")
        return cls({id: _parse_entries(id, entries) for id, entries in data["games"].items()})

    def save(self, path: str | PathLike[str]) -> None:
        """Write the book, one entry per line for readable diffs; an old file is replaced only when it is complete."""
        games = []
        for id in sorted(self._games):
            game, entries = Game(id), sorted(self._games[id].items(), key=lambda pair: (_marks(pair[0]), pair[0]))
            rows = [f"   {json.dumps(text)}: {json.dumps(_format_entry(game, each))}" for text, each in entries]
            games.append(f"  {json.dumps(id)}: {{\n" + ",\n".join(rows) + "\n  }")
        text = f'{{\n "format": {json.dumps(FORMAT)},\n "games": {{\n' + ",\n".join(games) + "\n }\n}\n"
        write_file(path, text)


@cache
def shipped_book() -> Book:
    """Return the book that comes with the package, read when first asked for."""
    return Book.load(SHIPPED)


def _marks(text: str) -> int:
    board = text.split(" ", 1)[0]
    return board.count("x") + board.count("o")


def _parse_entries(id: str, entries: Any) -> Entries:
    game = Game(id)
    if not isinstance(entries, dict):
        raise ValueError(f"expected the entries of {id} by position, got {type(entries).__name__}")
    return {text: _parse_entry(game, text, entry) for text, entry in entries.items()}


def _parse_entry(game: Game, text: str, entry: Any) -> ProvenValue:
    match entry:
        case [("win" | "draw" | "loss") as value, (str() | None) as move, (int() | None) as plies]:
            return ProvenValue(Value(value), None if move is None else game.parse_cell(move), plies)
    raise ValueError(f"expected a value, a move and plies for {text} of {game.id}, got {quote(entry)}")


def _format_entry(game: Game, entry: ProvenValue) -> list[str | int | None]:
    return [entry.value, None if entry.move is None else game.format_cell(entry.move), entry.plies]
