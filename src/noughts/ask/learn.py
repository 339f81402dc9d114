"""The question ``learn``: the learning curve of a textbook learner."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Literal

from noughts.ask.question import Context, Job, PublicBounds, Question, Report, Tag
from noughts.ask.requests import GameRequest
from noughts.games.quoting import count
from noughts.schema import Bound, Shape
from noughts.textbook import Learned, Score, q_learning, td_learning

__all__ = ["LEARN", "LearnRequest", "LearningAnswer"]

MAX_CELLS = 9
"""Largest board for a learner: beyond it, a table needs more playthroughs than a request may ask for."""
SECONDS = 8.0
MAX_PLAYTHROUGHS = 40_000
LEARNERS: dict[str, Callable[..., Learned]] = {"q_learning": q_learning, "td_learning": td_learning}


@dataclass(frozen=True, kw_only=True)
class LearnRequest(GameRequest):
    """A textbook learner to train."""

    algorithm: Literal["q_learning", "td_learning"] = "q_learning"
    playthroughs: Annotated[int, Bound(at_least=1, at_most=MAX_PLAYTHROUGHS)] = 5000
    exploration: Annotated[float, Bound(at_least=0, at_most=1), "Probability of a random move."] = 0.3
    learning_rate: Annotated[float, Bound(above=0, at_most=1)] = 0.3
    seed: Annotated[int, Bound(at_least=0, at_most=2**32)] = 1


@dataclass(frozen=True, kw_only=True)
class LearningPoint(Shape):
    """Results of 100 playthroughs against a random player, half of them as X, after some training."""

    playthroughs: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, kw_only=True)
class LearningAnswer(Shape):
    """A learning curve."""

    curve: tuple[LearningPoint, ...]
    is_whole: Annotated[bool, "False: the time was up before the last playthrough."]


class _TimeUp(Exception):
    pass


def prepare_learning(request: LearnRequest) -> Job[LearningAnswer]:
    game = request.find_game()

    def work(context: Context, _: Report) -> LearningAnswer:
        curve: list[Score] = []
        deadline = time.monotonic() + SECONDS

        def add(score: Score) -> None:
            context.check()
            curve.append(score)
            if time.monotonic() > deadline:
                raise _TimeUp

        with suppress(_TimeUp):
            LEARNERS[request.algorithm](
                game,
                playthroughs=request.playthroughs,
                exploration=request.exploration,
                learning_rate=request.learning_rate,
                seed=request.seed,
                report=add,
            )
        points = tuple([LearningPoint(**score._asdict()) for score in curve])
        return LearningAnswer(curve=points, is_whole=curve[-1].playthroughs == request.playthroughs)

    return Job(work, SECONDS, is_long=True)


def _words(answer: LearningAnswer) -> str:
    points = [
        f"after {count(point.playthroughs, 'playthrough')}: {count(point.wins, 'win')}, {count(point.draws, 'draw')},"
        f" {count(point.losses, 'loss')}"
        for point in answer.curve
    ]
    end = [] if answer.is_whole else ["The time was up before the last playthrough."]
    return "\n".join(["Results against a random player", *points, *end])


LEARN = Question(
    "learn",
    LearnRequest,
    LearningAnswer,
    prepare_learning,
    "Return the learning curve of a textbook learner: its results against a random player while it trains.",
    _words,
    public=PublicBounds(cells=MAX_CELLS),
    tag=Tag.LEARNING,
)
