"""What is to be sent to one websocket, in order, without anybody waiting for a slow reader."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

__all__ = ["GONE", "Outbox"]

MOST = 100
"""Messages that may wait; a reader who is further behind is cut off, and comes back to a fresh state."""
TOO_SLOW = 1008
GONE = (RuntimeError, OSError, WebSocketDisconnect)
"""What sending raises when the other end is no longer there; its reader notices, too."""


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
            self._sender = asyncio.create_task(self._close(TOO_SLOW))

    async def finish(self, code: int | None = None) -> None:
        """Send what waits and end, with a code where it is we who close the connection."""
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
        with suppress(*GONE):
            while (text := await self._texts.get()) is not None:
                await self._socket.send({"type": "websocket.send", "text": text})

    async def _close(self, code: int) -> None:
        with suppress(*GONE):
            if self._socket.application_state is not WebSocketState.DISCONNECTED:
                await self._socket.close(code)
