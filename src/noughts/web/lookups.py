"""The questions that are answered at once, without an engine: games, positions, puzzles, files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from noughts import __version__
from noughts.analysis.puzzles import puzzle_of_day, shipped_puzzles
from noughts.analysis.reviews import Label
from noughts.engine import LEVELS
from noughts.games.formats import format_plays, parse_plays
from noughts.teaching.comparison import ALGORITHMS, EVALUATIONS, ORDERS
from noughts.web.answers import (
    AboutAnswer,
    ExportAnswer,
    ImportAnswer,
    PlaythroughAnswer,
    PositionAnswer,
    RequestLimitsAnswer,
    TimeControlAnswer,
)
from noughts.web.game_answers import CatalogueAnswer, GameAnswer
from noughts.web.refusals import InvalidRequest
from noughts.web.request_limits import REQUEST_LIMITS
from noughts.web.requests import ExportRequest, GameRequest, ImportRequest, PositionRequest, SetupRequest
from noughts.web.study_answers import PuzzleAnswer, PuzzlesAnswer

__all__ = ["LOOKUPS", "Lookup", "find_about", "find_catalogue", "find_daily_puzzle", "find_puzzles"]

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

Request = TypeVar("Request", bound=BaseModel)
Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True)
class Lookup(Generic[Request, Answer]):
    """A question with a request; a long one takes up to seconds."""

    name: str
    request: type[Request]
    answer: type[Answer]
    find: Callable[[Request], Answer]
    tag: str = "games"
    is_long: bool = False


# Without a request


def find_about(is_local: bool, has_server: bool = True) -> AboutAnswer:
    """Return the version, features and limits of this server, or of a page without a server."""
    return AboutAnswer(
        version=__version__,
        levels=list(LEVELS),
        algorithms=list(ALGORITHMS),
        orders=list(ORDERS),
        evaluations=list(EVALUATIONS),
        labels=list(Label),
        time_controls=[TimeControlAnswer.parse(text) for text in TIME_CONTROLS],
        is_local=is_local,
        has_friends=has_server,
        checks_proofs=not has_server,
        limits=RequestLimitsAnswer(**asdict(REQUEST_LIMITS)),
    )


def find_catalogue() -> CatalogueAnswer:
    """List well-known games."""
    return CatalogueAnswer.make()


def find_puzzles() -> PuzzlesAnswer:
    """List the puzzles."""
    return PuzzlesAnswer(puzzles=[PuzzleAnswer.of(puzzle) for puzzle in shipped_puzzles()])


def find_daily_puzzle(date: date) -> PuzzleAnswer:
    """Return the puzzle of a day, which is the same on every server."""
    return PuzzleAnswer.of(puzzle_of_day(date))


# Games and positions


def find_game(request: GameRequest) -> GameAnswer:
    """Describe a game: cells, names, lines, and where to draw them."""
    return GameAnswer.of(request.find_game())


def find_position(request: PositionRequest) -> PositionAnswer:
    """Describe a position: marks, legal moves, threats, outcome. To make a move, add it to the moves."""
    return PositionAnswer.of(request.find_position())


def set_up(request: SetupRequest) -> PositionAnswer:
    """Describe a board that was set up by hand. The answer's ``position`` is the ``start`` of further requests."""
    return PositionAnswer.of(request.find_position())


# Files


def import_text(request: ImportRequest) -> ImportAnswer:
    """Read the playthroughs of a ``.ngn`` or ``.sgf`` file."""
    format = request.format or ("sgf" if request.text.lstrip("\ufeff \r\n\t").startswith("(") else "ngn")
    if len(PLAY_HEADS[format].findall(request.text)) > MAX_PLAYS:
        raise InvalidRequest(f"expected at most {MAX_PLAYS} playthroughs in a file")
    if len(set(GAME_TEXTS[format].findall(request.text))) > MAX_GAMES:
        raise InvalidRequest(f"expected playthroughs of at most {MAX_GAMES} different games in a file")
    plays = parse_plays(request.text, format, name="the file")
    return ImportAnswer(plays=[PlaythroughAnswer.of(play) for play in plays])


def export_text(request: ExportRequest) -> ExportAnswer:
    """Write a playthrough as a ``.ngn`` or ``.sgf`` file."""
    play = request.find_playthrough(request.tags, {int(ply): text for ply, text in request.comments.items()})
    name = "".join(letter if letter in FILENAME_LETTERS else "-" for letter in play.game.name.lower())
    return ExportAnswer(text=format_plays([play], request.format), filename=f"{name}.{request.format}")


LOOKUPS: dict[str, Lookup[Any, Any]] = {
    lookup.name: lookup
    for lookup in (
        Lookup("game", GameRequest, GameAnswer, find_game),
        Lookup("position", PositionRequest, PositionAnswer, find_position),
        Lookup("setup", SetupRequest, PositionAnswer, set_up),
        Lookup("import", ImportRequest, ImportAnswer, import_text, tag="files", is_long=True),
        Lookup("export", ExportRequest, ExportAnswer, export_text, tag="files"),
    )
}
