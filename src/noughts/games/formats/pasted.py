"""Text that a person pastes: a list of moves, a position string, or the text of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from noughts.games.errors import InvalidFile, InvalidNotation, InvalidPosition
from noughts.games.formats.ngn import ENDINGS, format_ngn, parse_ngn
from noughts.games.formats.sgf import parse_sgf
from noughts.games.game import Game
from noughts.games.playthrough import Playthrough
from noughts.games.position import Position
from noughts.games.quoting import quote
from noughts.games.spec import catalogue

__all__ = ["Pasted", "parse_pasted"]

POSITION = re.compile(r"(?=[^ ]*[/|])[0-9xo/|]+\s+[xo-](\s+([0-9]+|-))?(\s+[xo.]+)?", re.IGNORECASE)
"""A position string of a board with several rows."""
WORD = re.compile(r"\{[^}]*\}|[()]|[^\s{}()]+")
SEVERAL_MOVES = re.compile(r"(?:[a-z]+[0-9]+){2,}")
COLUMNS = re.compile(r"[a-z]{2,}")


class Pasted(NamedTuple):
    """The kind of a text, and the playthroughs in it; a position is the start of a playthrough without moves."""

    kind: Literal["moves", "position", "file"]
    plays: list[Playthrough]


def parse_pasted(text: str, position: Position) -> Pasted:
    """Return the playthroughs of a text; raises InvalidFile or another ValueError.

    Moves continue the moves of a position or, if they are not legal there, begin where it began. They may be numbered,
    have comments and variations as in ``.ngn``, or stand without spaces. A position string may be one of another game
    of the catalogue.

    >>> from noughts import Game
    >>> start = Game("connect4").start()
    >>> [parse_pasted(text, start).plays[0].position().text for text in ("dddd", "7/7/7/3x3/2xo3/1oxo3 x")]
    ['7/7/3o3/3x3/3o3/3x3 x', '7/7/7/3x3/2xo3/1oxo3 x']
    """
    text = text.lstrip("\ufeff").strip()
    if re.match(r"\(\s*;", text):
        return Pasted("file", parse_sgf(text))
    if text.startswith("["):
        return Pasted("file", parse_ngn(text))
    if POSITION.fullmatch(text):
        return Pasted("position", [Playthrough.of(_parse_position(text, position.game))])
    return Pasted("moves", [_parse_moves(text, position)])


def _parse_position(text: str, game: Game) -> Position:
    """The position in this game or, if the board does not fit, in the first game of the catalogue that it fits."""
    try:
        return game.parse(text)
    except InvalidPosition as error:
        for entry in catalogue():
            try:
                return Game.shared(entry.id).parse(text)
            except InvalidPosition:
                continue
        raise error


def _parse_moves(text: str, position: Position) -> Playthrough:
    if not text:
        raise InvalidFile("expected moves, a position or the text of a file, got nothing")
    header = format_ngn(Playthrough.of(position.game.start_from(position.start_text))).rstrip().removesuffix("*")
    words = " ".join(_separated(text, position.game))
    end = "" if words.endswith(ENDINGS) else " *"
    before = " ".join(map(position.format_move, position.moves))
    failure: InvalidFile | None = None
    for prefix in (before, "") if before else ("",):
        try:
            return parse_ngn(f"{header} {prefix} {words}{end}")[0]
        except InvalidFile as error:
            failure = failure or error
    message = str(failure).partition(": ")[2]
    raise InvalidFile(f"expected moves, a position or the text of a file, got {quote(text)}: {message}")


def _separated(text: str, game: Game) -> Iterator[str]:
    """The words of a text; moves without spaces, as in ``dddd`` and ``c3c4``, are words of their own."""
    for found in WORD.findall(text):
        word = found if found[0] == "{" else found.rstrip(",")
        yield from [word] if word[:1] in ("{", "(", ")") or _is_move(word, game) else _moves_in(word)


def _is_move(word: str, game: Game) -> bool:
    try:
        return game.parse_column(word) is not None or game.parse_cell(word) >= 0
    except InvalidNotation:
        return False


def _moves_in(word: str) -> list[str]:
    lower = word.lower()
    if "," in word:
        return [move for part in word.split(",") if part for move in _moves_in(part)]
    if SEVERAL_MOVES.fullmatch(lower):
        return re.findall("[a-z]+[0-9]+", lower)
    return list(lower) if COLUMNS.fullmatch(lower) else [word]
