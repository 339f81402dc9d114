"""Playthroughs in and out as text."""

from __future__ import annotations

import re
from typing import Any

from fastapi import APIRouter

from noughts.games.formats.files import format_plays, parse_plays
from noughts.web.answers import ExportAnswer, ImportAnswer
from noughts.web.errors import Refused
from noughts.web.places import find_playthrough
from noughts.web.schemas import ExportAsk, ImportAsk
from noughts.web.services import AskerOf
from noughts.web.views import play_data

router = APIRouter(tags=["files"])
MOST_PLAYS = 100
MOST_GAMES = 10
"""Each takes up to half a second to build."""
HEADS = {"ngn": re.compile(r"\[\s*Game\b"), "sgf": re.compile(r"G[a-z]*M[a-z]*\s*\[")}
"""What every playthrough must hold once."""
GAMES = {
    "ngn": re.compile(r'\[\s*Game\s+"([^"\n]{0,200})'),
    "sgf": re.compile(r"(?:NGAME|G[a-z]*M[a-z]*|S[a-z]*Z[a-z]*)\s*\[([^\]]{0,200})"),
}
"""What tells one game from another."""
NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


@router.post("/import", response_model=ImportAnswer)
async def import_text(asker: AskerOf, ask: ImportAsk) -> dict[str, Any]:
    """Read the playthroughs of a ``.ngn`` or ``.sgf`` file."""
    format = ask.format or ("sgf" if ask.text.lstrip("\ufeff \r\n\t").startswith("(") else "ngn")
    if len(HEADS[format].findall(ask.text)) > MOST_PLAYS:
        raise Refused(422, f"expected at most {MOST_PLAYS} playthroughs in a file")
    if len(set(GAMES[format].findall(ask.text))) > MOST_GAMES:
        raise Refused(422, f"expected playthroughs of at most {MOST_GAMES} different games in a file")
    return await asker.quickly(lambda: _import(ask.text, format), is_long=True)


def _import(text: str, format: str) -> dict[str, Any]:
    return {"plays": [play_data(play) for play in parse_plays(text.encode(), format, name="the file")]}


@router.post("/export", response_model=ExportAnswer)
async def export(asker: AskerOf, ask: ExportAsk) -> dict[str, Any]:
    """Write a playthrough as a ``.ngn`` or ``.sgf`` file."""
    return await asker.quickly(lambda: _export(ask))


def _export(ask: ExportAsk) -> dict[str, Any]:
    comments = {int(ply): text for ply, text in ask.comments.items()}
    play = find_playthrough(ask, ask.tags, ask.result, comments=comments)
    plain = "".join(letter if letter in NAME_LETTERS else "-" for letter in play.game.name.lower())
    return {"text": format_plays([play], ask.format), "filename": f"{plain}.{ask.format}"}
