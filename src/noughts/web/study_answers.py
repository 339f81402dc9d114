"""Answers about the quality of moves: analyses, hints, reviews, proofs, traces and comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Literal

from pydantic import BaseModel, Field

from noughts.analysis import advice, reviews
from noughts.analysis.hints import Hint
from noughts.analysis.puzzles import Goal, Puzzle
from noughts.games import Position, Side, Value
from noughts.games.quoting import count
from noughts.proof.solver import Solution
from noughts.teaching.comparison import Comparison, Row, label
from noughts.teaching.tree.replay import replay
from noughts.teaching.tree.search_tree import Family
from noughts.teaching.tree.steps import Step
from noughts.teaching.tree.trace import Trace, trace_to_json
from noughts.textbook import Score
from noughts.web.answers import PositionAnswer
from noughts.web.game_answers import GameData, title_of

__all__ = [
    "AnalysisAnswer",
    "ComparisonAnswer",
    "HintAnswer",
    "LearningAnswer",
    "MadePuzzleAnswer",
    "MoveAnswer",
    "PuzzleAnswer",
    "PuzzlesAnswer",
    "ReviewAnswer",
    "SearchProgress",
    "SolutionAnswer",
    "StepProgress",
    "TraceAnswer",
]

StopReason = Literal["time", "proven", "stopped"]


class Worth(BaseModel):
    """Worth of a position to a side: an estimated score or a proven value."""

    score: int | None
    value: Value | None
    plies: int | None = Field(description="Maximum length of a proven win or loss.")
    chance: float = Field(ge=0, le=1)
    text: str = Field(description="In words; an estimate as the chance to win.", examples=["win in 3 moves", "57 %"])

    @classmethod
    def of(cls, found: advice.Worth) -> Worth:
        """Return the answer for a worth."""
        return cls(**_worth_fields(found))


def _worth_fields(found: advice.Worth) -> dict[str, Any]:
    # Only a proven value is certain.
    text = f"{min(99, max(1, round(100 * found.chance)))} %" if found.value is None else str(found.value)
    if found.plies:
        # The moves of the winner: it makes the last one, and the loser moves first in a lost position.
        text += f" in {count((found.plies + 1) // 2, 'move')}"
    return found.to_data() | {"text": text}


class MoveAnswer(BaseModel):
    """A move of the engine, and the position after it. ``book`` says whether it is from the book."""

    move: int
    name: str
    position: PositionAnswer
    book: Literal["proven", "not proven"] | None

    @classmethod
    def of(cls, position: Position, move: int, is_proven: bool | None = None) -> MoveAnswer:
        """Return the answer for a move; ``is_proven`` is None if it is not from the book."""
        after = PositionAnswer.of(position.after(move))
        book: Literal["proven", "not proven"] | None = None
        if is_proven is not None:
            book = "proven" if is_proven else "not proven"
        return cls(move=move, name=position.format_move(move), position=after, book=book)


class Candidate(BaseModel):
    """A move worth considering; ``source`` says how its worth is known."""

    move: int
    name: str
    worth: Worth
    source: advice.Source

    @classmethod
    def of(cls, position: Position, found: advice.Advice) -> Candidate:
        """Return the answer for a move of some advice."""
        name, worth = position.format_move(found.move), Worth.of(found.worth)
        return cls(move=found.move, name=name, worth=worth, source=found.source)


class HintAnswer(Candidate):
    """A hint with all its steps."""

    idea: str
    area: list[int]
    area_name: str
    candidates: list[Candidate]
    why: list[str]

    @classmethod
    def of_hint(cls, position: Position, hint: Hint) -> HintAnswer:
        """Return the answer for a hint."""
        return cls(
            move=hint.move,
            name=position.format_move(hint.move),
            worth=Worth.of(hint.advice.worth),
            source=hint.advice.source,
            idea=hint.idea,
            area=list(hint.area),
            area_name=hint.area_name,
            candidates=[Candidate.of(position, candidate) for candidate in hint.candidates],
            why=list(hint.why),
        )


class Line(Candidate):
    """A line of an analysis."""

    x_chance: float
    pv: list[int]
    pv_names: list[str]

    @classmethod
    def of(cls, position: Position, found: advice.Advice) -> Line:
        """Return the answer for a line of some advice."""
        chance = found.worth.chance
        return cls(
            move=found.move,
            name=position.format_move(found.move),
            worth=Worth.of(found.worth),
            source=found.source,
            x_chance=round(chance if position.turn is Side.X else 1 - chance, 4),
            pv=found.pv,
            pv_names=[position.format_move(move) for move in found.pv],
        )


class AnalysisAnswer(BaseModel):
    """The best moves with their lines. ``reason`` says why a finished analysis ended."""

    type: Literal["analysis"] = "analysis"
    done: bool
    depth: int
    nodes: int
    seconds: float
    nps: int
    turn: Side
    lines: list[Line]
    reason: StopReason | None

    @classmethod
    def of(cls, position: Position, lines: list[advice.Advice], reason: StopReason | None = None) -> AnalysisAnswer:
        """Return the answer for some advice; without a reason the work is in progress."""
        assert position.turn is not None
        best = lines[0].result
        return cls(
            done=reason is not None,
            depth=best.depth,
            nodes=best.nodes,
            seconds=round(best.seconds, 3),
            nps=best.nps,
            turn=position.turn,
            lines=[Line.of(position, line) for line in lines],
            reason=reason,
        )


class ReviewedMove(BaseModel):
    """A move under review."""

    ply: int
    side: Side
    cell: int
    move: str
    label: str
    best_cell: int
    best: str
    line_cells: list[int]
    line: list[str]
    before: Worth
    after: Worth
    before_for_x: Worth
    after_for_x: Worth
    cost: float
    accuracy: float
    choices: int


class GraphPoint(Worth):
    """Worth to X of the position after ``ply`` moves."""

    ply: int


class ReviewAnswer(BaseModel):
    """A review of a playthrough."""

    type: Literal["review"] = "review"
    game: str
    x: str | None
    o: str | None
    result: str
    termination: str | None
    start: str | None
    limit: str
    accuracy: dict[Side, float | None]
    labels: dict[Side, dict[str, int]]
    moves: list[ReviewedMove]
    graph: list[GraphPoint]

    @classmethod
    def of(cls, found: reviews.Review) -> ReviewAnswer:
        """Return the answer for a review."""
        play = found.playthrough
        accuracy = {side: found.accuracy(side) for side in Side}
        return cls(
            game=play.game.id,
            x=play.tags.get("X"),
            o=play.tags.get("O"),
            result=play.result,
            termination=play.outcome.reason if play.outcome else None,
            start=play.start,
            limit=str(found.limit),
            accuracy={side: None if percent is None else round(percent, 1) for side, percent in accuracy.items()},
            labels={side: {label: found.count(side, label) for label in reviews.Label} for side in Side},
            moves=[_reviewed_move(found, move) for move in found.moves],
            graph=[GraphPoint(ply=point.ply, **_worth_fields(point.worth)) for point in found.graph],
        )


def _reviewed_move(found: reviews.Review, move: reviews.MoveReview) -> ReviewedMove:
    name = found.playthrough.game.format_cell
    return ReviewedMove(
        ply=move.ply,
        side=move.side,
        cell=move.move,
        move=name(move.move),
        label=move.label,
        best_cell=move.best,
        best=name(move.best),
        line_cells=list(move.line),
        line=[name(cell) for cell in move.line],
        before=Worth.of(move.before),
        after=Worth.of(move.after),
        before_for_x=Worth.of(move.before_for_x),
        after_for_x=Worth.of(move.after_for_x),
        cost=round(move.cost, 4),
        accuracy=round(move.accuracy, 1),
        choices=move.choices,
    )


class SolutionAnswer(BaseModel):
    """Value of a position with best play, for the side to move."""

    type: Literal["solution"] = "solution"
    value: Value | None
    lower: Value
    upper: Value
    move: int | None
    name: str | None
    nodes: int
    seconds: float

    @classmethod
    def of(cls, found: Solution) -> SolutionAnswer:
        """Return the answer for a solution."""
        return cls(
            value=found.value,
            lower=found.lower,
            upper=found.upper,
            move=found.move,
            name=None if found.move is None else found.position.format_move(found.move),
            nodes=found.nodes,
            seconds=round(found.seconds, 3),
        )


class PuzzleAnswer(BaseModel):
    """A position with one solution. The first ``steps`` moves of the solver in ``line`` are the only right ones."""

    id: str
    game: str
    title: str = Field(description="The name of the game.")
    start: str
    turn: Side
    text: str = Field(examples=["X wins in 3 moves"])
    goal: Goal
    line: list[int]
    steps: int
    rating: int

    @classmethod
    def of(cls, puzzle: Puzzle) -> PuzzleAnswer:
        """Return the answer for a puzzle."""
        position = puzzle.position()
        assert position.turn is not None
        return cls(
            id=puzzle.id,
            game=puzzle.game,
            title=title_of(position.game),
            start=puzzle.start,
            turn=position.turn,
            text=puzzle.text,
            goal=puzzle.goal,
            line=list(puzzle.line),
            steps=puzzle.steps,
            rating=puzzle.rating,
        )


class PuzzlesAnswer(BaseModel):
    """The puzzles that come with the package, in an order that stays the same."""

    puzzles: list[PuzzleAnswer]


class MadePuzzleAnswer(BaseModel):
    """The puzzle made of a position; null if its solution is not the only one, or not proven to be."""

    type: Literal["puzzle"] = "puzzle"
    puzzle: PuzzleAnswer | None


class TraceGame(BaseModel):
    """The game of a trace."""

    id: str
    data: GameData
    cells: int
    dimensions: list[int] | None
    block_size: int | None
    coordinates: list[list[float]]


class TraceNode(BaseModel):
    """A node of a trace; values are from X's side, null stands for infinity or unknown."""

    id: int
    parent: int | None
    move: int | None
    side: Side | None
    winner: Side | None
    alpha: int | None
    beta: int | None
    value: int | float | None
    note: str
    entered: int
    left: int | None
    legal: list[int]
    pruned: list[int]
    cutoff: str
    attacker: Side | None
    numbers: dict[str, int | float | None] = Field(description="In a grown tree, by name: visits, value, proof, …")


