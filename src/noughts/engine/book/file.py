"""The file of a book: a header, then one section for each game.

====================  ======================================================================================
``noughts-book 3\\n``   the format and its version
4 bytes               the length of the header, big-endian
header                JSON: for each game its data, the number of entries, the widths of their fields in
                      bytes, the most marks in a position, and the length and checksum of its section
16 bytes              BLAKE2b checksum of everything before
sections              in the order of the header
====================  ======================================================================================

A section has the keys in ascending order, each as the difference from the one before: first the lengths of the
differences, one byte each, then the differences, big-endian. Then there is one column for each byte of the fields: the
value (0 unknown, 1 loss, 2 draw, 3 win), the move plus one, the plies plus one, and three counts. A field that no entry
needs has the width 0.

Differences make a file small that is not compressed, and smaller than LZMA made the keys in full if it is: a wheel or a
web server compresses it on the way. Version 2 had the keys in full and sections compressed with LZMA.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from noughts.engine.book.entry import BookEntry
from noughts.games import Value
from noughts.games.atomic_file import FilePath, atomic_file
from noughts.games.quoting import quote

__all__ = ["BookSection", "BookTable", "InvalidBook", "pack", "parse_book", "write_book"]

MAGIC = b"noughts-book 3\n"
OLD_MAGIC = b"noughts-book 2\n"
LENGTH_BYTES = 4
DIGEST_BYTES = 16
MAX_HEADER_BYTES = 16 << 20
MAX_OLD_BYTES = 1 << 30
"""Bytes of a section of version 2, not compressed."""
MAX_WIDTH = 300
"""Bytes of one field; a key of the largest board takes 203."""
VALUES = (None, Value.LOSS, Value.DRAW, Value.WIN)


class InvalidBook(ValueError):
    """A file that is not a book, or a damaged one."""


class Widths(NamedTuple):
    """The bytes of each field of an entry."""

    value: int
    move: int
    plies: int
    counts: int

    @property
    def of_fields(self) -> tuple[int, ...]:
        """The bytes of the six fields."""
        return self.value, self.move, self.plies, self.counts, self.counts, self.counts


class BookTable:
    """The entries of a game: the keys in ascending order, and the fields as columns of bytes."""

    def __init__(self, keys: list[int], columns: bytes, widths: Widths) -> None:
        self._keys = keys
        self._columns = columns
        self._widths = widths

    def find(self, key: int) -> BookEntry | None:
        """Return the entry of a key; raises InvalidBook if it has a value that does not exist."""
        at = bisect_left(self._keys, key)
        return self._entry(at) if at < len(self._keys) and self._keys[at] == key else None

    def items(self) -> Iterator[tuple[int, BookEntry]]:
        """Yield the keys with their entries, in ascending order."""
        for at, key in enumerate(self._keys):
            yield key, self._entry(at)

    def _entry(self, at: int) -> BookEntry:
        fields = self._columns[at :: len(self._keys)]
        start, numbers = 0, []
        for width in self._widths.of_fields:
            numbers.append(int.from_bytes(fields[start : start + width]))
            start += width
        value, move, plies, *counts = numbers
        if value >= len(VALUES):
            raise InvalidBook(f"expected a value from 0 to {len(VALUES) - 1} in an entry, got {value}")
        return BookEntry(move - 1 if move else None, VALUES[value], plies - 1 if plies else None, *counts)


class BookSection(NamedTuple):
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

    def unpack(self) -> BookTable:
        """Return the entries; raises InvalidBook if they are damaged."""
        self.check()
        keys, key, at = [], 0, self.entries
        for length in self.packed[: self.entries]:
            key += int.from_bytes(self.packed[at : at + length])
            keys.append(key)
            at += length
        size = at + self.entries * sum(self.widths.of_fields)
        if len(self.packed) != size:
            raise InvalidBook(
                f"expected {size:,} bytes of entries of {quote(str(self.game))}, got {len(self.packed):,}"
            )
        return BookTable(keys, self.packed[at:], self.widths)


def pack(game: object, most_marks: int, entries: Mapping[int, BookEntry]) -> BookSection:
    """Return the section of a game for entries by key."""
    keys = sorted(entries)
    columns = list(zip(*(_numbers(entries[key]) for key in keys), strict=True)) or [()] * 6
    value, move, plies, *counts = (_width(max(column, default=0)) for column in columns)
    widths = Widths(value, move, plies, max(counts))
    fields = b"".join(
        bytes(number.to_bytes(width)[at] for number in column)
        for column, width in zip(columns, widths.of_fields, strict=True)
        for at in range(width)
    )
    packed = _pack_keys(keys) + fields
    return BookSection(game, len(keys), most_marks, widths, packed, _digest(packed))


def _pack_keys(keys: list[int]) -> bytes:
    differences = [key - before for before, key in pairwise((0, *keys))]
    lengths = [_width(difference) for difference in differences]
    return bytes(lengths) + b"".join(map(int.to_bytes, differences, lengths))


def _numbers(entry: BookEntry) -> tuple[int, ...]:
    move, plies = (0 if number is None else number + 1 for number in (entry.move, entry.plies))
    return VALUES.index(entry.value), move, plies, entry.wins, entry.draws, entry.losses


def _width(largest: int) -> int:
    return (largest.bit_length() + 7) // 8


def write_book(path: FilePath, sections: list[BookSection]) -> None:
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


def parse_book(data: bytes, name: str) -> list[BookSection]:
    """Return the sections of a file, not yet unpacked; raises InvalidBook with its name if the header is damaged."""
    if not data.startswith((MAGIC, OLD_MAGIC)):
        raise InvalidBook(f"expected a book of the format {MAGIC.decode().strip()} in {name}")
    body = len(MAGIC) + LENGTH_BYTES
    end = body + int.from_bytes(data[len(MAGIC) : body])
    if end > min(MAX_HEADER_BYTES, len(data)) or bytes.fromhex(_digest(data[:end])) != data[end : end + DIGEST_BYTES]:
        raise InvalidBook(f"the book {name} is damaged: the checksum of its header is wrong")
    try:
        return list(_sections(json.loads(data[body:end])["games"], data[end + DIGEST_BYTES :]))
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidBook(f"the book {name} is damaged: {error}") from None


def _sections(games: list[dict[str, Any]], data: bytes) -> Iterator[BookSection]:
    start = 0
    for each in games:
        *key_width, value, move, plies, counts = each["widths"]  # only version 2 has the width of keys
        widths = Widths(value, move, plies, counts)
        entries, marks, end = each["entries"], each["most_marks"], start + each["bytes"]
        if not (entries >= 0 and all(0 <= width <= MAX_WIDTH for width in each["widths"])):
            raise ValueError(f"expected entries of a bounded size, got {entries} of {sum(each['widths'])} bytes")
        if not start <= end <= len(data):
            raise ValueError(f"expected {end:,} bytes of entries, got {len(data):,}")
        section = BookSection(each["game"], entries, marks, widths, data[start:end], str(each["digest"]))
        yield _convert(section, *key_width) if key_width else section
        start = end


def _convert(section: BookSection, key_width: int) -> BookSection:
    """Return a section of version 2 as one of this version; raises ValueError if it is damaged."""
    try:
        import lzma  # Python can be built without it
    except ImportError:
        raise ValueError("version 2 requires Python with the module lzma") from None
    section.check()
    end = section.entries * key_width
    size = end + section.entries * sum(section.widths.of_fields)
    if size > MAX_OLD_BYTES:
        raise ValueError(f"expected entries of at most {MAX_OLD_BYTES:,} bytes, got {size:,}")
    try:
        columns = lzma.LZMADecompressor().decompress(section.packed, size + 1)
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(f"the entries of {quote(str(section.game))} cannot be decompressed: {error}") from None
    if len(columns) != size:
        raise ValueError(f"expected {size:,} bytes of entries of {quote(str(section.game))}, got {len(columns):,}")
    keys = [int.from_bytes(columns[at : end : section.entries]) for at in range(section.entries)]
    packed = _pack_keys(keys) + columns[end:]
    return section._replace(packed=packed, digest=_digest(packed))


def _digest(data: bytes) -> str:
    from hashlib import blake2b  # loads a large library, so only when a book is used

    return blake2b(data, digest_size=DIGEST_BYTES).hexdigest()
