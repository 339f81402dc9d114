"""Sides, proven values, and how a playthrough ends: by its moves or by a decision."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from noughts import _core

if TYPE_CHECKING:
    from noughts.games.position import Position

__all__ = [
    "Outcome",
    "ProvenValue",
    "Side",
    "Termination",
    "Value",
    "decide",
    "describe_outcome",
    "document_fields",
    "format_result",
    "stated_outcome",
]


def document_fields(cls: type, **texts: str) -> None:
    """Set the docstrings of fields, which ``help`` and editors show."""
    for name, text in texts.items():
        getattr(cls, name).__doc__ = text


class Side(StrEnum):
    """X, who moves first, or O. Prints as and equals ``"X"`` or ``"O"``."""

    X = "X"
    O = "O"  # noqa: E741 - the name of the side

    @property
    def opponent(self) -> Side:
        """The other side."""
        return Side.O if self is Side.X else Side.X

    @property
    def number(self) -> int:
        """0 for X, 1 for O: the core's number for the side."""
        return 0 if self is Side.X else 1


_core.register_sides(Side.X, Side.O)


class Value(StrEnum):
    """The proven value of a position for one side, usually the side to move. Prints as and equals its text.

    >>> Value("win").opposite == "loss", Value.DRAW.number, Value.from_number(-1)
    (True, 0, <Value.LOSS: 'loss'>)
    """

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def opposite(self) -> Value:
        """The value of the same position for the other side."""
        return Value.from_number(-self.number)

    @property
    def number(self) -> int:
        """1 for a win, 0 for a draw, -1 for a loss: the core's number for the value."""
        return _NUMBERS[self]

    @property
    def is_decisive(self) -> bool:
        """Whether one side wins."""
        return self is not Value.DRAW

    @classmethod
    def from_number(cls, number: int) -> Value:
        """Return the value with this sign: positive for a win, 0 for a draw, negative for a loss."""
        return cls.WIN if number > 0 else cls.LOSS if number < 0 else cls.DRAW


_NUMBERS = {Value.WIN: 1, Value.DRAW: 0, Value.LOSS: -1}


class ProvenValue(NamedTuple):
    """The proven value of a position for the side to move, as stored in the store and the book.

    ``move`` preserves the value or, in a lost position, resists; it is None if unknown. ``plies`` bounds the length of
    a win or a loss, if known. ``nodes`` and ``seconds`` are the cost of the proof.
    """

    value: Value
    move: int | None = None
    plies: int | None = None
    nodes: int = 0
    seconds: float = 0.0


class Termination(StrEnum):
    """Why a playthrough ended. Prints as and equals its text.

    ``LINE``, ``FULL`` and ``COUNT`` follow from the rules. The others are decisions, made while moves remain: a draw
    by agreement, or a forfeit.
    """

    LINE = "line"
    FULL = "full"
    COUNT = "count"
    TIME = "time"
    RESIGN = "resign"
    AGREEMENT = "agreement"
    ILLEGAL = "illegal"
    CRASH = "crash"

    @property
    def is_forfeit(self) -> bool:
        """Whether one side lost by time, resignation, an illegal move or a crash."""
        return self in (Termination.TIME, Termination.RESIGN, Termination.ILLEGAL, Termination.CRASH)

    @property
    def is_decision(self) -> bool:
        """Whether the playthrough ended while moves remained."""
        return self.is_forfeit or self is Termination.AGREEMENT

    @property
    def label(self) -> str:
        """A label for people, for example in a chart: ``full board``."""
        return _WORDING[self][0]

    @property
    def how(self) -> str:
        """The end of a sentence that begins with ``X wins`` or ``A draw``: ``on time``."""
        return _WORDING[self][1]


_WORDING = {
    Termination.LINE: ("line", "with a line"),
    Termination.FULL: ("full board", "on a full board"),
    Termination.COUNT: ("more boards", "by more boards"),
    Termination.TIME: ("out of time", "on time"),
    Termination.RESIGN: ("resignation", "by resignation"),
    Termination.AGREEMENT: ("agreement", "by agreement"),
    Termination.ILLEGAL: ("illegal move", "because the opponent's move was illegal"),
    Termination.CRASH: ("crash", "because the opponent's program failed"),
}
"""The label of each termination, and how it ends a sentence."""

DECISIONS = tuple(reason for reason in Termination if reason.is_decision)


class Outcome(NamedTuple):
    """The end of a playthrough: the winner (None for a draw), the reason, and the points of X and O.

    The reason is ``"line"``, ``"full"`` or ``"count"`` by the rules of the game; a playthrough may also end by
    ``"time"``, ``"resign"``, ``"agreement"``, ``"illegal"`` or ``"crash"``.
    """

    winner: Side | None
    reason: Termination
    points: tuple[int, int]

    def __str__(self) -> str:
        who = "draw" if self.winner is None else f"{self.winner} wins"
        return f"{who} ({self.reason}, {self.points[0]}–{self.points[1]})"