class TraceStep(BaseModel):
    """A step of a search that grows a tree."""

    phase: str
    node: int
    numbers: dict[str, int | float | None]
    rollout: list[int]
    bounds: list[dict[str, int | float | None]]


class ReplayQuestion(BaseModel):
    """A question about the next step, for a reader who predicts it; `right` is the number of the right choice."""

    text: str
    choices: list[str]
    right: int


class RolloutMove(BaseModel):
    """A move of a simulation."""

    move: int
    side: Side


class ReplayStep(BaseModel):
    """A step of a search in words. It makes a part of the tree visible and changes texts at nodes."""

    kind: str = Field(description="enter, leave, cut; in a grown tree select, expand, simulate, backpropagate.")
    part: Literal["node", "pruned", "more"]
    node: int
    text: str
    tally: str
    mark: bool = Field(description="Whether it is a cutoff or the beginning of a round.")
    writes: dict[int, dict[str, str]] = Field(description="New texts by node and name.")
    question: ReplayQuestion | None
    rollout: list[RolloutMove]


def _replay(trace: Trace) -> Iterator[ReplayStep]:
    """Yield the steps of all passes."""
    for root in trace.passes:
        for step in replay(trace, trace.visited, root):
            fields = asdict(step) | {"rollout": _rollout(trace.start, step) if step.rollout else []}
            yield ReplayStep.model_validate(fields)


