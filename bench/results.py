"""What was measured, kept as JSON lines: appended one by one, so that an interrupted run loses nothing and resumes."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from os import SEEK_END
from pathlib import Path
from typing import Any

__all__ = ["OUT", "Record", "Store", "append", "digest", "load", "say"]

OUT = Path(__file__).parent / "out"

Record = dict[str, Any]


def say(text: str) -> None:
    """Report progress on standard error."""
    print(text, file=sys.stderr, flush=True)


def append(path: Path, record: Record) -> None:
    """Add one record to a file, at once, on a line of its own even if the last one was torn."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        if file.seek(0, SEEK_END) > 0:
            file.seek(-1, SEEK_END)
            if file.read() != b"\n":
                file.write(b"\n")
        file.write(json.dumps(record).encode() + b"\n")


def load(path: Path) -> list[Record]:
    """Return the records of a file; a last line torn by an interruption is left out."""
    if not path.exists():
        return []
    records = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return records


def digest(value: object) -> str:
    """Return a short name for plain data, the same on every run."""
    return hashlib.sha1(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


class Store:
    """Measurements by name: what is there is not measured again, unless it was measured on another build.

    Without a ``build`` all are taken, the last of each name.
    """

    def __init__(self, path: Path, build: str | None = None, fresh: bool = False) -> None:
        self.path = path
        self.build = build
        if fresh:
            path.unlink(missing_ok=True)
        kept = [record for record in load(path) if build is None or record.get("build") == build]
        self.records: dict[str, Record] = {record["name"]: record for record in kept}

    def measure(self, name: str, function: Callable[[], Record]) -> Record:
        """Return the record of that name, calling ``function`` for it when there is none yet."""
        if name not in self.records:
            self.add(name, function())
        return self.records[name]

    def add(self, name: str, values: Record) -> None:
        """Keep a measurement, replacing an earlier one of that name."""
        record = {"name": name, **values} | ({} if self.build is None else {"build": self.build})
        append(self.path, record)
        self.records[name] = record
