"""How moves and positions are written in UGI and UCI: in the notation of noughts, or in that of cutechess.

Cutechess treats these games as chess with pawns to drop: White, with ``P``, is our X and moves first. A move is
``P@b2``, and a position has the pieces in hand in brackets: ``3/1P1/3[PPPPpppp] b - - 0 1``.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from noughts.games import Game, InvalidNotation, InvalidPosition, Position, Side
from noughts.games.quoting import quote

__all__ = ["NATIVE", "VARIANTS", "Cutechess", "Dialect", "is_chess", "variant_of"]

VARIANTS = MappingProxyType(
    {
        "tictactoe": "3x3",
        "gomoku": "15x15:5+exact",
        "gomokufreestyle": "15x15:5",
        "cfour": "7x6:4+gravity",
    }
)
"""The variants of cutechess that noughts plays, and their game ids."""

_LETTERS = {"P": "x", "p": "o"}
_MARKS = {mark: letter for letter, mark in _LETTERS.items()}


class Dialect:
    """A notation of moves and positions: here that of noughts."""

    def format_move(self, position: Position, move: int) -> str:
        """Return the text of a move, such as ``b2``."""
        return position.format_move(move)

    def parse_move(self, position: Position, text: str) -> int:
        """Return the move of a text; raises ValueError."""
        return position.parse_move(text)

    def format_position(self, position: Position) -> str:
        """Return the position for ``position fen``."""
        return position.text

    def parse_position(self, game: Game, text: str) -> Position:
        """Return the position of a text; raises ValueError."""
        return game.parse(text)


class Cutechess(Dialect):
    """Drops of pawns. Also reads the notation of noughts."""

    def format_move(self, position: Position, move: int) -> str:
        """Return the text of a move, such as ``P@b2``."""
        return f"P@{position.format_move(move)}"

    def parse_move(self, position: Position, text: str) -> int:
        """Return the move of a text; raises ValueError."""
        match = re.fullmatch(r"[Pp]@([a-z]{1,2}[0-9]{1,2})", text)
        if match is None and "@" in text:
            raise InvalidNotation(f"expected a move such as P@b2, got {quote(text)}")
        return position.parse_move(match[1] if match else text)

    def format_position(self, position: Position) -> str:
        """Return the position with the pieces in hand."""
        board = position.text.split()[0]
        marks = position.cells
        hand_x = (len(marks) + 1) // 2 - marks.count(Side.X)
        hand_o = len(marks) // 2 - marks.count(Side.O)
        pieces = "".join(_MARKS.get(letter, letter) for letter in board)
        turn = "w" if marks.count(Side.X) == marks.count(Side.O) else "b"
        number = (len(marks) - marks.count(None)) // 2 + 1
        return f"{pieces}[{'P' * hand_x}{'p' * hand_o}] {turn} - - 0 {number}"

    def parse_position(self, game: Game, text: str) -> Position:
        """Return the position of a text; raises ValueError. Ignores the pieces in hand."""
        board, _, rest = text.strip().partition(" ")
        turn = rest.split()[0] if rest.split() else ""
        if turn not in ("w", "b"):
            return game.parse(text)
        pieces = board.partition("[")[0]
        if set(pieces) - set("Pp/0123456789"):
            raise InvalidPosition(f"expected a board of P, p and numbers of empty cells, got {quote(board)}")
        rows = "".join(_LETTERS.get(letter, letter) for letter in pieces)
        return _parse_any_turn(game, rows, "x" if turn == "w" else "o")


def _parse_any_turn(game: Game, rows: str, turn: str) -> Position:
    """Return a position whose text may name a side to move after the game is over, as in chess."""
    try:
        return game.parse(f"{rows} {turn}")
    except InvalidPosition:
        over = game.parse(f"{rows} -")
    if (over.cells.count(Side.X) > over.cells.count(Side.O)) != (turn == "o"):
        raise InvalidPosition(f"expected the other side to move, got {'w' if turn == 'x' else 'b'}")
    return over


NATIVE = Dialect()


def variant_of(game: Game) -> str | None:
    """Return the name of a game in cutechess, or None when it has none.

    >>> variant_of(Game("gomoku")), variant_of(Game("qubic"))
    ('gomokufreestyle', None)
    """
    return next((variant for variant, id in VARIANTS.items() if id == game.id), None)


def is_chess(words: list[str]) -> bool:
    """Whether the words of ``position`` describe a game of chess, which cutechess plays if no variant is set.

    >>> is_chess("startpos moves e2e4 e7e5".split()), is_chess("startpos moves e2 e4".split())
    (True, False)
    """
    board = words[1] if len(words) > 1 and words[0] == "fen" else ""
    has_pieces = board.count("/") == 7 and set("Kk") <= set(board)
    return has_pieces or any(re.fullmatch("([a-h][1-8]){2}[qrbn]?", word) for word in words)
