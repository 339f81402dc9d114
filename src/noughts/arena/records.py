"""Tournaments in the store: every finished playthrough is on disk before the next result is looked at."""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from noughts.arena.plan import Plan
from noughts.arena.schedule import Key
from noughts.games import Outcome, Playthrough, Side, Termination
from noughts.store import Store, StoreError
from noughts.store.schema import all_or_nothing, said_plainly

__all__ = ["Kept", "Played", "Records"]


@dataclass(frozen=True)
class Played:
    """A finished playthrough of a tournament.

    ``moves`` include those of the opening, of which there are ``opening``; ``seconds`` are what each move of the bots
    took. After a forfeit ``failure`` is its kind, ``detail`` what happened and ``stderr`` the bot's last lines.
    """

    key: Key
    x: str
    o: str
    start: str | None
    moves: tuple[int, ...]
    opening: int
    seconds: tuple[float, ...]
    winner: str | None
    reason: Termination
    points: tuple[int, int]
    failure: str | None = None
    detail: str | None = None
    stderr: str | None = None
    ended: str = ""

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        return Outcome(None if self.winner is None else Side(self.winner), self.reason, self.points)

    @property
    def loser(self) -> str | None:
        """The name of the bot that lost."""
        return None if self.winner is None else self.o if self.winner == "X" else self.x

    def scores(self, scoring: str) -> tuple[float, float]:
        """What X and O get for it."""
        if scoring == "points":
            return float(self.points[0]), float(self.points[1])
        return (0.5, 0.5) if self.winner is None else (1.0, 0.0) if self.winner == "X" else (0.0, 1.0)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self) | {"key": list(self.key)}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Played:
        """Return the playthrough of data that :meth:`to_data` has made."""
        tuples = {name: tuple(data[name]) for name in ("moves", "seconds", "points")}
        return cls(**{**data, **tuples, "key": Key(*data["key"]), "reason": Termination(data["reason"])})

    def playthrough(self, plan: Plan) -> Playthrough:
        """Return it as a playthrough that can be saved to a file."""
        tags = {"Event": plan.name, "Round": f"{self.key.pair + 1}.{self.key.leg + 1}", "X": self.x, "O": self.o}
        tags["Date"] = self.ended[:10].replace("-", ".") or "????.??.??"
        comments = {len(self.moves): f"{self.loser}: {self.detail}"} if self.detail else None
        return Playthrough(plan.game, self.moves, tags, self.outcome, comments=comments, start=self.start)


@dataclass(frozen=True)
class Kept:
    """A line about a tournament in the store."""

    id: int
    name: str
    game: str
    format: str
    bots: int
    played: int
    source: str | None
    started: str
    updated: str
    is_finished: bool


class Records:
    """The tournaments of a store. Each call is on disk when it returns; all raise StoreError."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def begin(self, plan: Plan, source: str | None = None) -> int:
        """Keep a new tournament and return its number; the source is the file it comes from."""
        time = _now()
        with said_plainly(self.store.path):
            cursor = self.store.connection.execute(
                "INSERT INTO tournaments (name, game, format, bots, plan, source, started, updated)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    plan.name,
                    plan.game.id,
                    plan.format,
                    len(plan.entrants),
                    json.dumps(plan.to_data()),
                    source,
                    time,
                    time,
                ),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def add(self, number: int, played: Iterable[Played]) -> None:
        """Keep finished playthroughs, all of them or none. One that is already there stays as it is."""
        rows = [(number, *_row(each)) for each in played]
        connection = self.store.connection
        with all_or_nothing(connection, self.store.path):
            connection.executemany(f"INSERT OR IGNORE INTO tournament_plays VALUES ({MARKS})", rows)
            connection.execute("UPDATE tournaments SET updated = ? WHERE id = ?", (_now(), number))

    @contextmanager
    def alone(self, number: int) -> Iterator[None]:
        """Keep other processes from playing the same tournament meanwhile; raises StoreError when one does."""
        path = self.store.path.with_name(f"{self.store.path.name}.arena-{number}.lock")
        with path.open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreError(f"tournament {number} is being played by another process") from None
            try:
                yield
            finally:
                path.unlink(missing_ok=True)

    def finish(self, number: int) -> None:
        """Note that everything has been played."""
        with said_plainly(self.store.path):
            self.store.connection.execute("UPDATE tournaments SET finished = ? WHERE id = ?", (_now(), number))

    def plan(self, number: int) -> Plan:
        """Return the plan of a tournament; raises StoreError when there is none of that number."""
        return Plan.from_data(json.loads(self._tournament(number)["plan"]))

    def kept(self, number: int) -> Kept:
        """Return the line about a tournament."""
        return _kept(self._tournament(number))

    def _tournament(self, number: int) -> sqlite3.Row:
        with said_plainly(self.store.path):
            rows = self.store.connection.execute(f"{SUMMARY} WHERE id = ?", (min(number, 2**63 - 1),)).fetchall()
        for row in rows:
            assert isinstance(row, sqlite3.Row)
            return row
        raise StoreError(f"there is no tournament {number}; noughts arena list shows those there are")

    def plays(self, number: int) -> Iterator[Played]:
        """Yield the playthroughs of a tournament in the order of their keys, whenever they were played."""
        with said_plainly(self.store.path):
            rows = self.store.connection.execute(
                "SELECT * FROM tournament_plays WHERE tournament = ? ORDER BY pairing, pair, leg", (number,)
            )
            for row in rows:
                yield _played(row)

    def list(self) -> list[Kept]:
        """Return a line about each tournament, the latest first."""
        with said_plainly(self.store.path):
            rows = self.store.connection.execute(f"{SUMMARY} ORDER BY id DESC").fetchall()
        return [_kept(row) for row in rows]

    def delete(self, number: int) -> None:
        """Forget a tournament and its playthroughs for good."""
        self._tournament(number)
        with said_plainly(self.store.path):
            self.store.connection.execute("DELETE FROM tournaments WHERE id = ?", (number,))


SUMMARY = """
    SELECT *, (SELECT count(*) FROM tournament_plays WHERE tournament = tournaments.id) AS played FROM tournaments
"""
MARKS = ", ".join("?" * 18)


def _row(played: Played) -> tuple[object, ...]:
    texts = _numbers(played.moves), " ".join(f"{seconds:.4f}" for seconds in played.seconds)
    failure = played.failure, played.detail, played.stderr
    ended = played.ended or _now()
    who = played.x, played.o, played.start, played.opening
    return (*played.key, *who, *texts, played.winner, played.reason, *played.points, *failure, ended)


def _numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def _played(row: sqlite3.Row) -> Played:
    return Played(
        key=Key(row["pairing"], row["pair"], row["leg"]),
        x=row["x"],
        o=row["o"],
        start=row["start"],
        moves=tuple(map(int, row["moves"].split())),
        opening=row["opening"],
        seconds=tuple(map(float, row["seconds"].split())),
        winner=row["winner"],
        reason=Termination(row["reason"]),
        points=(row["x_points"], row["o_points"]),
        failure=row["failure"],
        detail=row["detail"],
        stderr=row["stderr"],
        ended=row["ended"],
    )


def _kept(row: sqlite3.Row) -> Kept:
    columns = ("id", "name", "game", "format", "bots", "played", "source", "started", "updated")
    return Kept(**{name: row[name] for name in columns}, is_finished=row["finished"] is not None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
