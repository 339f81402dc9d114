"""A slow, obvious search for wins by threats alone that shares no code with the engine."""

from __future__ import annotations

from functools import cache

import noughts as no

__all__ = ["has_chain", "turn_of", "winning_cells"]


def turn_of(position: no.Position) -> no.Side:
    """The side to move according to the marks, also when the game is over."""
    marks = position.cells
    return no.Side.X if marks.count(no.Side.X) == marks.count(no.Side.O) else no.Side.O


@cache
def _lines_with_guards(game: no.Game) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return list(zip(game.lines, game.guards, strict=True))


def winning_cells(position: no.Position, side: no.Side) -> set[int]:
    """The cells of a flat game that complete a line of a side and are playable, no matter whose turn it is."""
    cells, rests_on = position.cells, position.game.rests_on
    found = set()
    for line, guards in _lines_with_guards(position.game):
        empty = [cell for cell in line if cells[cell] is not side]
        if len(empty) != 1 or cells[empty[0]] is not None or any(cells[guard] is side for guard in guards):
            continue
        if all(cells[below] is not None for below in rests_on[empty[0]]):
            found.add(empty[0])
    return found


def has_chain(position: no.Position, threats: int) -> bool:
    """Whether the side to move wins by at most ``threats`` threats with a single reply each, and a completing move."""
    side = turn_of(position)
    if winning_cells(position, side):
        return True
    must_block = winning_cells(position, side.opponent)
    if threats == 0 or len(must_block) > 1:
        return False
    return any(_continues(position.after(move), side, threats) for move in must_block or position.legal_moves)


def _continues(position: no.Position, side: no.Side, threats: int) -> bool:
    if position.is_over or winning_cells(position, side.opponent):
        return False
    made = winning_cells(position, side)
    if len(made) != 1:
        return len(made) > 1
    position.play(made.pop())
    return not position.is_over and has_chain(position, threats - 1)
