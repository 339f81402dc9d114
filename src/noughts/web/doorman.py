"""Connections before anything was asked on them: not too many from one address, and none that just sits there."""

from __future__ import annotations

import asyncio
from importlib.metadata import version

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from noughts.web.limits import Count, client_of
from noughts.web.settings import Settings

__all__ = ["doorman"]

PATIENCE = 10.0
"""Seconds in which the head of a request must have come."""

MOST_BEHIND_PROXY = 10_000


NEEDED = {
    H11Protocol: ("connection_made", "connection_lost", "handle_websocket_upgrade"),
    h11.Connection: ("their_state", "trailing_data"),
}
"""What the doorman needs of uvicorn and h11 and they do not document."""


def check_versions() -> None:
    """Raise OSError, with a line that says what to do, when uvicorn or h11 lack something the doorman needs."""
    for owner, names in NEEDED.items():
        for name in names:
            if not hasattr(owner, name):
                versions = f"uvicorn {version('uvicorn')} and h11 {version('h11')}"
                raise OSError(
                    f"cannot serve with {versions}: {owner.__name__} has no {name}; "
                    "install uvicorn 0.54 and h11 0.16, which are known to work"
                )


def doorman(settings: Settings) -> type[H11Protocol]:
    """Return the protocol for connections; websockets are counted by themselves once they are open."""
    check_versions()
    # Behind a proxy all come from one address, and the proxy looks after them.
    count = Count(MOST_BEHIND_PROXY if settings.behind_proxy else settings.granted.connections)

    class Doorman(H11Protocol):
        _client: str | None = None
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            client = client_of({"client": self.client})
            if count.take(client):
                self._client = client
                self._timer = self.loop.call_later(PATIENCE, self._look, transport)
            else:
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            self._let_go()
            super().connection_lost(exc)

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            self._let_go()
            super().handle_websocket_upgrade(event)

        def _let_go(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
            if self._client is not None:
                count.give_back(self._client)
                self._client = None

        def _look(self, transport: asyncio.Transport) -> None:
            """Close a connection on which half a head has been waiting since the last look."""
            waits = self.conn.their_state is h11.IDLE and (self.cycle is None or bool(self.conn.trailing_data[0]))
            if waits:
                transport.close()
            else:
                self._timer = self.loop.call_later(PATIENCE, self._look, transport)

    return Doorman