def _rollout(position: Position, step: Step) -> list[RolloutMove]:
    for move in step.origin:
        position.play(move)
    moves = []
    for move in step.rollout:
        assert position.turn is not None
        moves.append(RolloutMove(move=move, side=position.turn))
        position.play(move)
    return moves


class TraceCounts(BaseModel):
    """Totals of a trace."""

    visited: int
    pruned: int
    cutoffs: int
    passes: int


class TraceAnswer(BaseModel):
    """The search tree of a real run; see docs/trace-format.md."""

    format: str
    version: int
    game: TraceGame
    position: str
    cells: list[Side | None]
    names: list[str]
    algorithm: str
    family: Family
    options: dict[str, str | int | float | bool | None]
    value: int | float | None
    principal: list[int]
    counts: TraceCounts
    nodes: list[TraceNode]
    steps: list[TraceStep]
    is_whole: bool = Field(description="False: the search was longer, these are its first nodes.")
    replay: list[ReplayStep] = Field(description="The steps of all passes in words, if they were asked for.")

    @classmethod
    def of(cls, trace: Trace, is_whole: bool, has_replay: bool) -> TraceAnswer:
        """Return the answer for a trace."""
        steps = list(_replay(trace)) if has_replay else []
        return cls.model_validate(trace_to_json(trace) | {"is_whole": is_whole, "replay": steps})


