"""Games in progress, kept in memory: each at a table with an id, perhaps with an opponent at the other side."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field

from anyio import Lock

from noughts.games import Position, Side
from noughts.games.quoting import quote
from noughts.players import HostedPlayer

__all__ = ["MAX_TABLES", "Opponent", "Table", "Tables"]

MAX_TABLES = 100
ID_BYTES = 4


@dataclass(frozen=True)
class Opponent:
    """A built-in player: its name, its rating in the game, and the side that it plays."""

    name: str
    rating: int
    side: Side
    player: HostedPlayer


@dataclass
class Table:
    """A game in progress; ``lock`` is held while a move is made, since the opponent may need time to answer."""

    id: str
    position: Position
    opponent: Opponent | None = None
    lock: Lock = field(default_factory=Lock)


class Tables:
    """The tables by id; when there are too many, the one that was used least recently is forgotten."""

    def __init__(self, most: int = MAX_TABLES) -> None:
        self.most = most
        self._tables: OrderedDict[str, Table] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def add(self, position: Position, opponent: Opponent | None = None) -> Table:
        """Return a new table."""
        table = Table(secrets.token_hex(ID_BYTES), position, opponent)
        self._tables[table.id] = table
        if len(self._tables) > self.most:
            self._tables.popitem(last=False)
        return table

    def find(self, identifier: str) -> Table:
        """Return the table of an id; raises ValueError if there is none."""
        if identifier not in self._tables:
            reason = f"this server keeps the last {self.most} games in memory"
            raise ValueError(f"there is no game {quote(identifier)}: {reason}; new_game starts one")
        self._tables.move_to_end(identifier)
        return self._tables[identifier]
