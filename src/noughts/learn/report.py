"""The report of a training run: a self-contained HTML page, a short text, and plots with matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.arena.plots import curves, intervals
from noughts.games.quoting import count
from noughts.html_page import figure, items, page, section, table
from noughts.learn.matches import START, elo_text, score_text
from noughts.teaching.plots import check_plot

if TYPE_CHECKING:
    from noughts.learn.run import Round, TrainingResult

__all__ = ["plot_training", "report_html", "summary_text"]

COLUMNS = ("round", "positions", "loss", "loss of the evaluation that played", "met", "score", "Elo ± 95%", "kept")


def summary_text(outcome: TrainingResult) -> str:
    """Return the results in a few lines."""
    lines_of_rounds = [f"  round {each.number}: {_round_text(each)}" for each in outcome.rounds]
    return "\n".join([f"{outcome.settings.game.label}: {_facts(outcome)}", *lines_of_rounds, *_notes(outcome)]) + "\n"


def _round_text(each: Round) -> str:
    loss = f"loss {each.losses[-1].loss:.4f} (the evaluation that played: {each.losses[-1].played_loss:.4f})"
    return f"{loss}, {score_text(each.against_player)} against {_name(each.player)}, {elo_text(each.against_player)}"


def _name(number: int) -> str:
    return f"round {number}" if number else START


def _facts(outcome: TrainingResult) -> str:
    settings = outcome.settings
    parts = [
        count(settings.rounds, "round"), f"{count(settings.playthroughs, 'playthrough')} at {settings.nodes:,} nodes",
        count(settings.steps, "step"), f"seed {settings.seed}", settings.device, f"{outcome.seconds / 60:.1f} minutes",
    ]  # fmt: skip
    return " · ".join(parts)


def _notes(outcome: TrainingResult) -> Iterator[str]:
    best, settings = outcome.rounds[outcome.best - 1], outcome.settings
    yield (
        f"the network of round {best.number} is the result: {score_text(best.against_start)} against {START} at "
        f"{settings.match_nodes:,} nodes a move, {elo_text(best.against_start)}"
    )
    if not best.is_accepted:
        yield "it lost its match: train longer, with more playthroughs or more nodes"
    if outcome.time_match:
        yield f"at equal time: {score_text(outcome.time_match)}, {elo_text(outcome.time_match)}"
    if outcome.regret is not None and outcome.start_regret is not None and outcome.regret.is_known:
        yield f"regret against the solver, one move ahead: {outcome.regret.text}"
        yield f"the same with {START}: {outcome.start_regret.text}"


def report_html(outcome: TrainingResult) -> str:
    """Return the page of a run."""
    main = [
        section("result", "Result", items(_notes(outcome))),
        section("rounds", "Rounds", table("the rounds", COLUMNS, map(_row, outcome.rounds))),
        section("plots", "Plots", '<div class="plots">', *_plots(outcome), "</div>"),
    ]
    return page(f"Training: {outcome.settings.game.name}", _facts(outcome), "".join(main))


def _row(each: Round) -> list[object]:
    last = each.losses[-1]
    return [
        each.number, f"{each.rows:,}", f"{last.loss:.4f}", f"{last.played_loss:.4f}", _name(each.player),
        score_text(each.against_player), elo_text(each.against_player), "yes" if each.is_accepted else "no",
    ]  # fmt: skip


def _plots(outcome: TrainingResult) -> Iterator[str]:
    step = outcome.rounds[0].losses[0].step
    for name, title in (("loss", "Loss on positions held back"), ("result_loss", "Loss on their results")):
        losses = list(_losses(outcome.rounds, name))
        yield figure(title, curves(losses, "steps", "log loss", step, whole=False))
    yield figure("Ratings with 95% intervals", intervals(_ratings(outcome), f"Elo relative to {START}"))


def _losses(rounds: Sequence[Round], name: str) -> Iterator[tuple[str, list[float]]]:
    """The losses of all rounds one after the other: of the network, and of the evaluation that played."""
    yield "network", [getattr(point, name) for each in rounds for point in each.losses]
    yield "evaluation", [getattr(point, f"played_{name}") for each in rounds for point in each.losses]


def _ratings(outcome: TrainingResult) -> list[tuple[str, float, float]]:
    ratings = outcome.ratings
    differences = [(each.number, ratings.difference(each.number, 0)) for each in outcome.rounds]
    shown = [(f"round {number}", rating.elo, rating.error) for number, rating in differences]
    return [("start", 0.0, 0.0), *((name, elo, error) for name, elo, error in shown if isfinite(error))]


def plot_training(outcome: TrainingResult, path: Path) -> None:
    """Write the losses and the ratings as a picture; raises ValueError if matplotlib is missing."""
    check_plot(path)
    from matplotlib.figure import Figure

    picture = Figure(figsize=(11, 4.5), layout="constrained")
    left, right = picture.subplots(1, 2)
    step = outcome.rounds[0].losses[0].step
    for label, values in _losses(outcome.rounds, "loss"):
        left.plot([step * (at + 1) for at in range(len(values))], values, label=label)
    left.set_xlabel("steps")
    left.set_title("loss on positions held back", fontsize=11)
    left.legend(fontsize=8, frameon=False)
    rated = _ratings(outcome)
    right.errorbar(
        range(len(rated)), [elo for _, elo, _ in rated], [error for *_, error in rated], marker="o", capsize=4
    )
    right.set_xticks(range(len(rated)), [name for name, *_ in rated])
    right.set_title(f"Elo relative to {START}", fontsize=11)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    picture.savefig(path, dpi=130)