document_fields(
    Outcome,
    winner="The side that won, or None for a draw.",
    reason="Why it ended, a ``Termination``.",
    points="The points of X and of O.",
)

RESULTS = {"1-0": Side.X, "0-1": Side.O, "1/2-1/2": None}
UNKNOWN = "*"


def decide(position: Position, reason: Termination | str, winner: Side | str | None = None) -> Outcome:
    """Return the outcome of a playthrough that ends in this position by a decision, not by the rules.

    A forfeit (``"time"``, ``"resign"``, ``"illegal"``, ``"crash"``) gives the winner the full points. An
    ``"agreement"`` is a draw: one point each, or, in games that count blocks, one for each block won so far.
    Raises ValueError when the position is over or the winner does not fit the reason.
    """
    if position.outcome is not None:
        raise ValueError(f"the game is already over: {position.outcome}")
    if reason not in DECISIONS:
        raise ValueError(f"expected one of {', '.join(DECISIONS)} before the moves end it, got {str(reason)!r}")
    if reason == Termination.AGREEMENT:
        return _agreement(position, winner)
    if winner is None:
        raise ValueError(f"expected a winner when it ends by {str(reason)!r}, got none")
    side, full = Side(winner), position.game.full_points
    return Outcome(side, Termination(reason), (full, 0) if side is Side.X else (0, full))


def _agreement(position: Position, winner: Side | str | None) -> Outcome:
    if winner is not None:
        raise ValueError(f"expected no winner when it ends by 'agreement', which is a draw, got {winner}")
    if not position.game.counts_blocks:
        return Outcome(None, Termination.AGREEMENT, (1, 1))
    blocks = position.blocks
    return Outcome(None, Termination.AGREEMENT, (blocks.count(Side.X), blocks.count(Side.O)))


def describe_outcome(
    outcome: Outcome,
    *,
    names: Mapping[Side, str] | None = None,
    viewer: Side | None = None,
    how: str | None = None,
) -> str:
    """Return who won and how, for people, without a full stop.

    ``viewer`` is the side of the reader, ``names`` are the players, and ``how`` replaces the wording of the reason,
    for example to name the line.

    >>> won = Outcome(Side.X, Termination.TIME, (2, 0))
    >>> describe_outcome(won), describe_outcome(won, names={Side.X: "Ann", Side.O: "Bob"})
    ('X wins on time', 'X (Ann) wins on time')
    >>> describe_outcome(won, viewer=Side.X), describe_outcome(won, viewer=Side.O)
    ('You win on time', 'You lose: X wins on time')
    """
    winner, how = outcome.winner, how or outcome.reason.how
    if winner is None:
        return f"A draw {how}" if outcome.reason is Termination.AGREEMENT else "A draw"
    if viewer is winner:
        return f"You win {how}"
    wins = f"{winner} wins" if names is None else f"{winner} ({names[winner]}) wins"
    if viewer is None:
        return f"{wins} {how}"
    return f"You resign; {wins}" if outcome.reason is Termination.RESIGN else f"You lose: {wins} {how}"


def format_result(outcome: Outcome | None) -> str:
    """Return ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` for a playthrough that is not over."""
    if outcome is None:
        return UNKNOWN
    return next(text for text, winner in RESULTS.items() if winner == outcome.winner)


def stated_outcome(position: Position, result: str, reason: str | None) -> Outcome | None:
    """Return the outcome that a file states for a playthrough with this last position.

    If the moves end the game, they determine the outcome; raises ValueError if the stated result or reason contradicts
    them. A win without a reason is read as a resignation and a draw as agreed, as is usual for chess files.
    """
    ended = position.outcome
    if ended is not None:
        _check_agreement(ended, result, reason)
        return ended
    if result == UNKNOWN:
        if reason is not None:
            raise ValueError(f"expected a result for a game that ended by {str(reason)!r}, got {UNKNOWN}")
        return None
    winner = RESULTS[result]
    return decide(position, reason or (Termination.AGREEMENT if winner is None else Termination.RESIGN), winner)


def _check_agreement(ended: Outcome, result: str, reason: str | None) -> None:
    if result not in (UNKNOWN, format_result(ended)):
        raise ValueError(f"expected the result {format_result(ended)}, which the moves give, got {result}")
    if reason not in (None, ended.reason):
        raise ValueError(f"expected the reason {str(ended.reason)!r}, which the moves give, got {str(reason)!r}")
