"""Hints: step-by-step help for a player, in words found from the lines of any game.

The steps are the idea, which does not say where; the area; a few candidates; and the move with its reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.analysis.advice import DEFAULT_LINES, Advice, Advisor
from noughts.analysis.evaluation import Source
from noughts.analysis.reasons import MoveReason, ReasonKind, completed_by, open_lines, reasons
from noughts.analysis.region_names import block_name, line_name, moves_to_end
from noughts.engine import Limit
from noughts.games import Position, Side, Value
from noughts.games.quoting import listed
from noughts.limit import DEFAULT_LIMIT

__all__ = ["Hint", "area_of", "explain", "hint"]

THREATS = (ReasonKind.FORKS, ReasonKind.STACKS, ReasonKind.THREATENS)


@dataclass(frozen=True)
class Hint:
    """Help with a move, in steps that reveal more and more."""

    idea: str
    area: tuple[int, ...]
    """Cells that include the move; none if the player is sent to a block anyway."""
    area_name: str
    candidates: tuple[Advice, ...]
    """The move and other plausible ones, in order of their cells."""
    choice: str
    """What to do with the candidates: ``Compare a2, b1 and c3.``"""
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
    moves = [position.format_move(each.move) for each in candidates]
    area, area_name = area_of(position, best.move)
    why = tuple(reason.text for reason in found)
    choice = f"{'Compare' if len(candidates) > 1 else 'Look at'} {listed(moves)}."
    return Hint(idea, area, area_name, candidates, choice, best.move, why, best)


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
    """Return where to look for a move, and the name of the place: a block of Ultimate, or a line.

    The line is the one that the move completes, blocks or threatens to complete (which may rest on the move), or else
    the fullest through it that its side can still complete, or for a move against a fork the other side. For a player
    who is sent to a block, there are no cells and no name.
    """
    game, side = position.game, position.side_to_move
    if game.is_ultimate:
        block = game.block_of(move)
        if position.block_to_play is not None:
            return (), ""
        return tuple(cell for cell in range(game.cells) if game.block_of(cell) == block), block_name(game, block)
    lines = _lines_of(position, move, side)
    if not lines:
        return tuple(sorted(position.legal_moves)), "the whole board"
    fullest = max(lines, key=lambda line: sum(position.cells[cell] is not None for cell in line))
    return fullest, line_name(game, fullest)


def _lines_of(position: Position, move: int, side: Side) -> Sequence[tuple[int, ...]]:
    """The lines that a move is about."""
    sides = (side, side.opponent)
    lines = [line for owner in sides for line in completed_by(position, move, owner)][:1]
    strongest = next((reason for reason in reasons(position, move) if reason.idea), None)
    if lines:
        return lines
    if strongest is not None and strongest.kind in THREATS:
        return completed_by(position.after(move), strongest.cells[0], side)
    if strongest is not None and strongest.kind is ReasonKind.PREVENTS:
        sides = (side.opponent, side)
    return open_lines(position, move, sides[0]) or open_lines(position, move, sides[1])
