"""The server of the tools, over standard input and output or by HTTP on this machine."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from anyio import run
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from starlette.responses import PlainTextResponse

from noughts import __version__
from noughts.mcp.tools import Tools
from noughts.request_body import BODY_BYTES, BodyRefused, read_body, replay

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["listen", "make_http_app", "make_server", "serve_http", "serve_stdio"]

HOST = "127.0.0.1"
PATH = "/mcp"
SHUTDOWN_SECONDS = 2
MAX_CONNECTIONS, MAX_SESSIONS, SESSION_SECONDS = 200, 500, 600.0
"""Connections and sessions at the same time, and how long an idle session is kept."""
INSTRUCTIONS = """Play and study games of the tic-tac-toe family: 3x3, connect4, gomoku, qubic, ultimate and many more.
new_game returns a game_id, which the other tools take in place of a game and its moves. Moves are squares such as b2
(column, then row from the bottom). analyse, solve and explain say what is proven and what is estimated."""


def make_server(tools: Tools | None = None) -> Server[object]:
    """Return the server with its tools."""
    tools = tools or Tools()
    return Server(
        "noughts",
        title="noughts",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=tools.describe,
        on_call_tool=tools.call,
    )


def serve_stdio() -> None:
    """Serve the client at standard input and output until it closes them."""

    async def serve() -> None:
        server = make_server()
        async with stdio_server() as (messages, answers):
            await server.run(messages, answers, server.create_initialization_options())

    run(serve)


def listen(port: int) -> socket.socket:
    """Return a socket on this machine, for ``serve_http``; raises OSError."""
    return socket.create_server((HOST, port))


def serve_http(listening: socket.socket) -> None:
    """Serve streamable HTTP to clients on this machine until interrupted."""
    import uvicorn

    config = uvicorn.Config(
        make_http_app(),
        log_level="warning",
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        limit_concurrency=MAX_CONNECTIONS,
        ws="none",
    )
    uvicorn.Server(config).run(sockets=[listening])


def make_http_app() -> ASGIApp:
    """Return the ASGI app: the SDK checks hosts, origins and sessions, and requests are read as a whole before."""
    app = make_server().streamable_http_app(
        streamable_http_path=PATH,
        host=HOST,
        max_request_body_size=BODY_BYTES,
        session_idle_timeout=SESSION_SECONDS,
        max_sessions=MAX_SESSIONS,
    )
    return _WholeRequests(app)


class _WholeRequests:
    """ASGI middleware that passes requests on when all of their body has arrived, and refuses slow and large ones."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            messages = await read_body(scope, receive)
        except BodyRefused as error:
            headers = {"connection": "close"}
            await PlainTextResponse(f"{error}\n", error.status, headers)(scope, receive, send)
        else:
            if messages[-1]["type"] != "http.disconnect":
                await self._app(scope, replay(messages, receive), send)
