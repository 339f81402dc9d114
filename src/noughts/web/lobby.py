"""Open challenges: who waits for an opponent, and what is being played.

A challenge is listed while its creator is connected and for at most `CHALLENGE_SECONDS`; its game is listed until it
is over or everyone has left. A friend game that is not a challenge is never listed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from noughts.games import Position, Side
from noughts.games.titles import title_of
from noughts.schema import Shape, encode
from noughts.web.friend_messages import clean_name

if TYPE_CHECKING:
    from noughts.web.rooms import LiveRoom

__all__ = ["Challenge", "ChallengeGame", "Listing", "Lobby", "LobbyAnswer"]

CHALLENGE_SECONDS = 30 * 60.0
"""Time after which a challenge that no one has accepted is no longer listed; opening the game again lists it again."""
CACHE_SECONDS = 0.25
"""Time for which an answer is sent again: its cost does not grow with the number of visitors."""
MAX_CHALLENGES, MAX_GAMES = 100, 50
"""Numbers of challenges and of games that are shown."""
MAX_NAME, MAX_TITLE = 24, 40
"""Letters of a name, and of the title of a custom game, that are shown."""
MAX_PICTURE_CELLS = 400
"""Cells of the largest board that is shown as a picture."""


@dataclass(frozen=True, kw_only=True)
class ListedGame(Shape):
    """A game in the list, with what its picture needs."""

    friend: str
    game: Annotated[str | None, "An id; null for a custom game."]
    title: str
    marks: Annotated[str | None, "The mark on each cell, as in a position; null for a board too large for a picture."]
    clock: Annotated[str | None, "The time control: `5+3`."]


@dataclass(frozen=True, kw_only=True)
class Challenge(ListedGame):
    """A player who waits for an opponent."""

    name: Annotated[str, "Shortened; empty if none was given."]
    side: Annotated[Side, "The free side."]


@dataclass(frozen=True, kw_only=True)
class ChallengeGame(ListedGame):
    """A game that is being played."""

    players: dict[Side, str]
    ply: int
    watching: int


@dataclass(frozen=True, kw_only=True)
class LobbyAnswer(Shape):
    """The open challenges, those that have waited longest first, and the games that have come of others."""

    challenges: tuple[Challenge, ...]
    games: tuple[ChallengeGame, ...]
    hidden: Annotated[int, "Challenges and games above the number that is shown."]


@dataclass(frozen=True)
class Listing:
    """A room in the lobby: the client who created its challenge, and since when it is listed."""

    live: LiveRoom
    client: str
    since: float


class Lobby:
    """The listed rooms. They are in use, so that their number is bounded by that of connections."""

    def __init__(self, per_client: int, now: Callable[[], float] = time.monotonic) -> None:
        self._per_client, self._now = per_client, now
        self._listings: dict[str, Listing] = {}
        self._answer, self._answered_at = "", -CACHE_SECONDS

    def __len__(self) -> int:
        return len(self._listings)

    def is_listed(self, live: LiveRoom) -> bool:
        """Return whether a room is listed, as a challenge or as a game."""
        listing = self._listings.get(live.room.id)
        return listing is not None and self._is_shown(listing)

    def has_room_for(self, client: str) -> bool:
        """Return whether a client may have one more challenge."""
        mine = (each for each in self._listings.values() if each.client == client)
        return sum(_is_challenge(each) and self._is_shown(each) for each in mine) < self._per_client

    def add(self, live: LiveRoom, client: str) -> None:
        """List a room, unless the client has too many challenges."""
        known = self._listings.get(live.room.id)
        if known is not None and self._is_shown(known):
            return
        if live.room.has_both_players or self.has_room_for(client):
            self._listings[live.room.id] = Listing(live, client, self._now())

    def remove(self, live: LiveRoom) -> None:
        """Take a room off the list, if it is on it."""
        self._listings.pop(live.room.id, None)

    def answer(self) -> str:
        """Return the list as JSON."""
        now = self._now()
        if now - self._answered_at >= CACHE_SECONDS:
            self._answer, self._answered_at = encode(self._make_answer()), now
        return self._answer

    def forget_answer(self) -> None:
        """Drop the cached answer, so that a visitor who is too late for a challenge sees that it was accepted."""
        self._answered_at = -CACHE_SECONDS

    def take_expired(self) -> list[LiveRoom]:
        """Take the challenges off the list that no one has accepted in time, and return their rooms."""
        expired = [each.live for each in self._listings.values() if _is_challenge(each) and self._is_late(each)]
        for live in expired:
            self.remove(live)
        return expired

    def _is_shown(self, listing: Listing) -> bool:
        is_late = _is_challenge(listing) and self._is_late(listing)
        return not (is_late or listing.live.room.match.is_over)

    def _is_late(self, listing: Listing) -> bool:
        return self._now() - listing.since >= CHALLENGE_SECONDS

    def _make_answer(self) -> LobbyAnswer:
        shown = [each for each in self._listings.values() if self._is_shown(each)]
        challenges = _take_turns(filter(_is_challenge, shown), MAX_CHALLENGES)
        games = _take_turns((each for each in shown if not _is_challenge(each)), MAX_GAMES)
        return LobbyAnswer(
            challenges=tuple([_challenge(each.live) for each in challenges]),
            games=tuple([_game(each.live) for each in games]),
            hidden=len(shown) - len(challenges) - len(games),
        )


def _is_challenge(listing: Listing) -> bool:
    return not listing.live.room.has_both_players


def _take_turns(listings: Iterable[Listing], most: int) -> list[Listing]:
    """Return at most so many, the oldest first: one of each client, then a second of each, and so on.

    A client who floods the list cannot drive others out of it.
    """
    counts: Counter[str] = Counter()
    ranked: list[tuple[int, int, Listing]] = []
    for order, listing in enumerate(sorted(listings, key=lambda each: each.since)):
        ranked.append((counts[listing.client], order, listing))
        counts[listing.client] += 1
    chosen = sorted(ranked, key=lambda each: each[:2])[:most]
    return [listing for _, _, listing in sorted(chosen, key=lambda each: each[1])]


def _challenge(live: LiveRoom) -> Challenge:
    game = live.room.game
    waiting = game.invited.opponent
    return Challenge.from_attributes(_listed(live), name=shorten(game.names[waiting], MAX_NAME), side=game.invited)


def _game(live: LiveRoom) -> ChallengeGame:
    names = live.room.match.names
    return ChallengeGame.from_attributes(
        _listed(live),
        players={side: shorten(names[side], MAX_NAME) for side in Side},
        ply=live.room.match.position.ply,
        watching=live.watching,
    )


def _listed(live: LiveRoom) -> ListedGame:
    position, clock = live.room.match.position, live.room.match.clock
    return ListedGame(
        friend=live.room.id,
        game=None if position.game.is_custom else position.game.id,
        title=shorten(clean_name(title_of(position.game)), MAX_TITLE),
        marks=_marks(position),
        clock=None if clock is None else str(clock.controls[Side.X]),
    )


def _marks(position: Position) -> str | None:
    if position.game.cells > MAX_PICTURE_CELLS:
        return None
    return "".join(["." if mark is None else mark for mark in position.cells])


def shorten(text: str, most: int) -> str:
    """Return a text with at most so many letters; an ellipsis replaces the rest."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