class LearningPoint(BaseModel):
    """Results of 100 playthroughs against a random player, half of them as X, after some training."""

    playthroughs: int
    wins: int
    draws: int
    losses: int


class LearningAnswer(BaseModel):
    """A learning curve."""

    curve: list[LearningPoint]
    is_whole: bool = Field(description="False: the time was up before the last playthrough.")

    @classmethod
    def of(cls, curve: list[Score], is_whole: bool) -> LearningAnswer:
        """Return the answer for the points of a curve."""
        return cls(curve=[LearningPoint(**score._asdict()) for score in curve], is_whole=is_whole)


class TreeSize(BaseModel):
    """Number of nodes that plain minimax would visit."""

    nodes: int
    is_exact: bool


class ComparedSearch(BaseModel):
    """Effort of one search."""

    algorithm: str
    order: str
    label: str
    nodes: int | None
    seconds: float | None
    reduction: float | None
    move: str | None
    value: int | float | None
    note: str
    nodes_per_second: int | None

    @classmethod
    def of(cls, row: Row) -> ComparedSearch:
        """Return the answer for a row of a comparison."""
        return cls(
            algorithm=row.algorithm,
            order=row.order,
            label=label(row.algorithm, row.order),
            nodes=row.nodes,
            seconds=row.seconds,
            reduction=row.reduction,
            move=row.move,
            value=row.value,
            note=row.note,
            nodes_per_second=row.nodes_per_second,
        )


class ComparisonAnswer(BaseModel):
    """Textbook searches compared on a position."""

    type: Literal["comparison"] = "comparison"
    name: str
    game: str
    position: str
    depth: int | None
    evaluate: str
    tree: TreeSize
    whole_tree: TreeSize
    rows: list[ComparedSearch]

    @classmethod
    def of(cls, found: Comparison) -> ComparisonAnswer:
        """Return the answer for a comparison."""
        return cls(
            name=found.name,
            game=found.game,
            position=found.position,
            depth=found.depth,
            evaluate=found.evaluate,
            tree=TreeSize(nodes=found.tree.nodes, is_exact=found.tree.is_exact),
            whole_tree=TreeSize(nodes=found.whole_tree.nodes, is_exact=found.whole_tree.is_exact),
            rows=[ComparedSearch.of(row) for row in found.rows],
        )


class StepProgress(BaseModel):
    """Progress of a review."""

    type: Literal["progress"] = "progress"
    done: int
    of: int


class SearchProgress(BaseModel):
    """Progress of a proof or a comparison; the numbers of a proof are null in a comparison.

    ``share`` is the estimated share of the work that is done, then the ends of its range; null while it is unknown.
    """

    type: Literal["progress"] = "progress"
    text: str
    nodes: int
    seconds: float | None = None
    share: list[float] | None = None
    proof: int | None = None
    disproof: int | None = None
    attacker: Side | None = None
