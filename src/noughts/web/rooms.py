"""All friend games: created, loaded from the store, saved, and shown to everyone who is connected."""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Literal

from noughts.games import Position, Side
from noughts.match import TimeControl
from noughts.schema import encode
from noughts.store import Store, StoreError
from noughts.store.web_games import FriendGame, FriendGames
from noughts.web.errors import Reason, TooManyRequests, WebError
from noughts.web.friend_messages import (
    FriendAnswer,
    FriendState,
    JoinAnswer,
    Presence,
    RoomEvent,
    UpdateMessage,
    WelcomeMessage,
)
from noughts.web.lobby import Lobby
from noughts.web.room import Room, fingerprint, new_id, new_secret
from noughts.web.sockets import HEARTBEAT, HEARTBEAT_SECONDS, Outbox
from noughts.web.workers import StoreThread

__all__ = ["Connection", "LiveRoom", "Rooms"]

ID = re.compile(r"[A-Za-z0-9_-]{12}")
DELETE_IDLE_HOURS = 60 * 24
"""Hours of server time without any change after which a friend game is deleted."""
SPARE_IDLE_HOURS, MAX_DROPPED = 2, 100
"""Idle hours after which a finished or never joined game may make room for a new one; how many are deleted at once."""

HEARTBEAT_PARTS = 100
HEARTBEATS_PER_HOUR = round(3600 / HEARTBEAT_SECONDS)
"""Hours are counted in heartbeats, which follow the monotonic clock."""


class Connection:
    """A connected player, or a spectator if ``side`` is None."""

    def __init__(self, side: Side | None, outbox: Outbox) -> None:
        self.side, self.outbox = side, outbox

    def send(self, message: object) -> None:
        self.outbox.put(encode(message))


class LiveRoom:
    """A room with its connections. A change of the room holds the lock until it is on disk."""

    def __init__(self, room: Room, lobby: Lobby | None) -> None:
        self.room, self.lobby = room, lobby
        self.connections: list[Connection] = []
        self.lock = asyncio.Lock()
        self.flag_timer: asyncio.TimerHandle | None = None
        self.users = 0
        """Holders of the room: it stays in memory while there are any."""

    def state(self) -> FriendState:
        """Return the room as everyone may see it."""
        playing = {connection.side for connection in self.connections}
        presence = {side: self._presence_of(side, playing) for side in Side}
        return self.room.state(presence, self.watching, self.is_listed)

    @property
    def is_listed(self) -> bool:
        """Whether the room is in the lobby."""
        return self.lobby is not None and self.lobby.is_listed(self)

    @property
    def is_attended(self) -> bool:
        """Whether a player is connected; in a challenge that waits, its creator."""
        waiting = None if self.room.has_both_players else self.room.game.invited.opponent
        return any(each.side is not None and each.side is (waiting or each.side) for each in self.connections)

    @property
    def watching(self) -> int:
        """Number of spectators."""
        return sum(each.side is None for each in self.connections)

    def _presence_of(self, side: Side, playing: set[Side | None]) -> Presence:
        if side in playing:
            return "here"
        return "open" if self.room.game.invited is side and not self.room.has_both_players else "away"

    def broadcast(self, event: RoomEvent) -> None:
        """Send an event to everyone in the room."""
        self.room.version += 1
        text = encode(UpdateMessage(event=event, state=self.state()))
        for connection in self.connections:
            connection.outbox.put(text)

    def cancel_flag_timer(self) -> None:
        """Stop watching the clock."""
        if self.flag_timer is not None:
            self.flag_timer.cancel()
            self.flag_timer = None


