"""Moves and takebacks at given times, and what the clocks show after each."""

from __future__ import annotations

from typing import NamedTuple

from noughts import Side


class Step(NamedTuple):
    """After ``seconds``, the side to move plays, or a side takes its last move back; then the clocks show ``left``."""

    seconds: float
    left: tuple[float, float]
    move: str | None = None
    takeback: Side | None = None


MOVES = [
    Step(5, (57, 60), "b2"),  # the first move is charged
    Step(10, (57, 52), "a1"),
    Step(4, (55, 52), "c3"),
]
TAKEBACKS = [
    Step(3, (57, 52), takeback=Side.X),  # both clocks are back at the beginning of X's turn before c3
    Step(1, (58, 52), "a3"),
    Step(6, (58, 48), "c1"),
    Step(7, (58, 52), takeback=Side.O),  # X's seven seconds are given back, too
    Step(2, (58, 52), "c3"),
    Step(9, (58, 52), takeback=Side.O),
    Step(0, (57, 60), takeback=Side.O),  # and so on, back to the beginning
    Step(0, (60, 60), takeback=Side.X),
]
