"""The question ``hint``: help for a player in steps, from the idea to the move and its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts.analysis.advice import DEFAULT_LINES, Advice, Known
from noughts.analysis.evaluation import Source
from noughts.analysis.hints import Hint, explain
from noughts.analysis.judging import Judge
from noughts.ask.evaluations import Candidate, describe_evaluation
from noughts.ask.judge import ProposalAnswer, describe_proposal
from noughts.ask.moves import QUICK_SECONDS, is_light
from noughts.ask.question import Context, Job, PublicBounds, Question, Report
from noughts.ask.requests import MoveText, SearchRequest
from noughts.engine import Limit
from noughts.games import Position, ProvenValue, Side
from noughts.limit import DEFAULT_SECONDS

__all__ = ["HINT", "HintAnswer", "HintRequest"]

PUBLIC_SECONDS = 10.0


@dataclass(frozen=True, kw_only=True)
class HintRequest(SearchRequest):
    """A position to give a hint for."""

    move: Annotated[int | MoveText | None, "A legal move to compare with the best one."] = None


@dataclass(frozen=True, kw_only=True)
class HintAnswer(Candidate):
    """A hint with all its steps: an idea, an area, candidates, the best move and the reasons for it."""

    game: str
    position: str
    turn: Side
    idea: Annotated[str, "A hint that does not give the move away."]
    area: Annotated[
        tuple[int, ...],
        "The cells of the part of the board to look at; none for a player sent to one anyway.",
    ]
    area_name: str
    candidates: tuple[Candidate, ...]
    choice: Annotated[str, "What to do with the candidates, in a sentence."]
    why: Annotated[tuple[str, ...], "The reasons for the move."]
    proposal: Annotated[ProposalAnswer | None, "The verdict on the move that was asked about."]

    @classmethod
    def of_hint(cls, position: Position, hint: Hint, proposal: ProposalAnswer | None) -> HintAnswer:
        game = position.game
        return cls.of(
            game,
            hint.advice.evaluation,
            hint.advice.pv,
            game=game.label,
            position=position.text,
            turn=position.side_to_move,
            idea=hint.idea,
            area=hint.area,
            area_name=hint.area_name,
            candidates=tuple([Candidate.of(game, each.evaluation, each.pv) for each in hint.candidates]),
            choice=hint.choice,
            why=hint.why,
            proposal=proposal,
        )


def prepare_hint(request: HintRequest) -> Job[HintAnswer]:
    position, limit = request.find_unfinished(), request.find_limit(DEFAULT_SECONDS)
    cell = None if request.move is None else position.after(request.move).moves[-1]
    share = limit if cell is None else _half(limit)

    def work(context: Context, _: Report) -> HintAnswer:
        def progress(_: object) -> bool:
            return context.should_continue

        if not limit.is_timed:
            context.engine.clear()
        advice = context.advisor.advise(position, share, lines=DEFAULT_LINES, progress=progress)
        found = explain(position, advice)
        if not limit.is_timed:
            context.check()
        if cell is None or not context.should_continue:
            return HintAnswer.of_hint(position, found, None)
        judge = Judge(share, advisor=context.advisor)
        judged = judge.judge(position, proposed=cell, progress=progress, known=_proof_in(advice[0])).of(cell)
        if not limit.is_timed:
            context.check()
        return HintAnswer.of_hint(position, found, ProposalAnswer.of(position, judged))

    is_quick = limit.seconds is not None and limit.seconds <= QUICK_SECONDS and is_light(position.game)
    return Job(work, limit.seconds, is_quick=is_quick)


def _proof_in(best: Advice) -> Known | None:
    """The value of the position, if it was proven for this advice: the judgement need not prove it or look it up."""
    value = best.evaluation.value
    if value is None or best.evaluation.source is not Source.SOLVER:
        return None
    return Known(ProvenValue(value, best.move, best.evaluation.plies), Source.SOLVER)


def _half(limit: Limit) -> Limit:
    """Half of a limit: the other half is for the judgement of the move that was asked about."""
    seconds = None if limit.seconds is None else limit.seconds / 2
    nodes = None if limit.nodes is None else max(1, limit.nodes // 2)
    return limit._replace(seconds=seconds, nodes=nodes)


def _words(answer: HintAnswer) -> str:
    why = f"it {'; '.join(answer.why)}." if answer.why else answer.idea
    best = f"Best for {answer.turn} is {answer.move}, {describe_evaluation(answer)}: {why}"
    if answer.proposal is None or answer.proposal.judged is None:
        return f"{answer.idea}\n{best}"
    judged = describe_proposal(answer.proposal, answer)
    return judged if answer.proposal.judged.move == answer.move else f"{judged}\n{best}"


HINT = Question(
    "hint",
    HintRequest,
    HintAnswer,
    prepare_hint,
    "Return a hint in steps, from the idea to the move and its reasons, and compare another move with it.",
    _words,
    public=PublicBounds(seconds=PUBLIC_SECONDS, nodes=1_000_000),
)
