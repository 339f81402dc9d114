"""The records of the atlas: one line of JSON for each game, in a file that a build appends to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from noughts.games import Value
from noughts.games.atomic_file import atomic_file
from noughts.games.checked_records import append_records, format_record, parse_record
from noughts.games.quoting import quote
from noughts.packaged import packaged_path

__all__ = ["FILE_NAME", "SHIPPED", "Budget", "Certificate", "InvalidRecords", "Record", "Records"]

FILE_NAME = "games.jsonl"
SHIPPED = packaged_path("atlas")
"""The folder with the records that come with the package."""


class InvalidRecords(ValueError):
    """A file of records is damaged; the message names the file and the line."""


class Budget(NamedTuple):
    """The limits of one solve: processor time for the value and its certificate, and the size of the tables."""

    seconds: float
    memory_mb: int

    def is_larger_than(self, other: Budget) -> bool:
        """Whether to try a game again that was not solved with the other budget."""
        at_least = self.seconds >= other.seconds and self.memory_mb >= other.memory_mb
        return at_least and self != other


class Certificate(NamedTuple):
    """A certificate that was verified: the SHA-256 and size of its text, its nodes, and what checked it."""

    sha256: str
    bytes: int
    nodes: int
    checked_by: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """The result for one game, for the first player; ``value`` is None if the budget was too small.

    A value without a certificate comes from the search alone; ``reason`` then says why.
    """

    game: str
    family: str
    budget: Budget
    version: str
    value: Value | None = None
    opening: str | None = None
    """A move that preserves the value; None for a loss."""
    nodes: int = 0
    seconds: float = 0.0
    """Processor time of the solve, without writing and checking the certificate."""
    certificate: Certificate | None = None
    reason: str | None = None
    """Why there is no certificate."""

    @property
    def is_proven(self) -> bool:
        """Whether there is a verified certificate."""
        return self.certificate is not None

    @property
    def is_custom(self) -> bool:
        """Whether the game is custom: made from a name, not from an id."""
        return not self.game[0].isdigit() and not self.game.startswith("ultimate:")

    @property
    def command(self) -> str:
        """The command that solves the game again and writes its certificate."""
        game = "game.json" if self.is_custom else self.game
        make = f"noughts atlas game {self.game} -o {game} && " if self.is_custom else ""
        return f"{make}noughts solve {game} --memory {self.budget.memory_mb} --proof game.ngp"

    def to_data(self) -> dict[str, object]:
        """Return the record as JSON data, without empty fields."""
        certificate = self.certificate
        data = {
            "game": self.game,
            "family": self.family,
            "value": self.value,
            "opening": self.opening,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "sha256": certificate and certificate.sha256,
            "bytes": certificate and certificate.bytes,
            "proof_nodes": certificate and certificate.nodes,
            "checked_by": certificate and list(certificate.checked_by),
            "reason": self.reason,
            "budget": list(self.budget),
            "version": self.version,
            "command": self.command,
        }
        return {key: value for key, value in data.items() if value is not None}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Record:
        """Return the record of JSON data; raises KeyError, TypeError or ValueError."""
        certificate = (
            Certificate(data["sha256"], data["bytes"], data["proof_nodes"], tuple(data["checked_by"]))
            if "sha256" in data
            else None
        )
        seconds, memory_mb = data["budget"]
        return cls(
            game=data["game"],
            family=data["family"],
            budget=Budget(seconds, memory_mb),
            version=data["version"],
            value=Value(data["value"]) if "value" in data else None,
            opening=data.get("opening"),
            nodes=data["nodes"],
            seconds=data["seconds"],
            certificate=certificate,
            reason=data.get("reason"),
        )


class Records:
    """The records in a folder, by game. Each new record is written at once; ``sort`` rewrites the file."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        self.path = folder / FILE_NAME
        self._by_game = {record.game: record for record in self._read()}

    def __len__(self) -> int:
        return len(self._by_game)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._by_game.values())

    def get(self, game: str) -> Record | None:
        """Return the record of a game, if there is one."""
        return self._by_game.get(game)

    def add(self, record: Record) -> None:
        """Add a record, or replace that of the same game, and write it to disk."""
        append_records(self.path, [format_record(record.to_data())])
        self._by_game[record.game] = record

    def sort(self, games: Iterable[str]) -> None:
        """Rewrite the file with one record per game, those named first and in this order."""
        place = {game: number for number, game in enumerate(games)}
        records = sorted(self, key=lambda record: place.get(record.game, len(place)))
        with atomic_file(self.path) as file:
            file.writelines(format_record(record.to_data()) for record in records)
        self._by_game = {record.game: record for record in records}

    def _read(self) -> Iterator[Record]:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        for number, line in enumerate(data.splitlines(keepends=True), start=1):
            if line.endswith(b"\n"):  # else a build is writing it, or was killed while it did
                yield self._parse(number, line)

    def _parse(self, number: int, line: bytes) -> Record:
        try:
            return Record.from_data(parse_record(line, requires_check=False))
        except (KeyError, TypeError, ValueError, AttributeError):
            text = line.decode(errors="replace").rstrip("\n")
            raise InvalidRecords(f"{self.path}: line {number}: expected a record, got {quote(text)}") from None
