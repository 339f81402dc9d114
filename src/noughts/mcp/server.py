"""The server: six tools over games that are kept in memory, by standard input and output or by HTTP on this machine.

Thinking runs in worker threads, so that several clients and games are served at a time. A cancelled request stops its
thread.
"""

from __future__ import annotations

import json
import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

from anyio import CapacityLimiter, get_cancelled_exc_class, run, to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field, ValidationError

from noughts import __version__
from noughts.analysis.advice import DEFAULT_LINES, ENGINE_MB, Advisor
from noughts.analysis.hints import explain, reasons
from noughts.analysis.judging import Judge
from noughts.engine import Engine, Limit, rating_of
from noughts.games import Game, IllegalMove, InvalidNotation, Position, Side
from noughts.games.quoting import quote
from noughts.mcp.answers import AnalysisAnswer, ExplanationAnswer, SolutionAnswer, TableAnswer
from noughts.mcp.sessions import Opponent, Table, Tables
from noughts.players import open_player, parse_rated_name
from noughts.proof.solver import Solution
from noughts.request_body import BodyTooLarge, BodyTooSlow, read_body, replay
from noughts.store import open_store_if_possible
from noughts.validation import validation_message

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["GameTools", "listen", "make_http_app", "make_server", "serve_http", "serve_stdio"]

HOST = "127.0.0.1"
PATH = "/mcp"
MAX_SECONDS = 60.0
MAX_LINES = 20
MAX_GAME_CHARACTERS = 100_000
"""The longest custom game, as JSON."""
MAX_THREADS = 4
SOLVER_MB = 128
SHOWN_MOVES = 30
"""Legal moves that an error lists."""
SHUTDOWN_SECONDS = 2
BODY_BYTES = 256 * 1024
"""Size limit for a request by HTTP."""
BODY_SECONDS = 10.0
"""Time in which a request by HTTP must have arrived."""
MAX_CONNECTIONS, MAX_SESSIONS, SESSION_SECONDS = 200, 500, 600.0
"""Connections and sessions at the same time, and how long an idle session is kept."""
INSTRUCTIONS = """Play and study games of the tic-tac-toe family: 3x3, connect4, gomoku, qubic, ultimate and many more.
new_game returns a game_id, which the other tools take. Moves are squares such as b2 (column, then row from the bottom);
every answer draws the board and lists the legal moves. analyse and solve say what is proven and what is estimated."""

Found = TypeVar("Found")
Wanted = Callable[[object], bool]
"""A progress callback: whether the result is still wanted."""
Work = Callable[[Advisor, Wanted], Found]
GameId = Annotated[str, Field(description="The game_id of new_game.")]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS, description="Thinking time limit in seconds.")]
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

log = logging.getLogger(__name__)


