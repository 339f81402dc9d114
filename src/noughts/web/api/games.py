"""Games and positions."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from noughts import __version__
from noughts.engine import LEVELS
from noughts.study.comparison import ALGORITHMS, EVALUATIONS, ORDERS
from noughts.study.reviews import LABELS
from noughts.web.answers import AboutAnswer, CatalogueAnswer, GameAnswer, PositionAnswer
from noughts.web.places import find_game, find_position
from noughts.web.schemas import GameAsk, Place
from noughts.web.services import AskerOf
from noughts.web.settings import MOST
from noughts.web.views import catalogue_data, game_data, position_data

router = APIRouter(tags=["games"])


@router.get("/about", response_model=AboutAnswer)
async def about(asker: AskerOf) -> dict[str, Any]:
    """Say what this server is, what it can do and how much one request may ask for."""
    return {
        "version": __version__,
        "levels": LEVELS,
        "algorithms": list(ALGORITHMS),
        "orders": list(ORDERS),
        "evaluations": list(EVALUATIONS),
        "labels": LABELS,
        "is_local": asker.services.settings.is_local,
        "most": MOST,
    }


@router.get("/catalogue", response_model=CatalogueAnswer)
async def catalogue(asker: AskerOf) -> dict[str, Any]:
    """List the games worth knowing."""
    return await asker.quickly(catalogue_data)


@router.post("/game", response_model=GameAnswer)
async def game(asker: AskerOf, ask: GameAsk) -> JSONResponse:
    """Describe a game: cells, names, lines, and where to draw them."""
    # Encoded in the worker: the largest games have megabytes of lines, which would hold up everyone else's requests.
    return await asker.quickly(lambda: JSONResponse(game_data(find_game(ask.game))))


@router.post("/position", response_model=PositionAnswer)
async def position(asker: AskerOf, place: Place) -> dict[str, Any]:
    """Describe a position: marks, legal moves, threats, outcome. The way to make a move is to add it here."""
    return await asker.quickly(lambda: position_data(find_position(place)))
