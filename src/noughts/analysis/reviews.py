"""Reviews of playthroughs: the evaluation of each move, better moves, and how accurately each side played.

See docs/analysis.md for the labels and the formula of accuracy.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from noughts.analysis.advice import Advice, Advisor
from noughts.analysis.evaluation import Evaluation
from noughts.engine import Limit
from noughts.games import Playthrough, Position, Side, Value

__all__ = ["Label", "MoveReview", "Point", "Review", "mean_accuracy", "review"]

REVIEW_LIMIT = Limit(seconds=0.5)
"""The default limit for each position of a review."""

GOOD, INACCURATE, MISTAKEN = 0.05, 0.1, 0.2
"""Costs, as shares of the point, below which a move is good, inaccurate or a mistake; above, it is a blunder."""

STEEPNESS = 4.0
"""The rate at which accuracy falls with the cost of a move: a tenth of the point leaves 66, a fifth 44."""

LEAST_SECONDS = 0.001
"""Time per position once the time for the whole review is used up."""

Progress = Callable[[int, int], object]
Advise = Callable[..., list[Advice]]
"""``Advisor.advise``, watched."""


class Label(StrEnum):
    """The judgement of a move."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    MISSED_WIN = "missed win"

    @property
    def is_good(self) -> bool:
        """Whether the move needs no correction."""
        return self in (Label.BEST, Label.GOOD)


@dataclass(frozen=True)
class MoveReview:
    """One move under review. ``before`` and ``after`` are for the side that moved, ``after`` with the move made."""

    ply: int
    """The number of the move, from 1."""
    side: Side
    move: int
    before: Evaluation
    after: Evaluation
    best: int
    """The best known move: the move itself if no better one was found."""
    line: tuple[int, ...]
    """The expected line of play, beginning with the best move."""
    label: Label
    choices: int
    """The number of legal moves."""

    @property
    def cost(self) -> float:
        """The share of the point that the move gave away."""
        return max(0.0, self.before.chance - self.after.chance)

    @property
    def accuracy(self) -> float:
        """From 100 for a move that costs nothing to 0 for one that turns a win into a loss."""
        least = math.exp(-STEEPNESS)
        return 100 * (math.exp(-STEEPNESS * self.cost) - least) / (1 - least)

    @property
    def before_for_x(self) -> Evaluation:
        """``before`` from X's side."""
        return self.before if self.side is Side.X else self.before.for_opponent()

    @property
    def after_for_x(self) -> Evaluation:
        """``after`` from X's side."""
        return self.after if self.side is Side.X else self.after.for_opponent()


@dataclass(frozen=True)
class Point:
    """A point of the graph: the evaluation for X of the position after ``ply`` moves."""

    ply: int
    evaluation: Evaluation


@dataclass(frozen=True)
class Review:
    """A playthrough with a review of each of its moves, and the graph: a point for every position."""

    playthrough: Playthrough
    limit: Limit
    moves: tuple[MoveReview, ...]
    graph: tuple[Point, ...]

    def accuracy(self, side: Side | str) -> float | None:
        """Return the mean accuracy of a side's moves, without forced ones; None when it made no move."""
        return mean_accuracy([move for move in self.moves if move.side == side])

    def count(self, side: Side | str, label: str) -> int:
        """Return the number of a side's moves with a label."""
        return sum(move.side == side and move.label == label for move in self.moves)


def mean_accuracy(moves: Sequence[MoveReview]) -> float | None:
    """Return the mean accuracy of some moves, without forced ones; None when there are none."""
    chosen = [move.accuracy for move in moves if move.choices > 1] or [100.0 for _ in moves]
    return math.fsum(chosen) / len(chosen) if chosen else None


def review(
    playthrough: Playthrough,
    limit: Limit = REVIEW_LIMIT,
    *,
    advisor: Advisor | None = None,
    progress: Progress | None = None,
    watch: Callable[[object], bool] | None = None,
    seconds: float | None = None,
) -> Review:
    """Return a review of a playthrough, with ``limit`` for each position (half a second by default).

    ``seconds`` bounds the whole review: each position gets an equal share of the time left, at most ``limit``.
    ``progress`` is called with the number of positions done and their total; ``watch`` more often; while it
    returns False, positions are searched only briefly. Positions are judged from the last to the
    first, so that the engine's table from the end of the game helps at its beginning.

    With a limit on nodes or depth the review is the same every time, unless the advisor's engine was used before.
    """
    asked = advisor or Advisor()

    def advise(position: Position, limit: Limit, lines: int = 1) -> list[Advice]:
        return asked.advise(position, limit, lines=lines, progress=watch)

    total = len(playthrough.moves) + 1
    shares = _Shares(limit, seconds, total)
    position = playthrough.position()
    evaluations = [_evaluate_last(position, shares.next(), advise)]
    reviews: list[MoveReview] = []
    for done, move in enumerate(reversed(playthrough.moves), start=1):
        _report(progress, done, total)
        position.undo()
        found = _review_move(position, move, evaluations[-1].for_opponent(), shares.next(), advise)
        reviews.append(found)
        evaluations[-1] = found.after.for_opponent()
        evaluations.append(found.before)
    _report(progress, total, total)
    evaluations.reverse()
    reviews.reverse()
    _carry_values_forward(evaluations, reviews)
    sides = [*(move.side for move in reviews), playthrough.position().side_to_move]
    graph = tuple(Point(ply, _for_x(sides[ply], each)) for ply, each in enumerate(evaluations))
    return Review(playthrough, limit, tuple(reviews), graph)


