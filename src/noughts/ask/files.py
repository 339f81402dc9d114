"""The questions about files with playthroughs (reading and writing ``.ngn`` and ``.sgf``), and saved games."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from noughts._core import MAX_CELLS
from noughts.ask.evaluations import line_of
from noughts.ask.games import OutcomeAnswer
from noughts.ask.question import Tag, lookup
from noughts.ask.requests import MoveText, PlaythroughRequest, PositionRequest, Tags
from noughts.games import Game, Playthrough, Variation
from noughts.games.custom import GameData
from noughts.games.formats import format_plays, parse_plays
from noughts.games.formats.pasted import Pasted, parse_pasted
from noughts.games.quoting import quote
from noughts.games.titles import title_of_id
from noughts.games.variations import MAX_VARIATIONS
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
FILE_BEGINNINGS = ("[", "(")
FILENAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")

Format = Literal["ngn", "sgf"]
Comments = Annotated[
    dict[Annotated[str, Pattern(r"^[0-9]{1,4}$")], Annotated[str, Length(2000)]], Length(MAX_CELLS + 1), "By ply."
]


@dataclass(frozen=True, kw_only=True)
class VariationAnswer(Shape):
    """A line of play that leaves the main line, or an earlier variation, before its end."""

    line: Annotated[tuple[str, ...], "The moves from the first position."]
    cells: Annotated[tuple[int, ...], "The moves, as cell numbers."]
    comments: Annotated[dict[str, str], "By ply, on the positions that no earlier line has."]
    evals: Annotated[dict[str, str], "By ply."]

    @classmethod
    def of(cls, game: Game, variation: Variation) -> VariationAnswer:
        return cls(
            **line_of(game, variation.moves),
            comments={str(ply): text for ply, text in variation.comments.items()},
            evals={str(ply): str(evaluation) for ply, evaluation in variation.evals.items()},
        )


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
    variations: Annotated[tuple[VariationAnswer, ...], "The other lines, each after the one that it leaves."]

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
            variations=tuple([VariationAnswer.of(play.game, variation) for variation in play.variations]),
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
    """A text with playthroughs: that of a `.ngn` or `.sgf` file or, if there is a board, moves or a position string."""

    text: Annotated[str, Length(MAX_TEXT), Example('[Game "3x3"]\n\n1. b2 *\n')]
    format: Annotated[Format | None, "The format of a file; by default it is recognised."] = None
    board: Annotated[
        PositionRequest | None,
        "The position that a list of moves continues; moves that are not legal there begin where it began.",
    ] = None


@dataclass(frozen=True, kw_only=True)
class ImportAnswer(Shape):
    """The playthroughs of a text; a position is a playthrough without moves."""

    kind: Annotated[Literal["file", "moves", "position"], "What the text is."]
    plays: tuple[PlaythroughAnswer, ...]


def import_text(request: ImportRequest) -> ImportAnswer:
    """Return the playthroughs of a text; raises ValueError."""
    text = request.text.lstrip("\ufeff \r\n\t")
    format = request.format or ("sgf" if text.startswith("(") else "ngn")
    if len(PLAY_HEADS[format].findall(text)) > MAX_PLAYS:
        raise InvalidData(f"expected at most {MAX_PLAYS} playthroughs in a file")
    if len(set(GAME_TEXTS[format].findall(text))) > MAX_GAMES:
        raise InvalidData(f"expected playthroughs of at most {MAX_GAMES} different games in a file")
    found = _read_pasted(text, request)
    return ImportAnswer(kind=found.kind, plays=tuple([PlaythroughAnswer.of(play) for play in found.plays]))


def _read_pasted(text: str, request: ImportRequest) -> Pasted:
    is_file = text.startswith(FILE_BEGINNINGS)
    if request.board is not None and not is_file and request.format is None:
        return parse_pasted(text, request.board.find_position())
    if not is_file and request.format is None:
        expected = "expected the text of a .ngn file, which begins with [Game, or of an SGF file, which begins with (;"
        raise InvalidData(f"{expected}, got {quote(text)}")
    return Pasted("file", parse_plays(text, request.format or ("sgf" if text[0] == "(" else "ngn"), name="the file"))


@dataclass(frozen=True, kw_only=True)
class VariationRequest(Shape):
    """A line of play that leaves the main line, or an earlier variation, before its end."""

    moves: Annotated[tuple[int | MoveText, ...], Length(MAX_CELLS), "The moves from the first position."]
    comments: Comments = field(default_factory=dict)

    def find_variation(self, game: Game, start: str | None) -> Variation:
        """Return the variation; raises ValueError."""
        position = game.start_from(start)
        position.play_all(self.moves)
        return Variation(tuple(position.moves), _by_ply(self.comments))


@dataclass(frozen=True, kw_only=True)
class ExportRequest(PlaythroughRequest):
    """A playthrough to write to a file."""

    tags: Tags = field(default_factory=dict)
    comments: Comments = field(default_factory=dict)
    variations: Annotated[tuple[VariationRequest, ...], Length(MAX_VARIATIONS)] = ()
    format: Format = "ngn"


@dataclass(frozen=True, kw_only=True)
class ExportAnswer(Shape):
    """A file."""

    text: str
    filename: str


def _by_ply(comments: dict[str, str]) -> dict[int, str]:
    return {int(ply): text for ply, text in comments.items()}


def export_text(request: ExportRequest) -> ExportAnswer:
    """Return a playthrough as the text of a file; raises ValueError."""
    play = request.find_playthrough(request.tags, _by_ply(request.comments))
    variations = [variation.find_variation(play.game, play.start) for variation in request.variations]
    play = play.replace(variations=variations)
    name = "".join(letter if letter in FILENAME_LETTERS else "-" for letter in play.game.name.lower())
    return ExportAnswer(text=format_plays([play], request.format), filename=f"{name}.{request.format}")


IMPORT = lookup(
    "import",
    ImportRequest,
    ImportAnswer,
    import_text,
    "Read the playthroughs of a `.ngn` or `.sgf` file, or moves or a position for a board.",
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
