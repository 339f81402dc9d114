"""The store: one SQLite file for playthroughs, saved as they are played, solved positions and everything else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

from noughts.games import Game, Outcome, Playthrough, Position, ProvenValue, Side, Termination, Value
from noughts.games.position_text import canonical
from noughts.invocation import command_line
from noughts.store.database import (
    BUSY_SECONDS,
    Busy,
    StoreError,
    connect,
    connect_to_read,
    insert,
    row_errors,
    store_errors,
    store_path,
    transaction,
)

__all__ = [
    "PlayerRecord",
    "PuzzleTry",
    "SavedPlaythrough",
    "SolvedPositions",
    "Store",
    "Summary",
    "game_columns",
    "game_from_row",
    "now",
    "open_store_if_possible",
    "side_columns",
    "sides_of",
    "summaries",
]
Values = Sequence[object] | Mapping[str, object]
"""The values of the parameters of a query."""
Rows = list[sqlite3.Row]
NOT_OF_VISITORS = "id NOT IN (SELECT playthrough FROM visitor_games)"
"""Playthroughs of visitors to the web page are visible only to them."""
NOT_EMPTY = "(reason IS NOT NULL OR EXISTS (SELECT 1 FROM moves WHERE playthrough = playthroughs.id))"
SUMMARY = """
    SELECT *, (SELECT count(*) FROM moves WHERE playthrough = playthroughs.id) AS plies FROM playthroughs
"""
PLAYER_RECORDS = """
    WITH players AS (
        SELECT id, game, 'X' AS side, x AS player, o AS opponent, winner, x_accuracy AS accuracy
        FROM playthroughs WHERE reason IS NOT NULL
        UNION ALL
        SELECT id, game, 'O', o, x, winner, o_accuracy FROM playthroughs WHERE reason IS NOT NULL AND o != x
    ), timed AS (
        SELECT players.*,
            (SELECT count(*) FROM moves WHERE playthrough = players.id) AS plies,
            (SELECT sum(seconds) FROM moves WHERE playthrough = players.id AND side = players.side) AS time,
            (SELECT count(seconds) FROM moves WHERE playthrough = players.id AND side = players.side) AS timed_moves
        FROM players WHERE player = :player AND (:game IS NULL OR game = :game)
            AND id NOT IN (SELECT playthrough FROM visitor_games)
    )
    SELECT game, opponent, count(*) AS played, sum(winner IS side) AS won, sum(winner IS NULL) AS drawn,
        sum(winner IS NOT NULL AND winner IS NOT side) AS lost, avg(plies) AS plies,
        sum(time) / nullif(sum(timed_moves), 0) AS seconds, avg(accuracy) AS accuracy
    FROM timed GROUP BY game, opponent ORDER BY played DESC, game, opponent
"""
NO_RESULT = "winner = NULL, reason = NULL, x_points = NULL, o_points = NULL, x_accuracy = NULL, o_accuracy = NULL"
MAX_NUMBER = 2**63 - 1
"""The largest integer of SQLite."""
INSERT_SOLVED = """
    INSERT INTO solved (game, position, value, move, plies, nodes, seconds, solved)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (game, position) DO UPDATE SET
        value = excluded.value, move = excluded.move, plies = excluded.plies, nodes = excluded.nodes,
        seconds = excluded.seconds, solved = excluded.solved
    WHERE value <> excluded.value OR plies IS NULL OR excluded.plies < plies