class _Shares:
    """Limits for the positions in turn: equal shares of the time left, if the whole review has a time limit."""

    def __init__(self, limit: Limit, seconds: float | None, positions: int) -> None:
        self._limit, self._left = limit, positions
        self._ends = None if seconds is None else time.monotonic() + seconds

    def next(self) -> Limit:
        if self._ends is None:
            return self._limit
        share = max(LEAST_SECONDS, (self._ends - time.monotonic()) / max(1, self._left))
        self._left -= 1
        seconds = share if self._limit.seconds is None else min(share, self._limit.seconds)
        return Limit(seconds, self._limit.depth, self._limit.nodes)


def _carry_values_forward(evaluations: list[Evaluation], reviews: list[MoveReview]) -> None:
    """Carry proven values forward: the search of an earlier position may have proven more than that of a later one.

    After a move from a lost position the other side has won, even if the search after the move did not find the win.
    """
    for ply, move in enumerate(reviews):
        before, is_best = evaluations[ply], move.best == move.move
        if before.value is None or move.before.value is not None:
            continue
        after = _settled(before, move.after, is_best) if before.value is Value.LOSS else move.after
        reviews[ply] = replace(move, before=before, after=after, label=_label(before, after, is_best))
        evaluations[ply + 1] = after.for_opponent()


def _report(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


def _evaluate_last(position: Position, limit: Limit, advise: Advise) -> Evaluation:
    """The evaluation of the last position for the side to move, or whose turn it would be when it is over."""
    if position.is_over:
        return Evaluation.of_end(position, position.side_to_move)
    return advise(position, limit)[0].evaluation


def _for_x(side: Side, found: Evaluation) -> Evaluation:
    return found if side is Side.X else found.for_opponent()


def _review_move(position: Position, move: int, after: Evaluation, limit: Limit, advise: Advise) -> MoveReview:
    """Judge a move by the position before it (``position``) and the evaluation of the one after it for the mover."""
    choices = len(position.legal_moves)
    found = advise(position, limit)[0]
    before, best, line = found.evaluation, found.move, tuple(found.pv)
    if best == move and choices > 1 and after.value is Value.LOSS and before.value is None:
        # A deeper search refuted the move that the search preferred; the next best may hold.
        before, best, line = _best_but(position, move, after, limit, advise)
    if best == move or after.one_ply_earlier().rank >= before.rank:
        best, line = move, (line if line[0] == move else (move,))
        before = before if before.value is not None else _at_least(after, choices)
    after = _settled(before, after, is_best=best == move)
    label = _label(before, after, is_best=best == move)
    return MoveReview(len(position.moves) + 1, position.side_to_move, move, before, after, best, line, label, choices)


def _best_but(
    position: Position, move: int, after: Evaluation, limit: Limit, advise: Advise
) -> tuple[Evaluation, int, tuple[int, ...]]:
    """The best move other than one that is known to lose; that one if all others lose as well."""
    others = [each for each in advise(position, limit, 2) if each.move != move]
    found, reached = others[0].evaluation, after.one_ply_earlier()
    if found.rank <= reached.rank:
        return reached, move, (move,)
    return found, others[0].move, tuple(others[0].pv)


def _at_least(after: Evaluation, choices: int) -> Evaluation:
    """The evaluation of a position whose best move seems to lead to ``after``; only a single move proves a draw."""
    if after.value is Value.DRAW and choices > 1:
        return Evaluation.of_score(0, after.chance)
    return after.one_ply_earlier()


def _settled(before: Evaluation, after: Evaluation, is_best: bool) -> Evaluation:
    """The evaluation after a move: the best one keeps a proven value, and all moves from a loss lose."""
    if after.value is None and before.value is not None and (is_best or before.value is Value.LOSS):
        return before.one_ply_later()
    return after


def _label(before: Evaluation, after: Evaluation, is_best: bool) -> Label:
    """The label of a move: proven values decide first, then the share of the point that it costs."""
    if is_best:
        return Label.BEST
    cost = before.chance - after.chance
    if before.value is Value.WIN and after.value is not Value.WIN and cost >= GOOD:
        return Label.MISSED_WIN
    if after.value is Value.LOSS and before.value is not Value.LOSS:
        return Label.BLUNDER
    bounds = ((Label.GOOD, GOOD), (Label.INACCURACY, INACCURATE), (Label.MISTAKE, MISTAKEN))
    return next((label for label, most in bounds if cost < most), Label.BLUNDER)
