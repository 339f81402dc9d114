"""The app: handlers, the page, and the guard around them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from noughts import __version__
from noughts.web import socket
from noughts.web.api import files, friends, games, kept, thinking
from noughts.web.errors import add_handlers
from noughts.web.friends import socket as friend_socket
from noughts.web.friends.rooms import Rooms
from noughts.web.keeper import Keeper
from noughts.web.limits import Buckets
from noughts.web.scheduler import Scheduler
from noughts.web.schemas import ErrorAnswer
from noughts.web.security import Guard
from noughts.web.services import Services
from noughts.web.settings import Settings
from noughts.web.static import Page

__all__ = ["make_app"]

CLERKS = 2
CLERKS_WAITING = 200
UNBOUNDED = (1e9, 1e6)
SMALLEST_PACKED = 2048
REFUSALS: dict[int | str, dict[str, object]] = {
    status: {"model": ErrorAnswer, "description": why}
    for status, why in {
        400: "not JSON",
        403: "no right to it",
        404: "no such thing",
        409: "the game has moved on",
        413: "too large",
        422: "makes no sense",
        429: "too many at once",
    }.items()
}


def make_app(settings: Settings) -> FastAPI:
    """Return the app; its threads begin and end with it. Raises StoreError when the store cannot be opened."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        services = app.state.services = _open(settings)
        await services.rooms.open()
        yield
        services.thinkers.close()
        services.clerks.close()
        await services.rooms.close()
        services.keeper.close()

    app = FastAPI(
        title="noughts",
        version=__version__,
        summary="Plays, solves and teaches every game of the tic-tac-toe family",
        lifespan=life,
        telemetry={"auto_configure": False, "tracing": False, "metrics": False, "logs": False},
        docs_url=None,
        redoc_url=None,
        responses=REFUSALS,
    )
    for module in (games, thinking, files, kept, friends, socket, friend_socket):
        app.include_router(module.router, prefix="/api")
    add_handlers(app)
    _add_page(app)
    app.add_middleware(GZipMiddleware, minimum_size=SMALLEST_PACKED, compresslevel=5)
    app.add_middleware(Guard, settings=settings)
    return app


def _open(settings: Settings) -> Services:
    granted = settings.granted
    keeper = Keeper(settings.store)
    return Services(
        settings=settings,
        thinkers=Scheduler(
            settings.workers, granted.waiting, granted.engine_seconds, left=granted.workers_left, store=settings.store
        ),
        clerks=Scheduler(CLERKS, CLERKS_WAITING, UNBOUNDED, name="noughts-clerk", niceness=0),
        keeper=keeper,
        rooms=Rooms(keeper, granted.friend_games),
        games_made=Buckets(granted.games_made),
        games_kept=Buckets(granted.games_kept),
        messages=Buckets(granted.all_messages),
    )


def _add_page(app: FastAPI) -> None:
    page = Page()

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def static(request: Request, path: str) -> Response:
        return page.answer(request, path)
