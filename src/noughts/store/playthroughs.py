"""Saved playthroughs, as the store returns them."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

from noughts.games import Game, Outcome, Playthrough, Position, Side, Termination

__all__ = ["PlayerRecord", "SavedPlaythrough", "Summary", "now"]


@dataclass(frozen=True)
class Summary:
    """A saved playthrough in one line. Times are in UTC."""

    id: int
    game: str
    x: str
    o: str
    source: str
    started: datetime
    updated: datetime
    plies: int
    outcome: Outcome | None

    @classmethod
    def of(cls, row: sqlite3.Row) -> Summary:
        """Return the summary of a row."""
        started, updated = (datetime.fromisoformat(row[column]) for column in ("started", "updated"))
        players = row["x"], row["o"], row["source"]
        return cls(row["id"], row["game"], *players, started, updated, row["plies"], _outcome(row))

    def to_data(self) -> dict[str, object]:
        """Return all fields except the outcome and the source as plain data."""
        return {
            "id": self.id,
            "game": self.game,
            "x": self.x,
            "o": self.o,
            "plies": self.plies,
            "started": self.started.isoformat(),
            "updated": self.updated.isoformat(),
        }


@dataclass(frozen=True)
class SavedPlaythrough:
    """A saved playthrough with all its moves."""

    summary: Summary
    game: Game
    start: str | None
    moves: tuple[int, ...]
    move_seconds: tuple[float | None, ...]
    move_clocks: tuple[float | None, ...]
    seconds: float | None
    """The engine's limit for a move."""
    clock: str | None
    """The time control in seconds, as in files: ``300+3`` or ``40/300``."""
    left: dict[Side, float] | None
    """The seconds on the clocks."""
    accuracy: dict[Side, float | None]
    """The accuracy of each side in percent, if it was reviewed."""

    @classmethod
    def of(cls, row: sqlite3.Row, moves: list[sqlite3.Row]) -> SavedPlaythrough:
        """Return the playthrough of a row and the rows of its moves."""
        return cls(
            Summary.of(row),
            Game.from_data(row["game"] if row["game_data"] is None else json.loads(row["game_data"])),
            row["start"],
            tuple(move["move"] for move in moves),
            tuple(move["seconds"] for move in moves),
            tuple(move["clock"] for move in moves),
            row["seconds"],
            row["clock"],
            _left(row, moves),
            {Side.X: row["x_accuracy"], Side.O: row["o_accuracy"]},
        )

    def position(self) -> Position:
        """Return the position after the last move, with its moves."""
        return self.playthrough().position()

    def playthrough(self) -> Playthrough:
        """Return the playthrough, for example to write it to a file."""
        tags = {"X": self.summary.x, "O": self.summary.o}
        tags["Date"] = self.summary.started.astimezone().strftime("%Y.%m.%d")
        if self.clock:
            tags["TimeControl"] = self.clock
        clocks = self.move_clocks if any(clock is not None for clock in self.move_clocks) else None
        return Playthrough(self.game, self.moves, tags, self.summary.outcome, clocks, start=self.start)


@dataclass(frozen=True)
class PlayerRecord:
    """A player's results in one game against one opponent; if both have the same name, the results of X.

    ``plies`` is the average length, ``seconds`` the average time of the player's moves, ``accuracy`` the average of
    the reviewed games in percent; None if unknown.
    """

    game: str
    opponent: str
    played: int
    won: int
    drawn: int
    lost: int
    plies: float
    seconds: float | None
    accuracy: float | None


def now() -> str:
    """Return the time in the format of the tables."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _left(row: sqlite3.Row, moves: list[sqlite3.Row]) -> dict[Side, float] | None:
    """The clocks saved at the end of the session or, if it was killed, those saved with the last moves."""
    if row["clock"] is None:
        return None
    left = {side: float(row["clock"].rpartition("/")[2].partition("+")[0]) for side in Side}
    left |= {Side(move["side"]): move["clock"] for move in moves if move["clock"] is not None}
    written = {Side.X: row["x_left"], Side.O: row["o_left"]}
    return {side: left[side] if written[side] is None else written[side] for side in Side}


def _outcome(row: sqlite3.Row) -> Outcome | None:
    if row["reason"] is None:
        return None
    winner = None if row["winner"] is None else Side(row["winner"])
    return Outcome(winner, Termination(row["reason"]), (row["x_points"], row["o_points"]))
