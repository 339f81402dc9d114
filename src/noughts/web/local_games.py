"""Saved games of a page without a server: the browser keeps records of them, and this says what is in a record."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from noughts.games import Playthrough
from noughts.web.answers import PlaythroughAnswer, SavedGame, SavedPlaythroughAnswer
from noughts.web.game_answers import OutcomeAnswer, title_of
from noughts.web.requests import SaveRequest, check_change

__all__ = ["GameChange", "SavedRecord", "change_game", "show_game"]

SOURCE = "web"


class SavedRecord(BaseModel):
    """A saved game: the request that saved it last, and its summary."""

    id: int
    request: SaveRequest
    summary: SavedGame


class GameChange(BaseModel):
    """A request to save a game under an id, which may have a record already; ``now`` is the time in ISO format."""

    id: int
    request: SaveRequest
    old: SavedRecord | None
    now: str


def change_game(data: Any) -> SavedRecord:
    """Return the new record of a game that is saved; raises WebError as the server does."""
    change = GameChange.model_validate(data)
    request, old = change.request, change.old
    play = request.find_playthrough({})
    request.find_time_control()
    if old is not None and not check_change(old.id, old.request.find_playthrough({}), play):
        return old
    started = change.now if old is None else old.summary.started
    return SavedRecord(id=change.id, request=request, summary=_summarize(change.id, request, play, started, change.now))


def _summarize(id: int, request: SaveRequest, play: Playthrough, started: str, updated: str) -> SavedGame:
    return SavedGame(
        id=id,
        game=play.game.id,
        title=title_of(play.game),
        x=request.x,
        o=request.o,
        plies=len(play.moves),
        started=started,
        updated=updated,
        outcome=OutcomeAnswer.if_over(play.outcome),
        source=SOURCE,
    )


def show_game(data: Any) -> SavedPlaythroughAnswer:
    """Return the playthrough of a record."""
    record = SavedRecord.model_validate(data)
    request = record.request
    control = request.find_time_control()
    tags = {"X": request.x, "O": request.o, "Date": record.summary.started[:10].replace("-", ".")}
    if control is not None:
        tags["TimeControl"] = control.tag
    play = PlaythroughAnswer.of(request.find_playthrough(tags))
    return SavedPlaythroughAnswer(id=record.id, x=request.x, o=request.o, **dict(play))
