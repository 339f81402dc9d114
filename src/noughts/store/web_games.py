"""Games of the web server: between friends by link, and saved by visitors.

Tokens of friends are saved as hashes, so that the file does not let its reader play. On a network each browser sees
only the playthroughs it has saved; it is known by the hash of a secret that it made.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from noughts.games import Position, Side, Termination
from noughts.store.database import insert
from noughts.store.store import Store, Summary, game_columns, game_from_row, now, side_columns, sides_of, summaries

__all__ = ["FriendGame", "FriendGames", "VisitorGames"]

COLUMNS = frozenset(
    ("x_name", "o_name", "x_token", "o_token", "invite", "x_left", "o_left", "winner", "reason", "next")
)
DELETE_OLDEST = """
    DELETE FROM playthroughs
    WHERE id IN (SELECT id FROM playthroughs JOIN visitor_games ON playthrough = id ORDER BY id LIMIT ?)
"""


@dataclass
class FriendGame:
    """A game between friends: position with moves, names, hashes of the players' tokens, clocks, and outcome.

    ``invite`` is the hash of the invitation to play the side ``invited``; None once it has been used. ``clock`` is
    the time control (seconds and increment), ``left`` the seconds on the clocks, ``next`` the id of the rematch.
    ``won`` and ``drawn`` count the earlier games of a series of rematches, by the sides of this game.
    """

    id: str
    position: Position
    names: dict[Side, str]
    tokens: dict[Side, str | None]
    invited: Side
    invite: str | None = None
    clock: tuple[float, float] | None = None
    clock_moves: int | None = None
    """Number of moves after which the seconds are added again; None for never."""
    left: dict[Side, float] | None = None
    move_clocks: list[float | None] | None = None
    """The mover's clock after each move."""
    reason: Termination | None = None
    winner: Side | None = None
    next: str | None = None
    won: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))
    drawn: int = 0
    is_challenge: bool = False
    """Whether anyone may take the side ``invited`` without an invitation."""


