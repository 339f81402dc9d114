"""The file of a book: a header, then one compressed section for each game.

====================  ======================================================================================
``noughts-book 2\\n``   the format and its version
4 bytes               the length of the header, big-endian
header                JSON: for each game its data, the number of entries, the widths of their fields in
                      bytes, the most marks in a position, and the length and checksum of its section
16 bytes              BLAKE2b checksum of everything before
sections              compressed with LZMA, in the order of the header
====================  ======================================================================================

A section has one column for each byte of an entry: first the keys, big-endian and in ascending order, then the value
(0 unknown, 1 loss, 2 draw, 3 win), the move plus one, the plies plus one, and three counts. A field that no entry needs
has the width 0. Columns compress better than rows, and an entry is found by bisection without unpacking the others.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from noughts.engine.book.entry import BookEntry
from noughts.games import Value
from noughts.games.atomic_file import FilePath, atomic_file
from noughts.games.quoting import quote

__all__ = ["InvalidBook", "Section", "Table", "pack", "parse_book", "write_book"]

MAGIC = b"noughts-book 2\n"
LENGTH_BYTES = 4
DIGEST_BYTES = 16
MAX_HEADER_BYTES = 16 << 20
MAX_TABLE_BYTES = 1 << 30
MAX_WIDTH = 4096
"""Bytes of one field; a key of the largest board takes fewer than 300."""
VALUES = (None, Value.LOSS, Value.DRAW, Value.WIN)


class InvalidBook(ValueError):
    """A file that is not a book, or a damaged one."""


class Widths(NamedTuple):
    """The bytes of each field of an entry."""

    key: int
    value: int
    move: int
    plies: int
    counts: int

    @property
    def entry(self) -> int:
        return self.key + self.value + self.move + self.plies + 3 * self.counts


class Table:
    """The entries of a game as columns of bytes, ordered by their keys."""

    def __init__(self, columns: bytes, entries: int, widths: Widths) -> None:
        self._columns = columns
        self._entries = entries
        self._widths = widths
        self._key_bytes = entries * widths.key

    def __len__(self) -> int:
        return self._entries

    def find(self, key: int) -> BookEntry | None:
        """Return the entry of a key; raises InvalidBook if it has a value that does not exist."""
        if key.bit_length() > 8 * self._widths.key:
            return None
        wanted = key.to_bytes(self._widths.key)
        at = bisect_left(range(self._entries), wanted, key=self._key)
        return self._entry(at) if at < self._entries and self._key(at) == wanted else None

    def items(self) -> Iterator[tuple[int, BookEntry]]:
        """Yield the keys with their entries, in ascending order."""
        for at in range(self._entries):
            yield int.from_bytes(self._key(at)), self._entry(at)

    def _key(self, at: int) -> bytes:
        return self._columns[at : self._key_bytes : self._entries]

    def _entry(self, at: int) -> BookEntry:
        fields = self._columns[self._key_bytes + at :: self._entries]
        start, numbers = 0, []
        for width in (*self._widths[1:4], *3 * (self._widths.counts,)):
            numbers.append(int.from_bytes(fields[start : start + width]))
            start += width
        value, move, plies, *counts = numbers
        if value >= len(VALUES):
            raise InvalidBook(f"expected a value from 0 to {len(VALUES) - 1} in an entry, got {value}")
        return BookEntry(move - 1 if move else None, VALUES[value], plies - 1 if plies else None, *counts)


class Section(NamedTuple):
    """The packed entries of a game, as they are in a file."""

    game: object
    """The data of the game, see ``Game.from_data``."""
    entries: int
    most_marks: int
    widths: Widths
    packed: bytes
    digest: str

    def check(self) -> None:
        """Raise InvalidBook if the bytes are damaged."""
        if _digest(self.packed) != self.digest:
            raise InvalidBook(f"the entries of {quote(str(self.game))} are damaged: their checksum is wrong")

    def unpack(self) -> Table:
        """Return the entries; raises InvalidBook if they are damaged."""
        import lzma  # needed only when a book is used

        self.check()
        size = self.entries * self.widths.entry
        try:
            columns = lzma.LZMADecompressor().decompress(self.packed, size + 1)
        except (lzma.LZMAError, EOFError) as error:
            raise InvalidBook(f"the entries of {quote(str(self.game))} are damaged: {error}") from None
        if len(columns) != size:
            raise InvalidBook(f"expected {size:,} bytes of entries of {quote(str(self.game))}, got {len(columns):,}")
        return Table(columns, self.entries, self.widths)


def pack(game: object, key_width: int, most_marks: int, entries: Mapping[int, BookEntry]) -> Section:
    """Return the section of a game for entries by key."""
    import lzma

    rows = [(key, _numbers(entries[key])) for key in sorted(entries)]
    most = [max(column) for column in zip(*(numbers for _, numbers in rows), strict=True)] or [0] * 6
    value, move, plies = map(_width, most[:3])
    widths = Widths(key_width, value, move, plies, _width(max(most[3:])))
    sizes = (*widths[1:4], *3 * (widths.counts,))
    table = b"".join(
        key.to_bytes(key_width) + b"".join(number.to_bytes(size) for number, size in zip(numbers, sizes, strict=True))
        for key, numbers in rows
    )
    columns = b"".join(table[at :: widths.entry] for at in range(widths.entry))
    packed = lzma.compress(columns, preset=9 | lzma.PRESET_EXTREME)
    return Section(game, len(rows), most_marks, widths, packed, _digest(packed))


def _numbers(entry: BookEntry) -> tuple[int, ...]:
    move, plies = (0 if number is None else number + 1 for number in (entry.move, entry.plies))
    return VALUES.index(entry.value), move, plies, entry.wins, entry.draws, entry.losses


def _width(largest: int) -> int:
    return (largest.bit_length() + 7) // 8


def write_book(path: FilePath, sections: list[Section]) -> None:
    """Write a book; an old file is replaced only when the new one is complete."""
    games = [
        {"game": each.game, "entries": each.entries, "most_marks": each.most_marks, "widths": list(each.widths),
         "bytes": len(each.packed), "digest": each.digest}
        for each in sections
    ]  # fmt: skip
    header = json.dumps({"games": games}, separators=(",", ":")).encode()
    start = MAGIC + len(header).to_bytes(LENGTH_BYTES) + header
    with atomic_file(path) as file:
        file.write(start + bytes.fromhex(_digest(start)))
        for each in sections:
            file.write(each.packed)


def parse_book(data: bytes, name: str) -> list[Section]:
    """Return the sections of a file, not yet unpacked; raises InvalidBook with its name if the header is damaged."""
    if not data.startswith(MAGIC):
        raise InvalidBook(f"expected a book of the format {MAGIC.decode().strip()} in {name}")
    body = len(MAGIC) + LENGTH_BYTES
    end = body + int.from_bytes(data[len(MAGIC) : body])
    if end > min(MAX_HEADER_BYTES, len(data)) or bytes.fromhex(_digest(data[:end])) != data[end : end + DIGEST_BYTES]:
        raise InvalidBook(f"the book {name} is damaged: the checksum of its header is wrong")
    try:
        return list(_sections(json.loads(data[body:end])["games"], data[end + DIGEST_BYTES :]))
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidBook(f"the book {name} is damaged: {error}") from None


def _sections(games: list[dict[str, Any]], data: bytes) -> Iterator[Section]:
    start = 0
    for each in games:
        widths = Widths(*each["widths"])
        entries, marks, end = each["entries"], each["most_marks"], start + each["bytes"]
        if not (0 <= entries * widths.entry <= MAX_TABLE_BYTES and all(0 <= width <= MAX_WIDTH for width in widths)):
            raise ValueError(f"expected entries of a bounded size, got {entries} of {widths.entry} bytes")
        if not start <= end <= len(data):
            raise ValueError(f"expected {end:,} bytes of entries, got {len(data):,}")
        yield Section(each["game"], entries, marks, widths, data[start:end], str(each["digest"]))
        start = end


def _digest(data: bytes) -> str:
    from hashlib import blake2b  # loads a large library, so only when a book is used

    return blake2b(data, digest_size=DIGEST_BYTES).hexdigest()
