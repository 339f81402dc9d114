"""The questions about files with playthroughs (reading and writing ``.ngn`` and ``.sgf``), and saved games."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from noughts._core import MAX_CELLS
from noughts.ask.evaluations import line_of
from noughts.ask.games import OutcomeAnswer, title_of_id
from noughts.ask.question import Tag, lookup
from noughts.ask.requests import PlaythroughRequest, Tags
from noughts.games import Playthrough
from noughts.games.custom import GameData
from noughts.games.formats import format_plays, parse_plays
from noughts.schema import Example, InvalidData, Length, Pattern, Shape

if TYPE_CHECKING:
    from noughts.store import SavedPlaythrough, Summary

__all__ = ["EXPORT", "IMPORT", "MAX_TEXT", "PlaythroughAnswer", "SavedGame", "ShownGame"]

MAX_TEXT = 256 * 1024
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

Format = Literal["ngn", "sgf"]


@dataclass(frozen=True, kw_only=True)
class PlaythroughAnswer(Shape):
    """A playthrough."""

    game: str
    data: GameData
    start: str | None
    line: Annotated[tuple[str, ...], "The moves."]
    cells: Annotated[tuple[int, ...], "The moves, as cell numbers."]
    tags: dict[str, str]
    result: str
    outcome: OutcomeAnswer | None
    comments: Annotated[dict[str, str], "By ply."]
    evals: Annotated[dict[str, str], "By ply."]
    clocks: Annotated[tuple[float | None, ...], "The mover's time left after each move, in seconds."]

    @classmethod
    def of(cls, play: Playthrough) -> PlaythroughAnswer:
        return cls.from_attributes(
            play,
            game=play.game.id,
            data=play.game.to_data(),
            **line_of(play.game, play.moves),
            outcome=OutcomeAnswer.if_over(play.outcome),
            comments={str(ply): text for ply, text in play.comments.items()},
            evals={str(ply): str(evaluation) for ply, evaluation in play.evals.items()},
            clocks=tuple(play.clocks),
        )


@dataclass(frozen=True, kw_only=True)
class SavedGame(Shape):
    """Summary of a saved game."""

    id: int
    game: str
    title: Annotated[str, "The name of the game for people: `Qubic`."]
    x: str
    o: str
    plies: int
    started: str
    updated: str
    outcome: OutcomeAnswer | None
    source: str

    @classmethod
    def of(cls, summary: Summary) -> SavedGame:
        """Return the answer for a summary."""
        return cls.from_attributes(
            summary,
            title=title_of_id(summary.game),
            started=summary.started.isoformat(),
            updated=summary.updated.isoformat(),
            outcome=OutcomeAnswer.if_over(summary.outcome),
        )


@dataclass(frozen=True, kw_only=True)
class ShownGame(SavedGame):
    """A saved game with its moves."""

    seconds: Annotated[tuple[float | None, ...], "The time of each move."]
    position: Annotated[str, "The last position."]
    playthrough: PlaythroughAnswer

    @classmethod
    def of_saved(cls, saved: SavedPlaythrough) -> ShownGame:
        """Return the answer for a saved game."""
        return cls.from_attributes(
            SavedGame.of(saved.summary),
            seconds=saved.move_seconds,
            position=saved.position().text,
            playthrough=PlaythroughAnswer.of(saved.playthrough()),
        )


@dataclass(frozen=True, kw_only=True)
class ImportRequest(Shape):
    """A file with playthroughs."""

    text: Annotated[str, Length(MAX_TEXT), Example('[Game "3x3"]\n\n1. b2 *\n')]
    format: Format | None = None


@dataclass(frozen=True, kw_only=True)
class ImportAnswer(Shape):
    """The playthroughs of a file."""

    plays: tuple[PlaythroughAnswer, ...]


def import_text(request: ImportRequest) -> ImportAnswer:
    """Return the playthroughs of a file; raises ValueError."""
    format = request.format or ("sgf" if request.text.lstrip("\ufeff \r\n\t").startswith("(") else "ngn")
    if len(PLAY_HEADS[format].findall(request.text)) > MAX_PLAYS:
        raise InvalidData(f"expected at most {MAX_PLAYS} playthroughs in a file")
    if len(set(GAME_TEXTS[format].findall(request.text))) > MAX_GAMES:
        raise InvalidData(f"expected playthroughs of at most {MAX_GAMES} different games in a file")
    plays = parse_plays(request.text, format, name="the file")
    return ImportAnswer(plays=tuple([PlaythroughAnswer.of(play) for play in plays]))


@dataclass(frozen=True, kw_only=True)
class ExportRequest(PlaythroughRequest):
    """A playthrough to write to a file."""

    tags: Tags = field(default_factory=dict)
    comments: Annotated[
        dict[Annotated[str, Pattern(r"^[0-9]{1,4}$")], Annotated[str, Length(2000)]], Length(MAX_CELLS + 1), "By ply."
    ] = field(default_factory=dict)
    format: Format = "ngn"


@dataclass(frozen=True, kw_only=True)
class ExportAnswer(Shape):
    """A file."""

    text: str
    filename: str


def export_text(request: ExportRequest) -> ExportAnswer:
    """Return a playthrough as the text of a file; raises ValueError."""
    play = request.find_playthrough(request.tags, {int(ply): text for ply, text in request.comments.items()})
    name = "".join(letter if letter in FILENAME_LETTERS else "-" for letter in play.game.name.lower())
    return ExportAnswer(text=format_plays([play], request.format), filename=f"{name}.{request.format}")


IMPORT = lookup(
    "import",
    ImportRequest,
    ImportAnswer,
    import_text,
    "Read the playthroughs of a `.ngn` or `.sgf` file.",
    words=lambda answer: "\n".join([" ".join([f"{play.game}:", *play.line, play.result]) for play in answer.plays]),
    is_long=True,
    tag=Tag.FILES,
)
EXPORT = lookup(
    "export",
    ExportRequest,
    ExportAnswer,
    export_text,
    "Write a playthrough as a `.ngn` or `.sgf` file.",
    words=lambda answer: answer.text,
    tag=Tag.FILES,
)