class FriendGames:
    """The games between friends in a store.

    The methods neither begin nor end a transaction, and raise SQLite errors: both are left to the caller, since the
    server writes many games in one transaction.
    """

    def __init__(self, store: Store) -> None:
        self._connection = store.connection

    def add(self, friend: FriendGame) -> None:
        """Save a new game with the moves of its position."""
        seconds, increment = friend.clock or (None, None)
        values = {
            "id": friend.id,
            **game_columns(friend.position.game),
            "start": friend.position.start_text,
            **side_columns("name", friend.names),
            **side_columns("token", friend.tokens),
            "invite": friend.invite,
            "invited": friend.invited,
            "clock_seconds": seconds,
            "clock_increment": increment,
            "clock_moves": friend.clock_moves,
            **side_columns("left", friend.left or {}),
            **side_columns("won", friend.won),
            "drawn": friend.drawn,
            "is_challenge": int(friend.is_challenge),
            "updated": now(),
        }
        insert(self._connection, "friend_games", values)
        self._connection.executemany(
            "INSERT INTO friend_moves (friend, ply, move) VALUES (?, ?, ?)",
            [(friend.id, ply, move) for ply, move in enumerate(friend.position.moves, start=1)],
        )

    def change(self, id: str, **values: str | float | None) -> None:
        assert values.keys() <= COLUMNS
        columns = ", ".join(f"{name} = ?" for name in (*values, "updated", "idle_hours"))
        self._connection.execute(f"UPDATE friend_games SET {columns} WHERE id = ?", (*values.values(), now(), 0, id))

    def add_move(self, id: str, ply: int, move: int, clock: float | None = None) -> None:
        """Save a move and the mover's clock after it; a second move of the same ply is an error."""
        row = (id, ply, move, clock)
        self._connection.execute("INSERT INTO friend_moves (friend, ply, move, clock) VALUES (?, ?, ?, ?)", row)

    def truncate(self, id: str, plies: int) -> None:
        """Delete all moves after the first ``plies``."""
        self._connection.execute("DELETE FROM friend_moves WHERE friend = ? AND ply > ?", (id, plies))

    def find(self, id: str) -> FriendGame | None:
        """Return a game, or None if there is none with that id."""
        row = self._connection.execute("SELECT * FROM friend_games WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        position = game_from_row(row).start_from(row["start"])
        query = "SELECT move, clock FROM friend_moves WHERE friend = ? ORDER BY ply"
        moves = self._connection.execute(query, (id,)).fetchall()
        position.play_all(move["move"] for move in moves)
        is_timed = row["clock_seconds"] is not None
        return FriendGame(
            id=id,
            position=position,
            names=sides_of(row, "name"),
            tokens=sides_of(row, "token"),
            invited=Side(row["invited"]),
            invite=row["invite"],
            clock=(row["clock_seconds"], row["clock_increment"]) if is_timed else None,
            clock_moves=row["clock_moves"],
            move_clocks=[move["clock"] for move in moves] if is_timed else None,
            left=sides_of(row, "left") if is_timed else None,
            reason=None if row["reason"] is None else Termination(row["reason"]),
            winner=None if row["winner"] is None else Side(row["winner"]),
            next=row["next"],
            won=sides_of(row, "won"),
            drawn=row["drawn"],
            is_challenge=bool(row["is_challenge"]),
        )

    def count(self) -> int:
        count: int = self._connection.execute("SELECT count(*) FROM friend_games").fetchone()[0]
        return count

    def add_idle_hour(self) -> None:
        """Add an idle hour to every game; any change of a game resets its idle hours.

        The server calls this for each hour that it has run. Dates are not used, since the system clock may be wrong.
        """
        self._connection.execute("UPDATE friend_games SET idle_hours = idle_hours + 1")

    def delete_idle(self, hours: int) -> int:
        """Delete the games that have been idle for ``hours``, and return their number."""
        return self._connection.execute("DELETE FROM friend_games WHERE idle_hours >= ?", (hours,)).rowcount

    def delete_unused(self, hours: int, most: int) -> int:
        """Delete at most ``most`` games idle for ``hours`` that are over or were never joined, the idlest first."""
        idle = "SELECT id FROM friend_games WHERE idle_hours >= ? AND (invite IS NOT NULL OR reason IS NOT NULL)"
        delete = f"DELETE FROM friend_games WHERE id IN ({idle} ORDER BY idle_hours DESC, updated LIMIT ?)"
        return self._connection.execute(delete, (hours, most)).rowcount


class VisitorGames:
    """The playthroughs of a store that were saved by pages, and the visitors they belong to; None is the user.

    All methods raise StoreError.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def assign_owner(self, number: int, visitor: str) -> None:
        self._store.insert("visitor_games", {"playthrough": number, "visitor": visitor})

    def assign_key(self, number: int, visitor: str | None, key: str) -> None:
        """Remember the key under which a page has saved a playthrough."""
        self._store.execute(
            "INSERT INTO save_keys (visitor, key, playthrough) VALUES (?, ?, ?)", (visitor or "", key, number)
        )

    def find_key(self, visitor: str | None, key: str) -> int | None:
        """Return the number of the playthrough that was saved under a key; None if there is none."""
        query = "SELECT playthrough FROM save_keys WHERE visitor = ? AND key = ?"
        return next((row["playthrough"] for row in self._store.rows(query, (visitor or "", key))), None)

    def is_visible(self, number: int, visitor: str | None) -> bool:
        """Whether a playthrough exists and belongs to the visitor; without a visitor, whether it exists."""
        joined = "playthroughs LEFT JOIN visitor_games ON playthrough = id"
        query = f"SELECT 1 FROM {joined} WHERE id = :number AND (:visitor IS NULL OR visitor = :visitor)"
        return bool(self._store.rows(query, {"number": number, "visitor": visitor}))

    def count(self, visitor: str) -> int:
        """Return the number of playthroughs of a visitor."""
        count: int = self._store.rows("SELECT count(*) FROM visitor_games WHERE visitor = ?", (visitor,))[0][0]
        return count

    def delete_oldest(self, limit: int) -> None:
        """If all visitors together have more than ``limit`` playthroughs, delete the oldest, plus 1% to make room.

        Their numbers tell the age: the system clock may be wrong.
        """
        count = self._store.rows("SELECT count(*) FROM visitor_games")[0][0]
        if count > limit:
            self._store.execute(DELETE_OLDEST, (count - limit + limit // 100,))

    def list(self, visitor: str, game: str | None, unfinished: bool, limit: int) -> list[Summary]:
        """Return the summaries of a visitor's playthroughs, the latest first."""
        own = "id IN (SELECT playthrough FROM visitor_games WHERE visitor = :visitor)"
        values = {"visitor": visitor, "game": game, "unfinished": unfinished, "limit": limit}
        return summaries(self._store, own, values)
