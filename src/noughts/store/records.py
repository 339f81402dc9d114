"""Kept playthroughs as values."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

from noughts.games import Game, Outcome, Playthrough, Position, Side, Termination

__all__ = ["Kept", "Summary"]


@dataclass(frozen=True)
class Summary:
    """A line about a kept playthrough. Times are in UTC."""

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
        """Return the summary in a row."""
        started, updated = (datetime.fromisoformat(row[column]) for column in ("started", "updated"))
        who = row["x"], row["o"], row["source"]
        return cls(row["id"], row["game"], *who, started, updated, row["plies"], _outcome(row))

    def to_data(self) -> dict[str, object]:
        """Return all but the outcome and the source as plain data."""
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
class Kept:
    """A kept playthrough with all its moves."""

    summary: Summary
    game: Game
    start: str | None
    moves: tuple[int, ...]
    move_seconds: tuple[float | None, ...]
    move_clocks: tuple[float | None, ...]
    seconds: float | None
    """What an engine may think about a move."""
    clock: str | None
    """The time control as files have it, seconds plus seconds: ``300+3``."""
    left: dict[Side, float] | None
    accuracy: dict[Side, float | None]

    @classmethod
    def of(cls, row: sqlite3.Row, moves: list[sqlite3.Row]) -> Kept:
        """Return the playthrough of a row and the rows of its moves."""
        game = Game.from_data(row["game"] if row["game_data"] is None else json.loads(row["game_data"]))
        return cls(
            Summary.of(row),
            game,
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
        """Return the position after the last move, with the moves behind it."""
        return self.playthrough().position()

    def playthrough(self) -> Playthrough:
        """Return it as a playthrough that can be saved to a file."""
        tags = {"X": self.summary.x, "O": self.summary.o}
        tags["Date"] = self.summary.started.astimezone().strftime("%Y.%m.%d")
        if self.clock:
            tags["TimeControl"] = self.clock
        clocks = self.move_clocks if any(clock is not None for clock in self.move_clocks) else None
        return Playthrough(self.game, self.moves, tags, self.summary.outcome, clocks, start=self.start)


def now() -> str:
    """Return the time as the tables hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _left(row: sqlite3.Row, moves: list[sqlite3.Row]) -> dict[Side, float] | None:
    """What the clocks show: as written when the session was left, or, if it was killed, after the last moves."""
    if row["clock"] is None:
        return None
    shown = {side: float(row["clock"].rpartition("/")[2].partition("+")[0]) for side in Side}
    shown |= {Side(move["side"]): move["clock"] for move in moves if move["clock"] is not None}
    written = {Side.X: row["x_left"], Side.O: row["o_left"]}
    return {side: shown[side] if written[side] is None else written[side] for side in Side}


def _outcome(row: sqlite3.Row) -> Outcome | None:
    if row["reason"] is None:
        return None
    winner = None if row["winner"] is None else Side(row["winner"])
    return Outcome(winner, Termination(row["reason"]), (row["x_points"], row["o_points"]))
