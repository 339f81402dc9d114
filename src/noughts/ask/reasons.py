"""The question ``reasons``: what a move does and why, with the line of play that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts.analysis.evaluation import Evaluation
from noughts.analysis.hints import area_of
from noughts.analysis.reasons import ReasonKind, reasons
from noughts.ask.evaluations import Candidate, describe_evaluation
from noughts.ask.question import Context, Job, PublicBounds, Question, Report
from noughts.ask.requests import MoveText, SearchRequest
from noughts.games import Position, Side
from noughts.limit import DEFAULT_SECONDS

__all__ = ["REASONS", "ReasonsAnswer", "ReasonsRequest"]

PUBLIC_SECONDS = 10.0


@dataclass(frozen=True, kw_only=True)
class ReasonsRequest(SearchRequest):
    """A legal move to explain."""

    move: Annotated[int | MoveText, "A legal move."]


@dataclass(frozen=True, kw_only=True)
class ReasonsAnswer(Candidate):
    """A move with its value for the side that makes it, the line that follows, and the reasons for and against it."""

    game: str
    position: str
    turn: Side
    idea: Annotated[str, "The idea of the move, which does not give it away; empty if there is none."]
    area: Annotated[
        tuple[int, ...],
        "The cells of the part of the board to look at; none for a player sent to one anyway.",
    ]
    area_name: str
    why: Annotated[tuple[str, ...], "What the move does, the most important first."]
    reply_why: Annotated[tuple[str, ...], "What the reply, the second move of the line, does; empty if it is quiet."]

    @classmethod
    def of_move(cls, position: Position, evaluation: Evaluation, line: tuple[int, ...]) -> ReasonsAnswer:
        found, after = list(reasons(position, line[0])), position.after(line[0])
        area, area_name = area_of(position, line[0])
        return cls.of(
            position.game,
            evaluation,
            line,
            game=position.game.label,
            position=position.text,
            turn=position.side_to_move,
            idea=next((reason.idea for reason in found if reason.idea), ""),
            area=area,
            area_name=area_name,
            why=tuple([reason.text for reason in found]),
            reply_why=_reply_reasons(after, line[1]) if len(line) > 1 else (),
        )


def _reply_reasons(position: Position, move: int) -> tuple[str, ...]:
    """What a reply does; that it is on open lines says nothing against the move before."""
    return tuple([reason.text for reason in reasons(position, move) if reason.kind is not ReasonKind.STANDS])


def prepare_reasons(request: ReasonsRequest) -> Job[ReasonsAnswer]:
    position, limit = request.find_unfinished(), request.find_limit(DEFAULT_SECONDS)
    after = position.after(request.move)
    move = after.moves[-1]

    def work(context: Context, _: Report) -> ReasonsAnswer:
        def progress(_: object) -> bool:
            return context.should_continue

        if after.is_over:
            return ReasonsAnswer.of_move(position, Evaluation.of_end(after, position.side_to_move), (move,))
        if not limit.is_timed:
            context.engine.clear()
        reply = context.advisor.advise(after, limit, progress=progress)[0]
        if not limit.is_timed:
            context.check()
        return ReasonsAnswer.of_move(position, reply.evaluation.for_opponent().one_ply_earlier(), (move, *reply.pv))

    return Job(work, limit.seconds)


def _words(answer: ReasonsAnswer) -> str:
    why = f": {'; '.join(answer.why)}" if answer.why else ""
    line = f"\nThe line: {' '.join(answer.line)}" if len(answer.line) > 1 else ""
    return f"{answer.move} is {describe_evaluation(answer)} for {answer.turn}{why}{line}"


REASONS = Question(
    "reasons",
    ReasonsRequest,
    ReasonsAnswer,
    prepare_reasons,
    "Return what a move does and why, its value, and the line of play that follows.",
    _words,
    public=PublicBounds(seconds=PUBLIC_SECONDS, nodes=1_000_000),
)
