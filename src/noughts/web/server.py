"""Running the app: one process, one loop, gone within a second of Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from noughts.store import Store
from noughts.web.app import make_app
from noughts.web.doorman import doorman
from noughts.web.settings import BODY_BYTES, Settings

__all__ = ["Server", "listen", "serve"]

HEARTBEAT = 4.0
"""Seconds between pings, and for the answer: whoever is cut off is away after at most twice that."""
GRACE = 1
LAST_SECONDS = 0.3
"""For the workers to end after Ctrl-C."""
SWITCH = 0.001
"""Seconds a thread that runs Python keeps the interpreter: short, since the one that answers must never wait long."""


class Server(uvicorn.Server):
    """A server that interrupts the thinkers as soon as it is told to end."""

    def __init__(self, settings: Settings, ready: Callable[[], None] | None = None) -> None:
        self._ready = ready
        self.app = make_app(settings)
        super().__init__(
            uvicorn.Config(
                self.app,
                http=doorman(settings),
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=settings.behind_proxy,
                ws_max_size=BODY_BYTES,
                ws_ping_interval=HEARTBEAT,
                ws_ping_timeout=HEARTBEAT,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=GRACE,
                timeout_keep_alive=30,
                h11_max_incomplete_event_size=64 * 1024,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started and self._ready is not None:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End: nobody waits for a search."""
        super().handle_exit(sig, frame)
        self._stop_thinking()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals while serving; one that is ignored, as a shell does for jobs in the background, stays so."""
        ignored = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) == signal.SIG_IGN]
        with super().capture_signals():
            if threading.current_thread() is threading.main_thread():
                for number in ignored:
                    signal.signal(number, signal.SIG_IGN)
            yield

    def stop(self) -> None:
        """End soon; may be called from another thread."""
        self.should_exit = True
        self._stop_thinking()

    def is_thinking(self, seconds: float) -> bool:
        """Return whether some work is still running after ``seconds``, though it was told to end."""
        services = getattr(self.app.state, "services", None)
        return services is not None and not services.thinkers.join(seconds)

    def _stop_thinking(self) -> None:
        services = getattr(self.app.state, "services", None)
        if services is not None:
            services.thinkers.close()


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens where the settings say; raises OSError."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # With the protocol named, asyncio turns Nagle's algorithm off; without, every answer comes 40 ms late.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(1024)
    except BaseException:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


def serve(settings: Settings, listening: socket.socket, ready: Callable[[], None] | None = None) -> None:
    """Serve until told to end; must run in the main thread for Ctrl-C to be heard. Raises StoreError."""
    with listening:
        Store(settings.store).close()  # a store that cannot be opened is one line here, and a traceback later
        _run(settings, listening, ready)


def _run(settings: Settings, listening: socket.socket, ready: Callable[[], None] | None) -> None:
    sys.setswitchinterval(SWITCH)
    server = Server(settings, ready)
    try:
        asyncio.run(server.serve([listening]))
    except KeyboardInterrupt:
        if server.is_thinking(LAST_SECONDS):
            # A search to a fixed depth cannot be interrupted, and Python would wait for it or crash. All is on disk.
            sys.stdout.flush()
            print("interrupted", file=sys.stderr, flush=True)
            os._exit(128 + signal.SIGINT)
        raise
