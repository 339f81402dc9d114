"""Measurements as JSON lines, appended one by one, so that an interrupted run loses nothing and can be resumed."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from os import SEEK_END
from pathlib import Path
from typing import Any

__all__ = ["OUT", "ROOT", "Record", "Results", "append", "digest", "load", "say"]

ROOT = Path(__file__).parent.parent
OUT = Path(__file__).parent / "out"

Record = dict[str, Any]


def say(text: str) -> None:
    """Print progress on standard error."""
    print(text, file=sys.stderr, flush=True)


def append(path: Path, record: Record) -> None:
    """Append a record to a file at once, on a new line even if the last one is incomplete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        if file.seek(0, SEEK_END) > 0:
            file.seek(-1, SEEK_END)
            if file.read() != b"\n":
                file.write(b"\n")
        file.write(json.dumps(record).encode() + b"\n")


def load(path: Path) -> list[Record]:
    """Return the records of a file; incomplete lines of interrupted runs are left out."""
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
    """Return a short hash of plain data, the same in every run."""
    return hashlib.sha1(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


class Results:
    """The records of one file by name. A name is measured once per build.

    Without a ``build`` the records of all builds are loaded, the last one of each name.
    """

    def __init__(self, path: Path, build: str | None = None, fresh: bool = False) -> None:
        self.path = path
        self.build = build
        if fresh:
            path.unlink(missing_ok=True)
        found = [record for record in load(path) if build is None or record.get("build") == build]
        self.records: dict[str, Record] = {record["name"]: record for record in found}

    def measure(self, name: str, function: Callable[[], Record]) -> Record:
        """Return the record with a name; if there is none yet, measure it by calling ``function`` and print it."""
        if name not in self.records:
            self.add(name, function())
        record = self.records[name]
        say(f"{name}: " + ", ".join(f"{key} {_format(record[key])}" for key in record if key not in ("name", "build")))
        return record

    def add(self, name: str, values: Record) -> None:
        """Append a record, replacing an earlier one with that name."""
        record = {"name": name, **values} | ({} if self.build is None else {"build": self.build})
        append(self.path, record)
        self.records[name] = record


def _format(value: object) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else str(value)
