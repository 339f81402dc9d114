"""The journal of a solve by jobs: a file of lines from which it continues after a crash.

The first line names the position; the others are the positions expanded and the answers of jobs, in their order. Each
is in the file before the solve continues. A line that was not finished is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from noughts.games import Position

__all__ = ["Journal"]

VERSION = 1


class Journal:
    """Lines of JSON, appended to a file; raises OSError, also for a file of another position.

    A new journal replaces an old one when its first line is written.
    """

    def __init__(self, path: Path, position: Position, is_new: bool) -> None:
        self.path = path
        self._is_new = is_new
        self._header = {"noughts_jobs": VERSION, "game": position.game.to_data(), "position": position.text}
        self._is_open = False
        self._good = 0
        """Bytes of complete lines."""

    def read(self) -> Iterator[list[Any]]:
        """Yield the lines written before."""
        if self._is_new:
            return
        with open(self.path, "rb") as file:
            for number, line in enumerate(file):
                data = _parse(line)
                if data is None or (number == 0) != isinstance(data, dict):
                    break
                if number == 0 and data != self._header:
                    raise OSError(f"{self.path}: expected the journal of a solve of this position")
                self._good += len(line)
                if isinstance(data, list):
                    yield data
        if self._good == 0 and self.path.stat().st_size > 0:
            raise OSError(f"{self.path}: expected the journal of a solve, got another file")

    def write(self, *data: Any) -> None:
        """Append a line."""
        if not self._is_open:
            self._open()
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(data) + "\n")

    def _open(self) -> None:
        """Begin the file, or remove a line that was not finished."""
        self._is_open = True
        if self._good == 0:
            self.path.write_text(json.dumps(self._header) + "\n", encoding="utf-8")
            return
        with open(self.path, "r+b") as file:
            file.truncate(self._good)


def _parse(line: bytes) -> dict[str, Any] | list[Any] | None:
    """The data of a line; None for one that is damaged or not finished."""
    try:
        data = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    return data if isinstance(data, dict | list) else None
