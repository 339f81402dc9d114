"""The questions that need an engine or a textbook search: one table, for every way to ask them.

A question is declared once: its name, the models of its request and its answer, and a function that checks the
request and returns the job. The job runs where its context comes from, a worker process of the
server or the worker of a page without a server, and stops early when the context says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from noughts.analysis import hints
from noughts.analysis.advice import Advice, Advisor, solver_for_advice
from noughts.analysis.puzzles import make_puzzle
from noughts.analysis.reviews import review
from noughts.engine import Engine, Level, Limit, level
from noughts.games import Game, Position
from noughts.proof.solver import SolveProgress, Solver
from noughts.teaching.comparison import ALGORITHMS, CONTESTANTS, compare, search_options
from noughts.teaching.tree.trace import Trace, TraceTooLarge
from noughts.textbook import Learned, Phase, Score, q_learning, td_learning
from noughts.web.refusals import InvalidRequest
from noughts.web.requests import (
    AnalyseRequest,
    CompareRequest,
    GameRequest,
    HintRequest,
    LearnRequest,
    MoveRequest,
    PositionRequest,
    PuzzleRequest,
    ReviewRequest,
    SolveRequest,
    TraceRequest,
    make_playthrough,
)
from noughts.web.study_answers import (
    AnalysisAnswer,
    ComparisonAnswer,
    HintAnswer,
    LearningAnswer,
    MadePuzzleAnswer,
    MoveAnswer,
    PuzzleAnswer,
    ReviewAnswer,
    SearchProgress,
    SolutionAnswer,
    StepProgress,
    StopReason,
    TraceAnswer,
)

__all__ = ["QUESTIONS", "Job", "JobContext", "Question", "Report", "at_limited_rate"]

QUICK_SECONDS = 0.25
"""Longest search that counts as quick."""
LEVEL_SECONDS = 2.0
"""Time that a move of a level below master may take, on a busy machine."""
MAX_LIGHT_CELLS, MAX_LIGHT_LINES = 400, 4000
"""Largest game whose searches may count as quick."""
MARGIN_SECONDS = 1.0
"""Time for the parts of a review that have no limit of their own."""
MAX_LINES = 400
"""Lines of an analysis of every move: with more, the whole time would be spent on the first depth."""
MAX_REVIEW_CELLS = 1024
"""Largest board for a review: beyond it even a glance at each position takes too long."""
GLANCE_SECONDS = 0.03
"""Shortest search of a position on the largest board, on a busy machine."""
MAX_SOLVE_CELLS = 400
"""Largest board to solve: beyond it a minute proves nothing but short wins, which an analysis sees, too."""
MAX_PUZZLE_CELLS = 400
PUZZLE_NODES = 100_000
PUZZLE_SECONDS = 10.0
"""Bounds for making a puzzle; a search of ``PUZZLE_NODES`` takes a second or two."""
MAX_TEXTBOOK_CELLS = 100
"""Largest board for searches in plain Python: beyond it they neither finish nor teach anything."""
SOLVER_MB = 128
"""Memory for a proof; at most one fewer than there are workers run at a time."""
TRACE_SECONDS = 5.0
MAX_LEARNING_CELLS = 9
"""Largest board for a learner: beyond it, a table needs more playthroughs than a request may ask for."""
LEARNING_SECONDS = 8.0
LEARNERS: dict[str, Callable[..., Learned]] = {"q_learning": q_learning, "td_learning": td_learning}
MIN_TURN_SECONDS = 0.05
"""Time of work that is resumed when its time is almost up."""
REPORT_SECONDS = 1 / 15
"""Minimum time between progress reports of one question."""

Request = TypeVar("Request", bound=GameRequest)
Answer = TypeVar("Answer", bound=BaseModel)
Report = Callable[[BaseModel], object]
"""Receives progress reports."""


def at_limited_rate(report: Report) -> Report:
    """Return a function that passes on reports, at most one in ``REPORT_SECONDS``."""
    last = 0.0

    def pass_on(progress: BaseModel) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_SECONDS:
            last = now
            report(progress)

    return pass_on


class JobContext(Protocol):
    """What a job works with, and whether it should stop."""

    @property
    def engine(self) -> Engine:
        """The engine of the worker."""

    @property
    def advisor(self) -> Advisor:
        """The advisor of the worker, with its engine."""

    def make_advisor(self) -> Advisor:
        """Return an advisor with an engine of its own, for work that must not depend on earlier questions."""

    @property
    def is_stopped(self) -> bool:
        """Whether the result found so far is wanted now."""

    @property
    def should_continue(self) -> bool:
        """Whether there is still a reason to work on the job."""

    def check(self, *_: object) -> None:
        """Raise if the job should stop: a progress callback for work that cannot be interrupted."""


@dataclass(frozen=True)
class Job(Generic[Answer]):
    """Work for an engine that takes at most ``seconds``.

    ``work`` of a resumable job can be stopped, returns the best answer so far, and continues when it is called again;
    ``restore`` gives it the answer of an earlier turn elsewhere. A long job is one that takes seconds and keeps its
    worker. A quick one takes a fraction of a second, so that it need not wait for others.
    """

    work: Callable[[JobContext, Report], Answer]
    seconds: float
    is_long: bool = False
    is_resumable: bool = False
    is_quick: bool = False
    restore: Callable[[Answer], object] | None = None

    @property
    def is_preemptible(self) -> bool:
        """Whether it makes room for others while they wait: not if it needs much memory to be resumed."""
        return self.is_resumable and not self.is_long


@dataclass(frozen=True)
class Question(Generic[Request, Answer]):
    """A question: ``prepare`` checks the request and returns the job; it runs in the fast pool.

    A live question reports progress and can be asked on the websocket. If it gives partial answers, it can be stopped
    there and then answers with the result found so far.
    """

    name: str
    request: type[Request]
    answer: type[Answer]
    prepare: Callable[[Request], Job[Answer]]
    is_live: bool = False
    gives_partial_answers: bool = False
    tag: str = "thinking"


# Moves


def prepare_move(request: MoveRequest) -> Job[MoveAnswer]:
    """Return a move at a level, and the position after it."""
    position = request.find_unfinished()
    limit = request.find_limit(position)
    seconds = limit.max_thinking_seconds(position) or request.seconds
    if request.level != Level.MASTER:  # these levels ignore the time, and need little
        seconds = max(seconds, LEVEL_SECONDS)
    is_quick = (request.level != Level.MASTER or seconds <= QUICK_SECONDS) and _is_light(position.game)

    def work(context: JobContext, _: Report) -> MoveAnswer:
        move = level(request.level, engine=context.engine).choose(position, limit, watch=context.check)
        entry = context.engine.find_in_book(position) if request.level == Level.MASTER else None
        return MoveAnswer.of(position, move, None if entry is None or entry.move != move else entry.value is not None)

    return Job(work, seconds, is_quick=is_quick)


def _is_light(game: Game) -> bool:
    """Return whether a search of a game ends soon after its time is up; in a heavy one, a single node takes long."""
    return game.cells <= MAX_LIGHT_CELLS and len(game.lines) <= MAX_LIGHT_LINES


# Advice


def prepare_hint(request: HintRequest) -> Job[HintAnswer]:
    """Return a hint in steps: an idea, an area, candidates, the move and the reasons for it."""
    position = request.find_unfinished()

    def work(context: JobContext, _: Report) -> HintAnswer:
        return HintAnswer.of_hint(
            position, hints.hint(position, Limit(seconds=request.seconds), advisor=context.advisor)
        )

    return Job(work, request.seconds, is_quick=request.seconds <= QUICK_SECONDS and _is_light(position.game))


def prepare_analysis(request: AnalyseRequest) -> Job[AnalysisAnswer]:
    """Return the best moves with their lines."""
    position = request.find_unfinished()
    lines = min(MAX_LINES if request.every else request.lines, len(position.legal_moves))
    work = _Analysis(position, lines, request.seconds, request.resumed)
    return Job(work, request.seconds, is_resumable=True, restore=work.restore)


class _Analysis:
    """An analysis in turns; its reports and its answer never become shallower from one turn to the next."""

    def __init__(self, position: Position, lines: int, seconds: float, is_resumed: bool) -> None:
        self._position, self._lines, self._is_resumed = position, lines, is_resumed
        self._deadline = time.monotonic() + seconds
        self._deepest: AnalysisAnswer | None = None
        self._solver: Solver | None = None

    def restore(self, answer: AnalysisAnswer) -> None:
        """Continue after an answer that was found elsewhere."""
        self._deepest = answer

    def __call__(self, context: JobContext, report: Report) -> AnalysisAnswer:
        def progress(found: list[Advice]) -> bool:
            if self._is_as_deep(found):
                report(AnalysisAnswer.of(self._position, found))
            return context.should_continue

        if self._solver is None and not self._is_resumed:
            self._solver = solver_for_advice(self._position)
        found = context.advisor.advise(
            self._position,
            _limit_until(self._deadline),
            lines=self._lines,
            progress=progress,
            is_resumed=self._is_resumed or self._deepest is not None,
            solver=self._solver,
        )
        reason: StopReason = "stopped" if context.is_stopped else "time"
        if self._deepest is None or self._is_as_deep(found):
            is_proven = all(line.value is not None for line in found)
            self._deepest = AnalysisAnswer.of(self._position, found, "proven" if is_proven else reason)
        elif self._deepest.reason != "proven":
            self._deepest.reason = reason
        return self._deepest

    def _is_as_deep(self, found: list[Advice]) -> bool:
        return self._deepest is None or found[0].result.depth >= self._deepest.depth


def _limit_until(deadline: float) -> Limit:
    return Limit(seconds=max(MIN_TURN_SECONDS, deadline - time.monotonic()))


# Reviews and proofs


def prepare_review(request: ReviewRequest) -> Job[ReviewAnswer]:
    """Return the worth of each move of a playthrough, and better moves where there are any."""
    play = make_playthrough(request.find_position(), request.tags)
    if play.game.cells > MAX_REVIEW_CELLS:
        raise InvalidRequest(f"expected a board of at most {MAX_REVIEW_CELLS} cells for a review; analyse takes any")

    def work(context: JobContext, report: Report) -> ReviewAnswer:
        def progress(done: int, total: int) -> None:
            context.check()
            report(StepProgress(done=done, of=total))

        share = Limit(seconds=request.seconds / (len(play.moves) + 1))
        return ReviewAnswer.of(
            review(play, share, advisor=context.make_advisor(), progress=progress, seconds=request.seconds)
        )

    # Positions that are left when the time is up get a glance each.
    return Job(work, request.seconds + MARGIN_SECONDS + GLANCE_SECONDS * len(play.moves), is_long=True)


def prepare_solution(request: SolveRequest) -> Job[SolutionAnswer]:
    """Return the proven value of a position, or bounds for it when the time is up. Proven values are saved."""
    position = request.find_unfinished()
    if position.game.cells > MAX_SOLVE_CELLS:
        raise InvalidRequest(f"expected a board of at most {MAX_SOLVE_CELLS} cells to solve; noughts solve takes any")

    return Job(_Proof(position, request.seconds), request.seconds, is_long=True, is_resumable=True)


class _Proof:
    """A proof in turns, with one solver for all of them."""

    def __init__(self, position: Position, seconds: float) -> None:
        self._position, self._deadline = position, time.monotonic() + seconds
        self._solver: Solver | None = None

    def __call__(self, context: JobContext, report: Report) -> SolutionAnswer:
        def progress(found: SolveProgress) -> bool:
            report(
                SearchProgress(
                    text=str(found),
                    nodes=found.nodes,
                    seconds=round(found.seconds, 1),
                    share=None if found.share is None else [round(part, 3) for part in found.share],
                    proof=found.proof,
                    disproof=found.disproof,
                    attacker=found.attacker,
                )
            )
            return context.should_continue

        self._solver = self._solver or Solver(self._position, SOLVER_MB)
        solutions, limit = context.advisor.solutions, _limit_until(self._deadline)
        return SolutionAnswer.of(
            solutions.solve(self._position, limit, progress, memory_mb=SOLVER_MB, solver=self._solver)
        )


# Puzzles


def prepare_puzzle(request: PuzzleRequest) -> Job[MadePuzzleAnswer]:
    """Make a puzzle of a position, if it has one solution that can be proven in seconds."""
    position = request.find_unfinished()

    def work(context: JobContext, _: Report) -> MadePuzzleAnswer:
        context.check()
        puzzle = None if position.game.cells > MAX_PUZZLE_CELLS else make_puzzle(position, PUZZLE_NODES, most_moves=3)
        return MadePuzzleAnswer(puzzle=None if puzzle is None else PuzzleAnswer.of(puzzle))

    return Job(work, PUZZLE_SECONDS, is_long=True)


# Textbook searches


def _find_textbook_position(request: PositionRequest) -> Position:
    position = request.find_unfinished()
    if position.game.cells > MAX_TEXTBOOK_CELLS:
        raise InvalidRequest(f"expected a board of at most {MAX_TEXTBOOK_CELLS} cells for a textbook search")
    return position


def prepare_trace(request: TraceRequest) -> Job[TraceAnswer]:
    """Return the search tree of a textbook algorithm, or its first nodes. docs/trace-format.md describes it."""
    position = _find_textbook_position(request)
    options = search_options(request.algorithm, request.order, request.evaluate, request.depth, request.simulations)
    option_names = {name: getattr(option, "__name__", option) for name, option in options.items() if name != "seconds"}

    def work(context: JobContext, _: Report) -> TraceAnswer:
        trace = _BoundedTrace(
            context, request.algorithm, option_names | {"evaluate": request.evaluate}, max_nodes=request.nodes
        )
        try:
            ALGORITHMS[request.algorithm](position, trace=trace, **options)
        except TraceTooLarge:
            return TraceAnswer.of(trace, is_whole=False, has_replay=request.replay)
        return TraceAnswer.of(trace, is_whole=True, has_replay=request.replay)

    return Job(work, TRACE_SECONDS, is_long=True)


class _BoundedTrace(Trace):
    """A trace that ends the search after ``max_nodes`` nodes, after a few seconds, or when it should stop."""

    def __init__(self, context: JobContext, algorithm: str, options: dict[str, Any], max_nodes: int) -> None:
        super().__init__(algorithm, options)
        self._context, self._max_nodes, self._deadline = context, max_nodes, time.monotonic() + TRACE_SECONDS

    def enter(self, position: Position, alpha: int | None = None, beta: int | None = None) -> None:
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


def prepare_comparison(request: CompareRequest) -> Job[ComparisonAnswer]:
    """Return the number of nodes that each textbook search needs; each gets the requested seconds."""
    position = _find_textbook_position(request)

    def work(context: JobContext, report: Report) -> ComparisonAnswer:
        def progress(name: str, count: int) -> None:
            context.check()
            report(SearchProgress(text=name, nodes=count))

        return ComparisonAnswer.of(
            compare(position, request.depth, request.evaluate, request.seconds, progress=progress)
        )

    return Job(work, request.seconds * len(CONTESTANTS), is_long=True)


class _TimeUp(Exception):
    pass


def prepare_learning(request: LearnRequest) -> Job[LearningAnswer]:
    """Return the learning curve of a textbook learner: its results against a random player while it trains."""
    game = request.find_game()
    if game.cells > MAX_LEARNING_CELLS:
        raise InvalidRequest(f"expected a board of at most {MAX_LEARNING_CELLS} cells for a learner")
    options = request.model_dump(include={"playthroughs", "exploration", "learning_rate", "seed"})

    def work(context: JobContext, _: Report) -> LearningAnswer:
        curve: list[Score] = []
        deadline = time.monotonic() + LEARNING_SECONDS

        def add(score: Score) -> None:
            context.check()
            curve.append(score)
            if time.monotonic() > deadline:
                raise _TimeUp

        with suppress(_TimeUp):
            LEARNERS[request.algorithm](game, **options, report=add)
        return LearningAnswer.of(curve, is_whole=curve[-1].playthroughs == request.playthroughs)

    return Job(work, LEARNING_SECONDS, is_long=True)


MOVE = Question("move", MoveRequest, MoveAnswer, prepare_move)
HINT = Question("hint", HintRequest, HintAnswer, prepare_hint)
ANALYSE = Question(
    "analyse", AnalyseRequest, AnalysisAnswer, prepare_analysis, is_live=True, gives_partial_answers=True
)
REVIEW = Question("review", ReviewRequest, ReviewAnswer, prepare_review, is_live=True)
SOLVE = Question("solve", SolveRequest, SolutionAnswer, prepare_solution, is_live=True, gives_partial_answers=True)
PUZZLE = Question("puzzle", PuzzleRequest, MadePuzzleAnswer, prepare_puzzle)
TRACE = Question("trace", TraceRequest, TraceAnswer, prepare_trace, tag="learning")
LEARN = Question("learn", LearnRequest, LearningAnswer, prepare_learning, tag="learning")
COMPARE = Question("compare", CompareRequest, ComparisonAnswer, prepare_comparison, is_live=True, tag="learning")

QUESTIONS: dict[str, Question[Any, Any]] = {
    question.name: question for question in (MOVE, HINT, ANALYSE, REVIEW, SOLVE, PUZZLE, TRACE, COMPARE, LEARN)
}
