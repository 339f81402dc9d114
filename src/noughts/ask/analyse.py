"""The question ``analyse``: the best moves with their lines."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from noughts.analysis.advice import DEFAULT_LINES, Advice, solver_for_advice
from noughts.ask.evaluations import Candidate, describe_evaluation
from noughts.ask.question import MIN_TURN_SECONDS, Context, Job, PublicBounds, Question, Report
from noughts.ask.requests import SearchRequest
from noughts.engine import Limit
from noughts.games import Position, Side
from noughts.limit import DEFAULT_SECONDS
from noughts.proof.solver import Solver
from noughts.schema import Bound, Shape

__all__ = ["ANALYSE", "AnalyseRequest", "AnalysisAnswer"]

MAX_LINES = 400
"""Lines of an analysis of every move: with more, the whole time would be spent on the first depth."""
PUBLIC_SECONDS = 60.0

StopReason = Literal["limit", "proven", "stopped"]


@dataclass(frozen=True, kw_only=True)
class AnalyseRequest(SearchRequest):
    """A position to analyse."""

    lines: Annotated[int, Bound(at_least=1, at_most=1024), "Number of moves to return."] = DEFAULT_LINES
    every: Annotated[bool, "Return every legal move instead."] = False
    resumed: Annotated[bool, "Whether this continues an analysis whose time was up."] = False


@dataclass(frozen=True, kw_only=True)
class AnalysisAnswer(Shape):
    """The best moves with their lines, best first."""

    game: str
    position: str
    turn: Side
    depth: int
    nodes: int
    moves: tuple[Candidate, ...]
    reason: Annotated[StopReason | None, "Why a finished analysis ended; null while it is in progress."]

    @classmethod
    def of(cls, position: Position, found: Sequence[Advice], reason: StopReason | None = None) -> AnalysisAnswer:
        """Return the answer for some advice; without a reason the work is in progress."""
        best = found[0].result
        return cls(
            game=position.game.label,
            position=position.text,
            turn=position.side_to_move,
            depth=best.depth,
            nodes=best.nodes,
            moves=tuple([Candidate.of(position.game, each.evaluation, each.pv) for each in found]),
            reason=reason,
        )


def prepare_analysis(request: AnalyseRequest) -> Job[AnalysisAnswer]:
    position = request.find_unfinished()
    lines = min(MAX_LINES if request.every else request.lines, len(position.legal_moves))
    limit = request.find_limit(DEFAULT_SECONDS)
    work = _Analysis(position, lines, limit, request.resumed)
    return Job(work, limit.seconds, is_resumable=limit.is_timed, restore=work.restore)


class _Analysis:
    """An analysis in turns; its reports and its answer never become shallower from one turn to the next."""

    def __init__(self, position: Position, lines: int, limit: Limit, is_resumed: bool) -> None:
        self._position, self._lines, self._limit, self._is_resumed = position, lines, limit, is_resumed
        self._deadline = None if limit.seconds is None else time.monotonic() + limit.seconds
        self._deepest: AnalysisAnswer | None = None
        self._solver: Solver | None = None

    def restore(self, answer: AnalysisAnswer) -> None:
        """Continue after an answer that was found elsewhere."""
        self._deepest = answer

    def __call__(self, context: Context, report: Report) -> AnalysisAnswer:
        def progress(found: list[Advice]) -> bool:
            if self._is_as_deep(found):
                report(AnalysisAnswer.of(self._position, found))
            return context.should_continue

        if self._deadline is None:
            context.engine.clear()
        if self._solver is None and not self._is_resumed:
            self._solver = solver_for_advice(self._position)
        found = context.advisor.advise(
            self._position,
            self._limit if self._deadline is None else limit_until(self._deadline, self._limit),
            lines=self._lines,
            progress=progress,
            is_resumed=self._is_resumed or self._deepest is not None,
            solver=self._solver,
        )
        # An analysis without a limit on time has no turns: if it ends early, then it took too long for its interface.
        has_ended_early = context.is_stopped or (self._deadline is None and not context.should_continue)
        reason: StopReason = "stopped" if has_ended_early else "limit"
        if self._deepest is None or self._is_as_deep(found):
            is_proven = all(each.value is not None for each in found)
            self._deepest = AnalysisAnswer.of(self._position, found, "proven" if is_proven else reason)
        elif self._deepest.reason != "proven":
            self._deepest = replace(self._deepest, reason=reason)
        return self._deepest

    def _is_as_deep(self, found: list[Advice]) -> bool:
        return self._deepest is None or found[0].result.depth >= self._deepest.depth


def limit_until(deadline: float, limit: Limit) -> Limit:
    """Return the limit with the time that is left."""
    return limit._replace(seconds=max(MIN_TURN_SECONDS, deadline - time.monotonic()))


def _words(answer: AnalysisAnswer) -> str:
    lines = [f"{each.move}: {describe_evaluation(each)}; {' '.join(each.line)}" for each in answer.moves]
    return "\n".join([f"Best moves for {answer.turn}:", *lines])


ANALYSE = Question(
    "analyse",
    AnalyseRequest,
    AnalysisAnswer,
    prepare_analysis,
    "Return the best moves with their lines, and which of their values are proven.",
    _words,
    progress=AnalysisAnswer,
    gives_partial_answers=True,
    public=PublicBounds(seconds=PUBLIC_SECONDS, nodes=10_000_000),
)
