"""Plots of comparisons, reviews and learning, each with a text alternative.

They need matplotlib (``pip install 'noughts[plot]'``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.analysis.reviews import Label, Review
from noughts.games import Side
from noughts.games.atomic_file import atomic_file
from noughts.games.quoting import count, quote
from noughts.games.titles import title_of
from noughts.teaching.comparison import Comparison, label
from noughts.teaching.tree.raster import check_installed
from noughts.textbook import Score

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["LearningChart", "check_plot", "learning_table", "plot_comparison", "plot_learning", "plot_review"]

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
    check_installed("plots", "matplotlib")


def plot_comparison(comparison: Comparison, by_depth: dict[str, list[int | None]], path: Path) -> None:
    """Write two charts side by side: nodes of each algorithm, and nodes against depth, both on a log scale."""
    check_plot(path)
    figure, (left, right) = _make_figure(13, 5.2, charts=2)
    _bars(left, comparison)
    _curves(right, by_depth)
    title = f"{comparison.game}   {comparison.position}"
    figure.suptitle(title, fontsize=12)
    rows = [f"{label(row.algorithm, row.order)} {row.nodes:,}" for row in comparison.rows if row.nodes is not None]
    _save(figure, path, title, f"Nodes visited: {', '.join(rows)}.")


def _make_figure(width: float, height: float, charts: int = 1) -> tuple[Figure, list[Axes]]:
    """Return a figure with some charts side by side, open at the top and at the right."""
    from matplotlib.figure import Figure

    figure: Figure = Figure(figsize=(width, height), layout="constrained")
    axes = list(figure.subplots(1, charts, squeeze=False)[0])
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _save(figure: Figure, path: Path, title: str, description: str) -> None:
    with atomic_file(path) as file:
        file.write(_render(figure, path.suffix.lower()[1:], title, description))


def _render(figure: Figure, kind: str, title: str, description: str) -> bytes:
    """Return a figure as a file with a title and a description, which an SVG also tells to screen readers."""
    metadata: dict[str, str | None] = {"Title": title, "Subject" if kind == "pdf" else "Description": description}
    buffer = BytesIO()
    figure.savefig(buffer, format=kind, dpi=130, metadata=metadata)
    contents = buffer.getvalue()
    if kind == "svg":
        head, tag, rest = contents.decode().partition("<svg ")
        end = rest.index(">") + 1
        about = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
        contents = f'{head}{tag}role="img" {rest[:end]}{about}{rest[end:]}'.encode()
    return contents


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


def plot_review(review: Review, path: Path) -> None:
    """Write a chart of X's chance over the game, with mistakes marked."""
    check_plot(path)
    figure, (axes,) = _make_figure(10, 4.5)
    _chance_curve(axes, review)
    _mark_mistakes(axes, review)
    axes.set_title(_review_title(review), fontsize=11)
    axes.legend(fontsize=8, frameon=False, loc="best")
    _save(figure, path, _review_title(review), _review_words(review))


def _chance_curve(axes: Axes, review: Review) -> None:
    from matplotlib.ticker import MaxNLocator

    plies = [point.ply for point in review.graph]
    chances = [100 * point.evaluation.chance for point in review.graph]
    proven = [(point.ply, 100 * point.evaluation.chance) for point in review.graph if point.evaluation.value]
    axes.fill_between(plies, 50, chances, color="#4361c2", alpha=0.18)
    axes.plot(plies, chances, color="#4361c2", linewidth=1.5)
    axes.scatter([p for p, _ in proven], [c for _, c in proven], s=14, color="#4361c2", label="proven", zorder=3)
    axes.axhline(50, color="#8a90a2", linewidth=0.8)
    axes.set_ylim(-9, 109)
    axes.set_xlabel("moves played")
    axes.set_ylabel("X's chance, %")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _mark_mistakes(axes: Axes, review: Review) -> None:
    """Mark each mistake by its colour and by the side that made it, with its name on the far side of the curve."""
    for name, colour in COLOURS.items():
        for side, marker, offset in ((Side.X, "X", -14), (Side.O, "o", 7)):
            moves = [move for move in review.moves if move.label == name and move.side is side]
            if not moves:
                continue
            chances = [100 * move.after_for_x.chance for move in moves]
            plies = [move.ply for move in moves]
            axes.scatter(plies, chances, s=52, marker=marker, color=colour, label=f"{name} of {side}", zorder=4)
            for move, ply, chance in zip(moves, plies, chances, strict=True):
                cell = review.playthrough.game.format_cell(move.move)
                axes.annotate(
                    cell,
                    (ply, chance),
                    textcoords="offset points",
                    xytext=(0, offset),
                    fontsize=8,
                    color=colour,
                    ha="center",
                )


def _review_title(review: Review) -> str:
    tags = review.playthrough.tags
    accuracy = {side: review.accuracy(side) for side in Side}
    sides = [
        f"{side} {tags.get(side, '')}".strip() + ("" if accuracy[side] is None else f" ({accuracy[side]:.0f}%)")
        for side in Side
    ]
    return f"{title_of(review.playthrough.game)}: {' – '.join(sides)}   {review.playthrough.result}"


