"""The ASGI app: request handlers, the files of the page, and the middleware around them."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from noughts import __version__
from noughts.web.access import AccessMiddleware
from noughts.web.api import friends, lobby, qr, questions, saved, think
from noughts.web.context import Services
from noughts.web.engine_process import EngineProcess, EngineSettings, ProcessCounts
from noughts.web.health import Health, MetricsPort, add_health_route
from noughts.web.limits import Rate, Settings, TokenBuckets
from noughts.web.lobby import Lobby
from noughts.web.metrics import Metrics
from noughts.web.responses import DocumentedApp, add_error_handlers, document_errors, error_response
from noughts.web.rooms import Rooms
from noughts.web.security import SecurityMiddleware
from noughts.web.workers import StoreThread, ThreadWorker, WorkerPool

__all__ = ["make_app"]

FAST_WORKERS = 2
FAST_WAITING = QUICK_WAITING = 200
WORKERS_PER_QUICK = 4
"""Engines for each one that is kept for quick questions, beside the first."""
ENGINES_END_SECONDS = 2.0
"""Time for the processes of engines to end; they are killed, so that it is hardly ever needed."""
NICENESS = 5
"""Engines run at a lower priority than the server, which must confirm a move at once, and than quick questions."""
UNLIMITED = Rate(1e9, 1e6)
MIN_COMPRESSED_BYTES = 1024
STATIC_FOLDER = Path(__file__).parent / "static"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def make_app(settings: Settings, metrics: Metrics | None = None, metrics_port: int | None = None) -> FastAPI:
    """Return the app; its threads start and stop with it. Raises StoreError if the store cannot be opened.

    Requests on ``metrics_port`` get the metrics, and nothing else.
    """
    counted = metrics or Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        services = app.state.services = _open_services(settings, counted)
        app.state.health = Health(services)
        await services.rooms.open()
        yield
        for pool in services.pools.values():
            pool.close()
        await services.rooms.close()
        services.store.close()
        for pool in (services.engine_pool, services.quick_pool):
            await asyncio.to_thread(pool.join, ENGINES_END_SECONDS)
        logging.getLogger(__name__).info("stopped")

    app = DocumentedApp(
        title="noughts",
        version=__version__,
        summary="Plays, solves and teaches every game of the tic-tac-toe family",
        lifespan=lifespan,
        telemetry={"auto_configure": False, "tracing": False, "metrics": False, "logs": False},
        docs_url=None,
        redoc_url=None,
        responses=document_errors(),
    )
    for module in (questions, think, saved, friends, lobby, qr):
        app.include_router(module.router, prefix="/api")
    add_error_handlers(app, counted)
    add_health_route(app)
    _add_static_files(app)
    app.add_middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED_BYTES, compresslevel=5)
    app.add_middleware(SecurityMiddleware, settings=settings, metrics=counted)
    app.add_middleware(AccessMiddleware, settings=settings, metrics=counted)
    app.add_middleware(MetricsPort, port=metrics_port, settings=settings)
    return app


def _open_services(settings: Settings, metrics: Metrics) -> Services:
    limits = settings.limits
    store, processes, used = StoreThread(settings.store), ProcessCounts(), TokenBuckets(limits.engine_seconds)
    engine = EngineSettings(
        settings.store, settings.book, settings.worker_memory, NICENESS, settings.log_format, settings.log_level
    )
    quick = replace(engine, niceness=0)
    return Services(
        settings=settings,
        metrics=metrics,
        engine_pool=WorkerPool(
            [EngineProcess(engine, processes) for _ in range(settings.workers)],
            limits.waiting,
            used,
            reserved=limits.reserved_workers,
        ),
        quick_pool=WorkerPool(
            [EngineProcess(quick, processes) for _ in range(1 + settings.workers // WORKERS_PER_QUICK)],
            QUICK_WAITING,
            used,
            name="noughts-quick",
        ),
        fast_pool=WorkerPool(
            [ThreadWorker() for _ in range(FAST_WORKERS)], FAST_WAITING, TokenBuckets(UNLIMITED), name="noughts-fast"
        ),
        processes=processes,
        store=store,
        rooms=Rooms(store, settings.max_games, Lobby(limits.open_challenges) if settings.lobby else None),
        friend_games=TokenBuckets(limits.friend_games),
        saved_games=TokenBuckets(limits.saved_games),
        messages=TokenBuckets(limits.all_messages),
    )


def _add_static_files(app: FastAPI) -> None:
    files = StaticFiles(STATIC_FOLDER)

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def static(request: Request, path: str) -> Response:
        return files.respond(request, path)


class _File(NamedTuple):
    modified: int
    tag: str
    content: bytes
    compressed: bytes | None


class StaticFiles:
    """Serves the files below a folder: compressed once, and sent again only when they have changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, _File] = {}

    def respond(self, request: Request, path: str) -> Response:
        """Return a file by its path below the folder; the folder itself is ``index.html``."""
        name = path or "index.html"
        file = self._find(name)
        if file is None:
            return error_response(404, "there is nothing at this address")
        etag = f'"{file.tag}"'
        # Browsers must check every time: modules of two versions do not work together.
        headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        body = file.content
        if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"], body = "gzip", file.compressed
        return Response(body, headers=headers, media_type=MEDIA_TYPES[PurePosixPath(name).suffix])

    def _find(self, name: str) -> _File | None:
        pure = PurePosixPath(name)
        is_plain = all(part.replace("_", "a").replace("-", "a").replace(".", "a").isalnum() for part in pure.parts)
        is_served = is_plain and pure.suffix in MEDIA_TYPES and "\x00" not in name
        if not is_served or pure.is_absolute() or ".." in pure.parts:
            return None
        path = self._folder / pure
        try:
            modified = path.stat().st_mtime_ns
            file = self._files.get(str(pure))
            if file is None or file.modified != modified:
                file = self._files[str(pure)] = _read_file(path, modified)
        except OSError:
            return None
        return file


COMMENT_LINES = re.compile(rb"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|// [^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
"""Comments of JavaScript that have their lines to themselves: more than a quarter of what would be transferred."""


def without_comments(script: bytes) -> bytes:
    """Return a script without comments; the numbers of its lines stay the same."""
    return COMMENT_LINES.sub(lambda comment: b"\n" * comment[0].count(b"\n"), script)


def _read_file(path: Path, modified: int) -> _File:
    content = path.read_bytes()
    if path.suffix == ".js":
        content = without_comments(content)
    compressed = gzip.compress(content, 9, mtime=0)
    tag = hashlib.sha256(content).hexdigest()[:20]
    return _File(modified, tag, content, compressed if len(compressed) < len(content) else None)
