"""Friend games: created and joined by REST, played by websocket."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from fastapi import APIRouter, WebSocket
from starlette.responses import Response

from noughts.games import Position
from noughts.json_types import JsonObject
from noughts.match import Offer
from noughts.schema import InvalidData, encode, read
from noughts.store import StoreError
from noughts.web.api.lobby import check_challenge
from noughts.web.context import Context, Services
from noughts.web.errors import Reason, TooManyRequests, WebError
from noughts.web.friend_messages import (
    ActionMessage,
    ClaimRequest,
    FriendAnswer,
    FriendRequest,
    FriendState,
    HelloMessage,
    JoinAnswer,
    RefusedMessage,
    ResignRequest,
    RoomEvent,
    check_game_size,
)
from noughts.web.limits import client_address
from noughts.web.responses import body_of, documented, json_response
from noughts.web.room import ActionRefused, Emote, Room
from noughts.web.rooms import Connection, LiveRoom
from noughts.web.sockets import Outbox, receive_messages

router = APIRouter(prefix="/friends", tags=["friends"])
HELLO_SECONDS = 5.0
SERVER_ERROR, REFUSED, FORBIDDEN, NOT_FOUND = 1011, 4000, 4003, 4004
"""Close codes: the disk failed, no hello came, the token is wrong, the game does not exist."""

Messages = AsyncGenerator[JsonObject | InvalidData, None]


@router.post("", **documented(FriendRequest, FriendAnswer))
async def create(context: Context, request: FriendRequest = body_of(FriendRequest)) -> Response:
    """Create a game to play with a friend: your side of it, and an invitation for the other side."""
    context.services.count_friend_game(context.client)
    if request.is_challenge:
        check_challenge(context.services, context.client)
    control = request.find_time_control()
    position = await context.run_fast(lambda: _find_position(request))
    rooms = context.services.rooms
    return json_response(await rooms.create(position, request.side, request.name, control, request.is_challenge))


@router.post("/{friend}/claim", **documented(ClaimRequest, JoinAnswer))
async def claim(context: Context, friend: str, request: ClaimRequest = body_of(ClaimRequest)) -> Response:
    """Take the free side with an invitation, or that of an open challenge."""
    context.services.count_friend_game(context.client)
    return json_response(await context.services.rooms.claim(friend, request.invite, request.name))


@router.get("/{friend}", **documented(None, FriendState))
async def watch(context: Context, friend: str) -> Response:
    """Return a game as everyone may see it."""
    async with context.services.rooms.use(friend) as live, live.lock:
        return json_response(live.state())


@router.post("/{friend}/resign", **documented(ResignRequest, FriendState))
async def resign(context: Context, friend: str, request: ResignRequest = body_of(ResignRequest)) -> Response:
    """Resign, and return the game; if it is over already, nothing changes.

    This is a request and not a message, because a browser sends it even while the page is being closed.
    """
    async with context.services.rooms.use(friend) as live:
        await context.services.rooms.resign(live, request.token)
        return json_response(live.state())


def _find_position(request: FriendRequest) -> Position:
    position = request.find_unfinished()
    check_game_size(position.game)  # its data goes to everyone with every move
    return position


@router.websocket("/{friend}/play")
async def play(socket: WebSocket, friend: str) -> None:
    """Play or watch a game. The first message says hello, with a player's token or without."""
    services: Services = socket.app.state.services
    await socket.accept()
    client, outbox, code = client_address(socket.scope), Outbox(socket), None
    try:
        async with aclosing(receive_messages(socket, services.metrics, *services.message_rates(client))) as messages:
            await _attend(services, client, friend, outbox, messages)
    except WebError as error:
        services.metrics.refuse(error.reason)
        outbox.put(encode(RefusedMessage(error=error.message)))
        # Only a wrong token and a wrong id are final: a hello that came too late may be said again.
        code = {403: FORBIDDEN, 404: NOT_FOUND}.get(error.status, REFUSED)
    except StoreError as error:
        services.metrics.refuse(Reason.STORE)
        logging.getLogger(__name__).error("a friend game could not be saved: %s", error)
        code = SERVER_ERROR
    finally:
        await outbox.finish(code)


async def _attend(services: Services, client: str, friend: str, outbox: Outbox, messages: Messages) -> None:
    token, rooms = await _receive_hello(messages), services.rooms
    async with rooms.use(friend) as live:
        connection = await rooms.connect(live, token, outbox, client)
        try:
            async for message in messages:
                await _serve(services, client, live, connection, message)
        finally:
            await rooms.disconnect(live, connection)


async def _receive_hello(messages: Messages) -> str | None:
    """Return the token of the first message."""
    try:
        first = await asyncio.wait_for(anext(messages), HELLO_SECONDS)
        if isinstance(first, InvalidData):
            raise first
        return read(HelloMessage, first).token
    except (TimeoutError, StopAsyncIteration):
        raise WebError(400, f"expected a hello within {HELLO_SECONDS:g} s") from None
    except InvalidData as error:
        raise WebError(400, f"expected a hello first: {error}") from None


async def _serve(
    services: Services,
    client: str,
    live: LiveRoom,
    connection: Connection,
    message: JsonObject | InvalidData,
) -> None:
    ply = None
    try:
        if isinstance(message, InvalidData):
            raise message
        action = read(ActionMessage, message)
        ply = action.ply
        if action.type == "accept" and action.what is Offer.REMATCH:
            services.count_friend_game(client)
        await services.rooms.change(live, connection, lambda room: _act(room, connection, action))
    except (InvalidData, ActionRefused, TooManyRequests) as error:
        services.metrics.refuse(getattr(error, "reason", None))
        async with live.lock:
            connection.send(RefusedMessage(error=str(error), ply=ply, state=live.state()))


def _act(room: Room, connection: Connection, action: ActionMessage) -> RoomEvent | None:
    if action.type == "move":
        if action.ply is None or action.move is None:
            raise ActionRefused("expected a ply and a move")
        return room.play(connection.side, action.ply, action.move)
    if action.type == "emote":
        if action.emote not in list(Emote):
            raise ActionRefused(f"expected an emote of {', '.join(Emote)}")
        return room.emote(connection.side, Emote(action.emote))
    if action.what is None:
        raise ActionRefused("expected what is offered: takeback, draw or rematch")
    act = {"offer": room.make_offer, "accept": room.accept, "decline": room.decline}[action.type]
    return act(connection.side, action.what)