class Rooms:
    """The rooms in use, in memory, and all others on disk."""

    def __init__(self, store: StoreThread, max_games: int, lobby: Lobby | None = None) -> None:
        self._store, self._max_games, self.lobby = store, max_games, lobby
        self._rooms: dict[str, LiveRoom] = {}
        self._loading: dict[str, asyncio.Future[LiveRoom]] = {}
        self._heartbeat: asyncio.Task[None] | None = None
        self._flag_checks: set[asyncio.Task[None]] = set()
        self._count = self._adding = 0
        """Games that are stored, and games that are being stored."""

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def stored(self) -> int:
        """Number of friend games, in memory and on disk."""
        return self._count

    @property
    def connections(self) -> int:
        """Number of connected players and spectators."""
        return sum(len(live.connections) for live in self._rooms.values())

    async def open(self) -> None:
        """Count the games, and start the heartbeat."""
        self._count = await self._store.run(lambda store: FriendGames(store).count())
        self._heartbeat = asyncio.create_task(self._send_heartbeats())

    async def close(self) -> None:
        for live in self._rooms.values():
            live.cancel_flag_timer()
        running = [*self._flag_checks, *([self._heartbeat] if self._heartbeat else [])]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _send_heartbeats(self) -> None:
        for beat in count(1):
            await self._send_heartbeat()
            await self._announce_expired_challenges()
            if beat % HEARTBEATS_PER_HOUR == 0:
                try:
                    self._count = await self._store.run(_delete_old_games)
                except StoreError as error:  # the heartbeat must continue, or clients would believe they are cut off
                    logging.getLogger(__name__).error("old friend games were not deleted: %s", error)

    async def _send_heartbeat(self) -> None:
        """Send one to every connection, a part of them at a time: moves must not wait until all are sent."""
        rooms = list(self._rooms.values())
        for part in range(HEARTBEAT_PARTS):
            await asyncio.sleep(HEARTBEAT_SECONDS / HEARTBEAT_PARTS)
            for live in rooms[part::HEARTBEAT_PARTS]:
                for connection in live.connections:
                    connection.outbox.put(HEARTBEAT)

    async def _announce_expired_challenges(self) -> None:
        for live in self.lobby.take_expired() if self.lobby is not None else ():
            async with live.lock:
                live.broadcast(RoomEvent(kind="expired"))

    # Creating and finding

    async def create(
        self,
        position: Position,
        side: Side | Literal["random"],
        name: str,
        control: TimeControl | None,
        is_challenge: bool = False,
    ) -> FriendAnswer:
        """Create a game: its id, the creator's side and token, and the invitation for the other side."""
        creator = random.choice(list(Side)) if side == "random" else Side(side)
        token, invite = new_secret(), new_secret()
        game = FriendGame(
            id=new_id(),
            position=position,
            names={creator: name, creator.opponent: ""},
            tokens={creator: fingerprint(token), creator.opponent: None},
            invited=creator.opponent,
            invite=fingerprint(invite),
            clock=None if control is None else (control.base, control.increment),
            clock_moves=None if control is None else control.moves,
            left=None if control is None else dict.fromkeys(Side, control.base),
            is_challenge=is_challenge,
        )
        await self._add(game)
        return FriendAnswer(friend=game.id, side=creator, token=token, invite=invite)

    async def _add(self, game: FriendGame) -> None:
        if self._is_full:
            dropped = await self._store.run(_make_room)
            self._count -= dropped  # not in one statement: that would read the count before it waits
        if self._is_full:
            raise TooManyRequests("too many friend games on this server", 3600, reason=Reason.FRIEND_GAMES)
        self._adding += 1
        try:
            await self._store.write(lambda store: FriendGames(store).add(game))
            self._count += 1
        finally:
            self._adding -= 1

    @property
    def _is_full(self) -> bool:
        return self._count + self._adding >= self._max_games

    @asynccontextmanager
    async def use(self, id: str) -> AsyncIterator[LiveRoom]:
        """Keep a room in memory while the block runs; there is never more than one of it. Raises WebError 404."""
        live = await self._find(id)
        while self._rooms.get(id) is not live:  # it was unloaded before we got it
            live = await self._find(id)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            self._unload_if_idle(live)

    async def _find(self, id: str) -> LiveRoom:
        live = self._rooms.get(id)
        if live is not None:
            return live
        if not ID.fullmatch(id):
            raise WebError(404, "there is no such friend game")
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
            # Everyone who waits for it may have left when it fails.
            self._loading[id].add_done_callback(lambda loaded: loaded.cancelled() or loaded.exception())
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> LiveRoom:
        try:
            game = await self._store.run(lambda store: FriendGames(store).find(id))
            if game is None:
                raise WebError(404, "there is no such friend game")
            live = LiveRoom(Room(game), self.lobby if game.is_challenge else None)
            self._rooms[id] = live
            self._watch_clock(live)
            return live
        finally:
            del self._loading[id]

    def _unload_if_idle(self, live: LiveRoom) -> None:
        """Unload a room without users and without a running clock; it is on disk."""
        if not live.users and live.room.match.seconds_to_flag() is None:
            live.cancel_flag_timer()
            if self._rooms.get(live.room.id) is live:
                del self._rooms[live.room.id]

    async def claim(self, id: str, invite: str | None, name: str) -> JoinAnswer:
        """Exchange an invitation for the free side; possible again until its token has been used.

        An open challenge that is listed needs no invitation.
        """
        async with self.use(id) as live, live.lock:
            if invite is not None and not live.room.is_invitation(invite):
                raise WebError(403, "this invitation is not valid or has been used; you can watch")
            if invite is None and not (live.is_listed and not live.room.has_both_players):
                raise WebError(403, "this game is not an open challenge, or it has two players; you can watch")
            side, token = live.room.claim(name)
            column, game = side.lower(), live.room.game
            values = {f"{column}_token": game.tokens[side], f"{column}_name": game.names[side]}
            await self._write(live, lambda store: FriendGames(store).change(id, **values))
        return JoinAnswer(friend=id, side=side, token=token)

    # Connecting

    async def connect(self, live: LiveRoom, token: str | None, outbox: Outbox, client: str = "") -> Connection:
        """Add a player or, without a token, a spectator: they get the state, and the others an event."""
        async with live.lock:
            room = live.room
            side = None if token is None else _side_of(room, token)
            joins = side is room.game.invited and not room.has_both_players
            if joins:
                room.admit_invited()
                self._watch_clock(live)
                await self._write(live, lambda store: FriendGames(store).change(room.id, invite=None))
            connection = Connection(side, outbox)
            live.connections.append(connection)
            if live.lobby is not None and side is not None and not room.match.is_over:
                live.lobby.add(live, client)
            if live.lobby is not None and joins:
                live.lobby.forget_answer()
            connection.send(WelcomeMessage(side=side, state=live.state()))
            if len(live.connections) > 1:
                live.broadcast(RoomEvent(kind="joined" if joins else "presence", side=side))
        return connection

    async def disconnect(self, live: LiveRoom, connection: Connection) -> None:
        """Remove a connection, and tell the others."""
        live.connections.remove(connection)
        if live.lobby is not None and not live.is_attended:
            live.lobby.remove(live)
        async with live.lock:
            live.broadcast(RoomEvent(kind="presence", side=connection.side))

    # Changing

    async def change(self, live: LiveRoom, connection: Connection, act: Callable[[Room], RoomEvent | None]) -> None:
        """Change a room, save the change, tell everyone; raises ActionRefused. A repeated change gets the state."""
        async with live.lock:
            event = act(live.room)
            if event is None:
                connection.send(UpdateMessage(event=RoomEvent(kind="repeated"), state=live.state()))
            else:
                await self._publish(live, event)

    async def resign(self, live: LiveRoom, token: str) -> None:
        """Let the holder of a token resign, unless the game is over; raises WebError 403."""
        async with live.lock:
            side = _side_of(live.room, token)
            event = None if live.room.match.is_over else live.room.resign(side)
            if event is not None:
                await self._publish(live, event)

    async def _publish(self, live: LiveRoom, event: RoomEvent) -> None:
        """Save what happened in a room, and tell everyone; the caller holds the lock."""
        if event.kind == "rematch":
            await self._start_rematch(live)
        elif event.kind not in ("offer", "declined", "emote"):
            await self._write(live, _saving(live.room, event))
        live.broadcast(event)
        self._watch_clock(live)

    async def _write(self, live: LiveRoom, work: Callable[[Store], object]) -> None:
        """Save a change; if that fails, unload the room, since the state on disk is the truth."""
        try:
            await self._store.write(work)
        except BaseException:
            self._rooms.pop(live.room.id, None)
            live.cancel_flag_timer()
            for connection in live.connections:
                connection.outbox.close()
            raise

    async def _start_rematch(self, live: LiveRoom) -> None:
        """Create the next game with the sides swapped, and link to it."""
        old, series = live.room.game, live.room.series
        rematch = FriendGame(
            id=new_id(),
            position=old.position.game.start_from(old.position.start_text),
            names={side: old.names[side.opponent] for side in Side},
            tokens={side: old.tokens[side.opponent] for side in Side},
            invited=old.invited.opponent,
            clock=old.clock,
            clock_moves=old.clock_moves,
            left=dict.fromkeys(Side, old.clock[0]) if old.clock else None,
            won={side: series.won[side.opponent] for side in Side},
            drawn=series.drawn,
            is_challenge=old.is_challenge,
        )
        await self._add(rematch)
        old.next = rematch.id
        await self._write(live, lambda store: FriendGames(store).change(old.id, next=rematch.id))

    # Clocks

    def _watch_clock(self, live: LiveRoom) -> None:
        """Check the running clock again when its time should be up."""
        live.cancel_flag_timer()
        left = live.room.match.seconds_to_flag()
        if left is not None:
            live.flag_timer = asyncio.get_running_loop().call_later(left + 0.01, self._start_flag_check, live)

    def _start_flag_check(self, live: LiveRoom) -> None:
        task = asyncio.ensure_future(self._check_flag(live))
        self._flag_checks.add(task)
        task.add_done_callback(self._end_flag_check)

    def _end_flag_check(self, task: asyncio.Task[None]) -> None:
        self._flag_checks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:  # the players have been disconnected, and the game is on disk without its end
            logging.getLogger(__name__).error("the end of a friend game on time was not saved: %s", error)

    async def _check_flag(self, live: LiveRoom) -> None:
        async with self.use(live.room.id) as live, live.lock:
            event = live.room.call_flag()
            if event is None:
                self._watch_clock(live)
            else:
                await self._publish(live, event)


