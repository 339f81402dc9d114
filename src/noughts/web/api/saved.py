"""Saved games: on loopback those of ``noughts games``, on a network those of each visitor."""

from __future__ import annotations

import hashlib
from itertools import takewhile
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query
from starlette.responses import Response

from noughts.ask.files import SavedGame
from noughts.games import Game, Playthrough
from noughts.match import TimeControl
from noughts.store import SavedPlaythrough, Store, Summary
from noughts.store.web_games import VisitorGames
from noughts.web.context import Context, RequestContext
from noughts.web.errors import Reason, TooManyRequests, WebError
from noughts.web.friend_messages import check_game_size
from noughts.web.responses import body_of, documented, json_response
from noughts.web.saved_games import (
    SOURCE,
    IdAnswer,
    SavedGamesAnswer,
    SavedPlaythroughAnswer,
    SaveRequest,
    check_change,
)

router = APIRouter(prefix="/games", tags=["saved games"])
Visitor = Annotated[
    str | None,
    Header(
        alias="X-Visitor",
        pattern="^[A-Za-z0-9_-]{20,80}$",
        description="Secret of the visitor whose games these are; ignored on loopback.",
    ),
]
GameId = Annotated[int, Path(ge=1, le=2**62, description="The id of a saved game.")]


@router.get("", **documented(None, SavedGamesAnswer))
async def list_games(
    context: Context,
    visitor: Visitor = None,
    game: Annotated[str | None, Query(max_length=80)] = None,
    unfinished: bool = False,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> Response:
    """List the saved games, the most recent first."""
    owner = _owner(context, visitor)
    game_id = None if game is None else (await context.run_fast(lambda: Game(game.replace(" ", "+")))).id

    def read(store: Store) -> list[Summary]:
        if owner is None:
            return store.list(game_id, unfinished, limit)
        return VisitorGames(store).list(owner, game_id, unfinished, limit)

    found = await context.services.store.run(read)
    return json_response(SavedGamesAnswer(games=tuple([SavedGame.of(summary) for summary in found])))


@router.post("", **documented(SaveRequest, IdAnswer))
async def save(context: Context, request: SaveRequest = body_of(SaveRequest), visitor: Visitor = None) -> Response:
    """Save a game, and return its id. A game that was saved under the same key is brought up to date instead."""
    owner, limits = _owner(context, visitor), context.services.settings.limits
    wait = context.services.saved_games.of(context.client).take()
    if wait:
        raise TooManyRequests("too many saved games", wait, reason=Reason.SAVED_GAMES)
    play, control = await context.run_fast(lambda: _read(request, owner))

    def write(store: Store) -> int:
        known = None if request.key is None else VisitorGames(store).find_key(owner, request.key)
        if known is not None:
            _change(store, known, owner, request, play)
            return known
        if owner is not None and VisitorGames(store).count(owner) >= limits.max_games_per_visitor:
            message = f"you have {limits.max_games_per_visitor} saved games, which is the maximum; delete some"
            raise WebError(429, message, 3600, Reason.SAVED_GAMES)
        with store.transaction():
            tag = None if control is None else control.tag
            number = store.begin(play.position(0), request.x, request.o, clock=tag, source=SOURCE)
            _update_moves(store, number, (), play)
            if play.outcome is not None:
                store.finish(number, play.outcome)
            if request.key is not None:
                VisitorGames(store).assign_key(number, owner, request.key)
            if owner is not None:
                VisitorGames(store).assign_owner(number, owner)
                VisitorGames(store).delete_oldest(limits.max_visitor_games)
        return number

    return json_response(IdAnswer(id=await context.services.store.run(write)))


@router.put("/{id}", **documented(SaveRequest, IdAnswer))
async def update(
    context: Context, id: GameId, request: SaveRequest = body_of(SaveRequest), visitor: Visitor = None
) -> Response:
    """Save the present state of a game: further moves, fewer after an undo, or its end.

    A finished game is not changed: save what follows after a takeback as a new one.
    """
    owner = _owner(context, visitor)
    play = await context.run_fast(lambda: request.find_playthrough({}))

    await context.services.store.run(lambda store: _change(store, id, owner, request, play))
    return json_response(IdAnswer(id=id))


def _read(request: SaveRequest, owner: str | None) -> tuple[Playthrough, TimeControl | None]:
    play = request.find_playthrough({})
    if owner is not None:
        check_game_size(play.game)
    return play, request.find_time_control()


def _change(store: Store, id: int, owner: str | None, request: SaveRequest, play: Playthrough) -> None:
    """Bring a saved game up to date; raises WebError if it is finished or another game."""
    old = _find(store, id, owner)
    if old.summary.source != SOURCE:
        raise WebError(403, f"game {id} was not played in the browser and cannot be changed; save a new one")
    if not check_change(id, old.playthrough(), play):
        return
    with store.transaction():
        _update_moves(store, id, old.moves, play)
        store.change(id, x=request.x, o=request.o)
        if play.outcome is not None:
            store.finish(id, play.outcome)


def _update_moves(store: Store, id: int, old: tuple[int, ...], play: Playthrough) -> None:
    """Delete the saved moves that were taken back and add the new ones."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, play.moves, strict=False)))
    store.truncate(id, same)
    replayed = play.position(same)
    for ply, move in enumerate(play.moves[same:], start=same):
        assert replayed.turn is not None
        store.add_move(id, ply + 1, replayed.turn, move, clock=play.clocks[ply] if play.clocks else None)
        replayed.play(move)


@router.get("/{id}", **documented(None, SavedPlaythroughAnswer))
async def show(context: Context, id: GameId, visitor: Visitor = None) -> Response:
    """Return a saved game."""
    owner = _owner(context, visitor)
    saved = await context.services.store.run(lambda store: _find(store, id, owner))
    x, o = saved.summary.x, saved.summary.o
    return json_response(await context.run_fast(lambda: SavedPlaythroughAnswer.of_saved(id, x, o, saved.playthrough())))


@router.delete("/{id}", **documented(None, IdAnswer))
async def delete(context: Context, id: GameId, visitor: Visitor = None) -> Response:
    """Delete a saved game."""
    owner = _owner(context, visitor)

    def write(store: Store) -> None:
        _find(store, id, owner)
        store.delete(id)

    await context.services.store.run(write)
    return json_response(IdAnswer(id=id))


def _owner(context: RequestContext, visitor: str | None) -> str | None:
    """Return the hash that marks a visitor's games; None on loopback, where the whole store is the user's."""
    if context.services.settings.is_local:
        return None
    if visitor is None:
        raise WebError(403, "the header X-Visitor is missing; on a network every visitor has their own saved games")
    return hashlib.sha256(visitor.encode()).hexdigest()


def _find(store: Store, id: int, owner: str | None) -> SavedPlaythrough:
    if not VisitorGames(store).is_visible(id, owner):
        raise WebError(404, f"there is no saved game {id}")
    return store.get(id)