"""


def game_columns(game: Game) -> dict[str, str | None]:
    """Return the columns of a game: its name, and for a custom game its data as JSON."""
    data = game.to_data()
    return {"game": game.id, "game_data": None if isinstance(data, str) else json.dumps(data)}


def game_from_row(row: sqlite3.Row) -> Game:
    """Return the game that ``game_columns`` saved."""
    return Game.shared(row["game"] if row["game_data"] is None else json.loads(row["game_data"]))


def side_columns(name: str, values: Mapping[Side, str | float | None]) -> dict[str, str | float | None]:
    """Return the columns ``x_name`` and ``o_name`` of values for both sides."""
    return {f"{side.lower()}_{name}": values.get(side) for side in Side}


def sides_of(row: sqlite3.Row, name: str) -> dict[Side, Any]:
    """Return the values of ``side_columns``."""
    return {side: row[f"{side.lower()}_{name}"] for side in Side}


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
            game_from_row(row),
            row["start"],
            tuple(move["move"] for move in moves),
            tuple(move["seconds"] for move in moves),
            tuple(move["clock"] for move in moves),
            row["seconds"],
            row["clock"],
            _left(row, moves),
            sides_of(row, "accuracy"),
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


@dataclass(frozen=True)
class PuzzleTry:
    """The first try at a puzzle: whether it was solved without a wrong move, and whether with a hint."""

    puzzle: str
    is_solved: bool
    is_hinted: bool


def now() -> str:
    """Return the time in the format of the tables."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _left(row: sqlite3.Row, moves: list[sqlite3.Row]) -> dict[Side, float] | None:
    """The clocks saved at the end of the session or, if it was killed, those saved with the last moves."""
    if row["clock"] is None:
        return None
    left = {side: float(row["clock"].rpartition("/")[2].partition("+")[0]) for side in Side}
    left |= {Side(move["side"]): move["clock"] for move in moves if move["clock"] is not None}
    written = sides_of(row, "left")
    return {side: left[side] if written[side] is None else written[side] for side in Side}


def _outcome(row: sqlite3.Row) -> Outcome | None:
    if row["reason"] is None:
        return None
    winner = None if row["winner"] is None else Side(row["winner"])
    return Outcome(winner, Termination(row["reason"]), (row["x_points"], row["o_points"]))