class GameTools:
    """The tools, and the games they work on. Errors of the caller are ToolErrors, whose text the model reads."""

    def __init__(self) -> None:
        self.tables = Tables()
        self.jobs: set[_Job[Any]] = set()
        """Work that threads are doing for ``analyse``, ``solve`` and ``explain``."""
        self._limiter: CapacityLimiter | None = None

    async def new_game(
        self,
        game: Annotated[
            str | dict[str, Any],
            Field(
                description="An id such as 3x3, 5x5:4, 7x6:4+gravity or ultimate:3, an alias (tictactoe, connect4, "
                "gomoku, qubic, ultimate), or a custom game as an object with name, cells and lines."
            ),
        ] = "3x3",
        position: Annotated[
            str | None, Field(description="A position string to start from, for example 3/1x1/3 o.")
        ] = None,
        opponent: Annotated[
            str | None,
            Field(
                description="Who answers your moves: random, beginner, easy, difficult, insane, master, or a rating "
                "such as elo:1200. Without an opponent you make the moves of both sides."
            ),
        ] = None,
        side: Annotated[Side, Field(description="Your side if there is an opponent. X moves first.")] = Side.X,
        seed: Annotated[int | None, Field(description="Makes the opponent repeatable.")] = None,
    ) -> Annotated[CallToolResult, TableAnswer]:
        """Start a game and show its board; an opponent that moves first has made its move already."""
        with _mistakes():
            start = await to_thread.run_sync(lambda: _find_game(game).start_from(position))
            table = self.tables.add(start, _make_opponent(start, opponent, side.opponent, seed))
        reply = await self._reply(table, start)
        if reply is not None:
            table.position = start.after(reply)
        return TableAnswer.of(table, reply).as_result()

    async def legal_moves(self, game_id: GameId) -> Annotated[CallToolResult, TableAnswer]:
        """Show the board of a game, whose turn it is, and the legal moves."""
        with _mistakes():
            table = self.tables.find(game_id)
        return TableAnswer.of(table).as_result()

    async def play(
        self, game_id: GameId, move: Annotated[str, Field(description="A legal move, for example b2.", max_length=100)]
    ) -> Annotated[CallToolResult, TableAnswer]:
        """Make a move for the side to move; the opponent, if there is one, answers at once."""
        with _mistakes():
            table = self.tables.find(game_id)
        async with table.lock:
            with _mistakes():
                after = _play(table.position, move)
            reply = await self._reply(table, after)
            table.position = after if reply is None else after.after(reply)  # nothing changes if it is cancelled
            return TableAnswer.of(table, reply).as_result()

    async def analyse(
        self,
        game_id: GameId,
        lines: Annotated[int, Field(ge=1, le=MAX_LINES, description="Number of moves to return.")] = DEFAULT_LINES,
        seconds: Seconds = 1.0,
    ) -> Annotated[CallToolResult, AnalysisAnswer]:
        """Return the best moves of a game's position with their lines, and which of their values are proven."""
        with _mistakes():
            position = _require_unfinished(self.tables.find(game_id))
        found = await self._think(
            lambda advisor, wanted: advisor.advise(position, Limit(seconds=seconds), lines=lines, progress=wanted)
        )
        return AnalysisAnswer.of(game_id, position, found).as_result()

    async def solve(self, game_id: GameId, seconds: Seconds = 10.0) -> Annotated[CallToolResult, SolutionAnswer]:
        """Prove whether a game's position is a win, a draw or a loss for the side to move, if the time is enough."""
        with _mistakes():
            position = _require_unfinished(self.tables.find(game_id))
        limit = Limit(seconds=seconds)
        found = await self._think(lambda advisor, wanted: _solve(position, limit, advisor, wanted))
        return SolutionAnswer.of(game_id, found).as_result()

    async def explain(
        self,
        game_id: GameId,
        move: Annotated[str | None, Field(description="A move to compare with the best one.", max_length=100)] = None,
        seconds: Seconds = 1.0,
    ) -> Annotated[CallToolResult, ExplanationAnswer]:
        """Explain the best move of a game's position in words, and what another move gives away."""
        with _mistakes():
            position = _require_unfinished(self.tables.find(game_id))
            cell = None if move is None else _play(position, move).moves[-1]
        limit = Limit(seconds=seconds)
        answer = await self._think(lambda advisor, wanted: _explain(game_id, position, cell, limit, advisor, wanted))
        return answer.as_result()

    async def _reply(self, table: Table, position: Position) -> int | None:
        """The move of the opponent, or None if it is not its turn."""
        opponent = table.opponent
        if opponent is None or position.turn is not opponent.side:
            return None
        return await self._run(lambda: opponent.player.choose(position), opponent.player.stop)

    async def _think(self, work: Work[Found]) -> Found:
        """Return the result of work with an advisor."""
        job = _Job(self.jobs, work)
        return await self._run(job.run, job.stop)

    async def _run(self, work: Callable[[], Found], stop: Callable[[], object]) -> Found:
        """Return the result of work in a thread; if the request is cancelled, call ``stop``."""
        if self._limiter is None:
            self._limiter = CapacityLimiter(min(MAX_THREADS, os.cpu_count() or 1))
        try:
            return await to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._limiter)
        except get_cancelled_exc_class():
            stop()
            raise


class _Job(Generic[Found]):
    """Work for a thread, with an advisor of its own; can be stopped. Is in ``jobs`` while it runs."""

    def __init__(self, jobs: set[_Job[Any]], work: Work[Found]) -> None:
        self._jobs, self._work = jobs, work
        self._advisor: Advisor | None = None
        self._is_stopped = Event()

    def run(self) -> Found:
        self._jobs.add(self)
        store = open_store_if_possible(warn=log.warning, read_only=True)
        try:
            self._advisor = Advisor(Engine(hash_mb=ENGINE_MB), store, log.warning)
            return self._work(self._advisor, self._is_wanted)
        finally:
            self._jobs.discard(self)
            if store is not None:
                store.close()

    def _is_wanted(self, found: object) -> bool:
        """The progress callback of all work: stops what began just after the call of ``stop``."""
        return not self._is_stopped.is_set()

    def stop(self) -> None:
        self._is_stopped.set()
        if self._advisor is not None:
            self._advisor.stop()


