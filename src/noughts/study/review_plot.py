"""The plot of a review. It needs matplotlib, which ``pip install 'noughts[plot]'`` brings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from noughts.games import Side
from noughts.study.plot import check_plot
from noughts.study.reviews import Review

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_review"]

COLOURS = {"inaccuracy": "#d9a514", "mistake": "#e07020", "blunder": "#c8281e", "missed win": "#7d2ac8"}


def plot_review(review: Review, path: Path) -> None:
    """Write X's chance over the game, with the moves that cost something marked."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure: Figure = Figure(figsize=(10, 4.5), layout="constrained")
    axes = figure.subplots()
    _curve(axes, review)
    _marks(axes, review)
    axes.set_title(_title(review), fontsize=11)
    axes.legend(fontsize=8, frameon=False, loc="best")
    figure.savefig(path, dpi=130)


def _curve(axes: Axes, review: Review) -> None:
    from matplotlib.ticker import MaxNLocator

    plies = [point.ply for point in review.graph]
    chances = [100 * point.worth.chance for point in review.graph]
    proven = [(point.ply, 100 * point.worth.chance) for point in review.graph if point.worth.value]
    axes.fill_between(plies, 50, chances, color="#4361c2", alpha=0.18)
    axes.plot(plies, chances, color="#4361c2", linewidth=1.5)
    axes.scatter([p for p, _ in proven], [c for _, c in proven], s=14, color="#4361c2", label="proven", zorder=3)
    axes.axhline(50, color="#8a90a2", linewidth=0.8)
    axes.set_ylim(-4, 104)
    axes.set_xlabel("moves played")
    axes.set_ylabel("X's chance, %")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)


def _marks(axes: Axes, review: Review) -> None:
    for label, colour in COLOURS.items():
        moves = [move for move in review.moves if move.label == label]
        if moves:
            chances = [100 * move.after_for_x.chance for move in moves]
            axes.scatter([move.ply for move in moves], chances, s=44, color=colour, label=label, zorder=4)
        for move in moves:
            at = (move.ply, 100 * move.after_for_x.chance)
            name = review.playthrough.game.format_cell(move.move)
            axes.annotate(name, at, textcoords="offset points", xytext=(5, 6), fontsize=8, color=colour)


def _title(review: Review) -> str:
    tags = review.playthrough.tags
    accuracy = {side: review.accuracy(side) for side in Side}
    sides = [
        f"{side} {tags.get(side, '')}".strip() + ("" if accuracy[side] is None else f" ({accuracy[side]:.0f} %)")
        for side in Side
    ]
    return f"{review.playthrough.game.id}: {' – '.join(sides)}   {review.playthrough.result}"
