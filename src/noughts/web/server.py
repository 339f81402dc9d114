"""The server process: one event loop, which ends within a second of Ctrl-C."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import uvicorn

from noughts.request_body import BODY_BYTES
from noughts.settings.kinds import Address
from noughts.store import Store
from noughts.web.app import make_app
from noughts.web.limits import OpenWebSocket, Settings
from noughts.web.logs import configure_logging
from noughts.web.metrics import Metrics
from noughts.web.page_server import listen, server_config

__all__ = ["Server", "Settings", "configure_logging", "listen", "serve"]

PING_SECONDS = 4.0
"""Time between websocket pings, and for the answer: a lost client is noticed after at most twice that."""
WORKER_SHUTDOWN_SECONDS = 0.3
"""Time for the workers to stop after Ctrl-C."""
GARBAGE_THRESHOLDS = (50_000, 20, 100)
"""For ``gc.set_threshold``: thousands of connections are many objects, hardly any of which are ever garbage."""
SWITCH_SECONDS = 0.001
"""Time for which a thread keeps the interpreter: short, since the event loop must never wait long."""


class Server(uvicorn.Server):
    """A uvicorn server that interrupts the engines as soon as it is asked to stop."""

    def __init__(
        self, settings: Settings, ready: Callable[[], None] | None = None, metrics_port: int | None = None
    ) -> None:
        self._ready = ready
        metrics = Metrics()
        self.app = make_app(settings, metrics, metrics_port)
        super().__init__(
            server_config(
                self.app,
                settings,
                metrics,
                ws=OpenWebSocket,
                ws_max_size=BODY_BYTES,
                ws_ping_interval=PING_SECONDS,
                ws_ping_timeout=PING_SECONDS,
                ws_per_message_deflate=False,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call ``ready``."""
        await super().startup(sockets)
        _spare_garbage_collection()
        if self.started and self._ready is not None:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, without waiting for searches."""
        super().handle_exit(sig, frame)
        self._stop_engines()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals while serving; ignored signals stay ignored, as for background jobs of a shell."""
        ignored = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) == signal.SIG_IGN]
        with super().capture_signals():
            if threading.current_thread() is threading.main_thread():
                for number in ignored:
                    signal.signal(number, signal.SIG_IGN)
            yield

    def stop(self) -> None:
        """Stop soon; may be called from another thread."""
        self.should_exit = True
        self._stop_engines()

    def has_running_engines(self, seconds: float) -> bool:
        """Return whether an engine still runs after ``seconds``, although it was asked to stop."""
        services = getattr(self.app.state, "services", None)
        deadline = time.monotonic() + seconds
        pools = () if services is None else (services.engine_pool, services.quick_pool)
        return not all(pool.join(max(0.0, deadline - time.monotonic())) for pool in pools)

    def _stop_engines(self) -> None:
        services = getattr(self.app.state, "services", None)
        if services is not None:
            services.engine_pool.close()
            services.quick_pool.close()


def _allow_many_connections() -> None:
    """Raise the number of files that may be open to what the system allows: each connection is one."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):  # macOS has a lower limit of its own
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _spare_garbage_collection() -> None:
    """Keep what was made until now out of garbage collections, and make them rarer: each one stops all games."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


def serve(
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[], None] | None = None,
    metrics_listening: socket.socket | None = None,
) -> None:
    """Serve until interrupted; must run in the main thread to handle Ctrl-C. Raises StoreError.

    The metrics are served on a socket of their own, if there is one. The caller closes the sockets.
    """
    Store(settings.store).close()  # raises StoreError here rather than in the event loop
    _run(settings, [listening] if metrics_listening is None else [listening, metrics_listening], ready)


def _run(settings: Settings, sockets: list[socket.socket], ready: Callable[[], None] | None) -> None:
    sys.setswitchinterval(SWITCH_SECONDS)
    _allow_many_connections()
    addresses = [Address(*listening.getsockname()[:2]) for listening in sockets]
    logging.getLogger(__name__).info("serving on %s, with the store %s", ", ".join(map(str, addresses)), settings.store)
    server = Server(settings, ready, metrics_port=addresses[1].port if len(addresses) > 1 else None)
    try:
        asyncio.run(server.serve(sockets))
    except KeyboardInterrupt:
        if server.has_running_engines(WORKER_SHUTDOWN_SECONDS):
            # Python would wait for a search that does not end at once, or crash. All is on disk.
            sys.stdout.flush()
            print("interrupted", file=sys.stderr, flush=True)
            os._exit(128 + signal.SIGINT)
        raise
