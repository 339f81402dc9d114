"""The question ``trace``: the search tree of a textbook algorithm. docs/trace-format.md describes it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from noughts.ask.evaluations import PlayedMove, move_of
from noughts.ask.question import Context, Job, PublicBounds, Question, Report, Tag
from noughts.ask.requests import GameReference, PositionRequest
from noughts.games import Position
from noughts.games.quoting import count
from noughts.schema import Bound, Example, InvalidData, Length, OneOf, Shape
from noughts.teaching.comparison import ALGORITHMS, EVALUATIONS, ORDERS, search_options
from noughts.teaching.tree.pseudocode import pseudocode_of
from noughts.teaching.tree.replay import replay
from noughts.teaching.tree.search_tree import format_number, format_value
from noughts.teaching.tree.steps import Step
from noughts.teaching.tree.trace import Trace, TraceData, TraceTooLarge, record_typed, shown_options
from noughts.teaching.tree.typed_tree import TYPED_SEARCHES, TypedTree
from noughts.textbook import Phase

__all__ = ["TEXTBOOK_CELLS", "TRACE", "AlgorithmName", "EvaluationName", "TraceAnswer"]

TEXTBOOK_CELLS = 100
"""Largest board for searches in plain Python: beyond it they neither finish nor teach anything."""
SECONDS = 5.0
MAX_NODES = 5000
MAX_SIMULATIONS = 1000

AlgorithmName = Annotated[str, OneOf(tuple(ALGORITHMS))]
OrderName = Annotated[str, OneOf(tuple(ORDERS))]
EvaluationName = Annotated[str, OneOf(tuple(EVALUATIONS))]


@dataclass(frozen=True, kw_only=True)
class TraceRequest(PositionRequest):
    """A textbook search to record, of a position or of a tree with typed leaf values."""

    game: GameReference = "3x3"
    leaves: Annotated[
        Annotated[str, Length(4000)] | None,
        "Leaf values of a tree to search in place of a position: spaces between the leaves of a node, `/` between "
        "nodes, `//` a level above, brackets for other shapes, `min:` before them if MIN moves first.",
        Example("3 12 8 / 2 4 6 / 14 5 2"),
    ] = None
    algorithm: AlgorithmName = "alphabeta"
    order: OrderName = "row_by_row"
    evaluate: EvaluationName = "outcome"
    depth: Annotated[
        int | None, Bound(at_least=0, at_most=64), "Depth of the search, of rollouts in mcts; null: to the end."
    ] = None
    simulations: Annotated[int, Bound(at_least=1, at_most=MAX_SIMULATIONS), "Rounds of Monte-Carlo tree search."] = 100
    nodes: Annotated[int, Bound(at_least=1, at_most=MAX_NODES), "Maximum number of nodes to record."] = 1000
    replay: Annotated[bool, "Whether to answer with the steps in words and questions about them, too."] = False

    def find_typed_tree(self) -> TypedTree | None:
        """Return the tree with typed leaf values, if there are any; raises ValueError."""
        if self.leaves is None:
            return None
        if self.start is not None or self.moves or self.position is not None or self.depth is not None:
            raise InvalidData("expected leaf values, or a position with a depth, got both")
        if self.algorithm not in TYPED_SEARCHES:
            searches = ", ".join(TYPED_SEARCHES)
            raise InvalidData(f"expected a search of leaf values ({searches}), got {self.algorithm}")
        return TypedTree.parse(self.leaves)


@dataclass(frozen=True, kw_only=True)
class QuizAnswer(Shape):
    """A question about the next step, for a reader who predicts it; `right` is the number of the right choice."""

    text: str
    choices: tuple[str, ...]
    right: int


@dataclass(frozen=True, kw_only=True)
class ReplayStep(Shape):
    """A step of a search in words. It makes a part of the tree visible and changes texts at nodes."""

    kind: Annotated[str, "enter, leave, cut; in a grown tree select, expand, simulate, backpropagate."]
    part: Literal["node", "pruned", "more"]
    node: int
    text: str
    tally: str
    mark: Annotated[bool, "Whether it is a cutoff or the beginning of a round."]
    writes: Annotated[dict[str, dict[str, str]], "New texts by node and name."]
    question: QuizAnswer | None
    rollout: Annotated[tuple[PlayedMove, ...], "The moves of a simulation."]
    code: Annotated[tuple[int, ...], "The lines of `pseudocode` that it carries out, from 0."]

    @classmethod
    def of(cls, trace: Trace, step: Step) -> ReplayStep:
        """Return the answer for a step of a replay."""
        quiz = step.question
        return cls.from_attributes(
            step,
            writes={str(node): texts for node, texts in step.writes.items()},
            question=None if quiz is None else QuizAnswer.from_attributes(quiz, choices=tuple(quiz.choices)),
            rollout=tuple(_rollout(trace.start, step)) if step.rollout else (),
            code=tuple(step.code),
        )


def _rollout(start: Position, step: Step) -> Iterator[PlayedMove]:
    position = start.copy()
    for move in step.origin:
        position.play(move)
    for move in step.rollout:
        yield PlayedMove(**move_of(position.game, move), side=position.side_to_move)
        position.play(move)


@dataclass(frozen=True, kw_only=True)
class TraceAnswer(TraceData):
    """The search tree of a real run; see docs/trace-format.md."""

    is_whole: Annotated[bool, "False: the search was longer, these are its first nodes."]
    replay: Annotated[tuple[ReplayStep, ...], "The steps of all passes in words, if they were asked for."]
    pseudocode: Annotated[tuple[str, ...], "The search in pseudocode, line by line; empty if there is none."]

    @classmethod
    def of_trace(cls, trace: Trace, is_whole: bool, has_replay: bool) -> TraceAnswer:
        steps = [
            ReplayStep.of(trace, step)
            for root in trace.passes
            for step in (replay(trace, trace.visited, root) if has_replay else ())
        ]
        code = tuple(pseudocode_of(trace.algorithm).lines)
        return cls.of(trace, is_whole=is_whole, replay=tuple(steps), pseudocode=code)


def prepare_trace(request: TraceRequest) -> Job[TraceAnswer]:
    """Return the job that records a search."""
    typed = request.find_typed_tree()
    position = None if typed else request.find_unfinished()
    options = search_options(request.algorithm, request.order, request.evaluate, request.depth, request.simulations)
    search = ALGORITHMS[request.algorithm]

    def work(context: Context, _: Report) -> TraceAnswer:
        shown = {} if typed else shown_options(options)
        trace = _BoundedTrace(context, request.algorithm, shown, request.nodes, typed)
        is_whole = True
        try:
            if typed is not None:
                record_typed(search, typed, trace)
            else:
                search(position, trace=trace, **options)
        except TraceTooLarge:
            is_whole = False
        return TraceAnswer.of_trace(trace, is_whole, has_replay=request.replay)

    return Job(work, SECONDS, is_long=True)


class _BoundedTrace(Trace):
    """A trace that ends the search after ``max_nodes`` nodes, after a few seconds, or when it should stop."""

    def __init__(
        self, context: Context, algorithm: str, options: dict[str, object], max_nodes: int, typed: TypedTree | None
    ) -> None:
        super().__init__(algorithm, options, typed=typed)
        self._context, self._max_nodes, self._deadline = context, max_nodes, time.monotonic() + SECONDS

    def enter(self, position: Position, alpha: float | None = None, beta: float | None = None) -> None:
        """Record a node; raises TraceTooLarge when there are enough."""
        self._check()
        super().enter(position, alpha, beta)

    def step(self, phase: Phase, position: Position, numbers: Mapping[str, int | float]) -> None:
        """Record a step; raises TraceTooLarge when there are enough nodes."""
        self._check()
        super().step(phase, position, numbers)

    def _check(self) -> None:
        self._context.check()
        if self.visited >= self._max_nodes or time.monotonic() > self._deadline:
            raise TraceTooLarge(f"more than {self._max_nodes} nodes")


def _words(answer: TraceAnswer) -> str:
    moves = {node.id: node.move for node in answer.nodes}
    line = [moves[node] or "" for node in answer.principal[1:]]
    found = f"{answer.algorithm} visited {count(answer.counts.visited, 'node')}"
    pruned = f"pruned {count(answer.counts.pruned, 'branch')}"
    if not answer.is_whole:
        return f"{found} and {pruned} before it was stopped."
    worth = f"for MAX is {format_number(answer.value)}" if answer.leaves else f"for X is {format_value(answer.value)}"
    return f"{found} and {pruned}. The value {worth}, with the line {' '.join(line)}."


TRACE = Question(
    "trace",
    TraceRequest,
    TraceAnswer,
    prepare_trace,
    "Return the search tree of a textbook algorithm, or its first nodes.",
    _words,
    public=PublicBounds(cells=TEXTBOOK_CELLS),
    tag=Tag.LEARNING,
)
