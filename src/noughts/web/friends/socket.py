"""The websocket of a friend game."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints

from noughts.store import StoreError
from noughts.web.errors import Refused, TooMany
from noughts.web.frames import BadFrame, checked, frames
from noughts.web.friends.room import Event, No, Room
from noughts.web.friends.rooms import Guest, Table
from noughts.web.limits import client_of
from noughts.web.outbox import Outbox
from noughts.web.schemas import MoveText
from noughts.web.services import Services

__all__ = ["router"]

router = APIRouter()
HELLO = 5.0
"""Seconds to say hello in."""
FAILED, REFUSED, MISSING = 1011, 4003, 4004
"""Codes a connection is closed with: the disk failed, no such seat, no such game."""


class _Hello(BaseModel):
    type: Literal["hello"]
    token: Annotated[str, StringConstraints(max_length=100)] | None = None


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")

    type: Literal["move", "offer", "accept", "decline", "resign"]
    ply: StrictInt | None = None
    move: StrictInt | MoveText | None = None
    what: Literal["takeback", "draw", "rematch"] | None = Field(None)


@router.websocket("/friends/{friend}/play")
async def play(socket: WebSocket, friend: str) -> None:
    """Seat or seat not: say hello, then play or watch."""
    services: Services = socket.app.state.services
    await socket.accept()
    client, outbox, code = client_of(socket.scope), Outbox(socket), None
    try:
        async with aclosing(frames(socket, *services.messages_of(client))) as messages:
            await _attend(services, client, friend, outbox, messages)
    except Refused as error:
        outbox.put(json.dumps({"type": "refused", "error": error.text}))
        code = MISSING if error.status == 404 else REFUSED
    except StoreError as error:
        logging.getLogger(__name__).error("a friend game could not be kept: %s", error)
        code = FAILED
    finally:
        await outbox.finish(code)


async def _attend(services: Services, client: str, friend: str, outbox: Outbox, messages: Any) -> None:
    token, rooms = await _hello(messages), services.rooms
    async with rooms.use(friend) as table:
        guest = await rooms.enter(table, token, outbox)
        try:
            async for message in messages:
                await _answer(services, client, table, guest, message)
        finally:
            await rooms.leave(table, guest)


async def _hello(messages: Any) -> str | None:
    """Return the token of the first message, which must come soon."""
    try:
        first = await asyncio.wait_for(anext(messages), HELLO)
        if isinstance(first, BadFrame):
            raise first
        return checked(_Hello, first).token
    except (TimeoutError, StopAsyncIteration):
        raise Refused(400, f"expected a hello within {HELLO:g} s") from None
    except BadFrame as error:
        raise Refused(400, f"expected a hello first: {error}") from None


async def _answer(
    services: Services, client: str, table: Table, guest: Guest, message: dict[str, Any] | BadFrame
) -> None:
    ply = None
    try:
        if isinstance(message, BadFrame):
            raise message
        said = checked(_Message, message)
        ply = said.ply
        if said.type == "accept" and said.what == "rematch":
            services.count_friend_game(client)
        await services.rooms.change(table, guest, lambda room: _act(room, guest, said))
    except (BadFrame, No, TooMany) as error:
        async with table.lock:
            answer = {"type": "refused", "error": str(error), "ply": ply, "state": table.state()}
        guest.outbox.put(json.dumps(answer))


def _act(room: Room, guest: Guest, said: _Message) -> Event | None:
    if said.type == "move":
        if said.ply is None or said.move is None:
            raise No("expected a ply and a move")
        return room.play(guest.side, said.ply, said.move)
    if said.type == "resign":
        return room.resign(guest.side)
    if said.what is None:
        raise No("expected what is offered: takeback, draw or rematch")
    act = {"offer": room.make_offer, "accept": room.accept, "decline": room.decline}[said.type]
    return act(guest.side, said.what)
