"""The question ``compare``: textbook searches side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts.ask.question import Context, Job, PublicBounds, Question, Report, Tag
from noughts.ask.requests import PositionRequest
from noughts.ask.trace import TEXTBOOK_CELLS, EvaluationName
from noughts.schema import Bound, Shape
from noughts.teaching.comparison import CONTESTANTS, Comparison, Row, compare, label

__all__ = ["COMPARE", "CompareRequest", "ComparisonAnswer"]

PUBLIC_SECONDS = 2.0


@dataclass(frozen=True, kw_only=True)
class CompareRequest(PositionRequest):
    """Textbook searches to compare."""

    depth: Annotated[int | None, Bound(at_least=0, at_most=64), "Depth of the searches; null: to the end."] = None
    evaluate: EvaluationName = "outcome"
    seconds: Annotated[float, Bound(above=0, at_most=86_400), "Time limit for each search, in seconds."] = 1.0


@dataclass(frozen=True, kw_only=True)
class TreeSizeAnswer(Shape):
    """Number of nodes that plain minimax would visit."""

    nodes: int
    is_exact: bool


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

    @classmethod
    def of(cls, row: Row) -> ComparedSearch:
        """Return the answer for a row of a comparison."""
        return cls(
            algorithm=row.algorithm,
            order=row.order,
            label=label(row.algorithm, row.order),
            nodes=row.nodes,
            seconds=row.seconds,
            nodes_per_second=row.nodes_per_second,
            reduction=row.reduction,
            move=row.move,
            cell=row.cell,
            value=row.value,
            note=row.note,
        )


@dataclass(frozen=True, kw_only=True)
class ComparisonAnswer(Shape):
    """Textbook searches compared on a position."""

    name: str
    game: str
    position: str
    depth: int | None
    evaluate: str
    tree: TreeSizeAnswer
    whole_tree: TreeSizeAnswer
    rows: tuple[ComparedSearch, ...]

    @classmethod
    def of(cls, found: Comparison) -> ComparisonAnswer:
        return cls(
            name=found.name,
            game=found.game,
            position=found.position,
            depth=found.depth,
            evaluate=found.evaluate,
            tree=TreeSizeAnswer(nodes=found.tree.nodes, is_exact=found.tree.is_exact),
            whole_tree=TreeSizeAnswer(nodes=found.whole_tree.nodes, is_exact=found.whole_tree.is_exact),
            rows=tuple([ComparedSearch.of(row) for row in found.rows]),
        )


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


COMPARE = Question(
    "compare",
    CompareRequest,
    ComparisonAnswer,
    prepare_comparison,
    "Return the number of nodes that each textbook search needs; each gets the requested seconds.",
    progress=ComparisonProgress,
    public=PublicBounds(seconds=PUBLIC_SECONDS, cells=TEXTBOOK_CELLS),
    tag=Tag.LEARNING,
)
