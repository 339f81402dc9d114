"""A playthrough as it is played: the position, who sits where, the clocks, and what can be taken back.

A state machine without input or output: lines and bots' moves go in, events come out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.cli.terminal import events
from noughts.cli.terminal.advice import Advisor
from noughts.cli.terminal.clock import Clock, format_seconds
from noughts.cli.terminal.keeper import Keeper, NoKeeper
from noughts.cli.terminal.seats import Seat
from noughts.games import IllegalMove, InvalidNotation, Outcome, Position, Side
from noughts.games.outcome import decide
from noughts.games.quoting import quote

if TYPE_CHECKING:
    from noughts.cli.terminal.commands import Command

__all__ = ["Session"]

FEW = 12
"""So many legal moves are few enough to be listed when a wrong one is typed."""


@dataclass(frozen=True)
class Timed:
    """The clocks before a move, what its mover had left after it, and the mover's name (None for a loaded move)."""

    before: dict[Side, float]
    after: float | None
    mover: str | None = None


class Session:
    """One or more playthroughs between two players.

    ``seconds_limit`` is how long an engine may think about a move; ``now`` tells the time in seconds.
    """

    def __init__(
        self,
        position: Position,
        seats: dict[Side, Seat],
        clock: Clock | None = None,
        keeper: Keeper | None = None,
        advisor: Advisor | None = None,
        seconds_limit: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.position = position
        self.seats = seats
        self.clock = clock
        self.keeper = keeper or NoKeeper()
        self.advisor = advisor
        self.seconds_limit = seconds_limit
        self.outcome: Outcome | None = None
        self.is_left = False
        self.undone: list[int] = []
        self.saved: set[Path] = set()
        self.hinted = False
        self._now = now
        self._turn_began = now()
        self._times: list[Timed] = [Timed({}, None)] * position.ply
        self._question: events.Answer | None = None

    # What is so

    @property
    def is_over(self) -> bool:
        """Whether the playthrough has ended, by the rules or otherwise."""
        return self.outcome is not None

    @property
    def seat(self) -> Seat | None:
        """Whoever is to move; None when it is over."""
        turn = self.position.turn
        return None if turn is None or self.is_over else self.seats[turn]

    @property
    def waits_for_bot(self) -> bool:
        """Whether the next thing to happen is a bot's move."""
        return self.seat is not None and not self.seat.is_person and self._question is None

    @property
    def people(self) -> list[Side]:
        """The sides that people play."""
        return [side for side in Side if self.seats[side].is_person]

    @property
    def time_left(self) -> float | None:
        """Seconds until the clock of the side to move falls; None when no clock runs."""
        turn = self.position.turn
        if self.clock is None or turn is None or self.is_over:
            return None
        return self.clock.remaining(turn, self._now())

    @property
    def clocks(self) -> list[float | None] | None:
        """What the mover had left after each move; None without clocks."""
        return None if self.clock is None else [time.after for time in self._times]

    @property
    def movers(self) -> list[str]:
        """Who made each move: the players may have changed sides since."""
        moves = zip(self._times, self._sides(), strict=True)
        return [time.mover or self.seats[side].name for time, side in moves]

    def _sides(self) -> list[Side]:
        back = self.position.copy()
        sides: list[Side] = []
        while back.ply:
            back.undo()
            assert back.turn is not None
            sides.insert(0, back.turn)
        return sides

    @property
    def prompt(self) -> str:
        """What to ask the person who is to type."""
        if self._question is not None:
            return "yes or no: "
        if self.is_over:
            return "review, new, undo, save FILE or quit: "
        return f"{self._clocks()}{self._whose_move()}: "

    def _whose_move(self) -> str:
        side, seat, block = self.position.turn, self.seat, self.position.block_to_play
        where = f", block {block + 1}" if block is not None else ""
        if seat is None or not seat.is_person:
            return "enter to go on"
        return f"your move ({side}{where})" if len(self.people) == 1 else f"{side} to move{where}"

    def _clocks(self) -> str:
        if self.clock is None:
            return ""
        shown = [f"{side} {format_seconds(self.clock.remaining(side, self._now()))}" for side in Side]
        return f"[{'  '.join(shown)}] "

    def describe(self, side: Side) -> str:
        """Return a side with the name of its player: ``O (insane)``."""
        return f"{side} ({self.seats[side].name})"

    # What happens

    def start(self, resumed: bool = False) -> list[events.Event]:
        """Begin, or go on with, the playthrough; one that was over before is only shown, not kept again."""
        begun = events.Started(
            self.position.copy(),
            self.seats[Side.X].name,
            self.seats[Side.O].name,
            clock=self.clock.text if self.clock else None,
            resumed=resumed,
            kept=self.keeper.kept,
        )
        self.outcome = self.outcome or self.position.outcome
        return [begun, *(self.go_on() if self.outcome is None else self._tell_end(self.outcome))]

    def receive(self, line: str) -> list[events.Event]:
        """Take a line that was typed: an answer, a command or a move."""
        from noughts.cli.terminal.commands import find_command

        word = line.strip()
        if self._flag_has_fallen():
            return list(self._lose_on_time())
        command, argument = find_command(word)
        if self._question is not None:
            return list(self._answer(word) if command is None else self._ignore_question(command, argument))
        if command is not None:
            return list(command.run(self, argument))
        return list(self._move_by(word)) if word else []

    def bot_moved(self, move: int) -> list[events.Event]:
        """Take the move of the bot that is to move; one that is illegal loses the game."""
        if self._flag_has_fallen():
            return list(self._lose_on_time())
        turn = self.position.turn
        if turn is not None and not self.position.is_legal(move):
            return list(self.decide("illegal", winner=turn.opponent))
        return list(self.play(move))

    def bot_crashed(self, reason: str) -> list[events.Event]:
        """The bot that is to move cannot: it loses the game."""
        turn = self.position.turn
        if turn is None:
            return []
        crashed = events.Refused(f"{self.describe(turn)} broke down: {reason}")
        return [crashed, *self.decide("crash", winner=turn.opponent)]

    def check_flag(self) -> list[events.Event]:
        """End the game if the time of the side to move is up."""
        return list(self._lose_on_time()) if self._flag_has_fallen() else []

    def leave(self, why: str) -> list[events.Event]:
        """End the session; an unfinished game can be resumed by the command in the event."""
        self.is_left = True
        if self.clock is not None and not self.is_over:
            self.clock.pause(self._now())
        self.keeper.paused(self)
        if self.is_over:
            return [events.Left(None, why)]
        if self.keeper.kept is None:
            return [events.Left(None, why, lost_plies=self.position.ply)]
        return [events.Left(f"noughts games resume {self.keeper.kept}", why)]

    def hold(self) -> None:
        """Stop the clock between the moves of two bots that a person watches."""
        if self.clock is not None:
            self.clock.pause(self._now())

    def release(self) -> None:
        """Let the clock of the side to move run again, after ``hold``."""
        turn = self.position.turn
        self._turn_began = self._now()
        if self.clock is not None and turn is not None and not self.is_over:
            self.clock.start(turn, self._now())

    def ask(self, question: str, then: events.Answer) -> Iterator[events.Event]:
        """Ask a question whose answer, yes or no, goes to ``then``."""
        self._question = then
        yield events.Asked(question)

    def _answer(self, word: str) -> Iterator[events.Event]:
        if word.lower() not in ("y", "yes", "n", "no"):
            yield events.Refused(f"expected yes or no, got {quote(word)}")
            return
        then, self._question = self._question, None
        if then is not None:
            yield from then(word.lower().startswith("y"))

    def _ignore_question(self, command: Command, argument: str) -> Iterator[events.Event]:
        """A command instead of an answer means no."""
        yield from self._answer("no")
        yield from command.run(self, argument)

    # Moves

    def _move_by(self, word: str) -> Iterator[events.Event]:
        if self.is_over:
            yield events.Refused("the game is over; type new, undo, review, save FILE or quit")
            return
        if self.seat is None or not self.seat.is_person:
            yield events.Refused("it is not your move; press enter to go on, or type a command")
            return
        try:
            move = self.position.parse_move(word)
            self.position.after(move)
        except InvalidNotation as error:
            yield events.Refused(_explain_notation(word, str(error)))
        except IllegalMove as error:
            yield events.Refused(f"{error}{self._few_moves()}")
        else:
            yield from self.play(move)

    def _few_moves(self) -> str:
        moves = self.position.legal_moves
        if len(moves) > FEW:
            return ""
        return f"; you can play {', '.join(self.position.format_move(move) for move in moves)}"

    def play(self, move: int) -> Iterator[events.Event]:
        """Play a legal move for the side to move, and see what follows."""
        if not self.undone or self.undone.pop() != move:
            self.undone.clear()
        yield self._record(move)
        yield from self.go_on()

    def _record(self, move: int) -> events.Moved:
        side = self.position.turn
        assert side is not None
        seconds = self._now() - self._turn_began
        before = dict(self.clock.left) if self.clock else {}
        if self.clock is not None:
            self.clock.stop(self._now())
        left = self.clock.left[side] if self.clock else None
        self.position.play(move)
        self._times.append(Timed(before, left, self.seats[side].name))
        self.keeper.moved(self, seconds)
        text = self.position.format_move(move)
        return events.Moved(self.position.copy(), side, self.seats[side].name, move, text, round(seconds, 3), left)

    def go_on(self) -> Iterator[events.Event]:
        """See who is to move now, start the clock, and end the game if it is over."""
        self.hinted = False
        self._turn_began = self._now()
        if self.position.outcome is not None:
            yield from self._end(self.position.outcome)
            return
        turn = self.position.turn
        assert turn is not None
        if self.clock is not None:
            self.clock.start(turn, self._now())
        if self.seats[turn].is_person:
            yield events.Turned(self.position.copy(), turn, self.seats[turn].name)

    def take_back(self, plies: int) -> Iterator[events.Event]:
        """Take back ``plies`` moves, which ``undone`` keeps for playing them again."""
        taken = []
        for _ in range(plies):
            taken.append(self.position.format_move(self.position.moves[-1]))
            self.undone.append(self.position.undo())
            before = self._times.pop().before
            if self.clock is not None:
                self.clock.pause(self._now())
                self.clock.left = before or self.clock.left
        self.outcome = None
        self.keeper.cut(self)
        yield events.TookBack(self.position.copy(), tuple(reversed(taken)))
        yield from self.go_on()

    def replay(self, plies: int) -> Iterator[events.Event]:
        """Play again ``plies`` of the moves that were taken back."""
        texts = []
        for _ in range(plies):
            move = self.undone.pop()
            texts.append(self._record(move).text)
        yield events.TookBack(self.position.copy(), tuple(texts), again=True)
        yield from self.go_on()

    # Other people, other games

    def reseat(self, seats: dict[Side, Seat]) -> Iterator[events.Event]:
        """Let others play from here; a program that plays no more is ended."""
        for seat in self.seats.values():
            if seat not in seats.values():
                seat.close()
        self.seats = seats
        self.keeper.seated(self)
        yield events.Seated(*(self.seats[side].name for side in Side))
        if not self.is_over:
            yield from self.go_on()

    def restart(self, position: Position | None = None, outcome: Outcome | None = None) -> Iterator[events.Event]:
        """Begin another playthrough, from the same start or with what led to a position; clocks are full again."""
        game, setup = self.position.game, self.position.start_text
        self.position = position or (game.start() if setup is None else game.parse(setup))
        self.outcome = outcome
        self.undone.clear()
        self._times = [Timed({}, None)] * self.position.ply
        if self.clock is not None:
            self.clock = Clock(self.clock.base, self.clock.increment)
        self.keeper.renew()
        yield from self.start(resumed=self.position.ply > 0)

    # Ends

    def decide(self, reason: str, winner: Side | None = None) -> Iterator[events.Event]:
        """End the game by ``resign``, ``agreement``, ``time``, ``illegal`` or ``crash``."""
        yield from self._end(decide(self.position, reason, winner))

    def _end(self, outcome: Outcome) -> Iterator[events.Event]:
        from noughts.cli.terminal.advice_commands import standing_after

        self.outcome = outcome
        if self.clock is not None:
            self.clock.pause(self._now())
        self.keeper.ended(self, outcome)
        yield from self._tell_end(outcome)
        yield from standing_after(self)

    def _tell_end(self, outcome: Outcome) -> Iterator[events.Event]:
        x, o = self.seats[Side.X].name, self.seats[Side.O].name
        yield events.Ended(self.position.copy(), outcome, x, o, self._line(), self.keeper.kept)

    def bot_would_draw(self) -> bool:
        """Whether the bot agrees to a draw: it does not see itself ahead. Without an engine to ask, it plays on."""
        if self.advisor is None or self.position.turn is None:
            return False
        found = self.advisor.analyse(self.position)
        person_is_to_move = self.position.turn in self.people
        return found.score >= 0 if person_is_to_move else found.score <= 0

    def _line(self) -> tuple[str, ...] | None:
        line = self.position.winning_line
        if line is None:
            return None
        if self.position.game.is_ultimate:
            return tuple(f"block {block + 1}" for block in line)
        return tuple(self.position.format_move(cell) for cell in line)

    def _flag_has_fallen(self) -> bool:
        return self.time_left is not None and self.time_left <= 0

    def _lose_on_time(self) -> Iterator[events.Event]:
        self._question = None
        turn = self.position.turn
        assert turn is not None
        yield from self.decide("time", winner=turn.opponent)


def _explain_notation(word: str, message: str) -> str:
    from noughts.cli.terminal.commands import nearest_command

    near = nearest_command(word)
    return f"{message}; did you mean {near}?" if near else f"{message}; help lists the commands"
