"""Hints: step-by-step help for a player, in words found from the lines of any game.

The steps are the idea, which does not say where; the area; a few candidates; and the move with its reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from noughts.analysis.advice import DEFAULT_LINES, Advice, Advisor
from noughts.analysis.evaluation import Source
from noughts.analysis.region_names import block_name, describe_line, line_name, moves_to_end
from noughts.engine import Limit
from noughts.games import Game, Position, Side, Value
from noughts.games.quoting import count
from noughts.limit import DEFAULT_LIMIT

__all__ = ["Hint", "HintReason", "explain", "hint", "reasons"]

CAREFUL_SENDING = "Be careful where your move sends your opponent."

Line = tuple[int, ...]


@dataclass(frozen=True)
class HintReason:
    """One thing that a move does, and the idea behind it, which does not give the move away.

    A weak reason is true of many moves: it explains a choice only if there is nothing better to say.
    """

    text: str
    idea: str
    is_weak: bool = False


@dataclass(frozen=True)
class Hint:
    """Help with a move, in steps that reveal more and more."""

    idea: str
    area: tuple[int, ...]
    """Cells that include the move without giving it away."""
    area_name: str
    candidates: tuple[Advice, ...]
    """The move and other plausible ones, in order of their cells."""
    move: int
    why: tuple[str, ...]
    """The reasons for the move, the strongest first."""
    advice: Advice
    """The advice behind the hint."""


def hint(position: Position, limit: Limit = DEFAULT_LIMIT, *, advisor: Advisor | None = None) -> Hint:
    """Return a hint for the side to move; raises GameOver.

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
    idea = found[0].idea if found else "There is little to choose between the moves."
    why = tuple(reason.text for reason in found if reason.text)
    area, area_name = _area(position, best.move)
    return Hint(idea, area, area_name, tuple(sorted(advice, key=lambda each: each.move)), best.move, why, best)


def _proven_reason(advice: Advice) -> HintReason | None:
    length = f" in at most {moves_to_end(advice.plies)}" if advice.plies else ""
    book = ", from the book" if advice.source is Source.BOOK else ""
    if advice.value is Value.WIN:
        return HintReason(f"wins by force{length}{book}", "There is a forced win.")
    if advice.value is Value.DRAW:
        return HintReason(f"holds the draw{book}", "With best play it is a draw; find a move that holds it.")
    if advice.value is Value.LOSS:
        return HintReason(f"holds out longest, but loses{length}{book}", "The game is lost; make it last.")
    return None


def _area(position: Position, move: int) -> tuple[tuple[int, ...], str]:
    """The block of a move, or the fullest line through it that has other legal moves."""
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


def reasons(position: Position, move: int) -> Iterator[HintReason]:
    """Yield the reasons for a legal move, the strongest first.

    >>> from noughts import Game
    >>> position = Game("3x3").parse("xx1/1o1/2o x")
    >>> [reason.text for reason in reasons(position, 2)][0]
    'completes the row a3–c3 and wins'
    """
    after = position.after(move)
    if position.game.is_misere:
        yield from _misere_reasons(position, move, after)
    else:
        yield from _winning(position, move, after)
        if not after.is_over:
            yield from _blocking(position, move)
            yield from _threatening(position, after)
    if position.game.is_ultimate and not after.is_over:
        yield from _sending(position, after)
    if not after.is_over:
        yield from _standing(position, move, after)


def _winning(position: Position, move: int, after: Position) -> Iterator[HintReason]:
    game, side = position.game, position.side_to_move
    completed = [line_name(game, line) for line in _completed_by(position, move, side)]
    if not completed:
        return
    if not game.is_ultimate:
        yield HintReason(f"completes {completed[0]} and wins", f"{side} can win at once.")
        return
    block = game.block_of(move)
    name = block_name(game, block)
    if after.winner is side and after.winning_line:
        how = describe_line(game, after.winning_line)
        yield HintReason(f"wins {name} and the game {how}", f"{side} can win at once.")
    elif after.blocks[block] is side and position.blocks[block] is None:
        yield HintReason(f"wins {name} with {completed[0]}", f"{side} can win a board.")


