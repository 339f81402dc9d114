"""All friend games: made, found on disk, written to it, and told to everybody who is connected."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from noughts.games import Position, Side
from noughts.store import Store, StoreError
from noughts.store.friends import (
    FriendGame,
    add_friend_move,
    add_idle_hour,
    change_friend_game,
    count_friend_games,
    cut_friend_moves,
    drop_idle_friend_games,
    find_friend_game,
    forget_friend_games,
    insert_friend_game,
)
from noughts.web.errors import Refused, TooMany
from noughts.web.friends.room import Event, Room, fingerprint, new_id, new_secret
from noughts.web.keeper import Keeper
from noughts.web.outbox import Outbox

__all__ = ["Guest", "Rooms", "Table"]

ID = re.compile(r"[A-Za-z0-9_-]{12}")
FORGOTTEN_AFTER = 60 * 24
"""Hours, as the server has seen them pass, after which a friend game that nothing happens in is deleted."""
IDLE_AFTER, MOST_DROPPED = 2, 100
"""Hours after which a game that is over or was never joined is deleted when there are too many; how many at once."""

BEAT = 5.0
HOUR = round(3600 / BEAT)
"""In beats, which follow the monotonic clock."""
BEAT_TEXT = '{"type":"beat"}'


class Guest:
    """Somebody connected to a room: at a seat, or watching."""

    def __init__(self, side: Side | None, outbox: Outbox) -> None:
        self.side, self.outbox = side, outbox


class Table:
    """A room with those in it. Whoever changes the room holds the lock until the change is on disk."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.guests: list[Guest] = []
        self.lock = asyncio.Lock()
        self.flag: asyncio.TimerHandle | None = None
        self.users = 0
        """How many hold on to it: it stays in memory as long."""

    @property
    def presence(self) -> dict[str, str]:
        """Who is at the board."""
        seated = {guest.side for guest in self.guests}
        return {side.value: self._presence_of(side, seated) for side in Side}

    def _presence_of(self, side: Side, seated: set[Side | None]) -> str:
        if side in seated:
            return "here"
        kept = self.room.kept
        return "open" if kept.invite is not None and kept.invited is side else "away"

    def state(self) -> dict[str, Any]:
        """Return the room as everybody may see it."""
        watching = sum(guest.side is None for guest in self.guests)
        return self.room.state(self.presence, watching)

    def tell_all(self, event: Event) -> None:
        """Send the news to everybody; the text is made once."""
        self.room.version += 1
        text = json.dumps({"type": "state", "event": event.data(), "state": self.state()}, separators=(",", ":"))
        for guest in self.guests:
            guest.outbox.put(text)


