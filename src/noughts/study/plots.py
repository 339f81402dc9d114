"""Plots of comparisons and reviews. They need matplotlib (``pip install 'noughts[plot]'``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from noughts.games import Side
from noughts.games.quoting import quote
from noughts.study.comparison import Comparison, label
from noughts.study.reviews import Label, Review
from noughts.study.tree.raster import check_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["check_plot", "plot_comparison", "plot_review"]

SUFFIXES = (".pdf", ".png", ".svg")
COLOURS = {
    Label.INACCURACY: "#d9a514",
    Label.MISTAKE: "#e07020",
    Label.BLUNDER: "#c8281e",
    Label.MISSED_WIN: "#7d2ac8",
}


def check_plot(path: Path) -> None:
    """Raise ValueError if a plot cannot be written: matplotlib or the folder is missing, or the suffix is unknown."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"expected a plot file ending in {', '.join(SUFFIXES)}, got {quote(path.name)}")
    if not path.parent.is_dir():
        raise ValueError(f"expected a plot file in a folder that exists, got {quote(str(path))}")
    check_matplotlib("plots")


def plot_comparison(comparison: Comparison, by_depth: dict[str, list[int | None]], path: Path) -> None:
    """Write two charts side by side: nodes of each algorithm, and nodes against depth, both on a log scale."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure: Figure = Figure(figsize=(13, 5.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    _bars(left, comparison)
    _curves(right, by_depth)
    figure.suptitle(f"{comparison.game}   {comparison.position}", fontsize=12)
    figure.savefig(path, dpi=130)


def _bars(axes: Axes, comparison: Comparison) -> None:
    rows = [(label(row.algorithm, row.order), row.nodes) for row in comparison.rows if row.nodes is not None]
    if comparison.rows[0].nodes is None:
        rows.insert(0, ("minimax, " + ("exact" if comparison.tree.is_exact else "estimated"), comparison.tree.nodes))
    names, nodes = [name for name, _ in rows], [count for _, count in rows]
    bars = axes.barh(names, nodes, color=["#c9cfdd" if name.startswith("minimax") else "#4361c2" for name in names])
    axes.bar_label(bars, [f" {count:,}" if count < 10**9 else f" {count:.1e}" for count in nodes], fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(1, max(nodes) * 30)
    axes.invert_yaxis()
    depth = "whole tree" if comparison.depth is None else f"depth {comparison.depth}"
    axes.set_title(f"nodes visited, {depth}", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)


def _curves(axes: Axes, by_depth: dict[str, list[int | None]]) -> None:
    from matplotlib.ticker import MaxNLocator

    for number, (name, counts) in enumerate(by_depth.items()):
        known = [(depth, count) for depth, count in enumerate(counts, 1) if count is not None]
        color, line = ("#8a90a2", "--") if name == "minimax" else (f"C{number % 10}", "-")
        depths, nodes = [depth for depth, _ in known], [count for _, count in known]
        axes.plot(depths, nodes, marker="o", markersize=3.5, label=name, color=color, linestyle=line)
    axes.set_yscale("log")
    axes.set_xlabel("depth")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title("nodes visited against depth", fontsize=11)
    axes.grid(axis="y", alpha=0.25)
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def plot_review(review: Review, path: Path) -> None:
    """Write a chart of X's chance over the game, with mistakes marked."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure: Figure = Figure(figsize=(10, 4.5), layout="constrained")
    axes = figure.subplots()
    _chance_curve(axes, review)
    _mark_mistakes(axes, review)
    axes.set_title(_review_title(review), fontsize=11)
    axes.legend(fontsize=8, frameon=False, loc="best")
    figure.savefig(path, dpi=130)


def _chance_curve(axes: Axes, review: Review) -> None:
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


def _mark_mistakes(axes: Axes, review: Review) -> None:
    for name, colour in COLOURS.items():
        moves = [move for move in review.moves if move.label == name]
        if moves:
            chances = [100 * move.after_for_x.chance for move in moves]
            axes.scatter([move.ply for move in moves], chances, s=44, color=colour, label=name, zorder=4)
        for move in moves:
            at = (move.ply, 100 * move.after_for_x.chance)
            cell = review.playthrough.game.format_cell(move.move)
            axes.annotate(cell, at, textcoords="offset points", xytext=(5, 6), fontsize=8, color=colour)


def _review_title(review: Review) -> str:
    tags = review.playthrough.tags
    accuracy = {side: review.accuracy(side) for side in Side}
    sides = [
        f"{side} {tags.get(side, '')}".strip() + ("" if accuracy[side] is None else f" ({accuracy[side]:.0f} %)")
        for side in Side
    ]
    return f"{review.playthrough.game.id}: {' – '.join(sides)}   {review.playthrough.result}"
