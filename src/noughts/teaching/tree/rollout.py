"""The rollout of a simulation as a small board with numbered moves."""

from __future__ import annotations

from noughts.games import Position, Side
from noughts.teaching.tree.board import SmallBoard
from noughts.teaching.tree.growth_replay import play_out
from noughts.teaching.tree.steps import Step

__all__ = ["rollout_svg"]


def rollout_svg(start: Position, board: SmallBoard, step: Step) -> str:
    """Return the board at the end of a rollout: its moves numbered, the marks before it pale."""
    width, height = board.width + 2, board.height + 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="-1 -1 {width:.1f} {height:.1f}" '
        f'width="{width:.1f}" height="{height:.1f}" role="img" aria-label="the rollout">'
        f"{rollout_marks(start, board, step)}</svg>"
    )


def rollout_marks(start: Position, board: SmallBoard, step: Step) -> str:
    """Return the grid, the marks and the numbers of a rollout, to be placed in any picture."""
    before = play_out(start, step.origin)
    after: list[Side | None] = [None] * len(before.cells)
    position = before.copy()
    for move in step.rollout:
        after[move] = position.turn
        position.play(move)
    numbers = "".join(
        f'<text class="order" style="font-size:{board.cell * 0.42:.1f}px" '
        f'x="{board.centers[move][0]:.1f}" y="{board.centers[move][1] + board.cell * 0.15:.1f}">{number}</text>'
        for number, move in enumerate(step.rollout, 1)
    )
    pale, played = board.marks(before.cells, None), board.marks(after, None)
    return f'{board.grid()}<g class="before">{pale}</g><g class="played">{played}</g>{numbers}'
