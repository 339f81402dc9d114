"""The question ``solve``: the proven value of a position."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Annotated

from noughts.analysis.evaluation import Source
from noughts.ask.analyse import limit_until
from noughts.ask.evaluations import line_of
from noughts.ask.question import Context, Job, PublicBounds, Question, Report
from noughts.ask.requests import PositionRequest
from noughts.engine import Limit
from noughts.games import Game, Position, Side, Value
from noughts.games.quoting import count
from noughts.proof.progress_estimate import ProgressEstimate
from noughts.proof.solver import Solution, SolveProgress, Solver
from noughts.schema import Bound, Shape

__all__ = ["SOLVE", "SolutionAnswer", "SolveProgressAnswer", "SolveRequest", "describe_solution", "done_of"]

DEFAULT_SECONDS = 10.0
PUBLIC_SECONDS = 60.0
MAX_CELLS = 400
"""Largest board that a stranger may have solved: beyond it a minute proves nothing but short wins, which an analysis
sees, too."""
SOLVER_MB = 128
"""Memory for a proof; at most one fewer than there are workers run at a time."""
MAX_NODES = 1 << 62


@dataclass(frozen=True, kw_only=True)
class SolveRequest(PositionRequest):
    """A position to solve."""

    seconds: Annotated[float | None, Bound(above=0, at_most=1e9), "Time limit in seconds."] = None
    nodes: Annotated[int | None, Bound(at_least=1, at_most=MAX_NODES), "Limit on positions to visit."] = None
    book: Annotated[bool, "Whether a value of the opening book is enough, which has no certificate."] = False


@dataclass(frozen=True, kw_only=True)
class SolutionAnswer(Shape):
    """The value of a position with best play, for the side to move, or bounds for it."""

    game: str
    position: str
    turn: Side | None
    value: Annotated[Value | None, "Null if it is not proven; then there are bounds."]
    lower: Value
    upper: Value
    plies: Annotated[int | None, "A proven win or loss takes at most this many plies, if that is known."]
    move: Annotated[str | None, "A move that keeps the value."]
    cell: int | None
    nodes: int
    source: Annotated[Source, "`store` if the value was known from an earlier solve."]

    @classmethod
    def of(cls, found: Solution) -> SolutionAnswer:
        position = found.position
        cell = found.move if found.move_is_proven else None
        return cls.from_attributes(
            found,
            game=position.game.label,
            position=position.text,
            turn=position.turn,
            plies=None if found.proven is None else found.proven.plies,
            move=None if cell is None else position.format_move(cell),
            cell=cell,
            source=Source.STORE if found.is_stored else Source.SOLVER,
        )


@dataclass(frozen=True, kw_only=True)
class SolveProgressAnswer(Shape):
    """Progress of a proof."""

    text: str
    nodes: int
    done: Annotated[
        tuple[float, ...] | None,
        "The estimated share of the work that is done, then the ends of its range; null while it is unknown.",
    ]
    proof: int
    disproof: int
    attacker: Side | None
    nodes_per_second: int
    hashfull: Annotated[int, "The use of the table, in thousandths."]
    table_bytes: int
    line: Annotated[tuple[str, ...], "The line of play under study."]
    cells: Annotated[tuple[int, ...], "The line as cell numbers."]

    @classmethod
    def of(cls, game: Game, found: SolveProgress) -> SolveProgressAnswer:
        """Return the answer for the progress of a solver."""
        return cls.from_attributes(
            found,
            text=str(found),
            done=done_of(found.share),
            nodes_per_second=round(found.rate),
            **line_of(game, found.line),
        )


def done_of(share: ProgressEstimate | None) -> tuple[float, ...] | None:
    """Return the estimated share of the work that is done and the ends of its range, rounded; None if unknown."""
    return None if share is None else tuple([round(part, 4) for part in share])


def prepare_solution(request: SolveRequest) -> Job[SolutionAnswer]:
    """Return the job for a proof. Proven values are saved, if there is a store."""
    position = request.find_unfinished()
    has_limit = request.seconds is not None or request.nodes is not None
    limit = Limit(request.seconds if has_limit else DEFAULT_SECONDS, nodes=request.nodes)
    return Job(_Proof(position, limit, request.book), limit.seconds, is_long=True, is_resumable=limit.is_timed)


class _Proof:
    """A proof in turns, with one solver for all of them."""

    def __init__(self, position: Position, limit: Limit, uses_book: bool) -> None:
        self._position, self._limit, self._uses_book = position, limit, uses_book
        self._deadline = None if limit.seconds is None else time.monotonic() + limit.seconds
        self._solver: Solver | None = None

    def __call__(self, context: Context, report: Report) -> SolutionAnswer:
        def progress(found: SolveProgress) -> bool:
            report(SolveProgressAnswer.of(self._position.game, found))
            return context.should_continue

        known = context.advisor.look_up(self._position) if self._uses_book else None
        if known is not None:
            return replace(SolutionAnswer.of(Solution.from_proven(self._position, known.proven)), source=known.source)
        self._solver = self._solver or Solver(self._position, SOLVER_MB)
        limit = self._limit if self._deadline is None else limit_until(self._deadline, self._limit)
        solutions = context.advisor.solutions
        return SolutionAnswer.of(
            solutions.solve(self._position, limit, progress, memory_mb=SOLVER_MB, solver=self._solver)
        )


def describe_solution(answer: SolutionAnswer) -> str:
    """Return the value or its bounds, and the best move: ``win in at most 7 plies, best b2``."""
    plies = f" in at most {count(answer.plies, 'ply')}" if answer.plies else ""
    text = f"not solved: {_bounds(answer)}" if answer.value is None else f"{answer.value}{plies}"
    if answer.value is Value.LOSS:
        return f"{text}, all moves lose" + (f" ({answer.move} resists)" if answer.move else "")
    return f"{text}, best {answer.move}" if answer.move else text


def _bounds(answer: SolutionAnswer) -> str:
    if (answer.lower, answer.upper) == (Value.LOSS, Value.WIN):
        return "nothing is proven yet"
    return f"at least a {answer.lower}, at most a {answer.upper}"


def _words(answer: SolutionAnswer) -> str:
    return f"{answer.turn} to move, {'proven: ' if answer.value else ''}{describe_solution(answer)}"


SOLVE = Question(
    "solve",
    SolveRequest,
    SolutionAnswer,
    prepare_solution,
    "Return the proven value of a position, or bounds for it when the limit is reached. Proven values are saved.",
    _words,
    progress=SolveProgressAnswer,
    gives_partial_answers=True,
    public=PublicBounds(seconds=PUBLIC_SECONDS, nodes=100_000_000, cells=MAX_CELLS),
)