class Store:
    """The user's store, or the one at ``path``. Each call is on disk when it returns.

    Several processes may use the same file; a Store belongs to the thread that made it. All methods raise StoreError.
    """

    def __init__(self, path: Path | None = None, busy_seconds: float = BUSY_SECONDS, read_only: bool = False) -> None:
        """Open the file; each call waits up to ``busy_seconds`` for another program that is writing.

        With ``read_only`` a file on a disk that cannot be written to is opened as a copy in memory: writes succeed,
        and are lost.
        """
        self.path = path or store_path()
        self._connection = connect_to_read(self.path) if read_only else connect(self.path, busy_seconds)

    def set_busy_timeout(self, seconds: float) -> None:
        """Set how long calls wait for another program that is writing."""
        self._connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def close(self) -> None:
        """Close the file; everything was written when it happened."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for the classes that hold the queries of other tables."""
        return self._connection

    def begin(
        self,
        position: Position,
        x: str,
        o: str,
        seconds: float | None = None,
        clock: str | None = None,
        source: str = "terminal",
    ) -> int:
        """Save a new playthrough with the moves of the position, and return its number."""
        time = now()
        values = {"start": position.start_text, "x": x, "o": o, "source": source, "seconds": seconds, "clock": clock}
        with self.transaction():
            number = self.insert(
                "playthroughs", {**game_columns(position.game), **values, "started": time, "updated": time}
            )
            self._connection.executemany(
                "INSERT INTO moves (playthrough, ply, side, move) VALUES (?, ?, ?, ?)",
                [(number, ply, side, move) for ply, side, move in _numbered(position)],
            )
        return number

    def transaction(self) -> AbstractContextManager[None]:
        """Commit all writes of the block, or none if it raises; nested transactions are part of the outermost."""
        return transaction(self._connection, self.path)

    def insert(self, table: str, values: Mapping[str, object]) -> int:
        """Insert a row into a table with numbers, and return its number."""
        with store_errors(self.path):
            number = insert(self._connection, table, values)
        assert number is not None
        return number

    def execute(self, query: str, values: Values = ()) -> int:
        """Run a statement that writes, and return the number of rows that it changed."""
        with store_errors(self.path):
            return self._connection.execute(query, values).rowcount

    def rows(self, query: str, values: Values = ()) -> Rows:
        """Return the rows of a query."""
        with store_errors(self.path):
            return self._connection.execute(query, values).fetchall()

    def add_move(
        self, number: int, ply: int, side: str, move: int, seconds: float | None = None, clock: float | None = None
    ) -> None:
        """Save a move: ``ply`` counts from 1, ``clock`` is the time left to the mover after it."""
        with self.transaction():
            self._connection.execute(
                "INSERT INTO moves (playthrough, ply, side, move, seconds, clock) VALUES (?, ?, ?, ?, ?, ?)",
                (number, ply, str(side), move, seconds, clock),
            )
            self._connection.execute("UPDATE playthroughs SET updated = ? WHERE id = ?", (now(), number))

    def truncate(self, number: int, plies: int) -> None:
        """Delete all moves after the first ``plies``, and the result."""
        with self.transaction():
            self._connection.execute("DELETE FROM moves WHERE playthrough = ? AND ply > ?", (number, plies))
            self._connection.execute(f"UPDATE playthroughs SET {NO_RESULT} WHERE id = ?", (number,))

    def finish(self, number: int, outcome: Outcome) -> None:
        """Save the outcome."""
        x, o = outcome.points
        winner = None if outcome.winner is None else str(outcome.winner)
        self.change(number, winner=winner, reason=outcome.reason, x_points=x, o_points=o)

    def change(self, number: int, **values: str | float | None) -> None:
        """Change columns of a playthrough: its players, its clocks, its accuracy."""
        columns = ", ".join(f"{name} = ?" for name in (*values, "updated"))
        query = f"UPDATE playthroughs SET {columns} WHERE id = ?"
        if self.execute(query, (*values.values(), now(), number)) == 0:
            raise _missing(number)

    def set_accuracy(self, number: int, accuracy: Mapping[Side, float | None]) -> None:
        """Save how accurately each side played, in percent; when the game was last played stays as it is."""
        query = "UPDATE playthroughs SET x_accuracy = ?, o_accuracy = ? WHERE id = ?"
        if self.execute(query, (accuracy[Side.X], accuracy[Side.O], number)) == 0:
            raise _missing(number)

    def get(self, number: int) -> SavedPlaythrough:
        """Return a playthrough; raises StoreError if there is none with that number."""
        _check_number(number)
        with row_errors(self.path):
            moves = self.rows("SELECT * FROM moves WHERE playthrough = ? ORDER BY ply", (number,))
            for row in self.rows(f"{SUMMARY} WHERE id = ?", (number,)):
                return SavedPlaythrough.of(row, moves)
        raise _missing(number)

    def moves_of(self, number: int) -> tuple[int, ...]:
        """Return the moves of a playthrough; raises StoreError if there is none with that number."""
        if not self.rows("SELECT 1 FROM playthroughs WHERE id = ?", (number,)):
            raise _missing(number)
        rows = self.rows("SELECT move FROM moves WHERE playthrough = ? ORDER BY ply", (number,))
        return tuple(row["move"] for row in rows)

    def player_records(self, player: str = "you", game: str | None = None) -> list[PlayerRecord]:
        """Return a player's results in finished playthroughs by game and opponent, the most played first."""
        rows = self.rows(PLAYER_RECORDS, {"player": player, "game": game})
        return [PlayerRecord(**dict(row)) for row in rows]

    def add_puzzle_try(self, puzzle: str, is_solved: bool, is_hinted: bool = False) -> None:
        """Save the first try at a puzzle; later ones change nothing."""
        values = puzzle, is_solved, is_hinted, now()
        self.execute("INSERT OR IGNORE INTO puzzle_tries VALUES (NULL, ?, ?, ?, ?)", values)

    def puzzle_tries(self) -> list[PuzzleTry]:
        """Return the first tries at puzzles, the earliest first."""
        rows = self.rows("SELECT * FROM puzzle_tries ORDER BY id")
        return [PuzzleTry(row["puzzle"], bool(row["is_solved"]), bool(row["is_hinted"])) for row in rows]

    def list(self, game: str | None = None, unfinished: bool = False, limit: int = -1) -> list[Summary]:
        """Return summaries, the latest first: of one game, or of unfinished playthroughs only.

        Playthroughs without moves are left out.
        """
        return summaries(self, NOT_OF_VISITORS, {"game": game, "unfinished": unfinished, "limit": limit})

    def delete(self, number: int) -> None:
        """Delete a playthrough; its number is not reused."""
        _check_number(number)
        if self.execute("DELETE FROM playthroughs WHERE id = ?", (number,)) == 0:
            raise _missing(number)

    @cached_property
    def solved(self) -> SolvedPositions:
        """The solved positions."""
        return SolvedPositions(self)


