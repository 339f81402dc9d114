"""Moves, hints, analyses, reviews and proofs, each in one answer; live ones come by the websocket ``/api/think``."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter

from noughts.web import thinking
from noughts.web.answers import (
    AnalysisAnswer,
    ComparisonAnswer,
    EngineAnswer,
    HintAnswer,
    ReviewAnswer,
    SolutionAnswer,
    TraceAnswer,
)
from noughts.web.places import find_playthrough, find_unfinished
from noughts.web.schemas import Ask, CompareAsk, EngineAsk, ReviewAsk, SolveAsk, ThinkAsk, TraceAsk
from noughts.web.services import AskerOf

router = APIRouter(tags=["thinking"])


@router.post("/engine", response_model=EngineAnswer)
async def engine(asker: AskerOf, ask: EngineAsk) -> dict[str, Any]:
    """Return a move at a level, and the position after it."""
    position = await asker.quickly(lambda: find_unfinished(ask))
    slow = thinking.is_slow(position, ask)
    return await asker.thinking(lambda task: thinking.engine_move(task, position, ask), ask.seconds, is_long=slow)


@router.post("/hint", response_model=HintAnswer)
async def hint(asker: AskerOf, ask: Ask) -> dict[str, Any]:
    """Return a hint in steps: an idea, an area, candidates, the move and why."""
    position = await asker.quickly(lambda: find_unfinished(ask))
    return await asker.thinking(lambda task: thinking.hint(task, position, ask.seconds), ask.seconds)


@router.post("/analyse", response_model=AnalysisAnswer)
async def analyse(asker: AskerOf, ask: ThinkAsk) -> dict[str, Any]:
    """Return the best moves with their lines."""
    position = await asker.quickly(lambda: find_unfinished(ask))
    seconds = min(ask.seconds, asker.services.settings.longest_answer)
    lines = thinking.how_many(position, ask)
    return await asker.thinking(lambda task: thinking.analyse(task, position, lines, seconds), seconds)


@router.post("/review", response_model=ReviewAnswer)
async def review(asker: AskerOf, ask: ReviewAsk) -> dict[str, Any]:
    """Return what each move of a playthrough was worth, and what was better."""
    play = await asker.quickly(lambda: thinking.check_review(find_playthrough(ask, ask.tags)))
    work = partial(thinking.make_review, play=play, seconds=ask.seconds)
    return await asker.thinking(work, thinking.review_seconds(play, ask.seconds), is_long=True)


@router.post("/solve", response_model=SolutionAnswer)
async def solve(asker: AskerOf, ask: SolveAsk) -> dict[str, Any]:
    """Return the proven value of a position, or bounds when the time is up."""
    position = await asker.quickly(lambda: thinking.check_solve(find_unfinished(ask)))
    work = partial(thinking.solve, position=position, seconds=ask.seconds)
    return await asker.thinking(work, ask.seconds, is_long=True)


@router.post("/trace", response_model=TraceAnswer, tags=["learning"])
async def trace(asker: AskerOf, ask: TraceAsk) -> dict[str, Any]:
    """Return the search tree of a textbook algorithm, as docs/trace-format.md describes it."""
    position = await asker.quickly(lambda: thinking.check_textbook(find_unfinished(ask)))
    work = partial(thinking.make_trace, position=position, ask=ask)
    return await asker.thinking(work, thinking.TRACE_SECONDS, is_long=True)


@router.post("/compare", response_model=ComparisonAnswer, tags=["learning"])
async def compare(asker: AskerOf, ask: CompareAsk) -> dict[str, Any]:
    """Return how many nodes each textbook search needs for a position."""
    position = await asker.quickly(lambda: thinking.check_textbook(find_unfinished(ask)))
    work = partial(thinking.make_comparison, position=position, ask=ask)
    return await asker.thinking(work, thinking.compare_seconds(ask), is_long=True)
