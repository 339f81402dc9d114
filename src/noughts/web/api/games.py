"""Games, positions, and files with playthroughs."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import date

from fastapi import APIRouter
from starlette.responses import Response

from noughts import __version__
from noughts.engine import LEVELS
from noughts.games.formats import format_plays, parse_plays
from noughts.study.comparison import ALGORITHMS, EVALUATIONS, ORDERS
from noughts.study.puzzles import puzzle_of_day, shipped_puzzles
from noughts.study.reviews import Label
from noughts.web.answers import (
    AboutAnswer,
    ExportAnswer,
    ImportAnswer,
    PlaythroughAnswer,
    PositionAnswer,
    RequestLimitsAnswer,
    TimeControlAnswer,
)
from noughts.web.context import Context, json_response
from noughts.web.errors import InvalidRequest
from noughts.web.game_answers import CatalogueAnswer, GameAnswer
from noughts.web.limits import REQUEST_LIMITS
from noughts.web.requests import ExportRequest, GameRequest, ImportRequest, PositionRequest, SetupRequest
from noughts.web.study_answers import PuzzleAnswer, PuzzlesAnswer

router = APIRouter()
TIME_CONTROLS = ("1+1", "3+2", "5+3", "15+10")
MAX_PLAYS = 100
MAX_GAMES = 10
"""Different games in one file; building one takes up to half a second."""
PLAY_HEADS = {"ngn": re.compile(r"\[\s*Game\b"), "sgf": re.compile(r"G[a-z]*M[a-z]*\s*\[")}
"""Text that every playthrough contains once."""
GAME_TEXTS = {
    "ngn": re.compile(r'\[\s*Game\s+"([^"\n]{0,200})'),
    "sgf": re.compile(r"(?:NGAME|G[a-z]*M[a-z]*|S[a-z]*Z[a-z]*)\s*\[([^\]]{0,200})"),
}
"""Text that differs between games."""
FILENAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


@router.get("/about", tags=["games"])
async def about(context: Context) -> AboutAnswer:
    """Return the version, features and limits of this server."""
    return AboutAnswer(
        version=__version__,
        levels=list(LEVELS),
        algorithms=list(ALGORITHMS),
        orders=list(ORDERS),
        evaluations=list(EVALUATIONS),
        labels=list(Label),
        time_controls=[TimeControlAnswer.parse(text) for text in TIME_CONTROLS],
        is_local=context.services.settings.is_local,
        limits=RequestLimitsAnswer(**asdict(REQUEST_LIMITS)),
    )


@router.get("/catalogue", tags=["games"])
async def catalogue(context: Context) -> CatalogueAnswer:
    """List well-known games."""
    return await context.run_fast(CatalogueAnswer.make)


@router.post("/game", response_model=GameAnswer, tags=["games"])
async def game(context: Context, request: GameRequest) -> Response:
    """Describe a game: cells, names, lines, and where to draw them."""
    # Encoded in the worker: the largest games have megabytes of lines, which would block all other requests.
    return await context.run_fast(lambda: json_response(GameAnswer.of(request.find_game())))


@router.post("/position", response_model=PositionAnswer, tags=["games"])
async def position(context: Context, request: PositionRequest) -> Response:
    """Describe a position: marks, legal moves, threats, outcome. To make a move, add it to the moves."""
    return await context.run_fast(lambda: json_response(PositionAnswer.of(request.find_position())))


@router.post("/setup", response_model=PositionAnswer, tags=["games"])
async def set_up(context: Context, request: SetupRequest) -> Response:
    """Describe a board that was set up by hand. The answer's ``position`` is the ``start`` of further requests."""
    return await context.run_fast(lambda: json_response(PositionAnswer.of(request.find_position())))


@router.get("/puzzles", response_model=PuzzlesAnswer, tags=["games"])
async def puzzles(context: Context) -> Response:
    """List the puzzles."""
    return await context.run_fast(_puzzles)


@router.get("/puzzles/daily", tags=["games"])
async def daily_puzzle(context: Context, date: date) -> PuzzleAnswer:
    """Return the puzzle of a day, which is the same on every server."""
    return await context.run_fast(lambda: PuzzleAnswer.of(puzzle_of_day(date)))


def _puzzles() -> Response:
    return json_response(PuzzlesAnswer(puzzles=[PuzzleAnswer.of(puzzle) for puzzle in shipped_puzzles()]))


@router.post("/import", tags=["files"])
async def import_text(context: Context, request: ImportRequest) -> ImportAnswer:
    """Read the playthroughs of a ``.ngn`` or ``.sgf`` file."""
    format = request.format or ("sgf" if request.text.lstrip("\ufeff \r\n\t").startswith("(") else "ngn")
    if len(PLAY_HEADS[format].findall(request.text)) > MAX_PLAYS:
        raise InvalidRequest(f"expected at most {MAX_PLAYS} playthroughs in a file")
    if len(set(GAME_TEXTS[format].findall(request.text))) > MAX_GAMES:
        raise InvalidRequest(f"expected playthroughs of at most {MAX_GAMES} different games in a file")
    return await context.run_fast(lambda: _import(request.text, format), is_long=True)


def _import(text: str, format: str) -> ImportAnswer:
    plays = parse_plays(text.encode(), format, name="the file")
    return ImportAnswer(plays=[PlaythroughAnswer.of(play) for play in plays])


@router.post("/export", tags=["files"])
async def export(context: Context, request: ExportRequest) -> ExportAnswer:
    """Write a playthrough as a ``.ngn`` or ``.sgf`` file."""
    return await context.run_fast(lambda: _export(request))


def _export(request: ExportRequest) -> ExportAnswer:
    play = request.find_playthrough(request.tags, {int(ply): text for ply, text in request.comments.items()})
    name = "".join(letter if letter in FILENAME_LETTERS else "-" for letter in play.game.name.lower())
    return ExportAnswer(text=format_plays([play], request.format), filename=f"{name}.{request.format}")