def summaries(store: Store, owners: str, values: Mapping[str, object]) -> list[Summary]:
    """Return the summaries of playthroughs with moves, the latest first; ``owners`` is a condition in SQL.

    The values are those of the condition, and ``game``, ``unfinished`` and ``limit`` as in ``Store.list``.
    """
    where = "(:game IS NULL OR game = :game) AND (NOT :unfinished OR reason IS NULL)"
    query = f"{SUMMARY} WHERE {owners} AND {where} AND {NOT_EMPTY} ORDER BY id DESC LIMIT :limit"
    with row_errors(store.path):
        return [Summary.of(row) for row in store.rows(query, values)]


def open_store_if_possible(
    path: Path | None = None, *, warn: Callable[[str], object], read_only: bool = False, raise_busy: bool = False
) -> Store | None:
    """Return the store; if it cannot be opened, warn and return None.

    With ``read_only`` a missing file is neither created nor warned about. With
    ``raise_busy`` a file that another program is writing to raises Busy, for callers that try again later.
    """
    path = path or store_path()
    if read_only and not path.exists():
        return None
    try:
        return Store(path, read_only=read_only)
    except StoreError as error:
        if raise_busy and isinstance(error, Busy):
            raise
        warn(f"continuing without saved games and solved positions: {error}")
        return None


def _check_number(number: int) -> None:
    if abs(number) > MAX_NUMBER:
        raise _missing(number)


def _missing(number: int) -> StoreError:
    return StoreError(f"there is no saved game {number}; {command_line('games')} lists them")


def _numbered(position: Position) -> list[tuple[int, Side, int]]:
    """The moves of a position, each with its ply and side."""
    back, found = position.copy(), []
    while back.ply:
        ply, move = back.ply, back.undo()
        assert back.turn is not None
        found.append((ply, back.turn, move))
    return found[::-1]


class SolvedPositions:
    """The solved positions of a store, saved once for all symmetric positions. All methods raise StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, position: Position, proven: ProvenValue) -> None:
        """Save the value of a position and of all symmetric ones; a shorter bound replaces a longer one."""
        image = canonical(position)
        move = None if proven.move is None else image.move_there(proven.move)
        row = (proven.value, move, proven.plies, proven.nodes, proven.seconds, now())
        self._store.execute(INSERT_SOLVED, (position.game.rules_key, image.text, *row))

    def find(self, position: Position) -> ProvenValue | None:
        """Return the value of a position if it or a symmetric one was solved."""
        game = position.game
        if not self.has_any(game):  # finding the image takes time and memory in games with many symmetries
            return None
        image = canonical(position)
        query = "SELECT * FROM solved WHERE game = ? AND position = ?"
        for row in self._store.rows(query, (game.rules_key, image.text)):
            move = None if row["move"] is None else image.move_here(row["move"])
            return ProvenValue(Value(row["value"]), move, row["plies"], row["nodes"], row["seconds"])
        return None

    def has_any(self, game: Game) -> bool:
        """Whether any position of a game was solved."""
        return bool(self._store.rows("SELECT 1 FROM solved WHERE game = ? LIMIT 1", (game.rules_key,)))
