"""Kept games: on loopback those of ``noughts games``, on a network a shelf for each browser."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query

from noughts.games import Game, Position
from noughts.store import Kept, Store, Summary
from noughts.store.shelves import clear_shelves, is_on_shelf, put_on_shelf, shelf_size, shelved
from noughts.web.answers import KeptAnswer, KeptPlay, NumberAnswer
from noughts.web.errors import Refused, TooMany
from noughts.web.places import find_playthrough
from noughts.web.schemas import KeepAsk
from noughts.web.services import Asker, AskerOf
from noughts.web.views import outcome_data, play_data

router = APIRouter(prefix="/games", tags=["kept games"])
Shelf = Annotated[
    str | None,
    Header(alias="X-Shelf", pattern="^[A-Za-z0-9_-]{20,80}$", description="Whose shelf; ignored on loopback."),
]
Number = Annotated[int, Path(ge=1, le=2**62, description="The number of a kept game.")]
SOURCE = "web"


@router.get("", response_model=KeptAnswer)
async def list_games(
    asker: AskerOf,
    shelf: Shelf = None,
    game: Annotated[str | None, Query(max_length=80)] = None,
    unfinished: bool = False,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> dict[str, Any]:
    """List the kept games, the latest first."""
    name = _shelf(asker, shelf)
    id = None if game is None else (await asker.quickly(lambda: Game(game.replace(" ", "+")))).id

    def look(store: Store) -> list[Summary]:
        return store.list(id, unfinished, limit) if name is None else shelved(store, name, id, unfinished, limit)

    found = await asker.services.keeper.do(look)
    return {"games": [_summary_data(summary) for summary in found]}


@router.post("", response_model=NumberAnswer)
async def keep(asker: AskerOf, ask: KeepAsk, shelf: Shelf = None) -> dict[str, Any]:
    """Keep a game, and return its number."""
    name, granted = _shelf(asker, shelf), asker.services.settings.granted
    wait = asker.services.games_kept.of(asker.client).take()
    if wait:
        raise TooMany("expected fewer games to be kept a minute from one address", wait)
    play = await asker.quickly(lambda: find_playthrough(ask, {}, ask.result))

    def write(store: Store) -> int:
        if name is not None and shelf_size(store, name) >= granted.shelf:
            raise TooMany(f"expected at most {granted.shelf} games on a shelf; delete some", 3600)
        with store.transaction():
            number = store.begin(play.position(), ask.x, ask.o, source=SOURCE)
            if play.outcome is not None:
                store.finish(number, play.outcome)
            if name is not None:
                put_on_shelf(store, name, number)
                clear_shelves(store, granted.shelved)
        return number

    return {"id": await asker.services.keeper.do(write)}


@router.put("/{number}", response_model=NumberAnswer)
async def keep_on(asker: AskerOf, number: Number, ask: KeepAsk, shelf: Shelf = None) -> dict[str, Any]:
    """Keep a game as it now is: further moves, fewer after an undo, or its end."""
    name = _shelf(asker, shelf)
    play = await asker.quickly(lambda: find_playthrough(ask, {}, ask.result))

    def write(store: Store) -> None:
        old = _kept(store, number, name)
        if old.summary.source != SOURCE:
            raise Refused(403, f"game {number} was played elsewhere and stays as it is; keep a new one")
        if (old.game, old.start) != (play.game, play.start):
            raise Refused(409, f"game {number} is of another game or began elsewhere; keep a new one")
        with store.transaction():
            _catch_up(store, number, old.moves, play.position())
            store.change(number, x=ask.x, o=ask.o)
            if play.outcome is not None:
                store.finish(number, play.outcome)

    await asker.services.keeper.do(write)
    return {"id": number}


def _catch_up(store: Store, number: int, old: tuple[int, ...], position: Position) -> None:
    """Forget the kept moves that were taken back and add those that came."""
    moves = position.moves
    same = next((ply for ply, (a, b) in enumerate(zip(old, moves, strict=False)) if a != b), min(len(old), len(moves)))
    store.cut(number, same)
    back = position.copy()
    while back.ply > same:
        back.undo()
    for move in moves[same:]:
        assert back.turn is not None
        store.add_move(number, back.ply + 1, back.turn, move)
        back.play(move)


@router.get("/{number}", response_model=KeptPlay)
async def show(asker: AskerOf, number: Number, shelf: Shelf = None) -> dict[str, Any]:
    """Return a kept game."""
    name = _shelf(asker, shelf)
    kept = await asker.services.keeper.do(lambda store: _kept(store, number, name))
    play = await asker.quickly(kept.playthrough)
    return play_data(play) | {"id": number, "x": kept.summary.x, "o": kept.summary.o}


@router.delete("/{number}", response_model=NumberAnswer)
async def delete(asker: AskerOf, number: Number, shelf: Shelf = None) -> dict[str, Any]:
    """Forget a kept game for good."""
    name = _shelf(asker, shelf)

    def write(store: Store) -> None:
        _kept(store, number, name)
        store.delete(number)

    await asker.services.keeper.do(write)
    return {"id": number}


def _shelf(asker: Asker, shelf: str | None) -> str | None:
    """The shelf to look at: None is the whole store, for whoever sits at this machine."""
    if asker.services.settings.is_local:
        return None
    if shelf is None:
        raise Refused(403, "expected the header X-Shelf: on a network every browser has a shelf of its own")
    return hashlib.sha256(shelf.encode()).hexdigest()


def _kept(store: Store, number: int, shelf: str | None) -> Kept:
    if not is_on_shelf(store, shelf, number):
        raise Refused(404, f"there is no kept game {number}")
    return store.get(number)


def _summary_data(summary: Summary) -> dict[str, Any]:
    return summary.to_data() | {"outcome": outcome_data(summary.outcome), "source": summary.source}
