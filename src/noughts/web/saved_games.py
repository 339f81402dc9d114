"""Saved games: requests and answers of the server, and the records that a page without a server keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts._core import MAX_CELLS
from noughts.ask.files import PlaythroughAnswer, SavedGame
from noughts.ask.games import OutcomeAnswer
from noughts.ask.question import lookup
from noughts.ask.requests import PlaythroughRequest
from noughts.games import Playthrough
from noughts.games.titles import title_of
from noughts.schema import InvalidData, Length, Pattern, Shape
from noughts.web.friend_messages import PersonName, TimedRequest

__all__ = [
    "CHANGE_GAME",
    "SHOW_GAME",
    "SOURCE",
    "GameFinished",
    "IdAnswer",
    "SaveRequest",
    "SavedGamesAnswer",
    "SavedPlaythroughAnswer",
    "check_change",
]

SOURCE = "web"


@dataclass(frozen=True, kw_only=True)
class SaveRequest(PlaythroughRequest, TimedRequest):
    """A playthrough to save."""

    key: Annotated[
        Annotated[str, Pattern("^[A-Za-z0-9_-]{16,80}$")] | None,
        "A random text chosen by the client: saving again with the same key changes the same game.",
    ] = None
    x: PersonName = "you"
    o: PersonName = "friend"
    clocks: Annotated[
        tuple[float | None, ...], Length(MAX_CELLS), "The mover's time left after each move, in seconds."
    ] = ()

    def find_playthrough(self, tags: dict[str, str], comments: dict[int, str] | None = None) -> Playthrough:
        """Return the playthrough with its clocks; raises ValueError."""
        return super().find_playthrough(tags, comments).replace(clocks=list(self.clocks))


@dataclass(frozen=True, kw_only=True)
class SavedGamesAnswer(Shape):
    """The saved games, the most recent first."""

    games: tuple[SavedGame, ...]


@dataclass(frozen=True, kw_only=True)
class SavedPlaythroughAnswer(PlaythroughAnswer):
    """A saved game."""

    id: int
    x: str
    o: str

    @classmethod
    def of_saved(cls, id: int, x: str, o: str, play: Playthrough) -> SavedPlaythroughAnswer:
        """Return the answer for a saved playthrough and the names of its players."""
        return cls.from_attributes(PlaythroughAnswer.of(play), id=id, x=x, o=o)


@dataclass(frozen=True, kw_only=True)
class IdAnswer(Shape):
    """The id of a saved game."""

    id: int


class GameFinished(InvalidData):
    """The saved game is finished, or another one: it cannot be changed."""


def check_change(id: int, old: Playthrough, new: Playthrough) -> bool:
    """Return whether the new state of a saved game differs; raises GameFinished if it cannot be changed."""
    if (old.game, old.start) != (new.game, new.start):
        raise GameFinished(f"game {id} has other rules or another starting position; save a new one")
    if old.outcome is None:
        return True
    if (old.moves, old.outcome) != (new.moves, new.outcome):
        raise GameFinished(f"game {id} is finished and cannot be changed; save a new one")
    return False


# Records in the storage of a browser


@dataclass(frozen=True, kw_only=True)
class SavedRecord(Shape):
    """A saved game: the request that saved it last, and its summary."""

    id: int
    request: SaveRequest
    summary: SavedGame


@dataclass(frozen=True, kw_only=True)
class GameChange(Shape):
    """A request to save a game under an id, which may have a record already; ``now`` is the time in ISO format."""

    id: int
    request: SaveRequest
    old: SavedRecord | None
    now: str


def change_game(change: GameChange) -> SavedRecord:
    """Return the new record of a game that is saved; raises ValueError."""
    request, old = change.request, change.old
    play = request.find_playthrough({})
    request.find_time_control()
    if old is not None and not check_change(old.id, old.request.find_playthrough({}), play):
        return old
    summary = SavedGame.from_attributes(
        request,
        id=change.id,
        game=play.game.id,
        title=title_of(play.game),
        plies=len(play.moves),
        started=change.now if old is None else old.summary.started,
        updated=change.now,
        outcome=OutcomeAnswer.if_over(play.outcome),
        source=SOURCE,
    )
    return SavedRecord(id=change.id, request=request, summary=summary)


def show_game(record: SavedRecord) -> SavedPlaythroughAnswer:
    """Return the playthrough of a record."""
    request = record.request
    control = request.find_time_control()
    tags = {"X": request.x, "O": request.o, "Date": record.summary.started[:10].replace("-", ".")}
    if control is not None:
        tags["TimeControl"] = control.tag
    return SavedPlaythroughAnswer.of_saved(record.id, request.x, request.o, request.find_playthrough(tags))


CHANGE_GAME = lookup("change_game", GameChange, SavedRecord, change_game, "Return the new record of a saved game.")
SHOW_GAME = lookup("show_game", SavedRecord, SavedPlaythroughAnswer, show_game, "Return the playthrough of a record.")
