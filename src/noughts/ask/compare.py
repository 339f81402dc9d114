"""The question ``compare``: textbook searches side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts.ask.question import Context, Job, PublicBounds, Question, Report, Tag
from noughts.ask.requests import PositionRequest
from noughts.ask.trace import TEXTBOOK_CELLS, EvaluationName
from noughts.games.quoting import count
from noughts.schema import Bound, Shape
from noughts.teaching.comparison import CONTESTANTS, Comparison, compare, label
from noughts.teaching.tree import TreeSize, format_value

__all__ = ["COMPARE", "CompareRequest", "ComparisonAnswer"]

PUBLIC_SECONDS = 2.0


@dataclass(frozen=True, kw_only=True)
class CompareRequest(PositionRequest):
    """Textbook searches to compare."""

    depth: Annotated[int | None, Bound(at_least=0, at_most=64), "Depth of the searches; null: to the end."] = None
    evaluate: EvaluationName = "outcome"
    seconds: Annotated[float, Bound(above=0, at_most=86_400), "Time limit for each search, in seconds."] = 1.0


@dataclass(frozen=True, kw_only=True)
class ComparedSearch(Shape):
    """Effort of one search."""

    algorithm: str
    order: str
    label: str
    nodes: int | None
    seconds: float | None
    nodes_per_second: int | None
    reduction: float | None
    move: str | None
    cell: int | None
    value: int | float | None
    note: str


@dataclass(frozen=True, kw_only=True)
class ComparisonAnswer(Shape):
    """Textbook searches compared on a position."""

    name: str
    game: str
    position: str
    depth: int | None
    evaluate: str
    tree: TreeSize
    whole_tree: TreeSize
    rows: tuple[ComparedSearch, ...]

    @classmethod
    def of(cls, found: Comparison) -> ComparisonAnswer:
        rows = [ComparedSearch.from_attributes(row, label=label(row.algorithm, row.order)) for row in found.rows]
        return cls.from_attributes(found, rows=tuple(rows))


@dataclass(frozen=True, kw_only=True)
class ComparisonProgress(Shape):
    """The search that runs, and the number of nodes it has visited."""

    text: str
    nodes: int


def prepare_comparison(request: CompareRequest) -> Job[ComparisonAnswer]:
    position = request.find_unfinished()

    def work(context: Context, report: Report) -> ComparisonAnswer:
        def progress(name: str, count: int) -> None:
            context.check()
            report(ComparisonProgress(text=name, nodes=count))

        return ComparisonAnswer.of(
            compare(position, request.depth, request.evaluate, request.seconds, progress=progress)
        )

    return Job(work, request.seconds * len(CONTESTANTS), is_long=True)


def _words(answer: ComparisonAnswer) -> str:
    extent = "to the end" if answer.depth is None else f"to depth {answer.depth}"
    return "\n".join([f"{answer.game} {answer.position}, {extent}:", *map(_describe, answer.rows)])


def _describe(row: ComparedSearch) -> str:
    if row.nodes is None:
        return f"{row.label}: {row.note}"
    less = row.reduction or 0.0
    reduction = f", {abs(less):.1%} {'fewer' if less > 0 else 'more'} than minimax" if less else ""
    return f"{row.label}: {count(row.nodes, 'node')}{reduction}; {row.move}, value {format_value(row.value)}"


COMPARE = Question(
    "compare",
    CompareRequest,
    ComparisonAnswer,
    prepare_comparison,
    "Return the number of nodes that each textbook search needs; each gets the requested seconds.",
    _words,
    progress=ComparisonProgress,
    public=PublicBounds(seconds=PUBLIC_SECONDS, cells=TEXTBOOK_CELLS),
    tag=Tag.LEARNING,
)
