"""Keeps a session's playthroughs in the store, move by move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from noughts.games import Game, Outcome, Position, Side
from noughts.store import Record, Store, StoreError, records

if TYPE_CHECKING:
    from noughts.cli.session.session import Session

__all__ = ["StoreKeeper"]


class StoreKeeper:
    """A keeper on a store. When writing fails it says so once and keeps no more, so that play can go on."""

    def __init__(self, store: Store, complain: Callable[[str], None], kept: int | None = None) -> None:
        self.kept = kept
        self._is_resumed = kept is not None
        self._store: Store | None = store
        self._complain = complain

    def moved(self, session: Session, seconds: float) -> None:
        """Keep the last move, and the playthrough with its first."""
        self._try(lambda store: self._keep_move(store, session, seconds))

    def _keep_move(self, store: Store, session: Session, seconds: float) -> None:
        position, clock = session.position, session.clock
        before = position.copy()
        move = before.undo()
        side = before.turn
        assert side is not None
        if self.kept is None:
            self.kept = self._begin(store, session, before)
        left = clock.left[side] if clock else None
        if clock and self._is_resumed:
            # From here on the clocks of the moves count again, in case the process is killed.
            store.change(self.kept, x_left=None, o_left=None)
            self._is_resumed = False
        store.add_move(self.kept, position.ply, side, move, round(seconds, 3), left)

    def _begin(self, store: Store, session: Session, position: Position) -> int:
        x, o = (session.seats[side].name for side in Side)
        return store.begin(position, x, o, session.seconds_limit, session.clock.tag if session.clock else None)

    def cut(self, session: Session) -> None:
        """Forget the moves that were taken back."""
        self._if_kept(lambda store, number: store.cut(number, session.position.ply))

    def ended(self, session: Session, outcome: Outcome) -> None:
        """Keep the result, and the playthrough with it when it came from a file."""

        def finish(store: Store) -> None:
            if self.kept is None and session.position.ply:
                self.kept = self._begin(store, session, session.position)
            if self.kept is not None:
                store.finish(self.kept, outcome)

        self._try(finish)

    def seated(self, session: Session) -> None:
        """Keep the names of the players."""
        x, o = (session.seats[side].name for side in Side)
        self._if_kept(lambda store, number: store.change(number, x=x, o=o))

    def paused(self, session: Session) -> None:
        """Keep what the clocks show, and a last move that an interruption came too soon for."""
        self._try(lambda store: self._catch_up(store, session))
        clock = session.clock
        if clock is not None:
            x, o = (clock.left[side] for side in Side)
            self._if_kept(lambda store, number: store.change(number, x_left=x, o_left=o))

    def records(self, game: Game) -> list[Record]:
        """Return the results of the person at the keyboard in a game."""
        found: list[Record] = []
        self._try(lambda store: found.extend(records(store, "you", game.id)))
        return found

    def reviewed(self, accuracy: dict[Side, float | None]) -> None:
        """Keep how well each side played."""
        x, o = (accuracy.get(side) for side in Side)
        self._if_kept(lambda store, number: store.change(number, x_accuracy=x, o_accuracy=o))

    def _catch_up(self, store: Store, session: Session) -> None:
        if session.is_over or not session.position.ply:
            return
        if self.kept is None:
            self.kept = self._begin(store, session, session.position)
            return
        known, back, missing = store.get(self.kept).summary.plies, session.position.copy(), []
        while back.ply > known:
            ply, move = back.ply, back.undo()
            missing.append((ply, str(back.turn), move))
        for ply, side, move in reversed(missing):
            store.add_move(self.kept, ply, side, move)

    def renew(self) -> None:
        """Begin another playthrough with the next move."""
        self.kept = None

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def _if_kept(self, write: Callable[[Store, int], None]) -> None:
        number = self.kept
        if number is not None:
            self._try(lambda store: write(store, number))

    def _try(self, write: Callable[[Store], None]) -> None:
        if self._store is None:
            return
        try:
            write(self._store)
        except StoreError as error:
            self.close()
            self.kept = None
            self._complain(f"the game is no longer kept: {error}")
