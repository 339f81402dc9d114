"""How often somebody won: results of finished playthroughs, by game and opponent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.store.schema import row_errors

if TYPE_CHECKING:
    from noughts.store.store import Store

__all__ = ["Record", "records"]

QUERY = """
    WITH seats AS (
        SELECT id, game, 'X' AS side, x AS player, o AS opponent, winner, x_accuracy AS accuracy
        FROM playthroughs WHERE reason IS NOT NULL
        UNION ALL
        SELECT id, game, 'O', o, x, winner, o_accuracy FROM playthroughs WHERE reason IS NOT NULL AND o != x
    ), timed AS (
        SELECT seats.*,
            (SELECT count(*) FROM moves WHERE playthrough = seats.id) AS plies,
            (SELECT sum(seconds) FROM moves WHERE playthrough = seats.id AND side = seats.side) AS time,
            (SELECT count(seconds) FROM moves WHERE playthrough = seats.id AND side = seats.side) AS timed_moves
        FROM seats WHERE player = ?1 AND (?2 IS NULL OR game = ?2)
            AND id NOT IN (SELECT playthrough FROM shelves)
    )
    SELECT game, opponent, count(*) AS played, sum(winner IS side) AS won, sum(winner IS NULL) AS drawn,
        sum(winner IS NOT NULL AND winner IS NOT side) AS lost, avg(plies) AS plies,
        sum(time) / nullif(sum(timed_moves), 0) AS seconds, avg(accuracy) AS accuracy
    FROM timed GROUP BY game, opponent ORDER BY played DESC, game, opponent
"""


@dataclass(frozen=True)
class Record:
    """Somebody's results in one game against one opponent; against a namesake, those of X.

    ``plies`` is the average length, ``seconds`` the average time of the player's own moves, ``accuracy`` the average
    of the reviewed games in percent; None where nothing is known.
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


def records(store: Store, player: str = "you", game: str | None = None) -> list[Record]:
    """Return the results of a player in finished playthroughs, the most played first."""
    with row_errors(store.path):
        rows = store.connection.execute(QUERY, (player, game)).fetchall()
        return [Record(**dict(row)) for row in rows]
