"""The question ``judge``: the value of every move, and the verdict on a proposed one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from noughts.analysis.evaluation import Evaluation
from noughts.analysis.judging import Judge, JudgedMove, Judgement, Proposal, Verdict
from noughts.analysis.reasons import reasons
from noughts.ask.evaluations import Candidate, describe_evaluation
from noughts.ask.question import Context, Job, PublicBounds, Question, Report
from noughts.ask.requests import SearchRequest
from noughts.games import Position, Side
from noughts.limit import DEFAULT_SECONDS
from noughts.schema import Shape

__all__ = ["JUDGE", "JudgeAnswer", "JudgeRequest", "ProposalAnswer", "describe_proposal"]

PUBLIC_SECONDS = 10.0


@dataclass(frozen=True, kw_only=True)
class JudgeRequest(SearchRequest):
    """A position whose moves are to be judged."""

    move: Annotated[object, "A proposed move: text in any notation, or a cell number. Anything else is invalid."] = None


@dataclass(frozen=True, kw_only=True)
class JudgedMoveAnswer(Candidate):
    """A legal move with its regret."""

    regret: Annotated[
        float,
        "What the move gives away: 1 turns a win into a draw or a draw into a loss; 2 turns a win into a loss.",
    ]
    is_exact: Annotated[bool, "Whether the regret is proven, not estimated."]

    @classmethod
    def of_judged(cls, position: Position, judged: JudgedMove) -> JudgedMoveAnswer:
        return cls.of(position.game, judged.evaluation, judged.line, regret=judged.regret, is_exact=judged.is_exact)


@dataclass(frozen=True, kw_only=True)
class ProposalAnswer(Shape):
    """A proposed move and its verdict; the judged move is null if it cannot be played, and ``message`` says why."""

    proposed: object
    verdict: Verdict
    judged: JudgedMoveAnswer | None
    reasons: Annotated[tuple[str, ...], "The effects of the move."]
    message: str

    @classmethod
    def of(cls, position: Position, proposal: Proposal) -> ProposalAnswer:
        judged = proposal.judged
        why = () if judged is None else [reason.text for reason in reasons(position, judged.move)]
        answer = None if judged is None else JudgedMoveAnswer.of_judged(position, judged)
        return cls.from_attributes(proposal, judged=answer, reasons=tuple(why))


@dataclass(frozen=True, kw_only=True)
class JudgeAnswer(Evaluation):
    """The evaluation of a position for the side to move, and all legal moves with their regrets, best first."""

    game: str
    position: str
    turn: Side
    best: Annotated[tuple[str, ...], "All moves that give nothing away, the best first."]
    moves: tuple[JudgedMoveAnswer, ...]
    proposal: Annotated[ProposalAnswer | None, "The verdict on the proposed move."]
    limit: str

    @classmethod
    def of(cls, found: Judgement, proposal: Proposal | None) -> JudgeAnswer:
        position = found.position
        return cls(
            **found.evaluation.fields(),
            game=position.game.label,
            position=position.text,
            turn=position.side_to_move,
            best=tuple([position.format_move(each.move) for each in found.best_moves]),
            moves=tuple([JudgedMoveAnswer.of_judged(position, each) for each in found.moves]),
            proposal=None if proposal is None else ProposalAnswer.of(position, proposal),
            limit=str(found.limit),
        )


def prepare_judgement(request: JudgeRequest) -> Job[JudgeAnswer]:
    position, limit = request.find_unfinished(), request.find_limit(DEFAULT_SECONDS)

    def work(context: Context, _: Report) -> JudgeAnswer:
        def progress(_: object) -> bool:
            return context.should_continue

        found = Judge(limit, advisor=context.advisor).judge(position, proposed=request.move, progress=progress)
        context.check()
        return JudgeAnswer.of(found, None if request.move is None else found.of(request.move))

    return Job(work, limit.seconds, is_long=True)


def describe_proposal(proposal: ProposalAnswer, best: Evaluation) -> str:
    """Return the verdict on a proposed move in a sentence."""
    judged = proposal.judged
    if judged is None:
        return proposal.message
    cost = f", which costs about {judged.regret / 2:.0%} of the point" if judged.regret else ""
    if judged.regret and judged.is_exact:
        cost = f", where a {best.value} was possible"
    effects = f": {'; '.join(proposal.reasons)}" if proposal.reasons else ""
    return f"{judged.move} is {describe_evaluation(judged)}{cost}{effects}"


def _words(answer: JudgeAnswer) -> str:
    moves = [f"{each.move}: {describe_evaluation(each)}, regret {each.regret:g}" for each in answer.moves]
    proposal = [] if answer.proposal is None else [describe_proposal(answer.proposal, answer)]
    return "\n".join([*proposal, f"The position is {describe_evaluation(answer)} for {answer.turn}.", *moves])


JUDGE = Question(
    "judge",
    JudgeRequest,
    JudgeAnswer,
    prepare_judgement,
    "Return the value of every move of a position, and the verdict on a proposed one with what it gives away.",
    _words,
    public=PublicBounds(seconds=PUBLIC_SECONDS, nodes=1_000_000, cells=400),
)
