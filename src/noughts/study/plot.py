"""Plots of comparisons. They need matplotlib, which ``pip install 'noughts[plot]'`` brings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from noughts.study.comparison import Comparison, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".pdf", ".png", ".svg")


def check_plot(path: Path) -> None:
    """Raise ValueError when a plot cannot be written: no matplotlib, or a kind of file it does not know."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"expected a plot file ending in {', '.join(SUFFIXES)}, got {path.name!r}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ValueError("plots need matplotlib: pip install 'noughts[plot]'") from None


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
