"""A match: one playthrough between two players."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from noughts.engine import Limit
from noughts.games import GameOver, Outcome, Position, Side, Termination
from noughts.games.outcome import decide
from noughts.match.clock import Clock, ClockState
from noughts.match.events import (
    Ended,
    Event,
    Moved,
    Offer,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    PlayersChanged,
    Replayed,
    Started,
    Suspended,
    TookBack,
)
from noughts.players import FailureReason, HostedPlayer, PlayerFailed

__all__ = ["Failure", "Listener", "Match", "MatchError", "PendingMove", "ask_player", "play_out"]

Listener = Callable[[Event], object]


class MatchError(ValueError):
    """The request is not possible now; the match has not changed."""


@dataclass(frozen=True)
class _Ply:
    """A move of the match with the clocks before and after it; not known for moves made before the match."""

    mover: str | None = None
    seconds: float = 0.0
    before: ClockState | None = None
    """The clocks when the turn began."""
    after: ClockState | None = None
    left: float | None = None
    """The mover's clock after the move."""


class Match:
    """Turns, clocks, takebacks, offers and the end of one playthrough. Does no input or output.

    Every change is reported as an event to the subscribed listeners, in the order in which they subscribed. Requests
    that are not possible raise ``MatchError``, and moves that are not legal ``IllegalMove`` or
    ``InvalidNotation``; nothing has changed then.

    ``names`` are the players' names, ``limits`` bounds for each move of a side besides the clock. ``outcome`` is
    set if the playthrough is already over, but not by the rules.

    >>> from noughts import Game
    >>> match = Match(Game("3x3").start(), {Side.X: "Ann", Side.O: "Bob"})
    >>> match.subscribe(lambda event: print(type(event).__name__))
    >>> match.start()
    Started
    >>> _ = match.play("b2")
    Moved
    >>> match.resign(Side.O)
    Ended
    """

    def __init__(
        self,
        position: Position,
        names: Mapping[Side, str],
        *,
        clock: Clock | None = None,
        limits: Mapping[Side, Limit | None] | None = None,
        outcome: Outcome | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.position = position.copy()
        self.names: dict[Side, str] = dict(names)
        self.clock = clock
        self.limits: dict[Side, Limit | None] = dict(limits or {})
        self.outcome: Outcome | None = outcome or position.outcome
        self.offer: tuple[Offer, Side] | None = None
        """The open offer and the side that made it."""
        self._now = now
        self._thought = 0.0
        """Seconds of this turn before the last pause."""
        self._thinking_since: float | None = None
        self._before_turn: ClockState | None = None
        self._plies = [_Ply()] * position.ply
        self._undone: list[tuple[int, _Ply]] = []
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> None:
        """Report every later event to a listener."""
        self._listeners.append(listener)

    def _emit(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)

    # The state

    @property
    def turn(self) -> Side | None:
        """The side to move; None when the match is over."""
        return None if self.is_over else self.position.turn

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, on the board or otherwise."""
        return self.outcome is not None

    @property
    def can_replay(self) -> int:
        """The number of moves that were taken back and can be made again."""
        return len(self._undone)

    @property
    def undone_moves(self) -> list[int]:
        """The moves that were taken back and can be made again, the next one first."""
        return [move for move, _ in reversed(self._undone)]

    @property
    def movers(self) -> list[str]:
        """The names of the players who made each move; earlier moves count as the present player's."""
        return [ply.mover or self.names[side] for ply, side in zip(self._plies, self._sides(), strict=True)]

    @property
    def clocks(self) -> list[float | None] | None:
        """The time on the mover's clock after each move, None for earlier moves; None without clocks."""
        return None if self.clock is None else [ply.left for ply in self._plies]

    def _sides(self) -> list[Side]:
        last = self._last_mover
        if last is None:
            return []
        return [last if (len(self._plies) - ply) % 2 else last.opponent for ply in range(len(self._plies))]

    @property
    def _last_mover(self) -> Side | None:
        if not self.position.ply:
            return None
        if self.position.turn is not None:
            return self.position.turn.opponent
        before = self.position.copy()
        before.undo()
        return before.turn

    def restore_clocks(self, after_moves: Sequence[float | None], left: Mapping[Side, float]) -> None:
        """Set the clocks of a match with earlier moves: the mover's time after each, and both current times."""
        assert self.clock is not None
        state, plies = self.clock.snapshot(), []
        for side, shown in zip(self._sides(), after_moves, strict=True):
            before = state
            if shown is not None:
                state = ClockState({**state.left, side: shown}, {**state.moves, side: state.moves[side] + 1})
            plies.append(_Ply(before=before, after=state, left=shown))
        self._plies = plies
        self.clock.restore(ClockState(dict(left), state.moves))

    def limit(self) -> Limit | None:
        """Return the bounds for the next move: those of the side to move and its clock; None when nothing bounds it."""
        side = self.turn
        if side is None:
            return None
        bounds = self.limits.get(side)
        if self.clock is None or not self.clock.is_timed(side):
            return bounds
        reading = self.clock.reading(side)
        if bounds is None:
            return Limit(clock=reading)
        return Limit(bounds.seconds, bounds.depth, bounds.nodes, reading)

    def rematch(self, position: Position, outcome: Outcome | None = None) -> Match:
        """Return another match of the same players, with the same limits and full clocks, and without listeners."""
        clock = None if self.clock is None else self.clock.reset_copy()
        return Match(position, self.names, clock=clock, limits=self.limits, outcome=outcome, now=self._now)

    # Playing

    def start(self) -> None:
        """Begin the match, or resume it: the clock of the side to move runs from now."""
        control = None if self.clock is None else self.clock.controls.get(Side.X)
        self._emit(Started(self.position.copy(), dict(self.names), control))
        self._begin_turn()

    def play(self, move: int | str, side: Side | None = None, seconds: float | None = None) -> Moved | None:
        """Make a move for the side to move and return its event; None if its time was already up, which ends the match.

        With ``side`` the move is refused unless it is that side's turn. ``seconds`` is how long the player thought if
        it was measured elsewhere, see ``ask_player``: the clock is charged that time instead of the time since the
        turn began, and the caller checks whether it was late.
        """
        self.require_unfinished()
        if side is not None and side is not self.turn:
            raise MatchError("it is not your turn")
        if seconds is None and self.check_flag():
            return None
        number = self.position.parse_move(move) if isinstance(move, str) else move
        moved = self._make(number, seconds)
        if not self._undone or self._undone.pop()[0] != number:
            self._undone.clear()
        self._emit(moved)
        self._continue()
        return moved

    def _make(self, move: int, seconds: float | None) -> Moved:
        side = self.position.turn
        assert side is not None
        self.position.play(move)
        thought = self._seconds_thought if seconds is None else seconds
        after = left = None
        if self.clock is not None:
            self.clock.press(side, seconds)
            after = self.clock.snapshot()
            left = after.left[side] if self.clock.is_timed(side) else None
        self.offer = None
        return self._record(side, move, _Ply(self.names[side], thought, self._before_turn, after, left))

    def _record(self, side: Side, move: int, ply: _Ply) -> Moved:
        self._plies.append(ply)
        name = ply.mover or self.names[side]
        text = self.position.format_move(move)
        return Moved(self.position.copy(), side, name, move, text, ply.seconds, ply.left)

    @property
    def _seconds_thought(self) -> float:
        running = 0.0 if self._thinking_since is None else self._now() - self._thinking_since
        return self._thought + running

    def _continue(self) -> None:
        """After any change of the position: end the match, or begin the next turn."""
        if self.position.outcome is not None:
            self._end(self.position.outcome)
        else:
            self._begin_turn()

    def _begin_turn(self) -> None:
        self._thought, self._thinking_since = 0.0, None
        if self.clock is not None:
            self.clock.pause()
            self._before_turn = self.clock.snapshot()
        self.resume()

    def pause(self) -> None:
        """Stop the clock in the middle of a turn."""
        self._thought, self._thinking_since = self._seconds_thought, None
        if self.clock is not None:
            self.clock.pause()

    def resume(self) -> None:
        """Let the clock of the side to move run again after ``pause``; no effect while it runs."""
        turn = self.turn
        if turn is None:
            return
        if self._thinking_since is None:
            self._thinking_since = self._now()
        if self.clock is not None:
            self.clock.start(turn)

    def rewind_turn(self) -> None:
        """Stop the clock and give the side to move its time of this turn back: its player measures it itself."""
        self._thought, self._thinking_since = 0.0, None
        if self.clock is not None and self._before_turn is not None:
            self.clock.restore(self._before_turn)

    def suspend(self) -> None:
        """Leave the match; an unfinished one can be resumed later with the same clock times."""
        self.pause()
        if not self.is_over:
            left = None if self.clock is None else self.clock.snapshot().left
            self._emit(Suspended(self.position.copy(), left))

    def change_players(self, names: Mapping[Side, str]) -> None:
        """Let other players play from here; the time of this turn so far stays charged."""
        self.names = dict(names)
        self._emit(PlayersChanged(self.position.copy(), dict(self.names)))
        self._begin_turn()

    # Taking back

    def plies_to_take_back(self, side: Side) -> int:
        """Return the number of plies from the last move of a side to now; 0 if it has made none."""
        last = self._last_mover
        back = 1 if last is side else 2
        return back if self.position.ply >= back else 0

    def take_back(self, plies: int) -> None:
        """Take moves back; both clocks are restored to the beginning of the first turn taken back."""
        if not 1 <= plies <= self.position.ply:
            raise MatchError("there is no move to take back")
        taken = []
        for _ in range(plies):
            ply = self._plies.pop()
            taken.append(self.position.format_move(self.position.moves[-1]))
            self._undone.append((self.position.undo(), ply))
            if self.clock is not None and ply.before is not None:
                self.clock.restore(ply.before)
        self.outcome = self.offer = None
        self._emit(TookBack(self.position.copy(), tuple(reversed(taken))))
        self._begin_turn()

    def replay(self, plies: int) -> None:
        """Replay moves that were taken back; both clocks are restored to their times after those moves."""
        if not 1 <= plies <= len(self._undone):
            raise MatchError("there is no move to play again")
        moves = []
        for _ in range(plies):
            move, ply = self._undone.pop()
            side = self.position.turn
            assert side is not None
            self.position.play(move)
            if self.clock is not None and ply.after is not None:
                self.clock.restore(ply.after)
            moves.append(self._record(side, move, ply))
        self.offer = None
        self._emit(Replayed(self.position.copy(), tuple(moves)))
        self._continue()

    # Offers

    def make_offer(self, side: Side, offer: Offer) -> None:
        """Offer a draw, a takeback of the side's last move, or after the end a rematch.

        The same offer from both sides is an agreement; making it twice has no effect.
        """
        if self.offer == (offer, side):
            return
        if self.offer == (offer, side.opponent):
            self.accept(side, offer)
            return
        self._check_offer(side, offer)
        self.offer = (offer, side)
        self._emit(OfferMade(self.position.copy(), side, offer))

    def accept(self, side: Side, offer: Offer) -> None:
        """Accept the opponent's offer, which then takes effect."""
        if self.offer != (offer, side.opponent):
            raise MatchError("there is no such offer")
        self._check_offer(side.opponent, offer)
        self.offer = None
        self._emit(OfferAccepted(self.position.copy(), side, offer))
        if offer is Offer.TAKEBACK:
            self.take_back(self.plies_to_take_back(side.opponent))
        elif offer is Offer.DRAW:
            self._end(decide(self.position, Termination.AGREEMENT))

    def decline(self, side: Side, offer: Offer) -> None:
        """Decline the opponent's offer, or withdraw the side's own."""
        if self.offer is None or self.offer[0] != offer:
            raise MatchError("there is no such offer")
        self.offer = None
        self._emit(OfferDeclined(self.position.copy(), side, offer))

    def _check_offer(self, side: Side, offer: Offer) -> None:
        if offer is Offer.REMATCH:
            if not self.is_over:
                raise MatchError("a rematch can be offered only after the game")
            return
        self.require_unfinished()
        if offer is Offer.TAKEBACK and not self.plies_to_take_back(side):
            raise MatchError("you have not made a move yet")

    # Ends

    def resign(self, side: Side) -> None:
        """Let a side resign."""
        self.require_unfinished()
        self._end(decide(self.position, Termination.RESIGN, side.opponent))

    def forfeit(self, side: Side, reason: Termination, detail: str = "") -> None:
        """Let a side lose by ``time``, ``illegal`` or ``crash``; ``detail`` says what happened."""
        self.require_unfinished()
        self._end(decide(self.position, reason, side.opponent), detail)

    def seconds_to_flag(self) -> float | None:
        """Return how long the side to move has left; None when no clock runs."""
        if self.clock is None or self.clock.running is None:
            return None
        return self.clock.left(self.clock.running)

    def check_flag(self) -> bool:
        """End the match if the time of the side to move is up; returns whether it was."""
        left, turn = self.seconds_to_flag(), self.turn
        if turn is None or left is None or left > 0:
            return False
        self.forfeit(turn, Termination.TIME)
        return True

    def _end(self, outcome: Outcome, detail: str = "") -> None:
        self.pause()
        self.outcome, self.offer = outcome, None
        self._emit(Ended(self.position.copy(), outcome, dict(self.names), detail))

    def require_unfinished(self) -> None:
        """Raise GameOver if the match is over, by its moves or otherwise."""
        if self.is_over:
            raise GameOver


class Failure(NamedTuple):
    """The side whose player failed, and how."""

    side: Side
    error: PlayerFailed


class PendingMove:
    """A question to a player: the move of the side to move.

    ``ask`` does not touch the match, so it can be called in another thread. ``settle`` makes the move that it
    returned, unless ``is_stale``: the match has moved on in the meantime. The clock stands still until then; it is
    charged the time that the player measured (``last_seconds``), which does not include starting a program.
    """

    def __init__(self, match: Match, player: HostedPlayer) -> None:
        side = match.turn
        assert side is not None
        match.rewind_turn()
        self.match = match
        self.player = player
        self.side = side
        self.position = match.position.copy()
        self._limit = match.limit()

    def ask(self) -> int:
        """Return the player's move; raises PlayerFailed."""
        return self.player.choose(self.position, self._limit)

    @property
    def is_stale(self) -> bool:
        """Whether the match has another position by now, or is over."""
        return self.match.turn is not self.side or self.match.position.moves != self.position.moves

    def settle(self, answer: Callable[[], int], describe: Callable[[PlayerFailed], str] = str) -> Failure | None:
        """Make the move of ``answer``, which may raise; a player that fails forfeits, and this is returned.

        A player that answers later than its limit and its grace allow loses on time. ``describe`` returns the detail
        of a forfeit.
        """
        try:
            move = answer()
            self.player.check_in_time(self._limit, self.side)
            if not self.match.position.is_legal(move):
                raise PlayerFailed(f"an illegal move: {move}", FailureReason.ILLEGAL)
        except PlayerFailed as error:
            self.match.forfeit(self.side, error.termination, describe(error))
            return Failure(self.side, error)
        self.match.play(move, seconds=self.player.last_seconds)
        return None


def ask_player(
    match: Match,
    player: HostedPlayer,
    run: Callable[[Callable[[], int]], int] = lambda question: question(),
    describe: Callable[[PlayerFailed], str] = str,
) -> Failure | None:
    """Ask a player for the move of the side to move and make it; see ``PendingMove``.

    ``run`` calls the question and returns its answer, perhaps from another thread.
    """
    question = PendingMove(match, player)
    return question.settle(lambda: run(question.ask), describe)


def play_out(match: Match, players: Mapping[Side, HostedPlayer], start: Position | None = None) -> Failure | None:
    """Ask the players for moves until the match is over; returns the failure that ended it, if one did.

    See ``ask_player``. ``start`` is the position in which the playthrough began, by default the match's position
    now.
    """
    start = match.position.copy() if start is None else start
    match.start()
    for side in Side:
        try:
            players[side].new_game(start)
        except PlayerFailed as error:
            match.forfeit(side, error.termination, str(error))
            return Failure(side, error)
    failure = None
    while match.turn is not None:
        failure = ask_player(match, players[match.turn])
    return failure