class Rooms:
    """The rooms in use, in memory, and all others on disk."""

    def __init__(self, keeper: Keeper, most: int) -> None:
        self._keeper, self._most = keeper, most
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Future[Table]] = {}
        self._beating: asyncio.Task[None] | None = None
        self._errands: set[asyncio.Task[None]] = set()
        self._count = 0

    def __len__(self) -> int:
        return len(self._tables)

    async def open(self) -> None:
        """Count the games, and begin to beat."""
        self._count = await self._keeper.do(lambda store: count_friend_games(store.connection))
        self._beating = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """End what runs."""
        for table in self._tables.values():
            _cancel(table)
        running = [*self._errands, *([self._beating] if self._beating else [])]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _beat(self) -> None:
        for beat in count(1):
            await asyncio.sleep(BEAT)
            for table in list(self._tables.values()):
                for guest in table.guests:
                    guest.outbox.put(BEAT_TEXT)
            if beat % HOUR == 0:
                try:
                    self._count = await self._keeper.do(_tidy)
                except StoreError as error:  # without a beat every client would believe its line to be cut
                    logging.getLogger(__name__).error("friend games were not tidied: %s", error)

    # Making and finding

    async def make(
        self, position: Position, side: str, name: str, clock: tuple[float, float] | None
    ) -> tuple[str, Side, str, str]:
        """Make a room; return its id, the maker's side and token, and the invitation for the other."""
        own = random.choice(list(Side)) if side == "random" else Side(side)
        token, invite = new_secret(), new_secret()
        friend = FriendGame(
            id=new_id(),
            position=position,
            names={own: name, own.opponent: ""},
            tokens={own: fingerprint(token), own.opponent: None},
            invited=own.opponent,
            invite=fingerprint(invite),
            clock=clock,
            left=dict.fromkeys(Side, clock[0]) if clock else None,
        )
        await self._add(friend)
        return friend.id, own, token, invite

    async def _add(self, friend: FriendGame) -> None:
        if self._count >= self._most:
            self._count -= await self._keeper.do(_make_way)
        if self._count >= self._most:
            raise TooMany("expected fewer friend games on this server; try again another day", 3600)
        self._count += 1
        await self._keeper.write(lambda connection: insert_friend_game(connection, friend))

    @asynccontextmanager
    async def use(self, id: str) -> AsyncIterator[Table]:
        """Hold on to a room: there is never more than one table for it. Raises Refused when there is no such game."""
        table = await self._find(id)
        while self._tables.get(id) is not table:  # another was done with it before we came to it
            table = await self._find(id)
        table.users += 1
        try:
            yield table
        finally:
            table.users -= 1
            self._leave_alone(table)

    async def _find(self, id: str) -> Table:
        table = self._tables.get(id)
        if table is not None:
            return table
        if not ID.fullmatch(id):
            raise Refused(404, "there is no such friend game")
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Table:
        try:
            friend = await self._keeper.do(lambda store: find_friend_game(store.connection, id))
            if friend is None:
                raise Refused(404, "there is no such friend game")
            table = Table(Room(friend))
            self._tables[id] = table
            self._watch_clock(table)
            return table
        finally:
            del self._loading[id]

    def _leave_alone(self, table: Table) -> None:
        """Forget a room that nobody uses and no clock runs in; it is on disk."""
        if not table.users and table.room.running is None:
            _cancel(table)
            if self._tables.get(table.room.id) is table:
                del self._tables[table.room.id]

    async def claim(self, id: str, invite: str, name: str) -> tuple[Side, str]:
        """Give the free seat to whoever has the invitation; again until its token has said hello."""
        async with self.use(id) as table, table.lock:
            kept = table.room.kept
            if not table.room.is_invitation(invite):
                raise Refused(403, "this invitation is not valid, or somebody has used it; you may watch")
            token, side = new_secret(), kept.invited
            kept.tokens[side], kept.names[side] = fingerprint(token), name or kept.names[side]
            column = side.lower()
            values = {f"{column}_token": kept.tokens[side], f"{column}_name": kept.names[side]}
            await self._write(table, lambda connection: change_friend_game(connection, id, **values))
        return side, token

    # Coming and going

    async def enter(self, table: Table, token: str | None, outbox: Outbox) -> Guest:
        """Let somebody in: greeted with the state, and announced to the others."""
        async with table.lock:
            room = table.room
            side = room.seat_of(token) if token is not None else None
            if token is not None and side is None:
                raise Refused(403, "expected the token of a seat in this game, got another")
            is_first = side is room.kept.invited and room.kept.invite is not None
            if is_first:
                room.kept.invite = None
                room.restart_clock()
                self._watch_clock(table)
                await self._write(table, lambda connection: change_friend_game(connection, room.id, invite=None))
            guest = Guest(side, outbox)
            table.guests.append(guest)
            outbox.put(json.dumps({"type": "welcome", "side": side, "state": table.state()}, separators=(",", ":")))
            others = [other for other in table.guests if other is not guest]
            if others:
                table.tell_all(Event("joined" if is_first else "presence", side))
        return guest

    async def leave(self, table: Table, guest: Guest) -> None:
        """Let somebody go, and tell the others."""
        table.guests.remove(guest)
        async with table.lock:
            table.tell_all(Event("presence", guest.side))

    # Changing

    async def change(self, table: Table, guest: Guest, act: Callable[[Room], Event | None]) -> None:
        """Do something in a room, write it, then tell everybody; raises No. Repeats are answered with the state."""
        async with table.lock:
            event = act(table.room)
            if event is None:
                guest.outbox.put(json.dumps({"type": "state", "event": {"kind": "repeated"}, "state": table.state()}))
                return
            if event.kind == "rematch":
                await self._rematch(table)
            elif event.kind not in ("offer", "declined"):
                await self._write(table, _writing(table.room, event))
            table.tell_all(event)
            self._watch_clock(table)

    async def _write(self, table: Table, work: Callable[[sqlite3.Connection], object]) -> None:
        """Write a change; if that fails the room is dropped, since what is on disk is the truth."""
        try:
            await self._keeper.write(work)
        except BaseException:
            self._tables.pop(table.room.id, None)
            _cancel(table)
            for guest in table.guests:
                guest.outbox.close()
            raise

    async def _rematch(self, table: Table) -> None:
        old = table.room.kept
        start, swapped = old.position.start_text, {side: side.opponent for side in Side}
        game = old.position.game
        friend = FriendGame(
            id=new_id(),
            position=game.start() if start is None else game.parse(start),
            names={swapped[side]: old.names[side] for side in Side},
            tokens={swapped[side]: old.tokens[side] for side in Side},
            invited=old.invited.opponent,
            clock=old.clock,
            left=dict.fromkeys(Side, old.clock[0]) if old.clock else None,
        )
        await self._add(friend)
        old.next = friend.id
        await self._write(table, lambda connection: change_friend_game(connection, old.id, next=friend.id))

    # Clocks

    def _watch_clock(self, table: Table) -> None:
        """Look again when the running clock should be at its end."""
        _cancel(table)
        running = table.room.running
        if running is not None:
            wait = table.room.time_left(running) + 0.01
            table.flag = asyncio.get_running_loop().call_later(wait, self._look_at_clock, table)

    def _look_at_clock(self, table: Table) -> None:
        task = asyncio.ensure_future(self._call_flag(table))
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _call_flag(self, table: Table) -> None:
        async with self.use(table.room.id) as table, table.lock:
            event = table.room.call_flag()
            if event is None:
                self._watch_clock(table)
                return
            await self._write(table, _writing(table.room, event))
            table.tell_all(event)


