"""Tournaments in the store: each result is on disk before the next one is handled."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from noughts.arena.plan import Plan, Scoring
from noughts.arena.schedule import Key
from noughts.games import Outcome, Playthrough, Side, Termination
from noughts.games.file_lock import locked_file
from noughts.invocation import command_line
from noughts.schema import encode, read
from noughts.store import Store, StoreError
from noughts.store.database import insert
from noughts.store.store import MAX_NUMBER, now

__all__ = ["Result", "TournamentSummary", "Tournaments"]


@dataclass(frozen=True)
class Result:
    """A finished playthrough of a tournament.

    ``moves`` begin with those of the opening, ``opening`` in number; ``seconds`` are the times of the bots' moves.
    After a forfeit ``failure`` is the reason, ``detail`` describes it, and ``stderr`` has the bot's last lines.
    """

    key: Key
    x: str
    o: str
    start: str | None
    moves: tuple[int, ...]
    opening: int
    seconds: tuple[float, ...]
    winner: Side | None
    reason: Termination
    points: tuple[int, int]
    failure: str | None = None
    detail: str | None = None
    stderr: str | None = None
    ended: str = ""

    @property
    def outcome(self) -> Outcome:
        """The outcome of the playthrough."""
        return Outcome(self.winner, self.reason, self.points)

    @property
    def loser(self) -> str | None:
        """The name of the bot that lost."""
        return None if self.winner is None else self.o if self.winner is Side.X else self.x

    def scores(self, scoring: Scoring) -> tuple[float, float]:
        """Return the scores of X and O."""
        if scoring is Scoring.POINTS:
            return float(self.points[0]), float(self.points[1])
        return (0.5, 0.5) if self.winner is None else (1.0, 0.0) if self.winner is Side.X else (0.0, 1.0)

    def playthrough(self, plan: Plan) -> Playthrough:
        """Return the playthrough, with its tags, for saving to a file."""
        tags = {"Event": plan.name, "Round": f"{self.key.pair + 1}.{self.key.leg + 1}", "X": self.x, "O": self.o}
        tags["Date"] = self.ended[:10].replace("-", ".") or "????.??.??"
        comments = {len(self.moves): f"{self.loser}: {self.detail}"} if self.detail else None
        return Playthrough(plan.game, self.moves, tags, self.outcome, comments=comments, start=self.start)


@dataclass(frozen=True)
class TournamentSummary:
    """A row of the list of tournaments."""

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


class Tournaments:
    """The tournaments of a store. Each call has been written to disk when it returns; all raise StoreError."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, plan: Plan, source: str | None = None) -> int:
        """Add a tournament and return its number; ``source`` says where the plan comes from, usually its file."""
        about = {"name": plan.name, "game": plan.game.id, "format": str(plan.format), "bots": len(plan.entrants)}
        values = {**about, "plan": encode(plan), "source": source, "started": now(), "updated": now()}
        return self.store.insert("tournaments", values)

    def add_results(self, number: int, results: Iterable[Result]) -> None:
        """Add results, all of them or none. A result that is already there stays as it is."""
        with self.store.transaction():
            for result in results:
                insert(self.store.connection, "tournament_plays", {"tournament": number, **_columns(result)}, "IGNORE")
            self.store.execute("UPDATE tournaments SET updated = ? WHERE id = ?", (now(), number))

    @contextmanager
    def lock(self, number: int) -> Iterator[None]:
        """Lock a tournament against other processes; raises StoreError if another one is playing it."""
        path = self.store.path.with_name(f"{self.store.path.name}.arena-{number}.lock")
        with ExitStack() as held:
            try:
                held.enter_context(locked_file(path))
            except BlockingIOError:
                raise StoreError(f"tournament {number} is being played by another process") from None
            try:
                yield
            finally:
                with suppress(PermissionError):  # Windows deletes no open file
                    path.unlink(missing_ok=True)

    def finish(self, number: int) -> None:
        """Mark a tournament as finished."""
        self.store.execute("UPDATE tournaments SET finished = ? WHERE id = ?", (now(), number))

    def plan(self, number: int) -> Plan:
        """Return the plan of a tournament; raises StoreError if there is none with that number."""
        return read(Plan, json.loads(self._tournament(number)["plan"]))

    def summary(self, number: int) -> TournamentSummary:
        """Return a tournament in one line of a list; raises StoreError if there is none with that number."""
        return _summary(self._tournament(number))

    def _tournament(self, number: int) -> sqlite3.Row:
        for row in self.store.rows(f"{SUMMARY} WHERE id = ?", (min(number, MAX_NUMBER),)):
            return row
        raise StoreError(f"no tournament {number}; {command_line('arena', 'list')} shows all tournaments")

    def results(self, number: int) -> Iterator[Result]:
        """Yield the results of a tournament in the order of their keys."""
        query = "SELECT * FROM tournament_plays WHERE tournament = ? ORDER BY pairing, pair, leg"
        yield from map(_result, self.store.rows(query, (number,)))

    def list(self) -> list[TournamentSummary]:
        """Return all tournaments, the latest first."""
        return [_summary(row) for row in self.store.rows(f"{SUMMARY} ORDER BY id DESC")]

    def find(self, plan: Plan, source: str) -> int | None:
        """Return the number of the latest tournament of the same plan and source, or None."""
        same = (each.id for each in self.list() if each.source == source and self.plan(each.id).decides_as(plan))
        return next(same, None)

    def delete(self, number: int) -> None:
        """Delete a tournament and its results."""
        self._tournament(number)
        self.store.execute("DELETE FROM tournaments WHERE id = ?", (number,))


SUMMARY = """
    SELECT *, (SELECT count(*) FROM tournament_plays WHERE tournament = tournaments.id) AS played FROM tournaments
"""
PLAIN_COLUMNS = ("x", "o", "start", "opening", "winner", "failure", "detail", "stderr")
"""The fields of a result that are columns as they are."""


def _columns(result: Result) -> dict[str, object]:
    return {
        **result.key._asdict(),
        **{name: getattr(result, name) for name in PLAIN_COLUMNS},
        "moves": " ".join(map(str, result.moves)),
        "seconds": " ".join(f"{each:.4f}" for each in result.seconds),
        "reason": str(result.reason),
        **dict(zip(("x_points", "o_points"), result.points, strict=True)),
        "ended": result.ended or now(),
    }


def _result(row: sqlite3.Row) -> Result:
    plain: dict[str, Any] = {name: row[name] for name in PLAIN_COLUMNS}
    return Result(
        **plain | {"winner": None if row["winner"] is None else Side(row["winner"])},
        key=Key(row["pairing"], row["pair"], row["leg"]),
        moves=tuple(map(int, row["moves"].split())),
        seconds=tuple(map(float, row["seconds"].split())),
        reason=Termination(row["reason"]),
        points=(row["x_points"], row["o_points"]),
        ended=row["ended"],
    )


def _summary(row: sqlite3.Row) -> TournamentSummary:
    columns = ("id", "name", "game", "format", "bots", "played", "source", "started", "updated")
    return TournamentSummary(**{name: row[name] for name in columns}, is_finished=row["finished"] is not None)