def _side_of(room: Room, token: str) -> Side:
    side = room.side_of(token)
    if side is None:
        raise WebError(403, "this is not a token of a player in this game")
    return side


def _delete_old_games(store: Store) -> int:
    """Count another hour, delete the games that have been idle for too long, and return how many there are."""
    with store.transaction():
        FriendGames(store).add_idle_hour()
        FriendGames(store).delete_idle(DELETE_IDLE_HOURS)
    return FriendGames(store).count()


def _make_room(store: Store) -> int:
    return FriendGames(store).delete_unused(SPARE_IDLE_HOURS, MAX_DROPPED)


def _saving(room: Room, event: RoomEvent) -> Callable[[Store], object]:
    """Return the function that saves an event. The values are taken now: the room may change before it is called."""
    id, match, moves, clocks = room.id, room.match, room.match.position.moves, room.match.clocks
    values: dict[str, str | float | None] = {}
    if match.clock is not None:
        values |= {"x_left": match.clock.left(Side.X), "o_left": match.clock.left(Side.O)}
    if match.outcome is not None:
        values |= {"reason": match.outcome.reason, "winner": match.outcome.winner}

    def save(store: Store) -> None:
        games = FriendGames(store)
        if event.kind == "move":
            games.add_move(id, len(moves), moves[-1], clocks[-1] if clocks else None)
        elif event.kind == "takeback":
            games.truncate(id, len(moves))
        games.change(id, **values)

    return save
