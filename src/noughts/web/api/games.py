"""The questions of ``noughts.web.lookups`` by REST: games, positions, puzzles, and files with playthroughs."""

from __future__ import annotations

from datetime import date
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from noughts.web.answers import AboutAnswer
from noughts.web.context import Context, RequestContext, add_question, json_response
from noughts.web.game_answers import CatalogueAnswer
from noughts.web.lookups import LOOKUPS, Lookup, find_about, find_catalogue, find_daily_puzzle, find_puzzles
from noughts.web.study_answers import PuzzleAnswer, PuzzlesAnswer

router = APIRouter()


@router.get("/about", tags=["games"], description=find_about.__doc__)
async def about(context: Context) -> AboutAnswer:
    context.services.warm_up()  # the first request of the page
    return find_about(context.services.settings.is_local)


@router.get("/catalogue", tags=["games"], description=find_catalogue.__doc__)
async def catalogue(context: Context) -> CatalogueAnswer:
    return await context.run_fast(find_catalogue)


@router.get("/puzzles", response_model=PuzzlesAnswer, tags=["games"], description=find_puzzles.__doc__)
async def puzzles(context: Context) -> Response:
    return await context.run_fast(lambda: json_response(find_puzzles()))


@router.get("/puzzles/daily", tags=["games"], description=find_daily_puzzle.__doc__)
async def daily_puzzle(context: Context, date: date) -> PuzzleAnswer:
    return await context.run_fast(lambda: find_daily_puzzle(date))


def _add_route(lookup: Lookup[Any, Any]) -> None:
    async def respond(context: RequestContext, request: Any) -> Response:
        # Encoded in the worker: the largest games have megabytes of lines, which would block all other requests.
        return await context.run_fast(lambda: json_response(lookup.find(request)), lookup.is_long)

    add_question(router, lookup, respond, lookup.find.__doc__)


for _lookup in LOOKUPS.values():
    _add_route(_lookup)