def _blocking(position: Position, move: int) -> Iterator[HintReason]:
    game, other = position.game, position.side_to_move.opponent
    if move not in position.completing(other):
        return
    line = line_name(game, next(iter(_completed_by(position, move, other))))
    if game.is_ultimate:
        block = game.block_of(move)
        is_last = not any(game.block_of(cell) == block for cell in position.completing(other) if cell != move)
        where = block_name(game, block)
        text = f"keeps {other} from winning {where}: blocks {line}" if is_last else f"blocks {line} in {where}"
        yield HintReason(text, f"{other} is about to win a board.")
    else:
        yield HintReason(f"blocks {line}", f"{other} threatens to complete a line.")


def _threatening(position: Position, after: Position) -> Iterator[HintReason]:
    game, side = position.game, position.side_to_move
    fresh = sorted(set(after.threats(side)) - set(position.threats(side)))
    names = [game.format_cell(cell) for cell in fresh]
    what = " to win a board" if game.is_ultimate else ""
    if len(fresh) > 1:
        yield HintReason(
            f"makes two threats{what}: {' and '.join(names[:2])}", f"Make two threats{what} with one move."
        )
    elif fresh:
        line = line_name(game, next(iter(_completed_by(after, fresh[0], side))))
        yield HintReason(f"threatens to complete {line} at {names[0]}", f"Make a threat{what} that must be answered.")


def _misere_reasons(position: Position, move: int, after: Position) -> Iterator[HintReason]:
    """Yield reasons in misère, where completing a line loses: which cells a side cannot use."""
    game, side = position.game, position.side_to_move
    poison = [game.format_cell(cell) for cell in position.threats(side) if position.is_legal(cell)]
    if poison and not _completed_by(position, move, side):
        yield HintReason(
            f"does not complete a line, as {poison[0]} would", "Some cells would complete a line, and lose."
        )
    other = side.opponent
    if not after.is_over and move in position.completing(other):
        text = f"takes a cell that {other} could not have played"
        yield HintReason(text, "Look at the cells that the other side cannot use.")


def _sending(position: Position, after: Position) -> Iterator[HintReason]:
    other, block = position.side_to_move.opponent, after.block_to_play
    if block is None:
        text = f"sends {other} to a closed board, so {other} may play anywhere"
        yield HintReason(text, CAREFUL_SENDING, is_weak=True)
        return
    can_win = any(after.game.block_of(cell) == block for cell in after.threats(other))
    what = "which it can win" if can_win else "which it cannot win at once"
    yield HintReason(f"sends {other} to {block_name(after.game, block)}, {what}", CAREFUL_SENDING, is_weak=True)


def _standing(position: Position, move: int, after: Position) -> Iterator[HintReason]:
    side, game = position.side_to_move, position.game
    if game.is_ultimate and after.blocks[game.block_of(move)] is not None:
        return  # the lines of a won block no longer matter
    through = _open_lines(position, move, side)
    if through and not game.is_misere:
        lines = count(len(through), "open line")
        yield HintReason(f"stands on {lines}", f"Look for a cell with many lines still open to {side}.", is_weak=True)


def _completed_by(position: Position, move: int, side: Side) -> list[Line]:
    """The lines that a side would complete with a cell, regardless of whose turn it is."""
    if move not in position.completing(side):
        return []
    cells = position.cells
    open_lines = _open_lines(position, move, side)
    return [line for line in open_lines if all(cells[at] is side for at in line if at != move)]


def _open_lines(position: Position, cell: int, side: Side) -> list[Line]:
    """The lines through a cell that a side can still complete: without an opponent's mark, or its own on a guard."""
    cells, guards = position.cells, _guards(position.game)
    return [
        line
        for line in position.game.lines_through(cell)
        if side.opponent not in [cells[at] for at in line] and side not in [cells[at] for at in guards.get(line, ())]
    ]


@lru_cache(maxsize=16)
def _guards(game: Game) -> dict[Line, Line]:
    """The guards of each line that has any."""
    return {line: guards for line, guards in zip(game.lines, game.guards, strict=True) if guards}
