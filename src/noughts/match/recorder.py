"""Saves matches in the store as they are played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from time import monotonic

from noughts.engine import Limit
from noughts.games import Game, Outcome, Position, Side
from noughts.match.clock import Clock, TimeControl
from noughts.match.events import Ended, Event, Moved, PlayersChanged, Replayed, Started, Suspended, TookBack
from noughts.match.match import Match
from noughts.store import Busy, Conflict, PlayerRecord, SavedPlaythrough, Store, StoreError, open_store_if_possible
from noughts.store.database import BUSY_SECONDS

__all__ = ["Recorder", "resume_match"]

Moves = tuple[int, ...]
SAVED_LATER = "the game cannot be saved at the moment; it will be saved as soon as possible"
RETRY_BUSY_SECONDS = 0.05
"""Time to wait for another program that is writing, after a first failure: play must not stutter."""
RETRY_SECONDS = 2.0
"""Time between attempts to write after one has failed."""


@dataclass
class _Entry:
    """A playthrough as it should be in the store: everything needed to write it from scratch."""

    start: Position
    """The position in which the playthrough began."""
    position: Position
    names: Mapping[Side, str]
    control: TimeControl | None
    seconds: float | None
    outcome: Outcome | None = None
    left: Mapping[Side, float] | None = None
    """The time on both clocks when the match was suspended. During play it is None and the clocks of the moves count,
    so that they are right even if the process is killed."""
    times: dict[int, tuple[float, float | None]] = field(default_factory=dict)
    """By ply, from 1: the seconds of the move, and the mover's clock after it."""
    number: int | None = None
    """The number of the playthrough in the store; None before its first move."""
    written: Moves = ()
    """The moves as this recorder wrote them last. Different moves on disk were written by another session."""
    is_changed: bool = False
    """Whether something has happened that is not in the store."""

    @property
    def is_unwritten(self) -> bool:
        """Whether there is something to write; before the first move there is not."""
        return self.is_changed and (self.number is not None or self.position.ply > 0)

    def write(self, store: Store) -> None:
        """Bring the store up to date in one transaction."""
        if not self.is_unwritten:
            return
        number = self.number
        with store.transaction():
            if number is None:
                tag = None if self.control is None else self.control.tag
                number = store.begin(self.start, self.names[Side.X], self.names[Side.O], self.seconds, tag)
            self._add_moves(store, number, self._remove_moves(store, number))
            left = self.left or {}
            x, o = self.names[Side.X], self.names[Side.O]
            store.change(number, x=x, o=o, x_left=left.get(Side.X), o_left=left.get(Side.O))
            if self.outcome is not None:
                store.finish(number, self.outcome)
        self.number, self.written, self.is_changed = number, tuple(self.position.moves), False

    def add(self, moved: Moved) -> None:
        self.position, self.left, self.is_changed = moved.position, None, True
        self.times[moved.position.ply] = round(moved.seconds, 3), moved.left

    def _remove_moves(self, store: Store, number: int) -> int:
        """Remove moves that were taken back, but none of another session; return how many moves remain."""
        known = store.moves_of(number)
        pairs = zip(known, self.position.moves, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if same < len(known):
            if known != self.written:
                raise Conflict(f"{store.path}: this game was changed by another session")
            store.truncate(number, same)
        return same

    def _add_moves(self, store: Store, number: int, known: int) -> None:
        first = self.start.turn or Side.X
        for ply, move in enumerate(self.position.moves[known:], start=known + 1):
            side = first if ply % 2 else first.opponent
            store.add_move(number, ply, side, move, *self.times.get(ply, (None, None)))


class Recorder:
    """Saves the matches it is subscribed to, one after the other: every event is on disk when ``record`` returns.

    While writing fails, events are held in memory and play continues; ``warn`` is called once when that begins and
    once when everything has been written. Without a store, because another program was writing when it was to be
    opened, opening is retried as well. A finished playthrough is never changed: after a takeback, the play that
    follows is saved as another one.
    """

    def __init__(
        self,
        store: Store | None,
        warn: Callable[[str], None],
        *,
        seconds: float | None = None,
        resumed: SavedPlaythrough | None = None,
    ) -> None:
        """Record to ``store``; ``seconds`` is the engines' limit for a move.

        ``resumed`` is the saved playthrough that the first match continues.
        """
        self._store = store
        self._warn = warn
        self._seconds = seconds
        self._resumed = resumed
        self._entry: _Entry | None = None
        self._unwritten: list[_Entry] = []
        """Earlier playthroughs that could not be written."""
        self._is_open = True
        """False after ``close`` and after a conflict with another session."""
        self._is_behind = store is None
        """Whether writing has failed, so that not everything is on disk."""
        self._busy_seconds = RETRY_BUSY_SECONDS if store is None else BUSY_SECONDS
        self._tried = monotonic()

    @classmethod
    def open(cls, warn: Callable[[str], None], *, seconds: float | None = None) -> Recorder | None:
        """Return a recorder to the user's store; None, after a warning, if it can never be written to."""
        try:
            store = open_store_if_possible(warn=warn, raise_busy=True)
        except Busy as error:
            warn(f"{SAVED_LATER}: {error}")
            return cls(None, warn, seconds=seconds)
        return None if store is None else cls(store, warn, seconds=seconds)

    def resume(self, saved: SavedPlaythrough) -> None:
        """Let the next match that starts continue a saved playthrough."""
        self._resumed = saved

    @property
    def number(self) -> int | None:
        """The number of the current playthrough in the store; None before its first move, or if it is not saved."""
        return self._entry.number if self._entry is not None and self._is_open else None

    def record(self, event: Event) -> None:
        """Save what an event of the match changes; a listener for ``Match.subscribe``."""
        if not self._is_open:
            return
        if isinstance(event, Started):
            self._begin(event)
            return
        entry = self._entry
        if entry is None:
            return
        match event:
            case Moved():
                entry.add(event)
            case Replayed():
                for moved in event.moves:
                    entry.add(moved)
            case TookBack():
                entry = self._take_back(entry, event)
            case PlayersChanged() if entry.outcome is None:
                entry.names = event.names
                entry.is_changed |= entry.number is not None
            case Ended():
                entry.position, entry.outcome, entry.is_changed = event.position, event.outcome, True
            case Suspended():
                entry.position, entry.left, entry.is_changed = event.position, event.left, True
                self._prepare_last_attempt()
        self._write(entry)

    def _begin(self, event: Started) -> None:
        """Begin another playthrough; it is written with its first move."""
        self._set_aside()
        beginning = event.position.game.start_from(event.position.start_text)
        self._entry = _Entry(beginning, event.position, event.names, event.control, self._seconds)
        if self._resumed is not None:
            self._entry.number, self._entry.written = self._resumed.summary.id, self._resumed.moves
            self._resumed = None

    def _take_back(self, entry: _Entry, event: TookBack) -> _Entry:
        ply = event.position.ply
        times = {at: time for at, time in entry.times.items() if at <= ply}
        if entry.outcome is None:
            entry.position, entry.times, entry.left = event.position, times, None
            entry.is_changed |= entry.number is not None
            return entry
        self._set_aside()
        again = _Entry(entry.start, event.position, entry.names, entry.control, entry.seconds, times=times)
        self._entry = again
        return again

    def _set_aside(self) -> None:
        """Hold an unwritten playthrough in memory while another one begins."""
        if self._is_behind and self._entry is not None:
            self._unwritten.append(self._entry)

    def _prepare_last_attempt(self) -> None:
        """After a failure, retry at once with the full time to wait for other programs."""
        if self._is_behind:
            self._tried = -RETRY_SECONDS
            self._set_busy_seconds(BUSY_SECONDS)

    def _write(self, entry: _Entry) -> None:
        """Write an entry. After a failure, everything not yet on disk is retried every few seconds."""
        if self._is_behind or self._store is None:
            if monotonic() - self._tried > RETRY_SECONDS:
                self._retry()
            return
        try:
            entry.write(self._store)
        except Conflict as error:
            self._give_up(error)
        except StoreError as error:
            self._is_behind, self._tried = True, monotonic()
            self._set_busy_seconds(RETRY_BUSY_SECONDS)
            self._warn(f"{SAVED_LATER}: {error}")

    def _retry(self) -> None:
        self._tried = monotonic()
        try:
            if self._store is None:
                self._store = Store(busy_seconds=self._busy_seconds)
            while self._unwritten:
                self._unwritten[0].write(self._store)
                del self._unwritten[0]
            if self._entry is not None:
                self._entry.write(self._store)
        except Conflict as error:
            self._give_up(error)
        except StoreError:
            return
        else:
            self._is_behind = False
            self._set_busy_seconds(BUSY_SECONDS)
            self._warn("the game is saved again, with all its moves")

    def _give_up(self, error: StoreError) -> None:
        assert self._store is not None
        self._store.close()
        self._store = self._entry = None
        self._is_behind = self._is_open = False
        self._warn(f"the game is no longer saved: {error}")

    def _set_busy_seconds(self, seconds: float) -> None:
        self._busy_seconds = seconds
        if self._store is not None:
            self._store.set_busy_timeout(seconds)

    def results(self, player: str, game: Game) -> list[PlayerRecord]:
        """Return the results of a player so far in a game, by opponent; none while the store cannot be used."""
        if self._store is None or self._is_behind:
            return []
        try:
            return self._store.player_records(player, game.id)
        except StoreError as error:
            self._warn(f"the results so far cannot be read: {error}")
            return []

    def save_accuracy(self, accuracy: Mapping[Side, float | None]) -> None:
        """Save how accurately each side of the current playthrough played, in percent."""
        if self.number is None or self._store is None or self._is_behind:
            return
        try:
            self._store.set_accuracy(self.number, accuracy)
        except StoreError as error:
            self._warn(f"the accuracy is not saved: {error}")

    def close(self) -> None:
        """Close the store, after a last attempt to write what is held in memory."""
        if not self._is_open:
            return
        if self._has_unwritten:
            self._set_busy_seconds(BUSY_SECONDS)
            self._retry()
        if self._has_unwritten:
            self._warn("moves that could not be saved are lost")
        self._is_open = False
        if self._store is not None:
            self._store.close()
            self._store = None

    @property
    def _has_unwritten(self) -> bool:
        entries = [*self._unwritten, *([self._entry] if self._entry else [])]
        return self._is_behind and any(entry.is_unwritten for entry in entries)


def resume_match(saved: SavedPlaythrough) -> Match:
    """Return a match that continues a saved playthrough, with its clocks as they were left."""
    match = Match(
        saved.position(),
        {Side.X: saved.summary.x, Side.O: saved.summary.o},
        clock=None if saved.clock is None else Clock(TimeControl.from_tag(saved.clock)),
        limits=None if saved.seconds is None else dict.fromkeys(Side, Limit(seconds=saved.seconds)),
    )
    if saved.left is not None:
        match.restore_clocks(saved.move_clocks, saved.left)
    return match