class _Server(MCPServer[Any]):
    """A server that refuses arguments it does not know, and says in one line what is wrong with the others."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; raises ToolError."""
        takes = {tool.name: list(tool.input_schema["properties"]) for tool in await self.list_tools()}
        for key in arguments if name in takes else ():
            if key not in takes[name]:
                raise ToolError(f"unknown argument {quote(key)}; {name} takes {', '.join(takes[name])}")
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            raise UnexpectedToolError("internal error") from error
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(validation_message(error.__cause__.errors()[0])) from None
            raise


def make_server(tools: GameTools | None = None) -> MCPServer[Any]:
    """Return the server with its tools."""
    tools = tools or GameTools()
    server = _Server("noughts", title="noughts", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    server.add_tool(tools.new_game, annotations=CHANGES)
    server.add_tool(tools.legal_moves, annotations=READS)
    server.add_tool(tools.play, annotations=CHANGES)
    server.add_tool(tools.analyse, annotations=READS)
    server.add_tool(tools.solve, annotations=READS)
    server.add_tool(tools.explain, annotations=READS)
    return server


def serve_stdio() -> None:
    """Serve the client at standard input and output until it closes them."""
    run(make_server().run_stdio_async)


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
            messages = await read_body(scope, receive, BODY_BYTES, BODY_SECONDS)
        except BodyTooLarge:
            await _refuse(send, 413, f"expected a request of at most {BODY_BYTES // 1024} kB")
        except BodyTooSlow:
            await _refuse(send, 408, f"the request did not arrive within {BODY_SECONDS:g} s")
        else:
            if messages[-1]["type"] != "http.disconnect":
                await self._app(scope, replay(messages, receive), send)


async def _refuse(send: Send, status: int, line: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{line}\n".encode()})


@contextmanager
def _mistakes() -> Iterator[None]:
    """Pass on mistakes of the caller as errors of the tool, which the model can read and correct.

    For the check of arguments only: an exception in the work that follows is a bug, which the SDK logs.
    """
    try:
        yield
    except (RecursionError, TypeError, ValueError) as error:
        raise ToolError(str(error)) from None


def _find_game(game: str | dict[str, Any]) -> Game:
    if not isinstance(game, str) and len(json.dumps(game)) > MAX_GAME_CHARACTERS:
        raise ValueError(f"expected a custom game of at most {MAX_GAME_CHARACTERS} characters")
    return Game.shared(game)


def _make_opponent(start: Position, name: str | None, side: Side, seed: int | None) -> Opponent | None:
    if name is None:
        return None
    name = parse_rated_name(name)
    return Opponent(name, rating_of(start.game, name), side, open_player(name, seed=seed))


def _require_unfinished(table: Table) -> Position:
    if table.position.is_over:
        raise ValueError("the game is over; new_game starts another")
    return table.position.copy()


def _play(position: Position, move: str) -> Position:
    """The position after a move; an error lists the legal moves."""
    if position.is_over:
        raise ValueError("the game is over; new_game starts another")
    try:
        return position.after(move)
    except (IllegalMove, InvalidNotation) as error:
        legal = [position.format_move(each) for each in position.legal_moves]
        more = " ..." if len(legal) > SHOWN_MOVES else ""
        raise ValueError(f"{error}; legal moves: {' '.join(legal[:SHOWN_MOVES])}{more}") from None


def _solve(position: Position, limit: Limit, advisor: Advisor, wanted: Wanted) -> Solution:
    """The solution in the store or the book, else one that is found within the limit."""
    known = advisor.look_up(position)
    if known is not None:
        return Solution.from_proven(position, known.proven)
    return advisor.solutions.solve(position, limit, wanted, memory_mb=SOLVER_MB)


def _explain(
    game_id: str, position: Position, cell: int | None, limit: Limit, advisor: Advisor, wanted: Wanted
) -> ExplanationAnswer:
    """The best move with its reasons; half of the time is for the judgement of another move."""
    share = limit if cell is None or limit.seconds is None else Limit(seconds=limit.seconds / 2)
    hint = explain(position, advisor.advise(position, share, lines=DEFAULT_LINES, progress=wanted))
    answer = ExplanationAnswer.of(game_id, position, hint)
    if cell is None or advisor.is_stopped:
        return answer
    proposal = Judge(share, advisor=advisor).judge(position, proposed=cell).of(cell)
    why = [reason.text for reason in reasons(position, cell) if reason.text]
    return answer.with_move(position.format_move(cell), proposal, why)