def _cancel(table: Table) -> None:
    if table.flag is not None:
        table.flag.cancel()
        table.flag = None


def _tidy(store: Store) -> int:
    """Count another hour, and delete the games that have been idle for too long."""
    with store.transaction():
        add_idle_hour(store.connection)
        forget_friend_games(store.connection, FORGOTTEN_AFTER)
    return count_friend_games(store.connection)


def _make_way(store: Store) -> int:
    return drop_idle_friend_games(store.connection, IDLE_AFTER, MOST_DROPPED)


def _writing(room: Room, event: Event) -> Callable[[sqlite3.Connection], object]:
    """What an event leaves on disk: its values are taken now, since the room may change before they are written."""
    id, ply, moves = room.id, room.position.ply, room.position.moves
    values: dict[str, str | float | None] = {}
    if room.left is not None:
        values |= {"x_left": room.left[Side.X], "o_left": room.left[Side.O]}
    if room.outcome is not None:
        winner = room.outcome.winner
        values |= {"reason": room.outcome.reason, "winner": None if winner is None else str(winner)}

    def write(connection: sqlite3.Connection) -> None:
        if event.kind == "move":
            add_friend_move(connection, id, ply, moves[-1])
        elif event.kind == "takeback":
            cut_friend_moves(connection, id, ply)
        change_friend_game(connection, id, **values)

    return write
