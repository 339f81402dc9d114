"""The journal of a solve by jobs: a file of lines from which it continues after a crash.

The first line names the position; the others are the positions expanded and the answers of jobs, in their order. Lines
that come in while others are being written to disk are written together, after them.

A damaged line is left where it is, and counted. Its checksum tells damage, not intent: the driver checks the joined
certificate before it believes a value that rests on a journal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from noughts.games import Position
from noughts.games.atomic_file import atomic_file
from noughts.games.checked_records import append_records, format_record, parse_record
from noughts.json_types import JsonObject

__all__ = ["Journal"]

VERSION = 2
FORMAT = "noughts_jobs"


class Journal:
    """Entries, which are lists of JSON data, in a file; raises OSError, also for a file of another position.

    A new journal replaces an old one when its first entries are written.
    """

    def __init__(self, path: Path, position: Position, is_new: bool) -> None:
        self.path = path
        self.damaged_lines = 0
        """The number of damaged lines that ``read`` has met."""
        self._is_new = is_new
        self._header = {FORMAT: VERSION, "game": position.game.to_data(), "position": position.text}
        self._waiting: list[bytes] = []

    def read(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield the entries written before, with the numbers of their lines."""
        if self._is_new:
            return
        is_ours = False
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                data = self._parse(line)
                if data is None:
                    continue
                is_ours = True
                if FORMAT in data:
                    if data != self._header:
                        raise OSError(f"{self.path}: expected the journal of a solve of this position")
                elif isinstance(entry := data.get("entry"), list):
                    yield number, entry
        if not is_ours:
            raise OSError(f"{self.path}: {_describe_other(self.path)}")

    def _parse(self, line: bytes) -> JsonObject | None:
        """The data of a line; None for one that is damaged or was not finished."""
        try:
            return parse_record(line)
        except ValueError:
            self.damaged_lines += line.endswith(b"\n")
            return None

    def write(self, *entry: object) -> None:
        """Add an entry; ``flush`` brings it to the disk."""
        self._waiting.append(format_record({"entry": entry}))

    def flush(self) -> None:
        """Write the new entries; they are on disk when this returns. If it raises, the next call tries again."""
        lines = list(self._waiting)
        if lines and self._is_new:
            with atomic_file(self.path) as file:
                file.writelines([format_record(self._header), *lines])
            self._is_new = False
        elif lines:
            append_records(self.path, lines)
        del self._waiting[: len(lines)]


def _describe_other(path: Path) -> str:
    """The reason why a file without a good line is refused."""
    with open(path, "rb") as file:
        first = file.readline()
    try:
        data = json.loads(first)
    except ValueError:
        data = None
    if isinstance(data, dict) and data.get(FORMAT, VERSION) != VERSION:
        return "this journal was written by another version of noughts; solve without it"
    return "expected the journal of a solve, got another file"
