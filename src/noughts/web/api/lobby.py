"""Open challenges: one list of who waits for an opponent and of what is being played."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from noughts.web.context import Context, Services
from noughts.web.errors import Reason, TooManyRequests, WebError
from noughts.web.lobby import Lobby, LobbyAnswer
from noughts.web.responses import documented, json_response

router = APIRouter(prefix="/lobby", tags=["friends"])
FULL_SECONDS = 60.0
"""Time after which a client with too many challenges may try again."""


@router.get("", **documented(None, LobbyAnswer))
async def show(context: Context) -> Response:
    """Return the open challenges and the games that have come of others."""
    return json_response(_lobby(context.services).answer())


def check_challenge(services: Services, client: str) -> None:
    """Raise WebError unless there is a lobby in which a client may have one more challenge."""
    if not _lobby(services).has_room_for(client):
        raise TooManyRequests("too many open challenges", FULL_SECONDS, reason=Reason.CHALLENGES)


def _lobby(services: Services) -> Lobby:
    lobby = services.rooms.lobby
    if lobby is None:
        raise WebError(403, "this server lists no open challenges; start it with --lobby")
    return lobby
