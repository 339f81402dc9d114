"""Reasons: what a move does, found from the lines of the game and said in words that a beginner understands.

Each reason is a fact about the position, which ``tests/analysis/test_reasons.py`` compares with brute force.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from noughts.analysis.region_names import block_name, describe_line, line_name
from noughts.games import Game, Position, Side
from noughts.games.quoting import count, listed

__all__ = ["MoveReason", "ReasonKind", "completed_by", "open_lines", "reasons"]

CAREFUL_SENDING = "Be careful where your move sends your opponent."
FORK = 2
"""The threats of a fork."""
MOST_NAMES = 3
"""Most cells that a reason names."""

Line = tuple[int, ...]


class ReasonKind(StrEnum):
    """What a move does."""

    COMPLETES = "completes"
    """It completes a line."""
    BLOCKS = "blocks"
    """It takes a cell that would complete a line of the other side."""
    FORKS = "forks"
    """It makes two threats or more."""
    STACKS = "stacks"
    """It makes a threat, and blocking it opens another one."""
    THREATENS = "threatens"
    PREVENTS = "prevents"
    """It takes away the cell, or the lines, with which the other side could make two threats."""
    PREPARES = "prepares"
    """It makes a cell where the side could make two threats with its next move."""
    OPENS = "opens"
    """It lets the other side play a cell that completes a line."""
    LEAVES = "leaves"
    """It leaves the other side a cell that completes a line."""
    AVOIDS = "avoids"
    """It does not complete a line, which would lose."""
    TAKES = "takes"
    """It takes a cell that the other side cannot use."""
    SENDS = "sends"
    STANDS = "stands"
    """It is on lines that can still be completed."""
    PROVEN = "proven"
    """The value of the move is proven."""


@dataclass(frozen=True)
class MoveReason:
    """One thing that a move does, and the idea behind it, which does not give the move away.

    ``cells`` are those that the text names. A weak reason is true of many moves: it explains a choice only if there is
    nothing better to say. A reason against the move has no idea.
    """

    kind: ReasonKind
    text: str
    idea: str = ""
    cells: tuple[int, ...] = ()
    is_weak: bool = False


def reasons(position: Position, move: int) -> Iterator[MoveReason]:
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
    if not (position.game.is_misere or position.game.is_ultimate or after.is_over):
        yield from _forking(position, move, after)
        yield from _conceding(position, after)
    if position.game.is_ultimate and not after.is_over:
        yield from _sending(position, after)
    if not after.is_over:
        yield from _standing(position, move, after)


def _winning(position: Position, move: int, after: Position) -> Iterator[MoveReason]:
    game, side = position.game, position.side_to_move
    completed = [line_name(game, line) for line in completed_by(position, move, side)]
    if not completed:
        return
    at_once = f"{side} can win at once."
    if not game.is_ultimate:
        yield MoveReason(ReasonKind.COMPLETES, f"completes {listed(completed[:MOST_NAMES])} and wins", at_once, (move,))
        return
    block = game.block_of(move)
    name = block_name(game, block)
    if after.winner is side and after.winning_line:
        how = describe_line(game, after.winning_line)
        yield MoveReason(ReasonKind.COMPLETES, f"wins {name} and the game {how}", at_once, (move,))
    elif after.blocks[block] is side and position.blocks[block] is None:
        yield MoveReason(ReasonKind.COMPLETES, f"wins {name} with {completed[0]}", f"{side} can win a board.", (move,))


def _blocking(position: Position, move: int) -> Iterator[MoveReason]:
    game, other = position.game, position.side_to_move.opponent
    if move not in position.completing(other):
        return
    line = line_name(game, next(iter(completed_by(position, move, other))))
    if game.is_ultimate:
        block = game.block_of(move)
        is_last = not any(game.block_of(cell) == block for cell in position.completing(other) if cell != move)
        where = block_name(game, block)
        text = f"keeps {other} from winning {where}: blocks {line}" if is_last else f"blocks {line} in {where}"
        yield MoveReason(ReasonKind.BLOCKS, text, f"{other} is about to win a board.", (move,))
    else:
        yield MoveReason(ReasonKind.BLOCKS, f"blocks {line}", f"{other} threatens to complete a line.", (move,))


def _threatening(position: Position, after: Position) -> Iterator[MoveReason]:
    game, side = position.game, position.side_to_move
    fresh = tuple(sorted(set(after.threats(side)) - set(position.threats(side))))
    what = " to win a board" if game.is_ultimate else ""
    if len(fresh) >= FORK:
        text = f"makes two threats{what}: {_names(game, fresh[:FORK])}"
        yield MoveReason(ReasonKind.FORKS, text, f"Make two threats{what} with one move.", fresh[:FORK])
    elif fresh:
        line = line_name(game, next(iter(completed_by(after, fresh[0], side))))
        text = f"threatens to complete {line} at {_names(game, fresh)}"
        above = _next_threats(after, fresh[0], side)
        if above:
            text += f", and if {side.opponent} blocks there, at {_names(game, above[:1])}"
            idea = "Make a threat whose blocking opens another one."
            yield MoveReason(ReasonKind.STACKS, text, idea, (*fresh, *above[:1]))
        else:
            idea = f"Make a threat{what} that must be answered."
            yield MoveReason(ReasonKind.THREATENS, text, idea, fresh)


def _next_threats(position: Position, blocked: int, side: Side) -> list[int]:
    """The threats that a side has only once the other side has blocked a cell: what rests on that cell."""
    if not position.game.has_gravity:
        return []
    after = position.after(blocked)
    return [] if after.is_over else sorted(set(after.threats(side)) - set(position.threats(side)))


def _forking(position: Position, move: int, after: Position) -> Iterator[MoveReason]:
    """Reasons about cells on which a side could make two threats with its next move."""
    game, side = position.game, position.side_to_move
    other = side.opponent
    theirs = _fork_cells(position, other)
    idea = f"Look where {other} could make two threats."
    if move in theirs:
        yield MoveReason(ReasonKind.PREVENTS, f"takes the cell where {other} could make two threats", idea, (move,))
    gone = tuple(sorted(theirs - _fork_cells(after, other) - {move}))
    if gone:
        names = _names(game, gone[:MOST_NAMES])
        yield MoveReason(
            ReasonKind.PREVENTS, f"keeps {other} from making two threats at {names}", idea, gone[:MOST_NAMES]
        )
    mine = tuple(sorted(_fork_cells(after, side) - _fork_cells(position, side)))
    if mine:
        text = f"prepares two threats at once with {_names(game, mine[:MOST_NAMES], 'or')}"
        yield MoveReason(ReasonKind.PREPARES, text, "Prepare two threats at once.", mine[:MOST_NAMES])


def _fork_cells(position: Position, side: Side) -> set[int]:
    """The cells on which a side, if it were its turn, would make two threats but not complete a line."""
    game, cells, made = position.game, position.cells, dict[int, set[int]]()
    playable, below, guards = set(position.legal_moves), game.rests_on, _guards(game)
    for line in game.lines:
        marks = [cells[at] for at in line]
        if marks.count(None) != 2 or side.opponent in marks or side in [cells[at] for at in guards.get(line, ())]:
            continue
        first, second = (at for at, mark in zip(line, marks, strict=True) if mark is None)
        for cell, other in ((first, second), (second, first)):
            if cell in playable and all(cells[at] is not None or at == cell for at in below[other]):
                made.setdefault(cell, set()).add(other)
    winning = position.completing(side)
    return {cell for cell, threats in made.items() if len(threats) >= FORK and cell not in winning}


def _conceding(position: Position, after: Position) -> Iterator[MoveReason]:
    """Reasons against the move: cells on which the other side can complete a line now."""
    game, other = position.game, position.side_to_move.opponent
    cells, before = after.threats(other), position.threats(other)
    for cell in cells[:1]:
        line = line_name(game, next(iter(completed_by(after, cell, other))))
        kind, verb = (ReasonKind.LEAVES, "leaves") if cell in before else (ReasonKind.OPENS, "opens")
        where = game.format_cell(cell)
        yield MoveReason(kind, f"{verb} {where} to {other}, who completes {line} there", cells=(cell,))


def _names(game: Game, cells: Sequence[int], word: str = "and") -> str:
    return listed([game.format_cell(cell) for cell in cells]).replace(" and ", f" {word} ")


def _misere_reasons(position: Position, move: int, after: Position) -> Iterator[MoveReason]:
    """Yield reasons in misère, where completing a line loses: which cells a side cannot use."""
    game, side = position.game, position.side_to_move
    poison = [cell for cell in position.threats(side) if position.is_legal(cell)]
    if poison and not completed_by(position, move, side):
        text = f"does not complete a line, as {game.format_cell(poison[0])} would"
        yield MoveReason(ReasonKind.AVOIDS, text, "Some cells would complete a line, and lose.", (poison[0],))
    other = side.opponent
    if not after.is_over and move in position.completing(other):
        text = f"takes a cell that {other} could not have played"
        yield MoveReason(ReasonKind.TAKES, text, "Look at the cells that the other side cannot use.", (move,))


def _sending(position: Position, after: Position) -> Iterator[MoveReason]:
    other, block, kind = position.side_to_move.opponent, after.block_to_play, ReasonKind.SENDS
    if block is None:
        text = f"sends {other} to a closed board, so {other} may play anywhere"
        yield MoveReason(kind, text, CAREFUL_SENDING, is_weak=True)
        return
    can_win = any(after.game.block_of(cell) == block for cell in after.threats(other))
    what = "which it can win" if can_win else "which it cannot win at once"
    yield MoveReason(kind, f"sends {other} to {block_name(after.game, block)}, {what}", CAREFUL_SENDING, is_weak=True)


def _standing(position: Position, move: int, after: Position) -> Iterator[MoveReason]:
    side, game = position.side_to_move, position.game
    if game.is_ultimate and after.blocks[game.block_of(move)] is not None:
        return  # the lines of a won block no longer matter
    through = open_lines(position, move, side)
    if through and not game.is_misere:
        text = f"is on {count(len(through), 'line')} that {side} can still complete"
        idea = f"Look for a cell with many lines still open to {side}."
        yield MoveReason(ReasonKind.STANDS, text, idea, (move,), is_weak=True)


def completed_by(position: Position, move: int, side: Side) -> list[Line]:
    """Return the lines that a side would complete with a cell, regardless of whose turn it is."""
    if move not in position.completing(side):
        return []
    cells = position.cells
    return [line for line in open_lines(position, move, side) if all(cells[at] is side for at in line if at != move)]


def open_lines(position: Position, cell: int, side: Side) -> list[Line]:
    """Return the lines through a cell that a side can still complete: no mark of the other, no own one on a guard."""
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
