"""Books: entries by game and position, read from a file when they are needed."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

from noughts.engine.book.entry import BookEntry
from noughts.engine.book.file import BookSection, BookTable, InvalidBook, pack, parse_book, write_book
from noughts.engine.book.keys import key_of, marks_of, position_of
from noughts.games import Game, Position, ProvenValue
from noughts.games.position_text import canonical
from noughts.packaged import read_packaged

__all__ = ["Book", "BookEntry", "Chapter", "shipped_book"]

SHIPPED = "engine/book/shipped.ngb"


class Chapter:
    """The entries of one game. Symmetric positions share an entry, and so do all orders of moves that lead to it."""

    def __init__(self, game: Game, section: BookSection | None = None) -> None:
        self.game = game
        self.most_marks = 0 if section is None else section.most_marks
        """The most marks of a position with an entry."""
        self._section = section
        self._added: dict[int, BookEntry] = {}
        self._count = 0 if section is None else section.entries

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _table(self) -> BookTable | None:
        return None if self._section is None else self._section.unpack()

    def find(self, position: Position) -> BookEntry | None:
        """Return the entry of a position, with a move for the position itself; None if it has none.

        Raises InvalidBook if the entries are damaged or the move is not legal.
        """
        image = canonical(position)
        entry = self._find(key_of(image))
        if entry is None or entry.move is None:
            return entry
        if entry.move >= self.game.cells or not position.is_legal(move := image.move_here(entry.move)):
            raise InvalidBook(f"the book has an illegal move for {position.text} of {self.game.label}")
        return entry._replace(move=move)

    def _find(self, key: int) -> BookEntry | None:
        entry = self._added.get(key)
        return self._table.find(key) if entry is None and self._table is not None else entry

    def add(self, position: Position, entry: BookEntry) -> None:
        """Add the entry of a position, or replace it."""
        image = canonical(position)
        key = key_of(image)
        self._count += self._find(key) is None
        move = None if entry.move is None else image.move_there(entry.move)
        self._added[key] = entry._replace(move=move)
        self.most_marks = max(self.most_marks, marks_of(self.game, key))

    def items(self) -> Iterator[tuple[Position, BookEntry]]:
        """Yield the positions with their entries, those with fewer marks first."""
        entries = self._entries()
        for key in sorted(entries, key=lambda key: (marks_of(self.game, key), key)):
            yield position_of(self.game, key), entries[key]

    def section(self) -> BookSection:
        """Return the entries as they are saved."""
        if self._section is not None and not self._added:
            return self._section
        return pack(self.game.to_data(), self.most_marks, self._entries())

    def _entries(self) -> dict[int, BookEntry]:
        return (dict(self._table.items()) if self._table is not None else {}) | self._added


class Book:
    """Positions by game, with proven values and statistics of playthroughs.

    Games are told apart by their rules, so custom games have entries as well.
    """

    def __init__(self) -> None:
        self._sections: dict[str, BookSection] = {}
        self._chapters: dict[str, Chapter] = {}

    def __repr__(self) -> str:
        return f"Book({len(self)} positions of {len(self.games)} games)"

    def __len__(self) -> int:
        unread = (each.entries for key, each in self._sections.items() if key not in self._chapters)
        return sum(unread) + sum(map(len, self._chapters.values()))

    @property
    def games(self) -> list[Game]:
        """The games that it has entries for."""
        return [self._open(key).game for key in sorted(self._sections | self._chapters)]

    def chapter(self, game: Game) -> Chapter | None:
        """Return the entries of a game, or None if it has none."""
        key = game.rules_key
        return self._open(key) if key in self._chapters or key in self._sections else None

    def _open(self, key: str) -> Chapter:
        if key not in self._chapters:
            section = self._sections[key]
            self._chapters[key] = Chapter(Game.from_data(section.game), section)
        return self._chapters[key]

    def find(self, position: Position) -> BookEntry | None:
        """Return the entry of a position, proven or not; None if it has none or the game is over."""
        chapter = self.chapter(position.game)
        if chapter is None or position.is_over or not self.covers(position):
            return None
        return chapter.find(position)

    def look_up(self, position: Position) -> ProvenValue | None:
        """Return the proven value of a position, with a move for the position itself; None if it is not known."""
        entry = self.find(position)
        return None if entry is None else entry.proven

    def covers(self, position: Position, plies: int = 0) -> bool:
        """Return whether there are entries for positions with as many marks, or at most ``plies`` more.

        This is cheap; looking a position up requires its canonical image.
        """
        game = position.game
        if game.rules_key not in self._chapters and game.rules_key not in self._sections:
            return False
        return game.cells - position.cells.count(None) + plies <= self._open(game.rules_key).most_marks

    def add(self, position: Position, entry: BookEntry) -> None:
        """Add the entry of a position, or replace it."""
        game = position.game
        chapter = self.chapter(game)
        if chapter is None:
            chapter = self._chapters[game.rules_key] = Chapter(game)
        chapter.add(position, entry)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Book:
        """Read a book; raises OSError, or InvalidBook when the file is not one or is damaged."""
        book = cls._parse(Path(path).read_bytes(), os.fspath(path))
        for section in book._sections.values():
            section.check()
        return book

    @classmethod
    def _parse(cls, data: bytes, name: str) -> Book:
        """Return the book of a file, leaving the checks of a game's entries until they are needed."""
        book = cls()
        for section in parse_book(data, name):
            try:
                key = section.game if isinstance(section.game, str) else Game.from_data(section.game).rules_key
            except ValueError as error:
                raise InvalidBook(f"the book {name} is damaged: {error}") from None
            book._sections[key] = section
        return book

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the book; an old file is replaced only when the new one is complete."""
        keys = sorted(self._sections | self._chapters)
        write_book(path, [self._open(key).section() for key in keys])


@cache
def shipped_book() -> Book:
    """Return the book that comes with the package, read when first asked for.

    If it is missing or damaged, a RuntimeWarning says so, once, and the book is empty.
    """
    try:
        return Book._parse(read_packaged(SHIPPED), SHIPPED)
    except (OSError, InvalidBook) as error:
        warnings.warn(f"continuing without the opening book: {error}", RuntimeWarning, stacklevel=2)
        return Book()
