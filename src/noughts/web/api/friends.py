"""Making, joining and watching friend games; they are played by websocket."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter

from noughts.games import Position
from noughts.web.answers import FriendAnswer, FriendState, SeatAnswer
from noughts.web.errors import Refused
from noughts.web.places import find_unfinished
from noughts.web.schemas import Claim, FriendAsk
from noughts.web.services import AskerOf

router = APIRouter(prefix="/friends", tags=["friends"])
OWN_BYTES = 32 * 1024
"""The largest game of one's own: its data goes to everybody with every move."""


@router.post("", response_model=FriendAnswer)
async def make(asker: AskerOf, ask: FriendAsk) -> dict[str, Any]:
    """Make a game with a friend: one's own seat, and an invitation to the other."""
    asker.services.count_friend_game(asker.client)
    position = await asker.quickly(lambda: _check_size(find_unfinished(ask)))
    clock = None if ask.clock is None else (ask.clock.seconds, ask.clock.increment)
    friend, side, token, invite = await asker.services.rooms.make(position, ask.side, ask.name, clock)
    return {"friend": friend, "side": side, "token": token, "invite": invite}


@router.post("/{friend}/claim", response_model=SeatAnswer)
async def claim(asker: AskerOf, friend: str, ask: Claim) -> dict[str, Any]:
    """Take the free seat."""
    asker.services.count_friend_game(asker.client)
    side, token = await asker.services.rooms.claim(friend, ask.invite, ask.name)
    return {"friend": friend, "side": side, "token": token}


@router.get("/{friend}", response_model=FriendState)
async def watch(asker: AskerOf, friend: str) -> dict[str, Any]:
    """Return a game as everybody may see it."""
    async with asker.services.rooms.use(friend) as table, table.lock:
        return table.state()


def _check_size(position: Position) -> Position:
    size = len(json.dumps(position.game.to_data()))
    if size > OWN_BYTES:
        raise Refused(422, f"expected a game of one's own of at most {OWN_BYTES} bytes with a friend, got {size}")
    return position
