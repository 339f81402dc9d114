"""The question ``review``: each move of a playthrough judged, with better ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from noughts.analysis.evaluation import Evaluation
from noughts.analysis.reasons import MoveReason, ReasonKind, reasons
from noughts.analysis.reviews import Label, MoveReview, Review, review
from noughts.ask.evaluations import line_of, move_of
from noughts.ask.question import Context, Job, PublicBounds, Question, Report
from noughts.ask.requests import GivenResult, SearchRequest, Tags, playthrough_of
from noughts.engine import Limit
from noughts.games import Playthrough, Side, Value
from noughts.schema import Shape

__all__ = [
    "DEFAULT_SECONDS",
    "REVIEW",
    "ReviewAnswer",
    "ReviewRequest",
    "ReviewedMove",
    "StepProgress",
    "describe_cost",
    "describe_mistake",
    "review_within",
]

DEFAULT_SECONDS = 8.0
"""Time for a whole review."""
PUBLIC_SECONDS = 30.0
MARGIN_SECONDS = 1.0
"""Time for the parts of a review that have no limit of their own."""
GLANCE_SECONDS = 0.03
"""Shortest search of a position on the largest board, on a busy machine."""
MAX_CELLS = 1024
"""Largest board for a review of a stranger: beyond it even a glance at each position takes too long."""


@dataclass(frozen=True, kw_only=True)
class ReviewRequest(SearchRequest):
    """A playthrough to review. The seconds are for the whole review, depth and nodes for each position."""

    result: GivenResult | None = None
    tags: Tags = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ReviewedMove(Shape):
    """A move under review; evaluations are for the side that moved."""

    ply: int
    side: Side
    move: str
    cell: int
    label: Label
    best: Annotated[str, "The best known move: the move itself if no better one was found."]
    best_cell: int
    line: Annotated[tuple[str, ...], "The expected line of play, beginning with the best move."]
    cells: tuple[int, ...]
    why: Annotated[tuple[str, ...], "What the best move does, if the move was a mistake."]
    why_not: Annotated[tuple[str, ...], "What a mistake gives the other side at once."]
    played_line: Annotated[tuple[str, ...], "The expected line of play after the move, beginning with it."]
    played_cells: tuple[int, ...]
    before: Evaluation
    after: Evaluation
    before_for_x: Evaluation
    after_for_x: Evaluation
    cost: Annotated[float, "The share of the point that the move gave away."]
    accuracy: Annotated[float, "From 100 for a move that costs nothing to 0 for one that turns a win into a loss."]
    choices: Annotated[int, "The number of legal moves."]

    @classmethod
    def of(cls, play: Playthrough, found: MoveReview, following: MoveReview | None) -> ReviewedMove:
        """Return the answer for a move under review and the one after it."""
        game, before = play.game, play.position(found.ply - 1)
        best = [] if found.label.is_good else [each for each in reasons(before, found.best) if _explains(each)]
        own = [] if found.label.is_good else [reason for reason in reasons(before, found.move) if not reason.idea]
        played = line_of(game, (found.move, *(following.line if following is not None else ())))
        return cls.from_attributes(
            found,
            **move_of(game, found.move),
            best=game.format_cell(found.best),
            best_cell=found.best,
            **line_of(game, found.line),
            why=tuple([reason.text for reason in best if not reason.is_weak] or [reason.text for reason in best]),
            why_not=tuple([reason.text for reason in own]),
            played_line=played["line"],
            played_cells=played["cells"],
            cost=round(found.cost, 4),
            accuracy=round(found.accuracy, 1),
        )


@dataclass(frozen=True, kw_only=True)
class GraphPoint(Evaluation):
    """The evaluation for X of the position after ``ply`` moves."""

    ply: int


@dataclass(frozen=True, kw_only=True)
class ReviewAnswer(Shape):
    """A review of a playthrough."""

    game: str
    x: Annotated[str | None, "The name of X."]
    o: str | None
    result: str
    termination: str | None
    start: str | None
    limit: str
    accuracy: dict[Side, float | None]
    labels: Annotated[dict[Side, dict[Label, int]], "The number of moves with each label."]
    moves: tuple[ReviewedMove, ...]
    graph: tuple[GraphPoint, ...]

    @classmethod
    def of(cls, found: Review) -> ReviewAnswer:
        play = found.playthrough
        accuracy = {side: found.accuracy(side) for side in Side}
        following = (*found.moves[1:], None)
        return cls(
            game=play.game.label,
            x=play.tags.get("X"),
            o=play.tags.get("O"),
            result=play.result,
            termination=play.outcome.reason if play.outcome else None,
            start=play.start,
            limit=str(found.limit),
            accuracy={side: None if percent is None else round(percent, 1) for side, percent in accuracy.items()},
            labels={side: {label: found.count(side, label) for label in Label} for side in Side},
            moves=tuple([ReviewedMove.of(play, *pair) for pair in zip(found.moves, following, strict=True)]),
            graph=tuple([GraphPoint(**point.evaluation.fields(), ply=point.ply) for point in found.graph]),
        )


@dataclass(frozen=True, kw_only=True)
class StepProgress(Shape):
    """The number of positions that are judged."""

    done: int
    of: int


def describe_mistake(move: ReviewedMove) -> str:
    """Return what was wrong with a move that was not good, and what was better and why, in words."""
    better = f"Better: {_with_reason(move.best, move.why or _effect(move.before.value))}."
    return f"{move.ply}. {_with_reason(f'{move.side} {move.move}', move.why_not)}: {describe_cost(move)}. {better}"


def describe_cost(move: ReviewedMove) -> str:
    """Return what a move that was not good gives away: ``a blunder that turns a draw into a loss``."""
    before, after = move.before, move.after
    if after.value is Value.LOSS and before.value is None:
        change = "loses by force"
    elif before.value is not None and after.value is not None and before.value is not after.value:
        change = f"turns a {before.value} into a {after.value}"
    elif before.value is Value.WIN:
        if after.value is None and move.label is Label.MISSED_WIN:
            return "a missed win"
        change = "lets a forced win go" if after.value is None else "wins more slowly"
    else:
        change = f"lowers the chances from {before.text} to {after.text}"
    article = "an" if move.label is Label.INACCURACY else "a"
    return f"{article} {move.label} that {change}"


def _with_reason(move: str, why: tuple[str, ...]) -> str:
    """A move and the first reason for it, or against it: ``b3, which blocks the row a3–c3``."""
    return f"{move}, which {why[0]}" if why else move


def _explains(reason: MoveReason) -> bool:
    """Whether a reason tells why a move is better than another: that it has open lines is true of most moves."""
    return bool(reason.idea) and reason.kind is not ReasonKind.STANDS


def _effect(value: Value | None) -> tuple[str, ...]:
    """What the best move of a position of a value does, where nothing else is known of it."""
    return {Value.WIN: ("wins by force",), Value.DRAW: ("holds the draw",)}.get(value, ()) if value else ()


def review_within(play: Playthrough, limit: Limit, **watched: Any) -> Review:
    """Return a review whose time limit is for all positions together; ``watched`` as in ``review``."""
    seconds = limit.seconds
    each = limit if seconds is None else limit._replace(seconds=seconds / (len(play.moves) + 1))
    return review(play, each, seconds=seconds, **watched)


def prepare_review(request: ReviewRequest) -> Job[ReviewAnswer]:
    play = playthrough_of(request.find_position(), request.result, request.tags)
    limit = request.find_limit(DEFAULT_SECONDS)

    def work(context: Context, report: Report) -> ReviewAnswer:
        def progress(done: int, total: int) -> None:
            context.check()
            report(StepProgress(done=done, of=total))

        def watch(_: object) -> bool:
            return context.should_continue

        advisor = context.make_advisor()
        return ReviewAnswer.of(review_within(play, limit, advisor=advisor, progress=progress, watch=watch))

    # Positions that are left when the time is up get a glance each.
    spare = MARGIN_SECONDS + GLANCE_SECONDS * len(play.moves)
    return Job(work, None if limit.seconds is None else limit.seconds + spare, is_long=True)


def _words(answer: ReviewAnswer) -> str:
    lines = [
        f"{move.ply}. {move.side} {move.move}: {move.label}, {move.after.text}"
        + ("" if move.best == move.move else f"; better {' '.join(move.line)}")
        + (f" ({'; '.join(move.why)})" if move.best != move.move and move.why else "")
        for move in answer.moves
    ]
    return "\n".join([f"{answer.game}, result {answer.result}:", *lines])


REVIEW = Question(
    "review",
    ReviewRequest,
    ReviewAnswer,
    prepare_review,
    "Return the evaluation of each move of a playthrough, and better moves where there are any.",
    _words,
    progress=StepProgress,
    public=PublicBounds(seconds=PUBLIC_SECONDS, nodes=100_000, cells=MAX_CELLS),
)
