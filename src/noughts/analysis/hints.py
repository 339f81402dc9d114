"""Hints: step-by-step help for a player, in words found from the lines of any game.

The steps are the idea, which does not say where; the area; a few candidates; and the move with its reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.analysis.advice import DEFAULT_LINES, Advice, Advisor
from noughts.analysis.evaluation import Source
from noughts.analysis.reasons import MoveReason, ReasonKind, reasons
from noughts.analysis.region_names import block_name, line_name, moves_to_end
from noughts.engine import Limit
from noughts.games import Position, Value
from noughts.games.quoting import listed
from noughts.limit import DEFAULT_LIMIT

__all__ = ["Hint", "area_of", "explain", "hint"]


@dataclass(frozen=True)
class Hint:
    """Help with a move, in steps that reveal more and more."""

    idea: str
    area: tuple[int, ...]
    """Cells that include the move without giving it away."""
    area_name: str
    candidates: tuple[Advice, ...]
    """The move and other plausible ones, in order of their cells."""
    choice: str
    """How the idea applies to the candidates: ``Only one of a2, b1 and c3 does.``"""
    move: int
    why: tuple[str, ...]
    """The reasons for the move, the strongest first."""
    advice: Advice
    """The advice behind the hint."""


def hint(position: Position, limit: Limit = DEFAULT_LIMIT, *, advisor: Advisor | None = None) -> Hint:
    """Return a hint for the side to move; raises GameOver.

    >>> from noughts import Game
    >>> found = hint(Game("3x3").parse("xx1/1o1/3 o"))
    >>> found.idea, found.why[0]
    ('X threatens to complete a line.', 'blocks the row a3–c3')
    """
    return explain(position, (advisor or Advisor()).advise(position, limit, lines=DEFAULT_LINES))


def explain(position: Position, advice: Sequence[Advice]) -> Hint:
    """Return a hint for the first of some advice; the others are its candidates."""
    best = advice[0]
    found = list(reasons(position, best.move))
    proven = None if position.after(best.move).is_over else _proven_reason(best)
    if proven is not None:
        # A forced win comes before the effects of its first move; other values come after them.
        strong = sum(not reason.is_weak for reason in found)
        found.insert(0 if best.value is Value.WIN else strong, proven)
    idea = next((reason.idea for reason in found if reason.idea), "There is little to choose between the moves.")
    candidates = tuple(sorted(advice, key=lambda each: each.move))
    area, area_name = area_of(position, best.move)
    why = tuple(reason.text for reason in found)
    return Hint(idea, area, area_name, candidates, _choice(position, idea, candidates), best.move, why, best)


def _choice(position: Position, idea: str, candidates: Sequence[Advice]) -> str:
    names = listed([position.format_move(each.move) for each in candidates])
    if len(candidates) == 1:
        return f"Look at {names}."
    fitting = sum(any(reason.idea == idea for reason in reasons(position, each.move)) for each in candidates)
    if fitting == 0:  # an idea such as a forced win is one of the position, not of its moves
        return f"Compare {names}."
    if fitting == 1:
        return f"Only one of {names} does."
    return f"{names} do: which is best?" if fitting == len(candidates) else f"Some of {names} do."


def _proven_reason(advice: Advice) -> MoveReason | None:
    length = f" in at most {moves_to_end(advice.plies)}" if advice.plies else ""
    book = ", from the book" if advice.source is Source.BOOK else ""
    kind = ReasonKind.PROVEN
    if advice.value is Value.WIN:
        return MoveReason(kind, f"wins by force{length}{book}", "There is a forced win.")
    if advice.value is Value.DRAW:
        return MoveReason(kind, f"holds the draw{book}", "With best play it is a draw; find a move that holds it.")
    if advice.value is Value.LOSS:
        return MoveReason(kind, f"holds out longest, but loses{length}{book}", "The game is lost; make it last.")
    return None


def area_of(position: Position, move: int) -> tuple[tuple[int, ...], str]:
    """Return the block of a move, or the fullest line through it that has other legal moves, and its name."""
    game, cells = position.game, position.cells
    if game.is_ultimate:
        block = game.block_of(move)
        return tuple(cell for cell in range(game.cells) if game.block_of(cell) == block), block_name(game, block)
    legal = set(position.legal_moves)
    lines = [line for line in game.lines_through(move) if len(legal & set(line)) > 1]
    if not lines:
        return tuple(sorted(legal)), "the whole board"
    fullest = max(lines, key=lambda line: sum(cells[cell] is not None for cell in line))
    return fullest, line_name(game, fullest)