def _review_words(review: Review) -> str:
    chances = ", ".join(f"{point.ply}: {100 * point.evaluation.chance:.0f}%" for point in review.graph)
    marked = [move for move in review.moves if move.label in COLOURS]
    cells = ", ".join(f"{move.label} {review.playthrough.game.format_cell(move.move)}" for move in marked)
    return f"X's chance after each move: {chances}." + (f" Marked: {cells}." if cells else "")


def plot_learning(
    curves: Mapping[str, Sequence[Score]], path: str | Path, title: str = "learning by self-play"
) -> None:
    """Write a chart of learning curves by the name of the learner: the share of playthroughs not lost, and won.

    The curves are those of ``q_learning``, ``td_learning`` or ``policy_network``. ``learning_table`` shows the same as
    text. Raises ValueError if there is no curve, and as ``check_plot`` does.
    """
    path = Path(path)
    check_plot(path)
    _check_curves(curves)
    _save(_learning_figure(curves, title), path, title, _learning_words(curves))


@dataclass(frozen=True, slots=True)
class LearningChart:
    """The chart of ``plot_learning`` as the output of a notebook's cell, with a text alternative.

    Raises ValueError if there is no curve, or no matplotlib.
    """

    curves: Mapping[str, Sequence[Score]]
    title: str = "learning by self-play"

    def __post_init__(self) -> None:
        check_installed("plots", "matplotlib")
        _check_curves(self.curves)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
        words = _learning_words(self.curves)
        picture = _render(_learning_figure(self.curves, self.title), "svg", self.title, words).decode()
        bundle = {"image/svg+xml": picture, "text/plain": learning_table(self.curves)}
        return bundle, {"image/svg+xml": {"alt": f"{self.title}. {words}"}}


def _learning_words(curves: Mapping[str, Sequence[Score]]) -> str:
    return " ".join(_last_score(name, curve) for name, curve in curves.items())


def _learning_figure(curves: Mapping[str, Sequence[Score]], title: str) -> Figure:
    figure, (axes,) = _make_figure(8.5, 4.8)
    for number, (name, curve) in enumerate(curves.items()):
        trained, colour = [score.playthroughs for score in curve], f"C{number % 10}"
        unlost = [100 - _share(score, score.losses) for score in curve]
        axes.plot(trained, unlost, color=colour, marker="o", markersize=3.5, label=f"{name}: not lost")
        won = [_share(score, score.wins) for score in curve]
        axes.plot(trained, won, color=colour, linestyle="--", linewidth=1.2, label=f"{name}: won")
    axes.set_ylim(-3, 103)
    axes.set_xlabel("playthroughs of training")
    axes.set_ylabel("%")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(axis="y", alpha=0.25)
    axes.legend(fontsize=8, frameon=False, loc="lower right")
    axes.set_title(title, fontsize=11)
    return figure


def learning_table(curves: Mapping[str, Sequence[Score]]) -> str:
    """Return learning curves as a table in text: the share of playthroughs won, drawn and lost, in per cent.

    ::

        playthroughs  q_learning
                       won drawn  lost
               2,000    81     6    13
    """
    _check_curves(curves)
    by_training = [{score.playthroughs: score for score in curve} for curve in curves.values()]
    rows = sorted({playthroughs for curve in by_training for playthroughs in curve})
    widths = [max(17, len(name)) for name in curves]
    names = "  ".join(f"{name:<{width}}" for name, width in zip(curves, widths, strict=True))
    heads = "  ".join(f"{'  won drawn  lost':<{width}}" for width in widths)
    lines = [f"playthroughs  {names}", f"{'':12}  {heads}"]
    for playthroughs in rows:
        cells = [_cells(curve.get(playthroughs)) for curve in by_training]
        padded = "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(f"{playthroughs:>12,}  {padded}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _check_curves(curves: Mapping[str, Sequence[Score]]) -> None:
    for name, curve in curves.items():
        if not curve:
            raise ValueError(f"expected a learning curve with points, got none for {quote(name)}")
    if not curves:
        raise ValueError("expected at least one learning curve")


def _share(score: Score, part: int) -> float:
    return 100 * part / max(1, score.wins + score.draws + score.losses)


def _cells(score: Score | None) -> str:
    if score is None:
        return ""
    won, drawn, lost = (round(_share(score, part)) for part in (score.wins, score.draws, score.losses))
    return f"{won:>5} {drawn:>5} {lost:>5}"


def _last_score(name: str, curve: Sequence[Score]) -> str:
    last = curve[-1]
    won, drawn, lost = (round(_share(last, part)) for part in (last.wins, last.draws, last.losses))
    trained = count(last.playthroughs, "playthrough")
    return f"{name}: after {trained} of training {won}% won, {drawn}% drawn, {lost}% lost."
