"""What is to be sent to one websocket, in order, without anybody waiting for a slow reader."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketState

__all__ = ["Outbox"]

MOST = 100
"""Messages that may wait; a reader who is further behind is cut off, and comes back to a fresh state."""
TOO_SLOW, GOING_AWAY = 1008, 1001


class Outbox:
    """A bounded queue of texts and the task that sends them."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._texts: asyncio.Queue[str | None] = asyncio.Queue(MOST)
        self._sender = asyncio.create_task(self._send())
        self._is_closed = False

    def put(self, text: str) -> None:
        """Send a text soon; a reader too far behind is cut off."""
        if self._is_closed:
            return
        try:
            self._texts.put_nowait(text)
        except asyncio.QueueFull:
            self.close()

    def put_if_idle(self, text: str) -> None:
        """Send a text unless others wait already: for news that the next news replaces."""
        if self._texts.qsize() < 4:
            self.put(text)

    def close(self) -> None:
        """Cut the connection off without sending the rest."""
        if not self._is_closed:
            self._is_closed = True
            self._sender.cancel()
            self._sender = asyncio.create_task(self._close())

    async def finish(self) -> None:
        """Send what waits and end."""
        if not self._is_closed:
            self._is_closed = True
            with suppress(asyncio.QueueFull):
                self._texts.put_nowait(None)
                await asyncio.wait({self._sender}, timeout=1.0)
        self._sender.cancel()
        await asyncio.gather(self._sender, return_exceptions=True)

    async def _send(self) -> None:
        with suppress(RuntimeError, OSError):  # the connection is gone: its reader notices, too
            while (text := await self._texts.get()) is not None:
                await self._socket.send({"type": "websocket.send", "text": text})

    async def _close(self) -> None:
        with suppress(RuntimeError, OSError):
            if self._socket.application_state is not WebSocketState.DISCONNECTED:
                await self._socket.close(TOO_SLOW)
