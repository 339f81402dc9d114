"""Loading and saving: playthroughs as ``.ngn`` or ``.sgf``, custom games as ``.json``. See docs/formats.md."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from noughts.games.atomic_file import FilePath, write_file
from noughts.games.errors import InvalidFile, InvalidGame, UnknownGame
from noughts.games.game import Game
from noughts.games.playthrough import Playthrough
from noughts.games.position import Position
from noughts.games.quoting import quote

__all__ = ["find_game", "load", "load_all", "load_game", "save", "save_game"]

FORMATS = ("ngn", "sgf")
MAX_FILE = 64 << 20
"""Largest file that is read, in bytes."""
CHARSETS = ("ascii", "big5", "cp", "euc_", "gb", "iso2022_", "iso8859-", "koi8-", "mac-", "shift_jis", "utf-8")
"""Beginnings of the codec names that ``CA`` of an SGF file may choose; all of them decode in linear time."""


def load(path: FilePath) -> Playthrough:
    """Return the first playthrough in a file; raises InvalidFile with the broken line, or OSError."""
    return load_all(path)[0]


def load_all(path: FilePath) -> list[Playthrough]:
    """Return all playthroughs in a file, at least one; raises InvalidFile or OSError."""
    format = format_of(path)
    return parse_plays(_read(path), format, name=_named(path))


def save(play: Playthrough | Iterable[Playthrough], path: FilePath) -> None:
    """Write a playthrough, or several, to a file in the format its name ends with.

    The old file is replaced only when the new one is complete. Raises ValueError if the format cannot hold the game,
    OSError if the file cannot be written.
    """
    if isinstance(play, Position):
        raise TypeError("expected a Playthrough, got a Position; Playthrough(game, moves) makes one")
    write_file(path, format_plays([play] if isinstance(play, Playthrough) else play, format_of(path)))


def load_game(path: FilePath) -> Game:
    """Return the game of a JSON game file; raises InvalidFile or OSError."""
    from noughts.games.formats.tokens import parse_json

    try:
        return Game.from_data(_with_numbers(parse_json(decode(_read(path), "json"))))
    except ValueError as error:
        raise InvalidFile(f"{_named(path)}: {error}") from None


def save_game(game: Game, path: FilePath) -> None:
    """Write a game as a JSON game file; raises OSError if it cannot be written."""
    write_file(path, format_game(game))


def find_game(text: str) -> Game:
    """Return the game of an id, an alias, a name for people or the path of a JSON game file; raises ValueError.

    A text that ends in ``.json`` is a path. Any other text is tried as an id first, then as a path, then as a name,
    whose beginning is enough: ``find_game("connect four")``, ``find_game("tic")``.
    """
    is_file = _is_file(text)
    if text.endswith(".json"):
        if not is_file:
            raise InvalidGame(f"expected a game file, but there is no file {quote(text)}")
        return load_game(text)
    try:
        return Game(text)
    except InvalidGame as error:
        if is_file:
            return load_game(text)
        if isinstance(error, UnknownGame):
            from noughts.games.titles import find_by_name

            id = find_by_name(text)
            if id is not None:
                return Game(id)
            if "did you mean" not in str(error):
                raise InvalidGame(f"{error} (and there is no file of that name)") from None
        raise


def _is_file(text: str) -> bool:
    try:
        return os.path.isfile(text)
    except ValueError:  # a null character or a lone surrogate, which no file name contains
        return False


def format_of(path: FilePath) -> str:
    """Return the format a file's name ends with, ``"ngn"`` or ``"sgf"``; raises ValueError."""
    format = os.path.splitext(path)[1].lower().removeprefix(".")
    if format not in FORMATS:
        raise ValueError(f"expected a file name that ends in .ngn or .sgf, got {quote(os.fspath(path))}")
    return format


def parse_plays(data: bytes | str, format: str, name: str) -> list[Playthrough]:
    """Return the playthroughs in the bytes of a file, or in its text, at least one; errors begin with the name."""
    from noughts.games.formats.ngn import parse_ngn
    from noughts.games.formats.sgf import parse_sgf

    try:
        text = data.removeprefix("\ufeff") if isinstance(data, str) else decode(data, format)
        plays = (parse_sgf if format == "sgf" else parse_ngn)(text)
    except InvalidFile as error:
        raise InvalidFile(f"{name}: {error}") from None
    if not plays:
        raise InvalidFile(f"{name}: line 1: expected a playthrough, got none")
    return plays


def format_plays(plays: Iterable[Playthrough], format: str) -> str:
    """Return playthroughs as one text."""
    from noughts.games.formats.ngn import format_ngn
    from noughts.games.formats.sgf import format_sgf

    return "\n".join(map(format_sgf if format == "sgf" else format_ngn, plays))


def format_game(game: Game) -> str:
    """Return a game as the text of a game file: JSON, with each line, point or list of cells on a row of its own."""
    data = game.to_data()
    if isinstance(data, str):
        return _json(data) + "\n"
    fields = (f"  {_json(key)}: {_format_field(value)}" for key, value in data.items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _format_field(value: object) -> str:
    if not isinstance(value, list):
        return _json(value)
    return "[\n" + ",\n".join(f"    {_json(item)}" for item in value) + "\n  ]"


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _with_numbers(data: object) -> object:
    """The data with the keys of ``rests_on`` as numbers: JSON allows only strings as keys."""
    below = data.get("rests_on") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(below, dict):
        return data
    return data | {"rests_on": {_number(key): value for key, value in below.items()}}


def _number(key: str) -> int | str:
    return int(key) if re.fullmatch(r"[0-9]{1,9}", key) else key


def decode(data: bytes, format: str) -> str:
    """Return the text of a file: UTF-8, or the character set that an SGF file declares; raises InvalidFile."""
    declared = re.search(rb"\bCA\[([\w.:-]{1,40})\]", data) if format == "sgf" else None
    encoding = _charset(declared[1].decode()) if declared else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if format == "sgf" and declared is None:
            return data.decode("latin-1")  # the default of FF[4]
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidFile(f"line {line}: expected text in {encoding.removesuffix('-sig').upper()}") from None


def _charset(name: str) -> str:
    """The codec of a character set; raises InvalidFile for codecs that a file should not be able to choose."""
    import codecs  # for files with a character set of their own

    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = ""
    if not codec.startswith(CHARSETS):
        raise InvalidFile(f"line 1: expected a known character set in CA, got {quote(name)}")
    return codec


def _read(path: FilePath) -> bytes:
    with open(path, "rb") as file:
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise InvalidFile(f"{_named(path)}: expected a file of at most {MAX_FILE >> 20} MB, got a larger one")
    return data


def _named(path: FilePath) -> str:
    text = os.fspath(path)
    return text if text.isprintable() else repr(text)
