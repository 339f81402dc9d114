"""Keeps a session's playthroughs in the store, move by move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from time import monotonic
from typing import TYPE_CHECKING

from noughts.games import Game, Outcome, Position, Side
from noughts.store import Record, Store, StoreError, records
from noughts.store.schema import PATIENCE, Conflict

if TYPE_CHECKING:
    from noughts.cli.terminal.session import Session

__all__ = ["KEPT_LATER", "StoreKeeper"]


Moves = tuple[int, ...]
KEPT_LATER = "the game cannot be kept at the moment and will be kept as soon as possible"
BUSY_SECONDS = 0.05
"""How long each attempt waits for another program that writes, once one has failed: play must not stutter."""
RETRY_SECONDS = 2.0
"""Between one attempt and the next."""


@dataclass
class _Pending:
    """A playthrough as it should be in the store: all that is needed to write it from nothing."""

    number: int | None
    on_disk: Moves
    """The moves that were written last. Any others on disk are another session's."""
    position: Position
    names: tuple[str, str]
    seconds: float | None
    clock: str | None
    times: dict[int, tuple[float | None, float | None]]
    """By ply, from 1: the seconds of the move, and the clock after it."""
    outcome: Outcome | None

    def write(self, store: Store) -> int | None:
        """Write all of this to the store, or nothing; return the number, None while there are no moves."""
        number, moves = self.number, self.position.moves
        with store.all_or_nothing():
            if number is None:
                if not moves:
                    return None
                number = store.begin(self._at(0), *self.names, self.seconds, self.clock)
            same = self._cut(store, number)
            self._add_moves(store, number, same)
            store.change(number, x=self.names[0], o=self.names[1])
            if self.outcome is not None:
                store.finish(number, self.outcome)
        return number

    def _cut(self, store: Store, number: int) -> int:
        """Forget the moves that were taken back, but none of another session; return how many are left."""
        known = store.get(number).moves
        pairs = zip(known, self.position.moves, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if same < len(known):
            if known != self.on_disk:
                raise Conflict(f"{store.path}: this game was changed by another session")
            store.cut(number, same)
        return same

    def _at(self, ply: int) -> Position:
        back = self.position.copy()
        while back.ply > ply:
            back.undo()
        return back

    def _add_moves(self, store: Store, number: int, known: int) -> None:
        position = self._at(known)
        for ply, move in enumerate(self.position.moves[known:], start=known + 1):
            assert position.turn is not None
            store.add_move(number, ply, position.turn, move, *self.times.get(ply, (None, None)))
            position.play(move)


class StoreKeeper:
    """A keeper on a store. While writing fails, the moves are held in memory and play continues; it says so once.

    Without a store, since another program was writing when it was opened, opening is tried again as well.
    A finished playthrough stays as it is: after an ``undo`` what follows is kept as another.
    """

    def __init__(
        self, store: Store | None, complain: Callable[[str], None], kept: int | None = None, moves: Moves = ()
    ) -> None:
        self.kept = kept
        self._on_disk = moves
        self._is_resumed = kept is not None
        self._is_finished = False
        self._store = store
        self._is_open = True
        """Whether moves are still to be kept: not after ``close``, nor after a conflict."""
        self._complain = complain
        self._times: dict[int, tuple[float | None, float | None]] = {}
        self._is_behind = store is None
        """Whether writing has failed, so that not everything is on disk."""
        self._pending: _Pending | None = None
        """The current playthrough as it should be on disk."""
        self._earlier: list[_Pending] = []
        """Earlier playthroughs that could not be written either."""
        self._tried = monotonic()
        self._patience = BUSY_SECONDS if store is None else PATIENCE

    def moved(self, session: Session, seconds: float) -> None:
        """Keep the last move, and the playthrough with its first."""
        position, clock = session.position, session.clock
        before = position.copy()
        move = before.undo()
        side = before.turn
        assert side is not None
        time = round(seconds, 3), clock.left[side] if clock else None
        self._times[position.ply] = time

        def keep(store: Store) -> None:
            with store.all_or_nothing():
                number = self._begin(store, session, before) if self.kept is None else self.kept
                if clock and self._is_resumed:
                    # From here on the clocks of the moves count again, in case the process is killed.
                    store.change(number, x_left=None, o_left=None)
                store.add_move(number, position.ply, side, move, *time)
            self.kept, self._on_disk, self._is_resumed = number, tuple(position.moves), False

        self._try(session, keep)

    def _begin(self, store: Store, session: Session, position: Position) -> int:
        return store.begin(position, *_names(session), session.seconds_limit, _tag(session))

    def cut(self, session: Session) -> None:
        """Forget the moves that were taken back; a playthrough that was finished stays, and another begins."""
        ply = session.position.ply
        self._times = {at: time for at, time in self._times.items() if at <= ply}
        if self._is_finished:
            self.renew()
            return

        def forget(store: Store, number: int) -> None:
            store.cut(number, ply)
            self._on_disk = tuple(session.position.moves)

        self._if_kept(session, forget)

    def ended(self, session: Session, outcome: Outcome) -> None:
        """Keep the result, and the playthrough with it when it came from a file."""

        def finish(store: Store) -> None:
            if self.kept is None and session.position.ply:
                self.kept = self._begin(store, session, session.position)
                self._on_disk = tuple(session.position.moves)
            if self.kept is not None:
                store.finish(self.kept, outcome)

        self._is_finished = True
        self._try(session, finish)

    def seated(self, session: Session) -> None:
        """Keep the names of the players."""
        if not self._is_finished:
            x, o = _names(session)
            self._if_kept(session, lambda store, number: store.change(number, x=x, o=o))

    def paused(self, session: Session) -> None:
        """Keep what the clocks show, and a last move that an interruption came too soon for."""
        if self._is_behind:  # the last chance
            self._tried = 0.0
            self._set_patience(PATIENCE)
        if not session.is_over:
            self._try(session, lambda store: self._catch_up(store, session))
        clock = session.clock
        if clock is not None and not session.is_over:
            x, o = (clock.left[side] for side in Side)
            self._if_kept(session, lambda store, number: store.change(number, x_left=x, o_left=o))

    def records(self, game: Game) -> list[Record]:
        """Return the results of the person at the keyboard in a game."""
        found: list[Record] = []
        if self._store is not None and not self._is_behind:
            try:
                found = records(self._store, "you", game.id)
            except StoreError as error:
                self._complain(f"the results so far cannot be read: {error}")
        return found

    def reviewed(self, accuracy: dict[Side, float | None]) -> None:
        """Keep how well each side played."""
        x, o = (accuracy.get(side) for side in Side)
        number = self.kept
        if number is not None and self._store is not None and not self._is_behind:
            try:
                self._store.change(number, x_accuracy=x, o_accuracy=o)
            except StoreError as error:
                self._complain(f"the review is not kept: {error}")

    def _catch_up(self, store: Store, session: Session) -> None:
        self.kept = self._pending_of(session).write(store)
        self._on_disk = tuple(session.position.moves)

    def renew(self) -> None:
        """Begin another playthrough with the next move."""
        if self._pending is not None:
            self._earlier.append(self._pending)
        self._pending = self.kept = None
        self._is_finished = self._is_resumed = False
        self._times, self._on_disk = {}, ()

    def close(self) -> None:
        """Close the store, after a last attempt to write what is held in memory."""
        if not self._is_open:
            return
        if self._has_unwritten:
            self._set_patience(PATIENCE)
            self._retry()
        if self._has_unwritten:
            self._complain("the moves that could not be kept are lost")
        self._is_open = False
        if self._store is not None:  # it may have been given up
            self._store.close()
            self._store = None

    @property
    def _has_unwritten(self) -> bool:
        """Whether something is held in memory that is not on disk."""
        sheets = [*self._earlier, *([self._pending] if self._pending else [])]
        return self._is_behind and any(pending.number is not None or pending.position.moves for pending in sheets)

    def _set_patience(self, seconds: float) -> None:
        self._patience = seconds
        if self._store is not None:
            self._store.set_busy_timeout(seconds)

    def _if_kept(self, session: Session, write: Callable[[Store, int], None]) -> None:
        def write_if_kept(store: Store) -> None:
            if self.kept is not None:
                write(store, self.kept)

        self._try(session, write_if_kept)

    def _pending_of(self, session: Session) -> _Pending:
        return _Pending(
            self.kept,
            self._on_disk,
            session.position.copy(),
            _names(session),
            session.seconds_limit,
            _tag(session),
            dict(self._times),
            session.outcome,
        )

    def _try(self, session: Session, write: Callable[[Store], None]) -> None:
        """Write. Once that has failed, retry now and then with the whole playthrough."""
        if not self._is_open:
            return
        if self._is_behind or self._store is None:
            self._pending = self._pending_of(session)
            if monotonic() - self._tried > RETRY_SECONDS:
                self._retry()
            return
        try:
            write(self._store)
        except Conflict as error:
            self._give_up(error)
        except StoreError as error:
            self._is_behind, self._pending, self._tried = True, self._pending_of(session), monotonic()
            self._set_patience(BUSY_SECONDS)
            self._complain(f"{KEPT_LATER}: {error}")

    def _retry(self) -> None:
        """Try to write everything held in memory; on success normal writing resumes."""
        pending = self._pending
        self._tried = monotonic()
        try:
            if self._store is None:
                self._store = Store(patience=self._patience)
            store = self._store
            while self._earlier:
                self._earlier[0].write(store)
                del self._earlier[0]
            if pending is not None:
                self.kept, self._on_disk = pending.write(store), tuple(pending.position.moves)
        except Conflict as error:
            self._give_up(error)
        except StoreError:
            return
        else:
            self._is_behind, self._pending = False, None
            self._set_patience(PATIENCE)
            self._complain("the game is kept again, with all its moves")

    def _give_up(self, error: StoreError) -> None:
        assert self._store is not None
        self._store.close()
        self._store = self._pending = self.kept = None
        self._is_behind = self._is_open = False
        self._complain(f"the game is no longer kept: {error}")


def _names(session: Session) -> tuple[str, str]:
    return session.seats[Side.X].name, session.seats[Side.O].name


def _tag(session: Session) -> str | None:
    return session.clock.tag if session.clock else None
