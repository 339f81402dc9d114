"""The losses of a student in a cup: which move lost, and the refutation, proven by solving."""

from __future__ import annotations

import time
from html import escape

from noughts.analysis.exact import ExactValues
from noughts.analysis.losing_move import LosingMove, find_losing_move
from noughts.arena.plan import Plan
from noughts.arena.tournaments import Result
from noughts.games import Position, Side, Value
from noughts.limit import Limit

__all__ = ["LossExaminer"]

SOLVE_NODES = 300_000
"""Work on one position: at most a second."""
MAX_SECONDS = 60.0
"""Time for the losses of a whole class; those that are left then are not examined."""
MAX_REFUTATION = 12
"""Moves of a refutation that are shown."""


class LossExaminer:
    """Finds the move that lost; remembers the values of positions, which the losses of a class share."""

    def __init__(self, seconds: float = MAX_SECONDS) -> None:
        self._values = ExactValues(Limit(nodes=SOLVE_NODES))
        self._deadline = time.monotonic() + seconds

    def html(self, plan: Plan, result: Result, side: Side) -> str:
        """Return a paragraph about the move with which a side lost by the rules, and the board after it."""
        if time.monotonic() > self._deadline:
            return "<p>Which move lost was not examined: the time for it was used up.</p>"
        start = plan.game.start_from(result.start)
        found = find_losing_move(start, result.moves, side, self._values, result.opening)
        if found is None:
            return f"<p>{self._why_none(start, result, side)}</p>"
        before = start.copy()
        for move in result.moves[: found.ply]:
            before.play(move)
        return f"<p>{_sentence(before, found, side)}</p>{before.after(found.move)._repr_svg_()}"

    def _why_none(self, start: Position, result: Result, side: Side) -> str:
        """Say why no move of a side is to blame."""
        position = start.copy()
        for number, move in enumerate(result.moves):
            if number >= result.opening and position.turn is side:
                break
            position.play(move)
        if self._values.of(position) is Value.LOSS:
            return "It had lost before its first move: no move of its own is to blame."
        return "Which move lost could not be proven."


def _sentence(before: Position, found: LosingMove, side: Side) -> str:
    name = before.format_move
    head = f'<strong class="failed">Move {found.ply + 1}, {escape(name(found.move))}, lost.</strong>'
    if found.before is None:
        had = "After it the game is lost; whether it was lost before is not proven."
    else:
        better = "" if found.better is None else f", and {escape(name(found.better))} would have kept that"
        had = f"Before it the game was {'won' if found.before is Value.WIN else 'a draw'}{better}."
    after = before.after(found.move)
    moves = [after.game.format_cell(move) for move in found.refutation]
    if not moves:
        return f"{head} {had}"
    line = " ".join(moves[:MAX_REFUTATION]) + (" …" if len(moves) > MAX_REFUTATION else "")
    return f"{head} {had} {side.opponent} wins with {escape(line)}."
