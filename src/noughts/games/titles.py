"""The names of games for people: ``Connect Four`` for ``7x6:4+gravity``, and games found by such names."""

from __future__ import annotations

from noughts.games.errors import InvalidGame
from noughts.games.game import Game
from noughts.games.spec import ALIASES, Spec, UltimateSpec, catalogue, parse_id

__all__ = ["find_by_name", "title_of", "title_of_id"]

TITLES = {
    "3x3": "Tic-tac-toe",
    "4x4x4": "Qubic",
    "4x4x4+gravity": "Score Four",
    "15x15:5": "Gomoku",
    "15x15:5+exact": "Gomoku, exactly five",
    "5x4+gravity": "Small Connect Four",
    "7x6:4+gravity": "Connect Four",
    "7x6:4+gravity+misere": "Connect Four, misère",
    "ultimate:3": "Ultimate",
    "ultimate:4+count": "Ultimate 4×4, competition",
}
OTHER_NAMES = {
    "3x3": ("noughts and crosses", "xs and os", "three in a row", "ox", "xo"),
    "3x3x3": ("3D tic-tac-toe", "three in a row in a cube"),
    "4x4x4": ("3D tic-tac-toe", "four in a row in a cube", "four in a row in 3D"),
    "4x4x4+gravity": ("3D Connect Four", "sogo"),
    "15x15:5": ("five in a row", "gobang", "omok"),
    "7x6:4+gravity": ("four in a row", "four in a line"),
    "ultimate:3": ("super tic-tac-toe", "meta tic-tac-toe"),
}
"""What people call the games of the catalogue beside their titles and aliases."""
OPTION_WORDS = {
    "gravity": "with gravity",
    "misere": "misère",
    "exact": "exact",
    "wrap": "on a torus",
    "count": "counting boards",
    "open": "with open boards",
}
NUMBER_WORDS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7"}
MIN_LETTERS = 2
"""Shorter words stand for too many games."""
MAX_LETTERS = 60
MOST_LISTED = 6
MOST_WORDS = 8
"""Words of a title, each of which finds the game."""


def title_of(game: Game) -> str:
    """Return the name of a game for people: ``5×5, 4 in a row, misère``."""
    return game.id if game.spec is None else _title(game.spec)


def title_of_id(id: str) -> str:
    """Return the name for people of a game by its id, without building it; other texts are names of custom games."""
    try:
        return _title(parse_id(id))
    except InvalidGame:
        return id


def _title(spec: Spec) -> str:
    if spec.id in TITLES:
        return TITLES[spec.id]
    base, *options = spec.id.split("+")
    if isinstance(spec, UltimateSpec):
        parts = [f"Ultimate {spec.n}×{spec.n}"]
    else:
        parts = ["×".join(map(str, spec.sides)), *([f"{spec.k} in a row"] if ":" in base else [])]
    return ", ".join([*parts, *(OPTION_WORDS[option] for option in options)])


def find_by_name(text: str) -> str | None:
    """Return the id of the game of the catalogue that people call so; the beginning of a name is enough.

    Returns None if no name begins so; raises InvalidGame, which lists the games, if several do.

    >>> find_by_name("tic"), find_by_name("connect four"), find_by_name("4 in a row")
    ('3x3', '7x6:4+gravity', '7x6:4+gravity')
    """
    wanted = _letters(text)
    if not MIN_LETTERS <= len(text.strip()) <= MAX_LETTERS or not wanted or text.strip().isdigit():
        return None
    names = [(_letters(name), entry.id) for entry in catalogue() for name in _names(entry.id)]
    words = range(1, MOST_WORDS)
    titles = [(_letters(title_of_id(entry.id), first), entry.id) for entry in catalogue() for first in words]
    for found in (
        [(name, id) for name, id in names if name == wanted],
        [(name, id) for name, id in names if name.startswith(wanted)],
        [(name, id) for name, id in titles if name.startswith(wanted)],
    ):
        ids = list(dict.fromkeys([id for _, id in found]))
        # "connect" is Connect Four, since the names of other games only continue its name.
        leading = [id for id in ids if all(_continues(name, id, found) for name, _ in found)]
        if len(ids) > 1 and len(leading) != 1:
            listed = ", ".join([f"{_called(each)} ({title_of_id(each)})" for each in ids[:MOST_LISTED]])
            raise InvalidGame(f"expected one game, but the name fits several: {listed}")
        if ids:
            return (leading or ids)[0]
    return None


def _continues(name: str, id: str, found: list[tuple[str, str]]) -> bool:
    """Whether a name begins with one of the names of a game."""
    return any(name.startswith(own) for own, of in found if of == id)


def _names(id: str) -> list[str]:
    """The names of a game of the catalogue; not the titles that only describe its board."""
    aliases = [alias for alias, of in ALIASES.items() if of == id]
    title = title_of_id(id)
    return [*([title] if title[0].isalpha() else []), *aliases, *OTHER_NAMES.get(id, ())]


def _called(id: str) -> str:
    """What to type for a game: its alias if there is one."""
    return next((alias for alias, of in ALIASES.items() if of == id), id)


def _letters(name: str, first: int = 0) -> str:
    """Return the letters and digits of a name from one of its words on, with numbers as digits: ``connect4``."""
    words = name.lower().replace("è", "e").replace("×", "x").replace("'", "").replace("-", " ").split()
    words = ["".join([letter for letter in word if letter.isalnum()]) for word in words]
    return "".join([NUMBER_WORDS.get(word, word) for word in words[first:]])
