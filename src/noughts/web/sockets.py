"""Both directions of a websocket: JSON messages in, at a limited rate; text out, without waiting for slow readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from noughts.json_types import JsonObject
from noughts.schema import InvalidData, loads
from noughts.web.errors import Reason
from noughts.web.limits import TokenBucket
from noughts.web.metrics import Metrics

__all__ = ["HEARTBEAT", "HEARTBEAT_SECONDS", "Outbox", "receive_messages"]

HEARTBEAT = '{"type":"heartbeat"}'
HEARTBEAT_SECONDS = 5.0
"""Time between two heartbeats, without which clients believe that they are cut off."""
POLICY_VIOLATION = 1008
TOLERATED_MESSAGES = 20
"""Consecutive messages beyond the rate that get an error before the connection is closed."""
MAX_QUEUED = 100
"""Messages waiting to be sent; a reader further behind is disconnected, and gets the current state on return."""
CLOSED_ERRORS = (RuntimeError, OSError, WebSocketDisconnect)
"""Errors raised when sending to a connection that is closed; the receiving side notices it, too."""


async def receive_messages(
    socket: WebSocket, metrics: Metrics, *rates: TokenBucket
) -> AsyncGenerator[JsonObject | InvalidData, None]:
    """Yield each message as an object, or the problem with it; end when the connection does, or is flooded."""
    excess = 0
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        wait = max(rate.take() for rate in rates)
        if not wait:
            excess = 0
            yield _parse_object(message)
            continue
        excess += 1
        metrics.refuse(Reason.MESSAGES)
        if excess > TOLERATED_MESSAGES:
            with suppress(*CLOSED_ERRORS):
                await socket.close(POLICY_VIOLATION, "too many messages")
            return
        yield InvalidData("too many messages; try again in a moment")


def _parse_object(message: Message) -> JsonObject | InvalidData:
    text = message.get("text")
    if text is None:
        return InvalidData("expected a text with a JSON object, got bytes")
    data = None
    with suppress(InvalidData):
        data = loads(text)
    return data if isinstance(data, dict) else InvalidData("expected a JSON object, got something else")


class Outbox:
    """A bounded queue of texts to send, and the task that sends them."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._texts: asyncio.Queue[str | None] = asyncio.Queue(MAX_QUEUED)
        self._sender = asyncio.create_task(self._send())
        self._is_closed = False

    def put(self, text: str) -> None:
        """Send a text soon; a reader who is too far behind is disconnected."""
        if self._is_closed:
            return
        try:
            self._texts.put_nowait(text)
        except asyncio.QueueFull:
            self.close()

    def put_if_idle(self, text: str) -> None:
        """Send a text unless several are waiting: for progress reports, which the next one replaces."""
        if self._texts.qsize() < 4:
            self.put(text)

    def close(self) -> None:
        """Disconnect without sending the rest."""
        if not self._is_closed:
            self._is_closed = True
            self._sender.cancel()
            self._sender = asyncio.create_task(self._close(POLICY_VIOLATION))

    async def finish(self, code: int | None = None) -> None:
        """Send the rest and stop; with a code, close the connection with it."""
        if not self._is_closed:
            self._is_closed = True
            with suppress(asyncio.QueueFull):
                self._texts.put_nowait(None)
                await asyncio.wait({self._sender}, timeout=1.0)
        self._sender.cancel()
        await asyncio.gather(self._sender, return_exceptions=True)
        if code is not None:
            await self._close(code)

    async def _send(self) -> None:
        with suppress(*CLOSED_ERRORS):
            while (text := await self._texts.get()) is not None:
                await self._socket.send({"type": "websocket.send", "text": text})

    async def _close(self, code: int) -> None:
        with suppress(*CLOSED_ERRORS):
            if self._socket.application_state is not WebSocketState.DISCONNECTED:
                await self._socket.close(code)
