"""Games between friends by link, as the web keeps them.

Tokens are kept as hashes, so the file does not give seats away.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from noughts.games import Game, Position, Side, Termination
from noughts.store.records import now

__all__ = ["FriendGame", "add_friend_move", "add_idle_hour", "change_friend_game", "count_friend_games",
           "cut_friend_moves", "drop_idle_friend_games", "find_friend_game", "forget_friend_games",
           "insert_friend_game"]  # fmt: skip

COLUMNS = frozenset(
    ("x_name", "o_name", "x_token", "o_token", "invite", "x_left", "o_left", "winner", "reason", "next")
)


@dataclass
class FriendGame:
    """A row: the position with its moves, names, hashes of the tokens, what the clocks show, and how it ended.

    ``invite`` is the hash of the invitation to the seat ``invited``; None when it has been used.
    """

    id: str
    position: Position
    names: dict[Side, str]
    tokens: dict[Side, str | None]
    invited: Side
    invite: str | None = None
    clock: tuple[float, float] | None = None
    """Seconds for a side, and the increment for each move."""
    clock_moves: int | None = None
    """Number of moves after which the seconds are added again; None for never."""
    left: dict[Side, float] | None = None
    move_clocks: list[float | None] | None = None
    """The mover's clock after each move."""
    reason: Termination | None = None
    winner: Side | None = None
    next: str | None = None


def insert_friend_game(connection: sqlite3.Connection, friend: FriendGame) -> None:
    """Write a new game with the moves behind its position."""
    game, left = friend.position.game, friend.left or {}
    seconds, increment = friend.clock or (None, None)
    values = {
        "id": friend.id,
        "game": game.id,
        "game_data": json.dumps(game.to_data()) if game.is_custom else None,
        "start": friend.position.start_text,
        "x_name": friend.names[Side.X],
        "o_name": friend.names[Side.O],
        "x_token": friend.tokens[Side.X],
        "o_token": friend.tokens[Side.O],
        "invite": friend.invite,
        "invited": friend.invited,
        "clock_seconds": seconds,
        "clock_increment": increment,
        "clock_moves": friend.clock_moves,
        "x_left": left.get(Side.X),
        "o_left": left.get(Side.O),
        "updated": now(),
    }
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO friend_games ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
    connection.executemany(
        "INSERT INTO friend_moves (friend, ply, move) VALUES (?, ?, ?)",
        [(friend.id, ply, move) for ply, move in enumerate(friend.position.moves, start=1)],
    )


def change_friend_game(connection: sqlite3.Connection, id: str, **values: str | float | None) -> None:
    """Change columns of a game."""
    assert values.keys() <= COLUMNS
    columns = ", ".join(f"{name} = ?" for name in (*values, "updated", "idle_hours"))
    connection.execute(f"UPDATE friend_games SET {columns} WHERE id = ?", (*values.values(), now(), 0, id))


def add_friend_move(connection: sqlite3.Connection, id: str, ply: int, move: int, clock: float | None = None) -> None:
    """Write a move, and what the mover's clock showed after it; a second move of the same ply is an error."""
    row = (id, ply, move, clock)
    connection.execute("INSERT INTO friend_moves (friend, ply, move, clock) VALUES (?, ?, ?, ?)", row)


def cut_friend_moves(connection: sqlite3.Connection, id: str, plies: int) -> None:
    """Forget all moves after so many."""
    connection.execute("DELETE FROM friend_moves WHERE friend = ? AND ply > ?", (id, plies))


def find_friend_game(connection: sqlite3.Connection, id: str) -> FriendGame | None:
    """Return a game, or None when there is none of that id."""
    row = connection.execute("SELECT * FROM friend_games WHERE id = ?", (id,)).fetchone()
    if row is None:
        return None
    game = Game.from_data(row["game"] if row["game_data"] is None else json.loads(row["game_data"]))
    position = game.start() if row["start"] is None else game.parse(row["start"])
    moves = connection.execute("SELECT move, clock FROM friend_moves WHERE friend = ? ORDER BY ply", (id,)).fetchall()
    for move in moves:
        position.play(move["move"])
    is_timed = row["clock_seconds"] is not None
    return FriendGame(
        id=id,
        position=position,
        names={Side.X: row["x_name"], Side.O: row["o_name"]},
        tokens={Side.X: row["x_token"], Side.O: row["o_token"]},
        invited=Side(row["invited"]),
        invite=row["invite"],
        clock=(row["clock_seconds"], row["clock_increment"]) if is_timed else None,
        clock_moves=row["clock_moves"],
        move_clocks=[move["clock"] for move in moves] if is_timed else None,
        left={Side.X: row["x_left"], Side.O: row["o_left"]} if is_timed else None,
        reason=None if row["reason"] is None else Termination(row["reason"]),
        winner=None if row["winner"] is None else Side(row["winner"]),
        next=row["next"],
    )


def count_friend_games(connection: sqlite3.Connection) -> int:
    """Return how many there are."""
    count: int = connection.execute("SELECT count(*) FROM friend_games").fetchone()[0]
    return count


def add_idle_hour(connection: sqlite3.Connection) -> None:
    """Count one more hour in which nothing happened; a change of a game sets its count back to 0.

    The server calls this for each hour that it has run. Dates decide nothing here, since a clock may be wrong.
    """
    connection.execute("UPDATE friend_games SET idle_hours = idle_hours + 1")


def forget_friend_games(connection: sqlite3.Connection, hours: int) -> int:
    """Delete the games that nothing has happened in for ``hours``, and return how many there were."""
    return connection.execute("DELETE FROM friend_games WHERE idle_hours >= ?", (hours,)).rowcount


def drop_idle_friend_games(connection: sqlite3.Connection, hours: int, most: int) -> int:
    """Delete at most ``most`` games idle for ``hours`` that are over or were never joined, the idlest first."""
    idle = "SELECT id FROM friend_games WHERE idle_hours >= ? AND (invite IS NOT NULL OR reason IS NOT NULL)"
    delete = f"DELETE FROM friend_games WHERE id IN ({idle} ORDER BY idle_hours DESC, updated LIMIT ?)"
    return connection.execute(delete, (hours, most)).rowcount
