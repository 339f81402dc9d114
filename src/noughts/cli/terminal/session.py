"""A session in the terminal: a match, the engines that play in it, and the messages to the user.

A session does no input or output. Its methods change the match and return the events to show: those of the match, and
notices of its own. ``commands`` has everything that can be typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from noughts.cli.terminal.advisor import SessionAdvisor
from noughts.engine.network import Network
from noughts.games import Game, Outcome, Position, Side
from noughts.games.quoting import count
from noughts.games.titles import title_of
from noughts.invocation import command_line
from noughts.match import Match, PendingMove, format_seconds
from noughts.match.events import Ended, Moved, PlayersChanged, Replayed, Started, Suspended, TookBack
from noughts.match.events import Event as MatchEvent
from noughts.match.recorder import Recorder
from noughts.players import HostedPlayer, NotStarted, PlayerFailed, is_person_name, normalise_name, open_player
from noughts.process.sandbox import Sandbox
from noughts.store import PlayerRecord

__all__ = [
    "Answered",
    "Asked",
    "BoardShown",
    "Event",
    "LeaveReason",
    "Left",
    "Notice",
    "Refused",
    "Session",
    "TurnBegan",
    "describe_results",
    "open_engine",
]

MAX_STDERR_LINES = 5


class LeaveReason(StrEnum):
    """Why a session was left."""

    QUIT = "quit"
    END_OF_INPUT = "end of input"
    INTERRUPTED = "interrupted"
    HUNG_UP = "hung up"
    OVER = "over"


@dataclass(frozen=True)
class Notice:
    """A message to the user that is not an event of the match."""


@dataclass(frozen=True)
class TurnBegan(Notice):
    """It is a person's turn."""

    position: Position
    side: Side
    name: str


@dataclass(frozen=True)
class BoardShown(Notice):
    """The board should be drawn again."""

    position: Position


@dataclass(frozen=True)
class Answered(Notice):
    """The answer to a command: as text, and as an answer of the table of questions, or other data."""

    command: str
    text: str
    answer: Any = None
    seconds: float | None = None
    """The time that an answer of the table took."""


@dataclass(frozen=True)
class Refused(Notice):
    """A line that could not be carried out; nothing has changed."""

    text: str


@dataclass(frozen=True)
class Asked(Notice):
    """A question to be answered with yes or no."""

    text: str


@dataclass(frozen=True)
class Left(Notice):
    """The session was left. ``saved`` is the number of its game in the store; None if it is not saved."""

    reason: LeaveReason
    saved: int | None = None
    resume: str | None = None
    """The command that resumes a game that is not over."""
    lost_plies: int | None = None
    """The number of moves of an unfinished game that is not saved."""


Event = MatchEvent | Notice
TURN_CHANGES = (Started, Moved, TookBack, Replayed, PlayersChanged)


class Session:
    """One or more playthroughs at one terminal. ``engines`` play for their sides, people for the others."""

    def __init__(
        self,
        match: Match,
        engines: Mapping[Side, HostedPlayer] | None = None,
        recorder: Recorder | None = None,
        advisor: SessionAdvisor | None = None,
        sandbox: Sandbox | None = None,
    ) -> None:
        self.engines = dict(engines or {})
        self.recorder = recorder
        self.advisor = advisor
        self.sandbox = sandbox
        """That of programs that join the game."""
        self.close_engine: Callable[[HostedPlayer], None] = lambda engine: engine.close()
        """Closes an engine that no longer plays."""
        self.is_left = False
        self.exported: set[Path] = set()
        """The files that this session has written."""
        self.hints = 0
        """Hints given in this position: the first is the idea, the next the move."""
        self._events: list[Event] = []
        self._attach(match)

    @property
    def uses_book(self) -> bool:
        """Whether engines that join the game use the opening book."""
        return self.advisor is None or self.advisor.uses_book

    @property
    def network(self) -> Network:
        """The network of engines that join the game."""
        return None if self.advisor is None else self.advisor.network

    def _attach(self, match: Match) -> None:
        self.match = match
        if self.recorder is not None:
            match.subscribe(self.recorder.record)
        match.subscribe(self._listen)

    def _listen(self, event: MatchEvent) -> None:
        self.hints = 0
        if not isinstance(event, Suspended):  # Left says the same
            self._events.append(event)

    # State

    @property
    def position(self) -> Position:
        return self.match.position

    @property
    def people(self) -> list[Side]:
        return [side for side in Side if side not in self.engines]

    @property
    def only_person(self) -> Side | None:
        """The side of the only person; None between two people or two engines."""
        return self.people[0] if len(self.people) == 1 else None

    @property
    def waits_for_engine(self) -> bool:
        """Whether the next move is an engine's."""
        return self.match.turn in self.engines and self.match.offer is None

    @property
    def waits_for_person(self) -> bool:
        """Whether the next move is a person's."""
        return self.match.turn in self.people

    @property
    def saved_as(self) -> int | None:
        """The number of the playthrough in the store; None before its first move, or if it is not saved."""
        return None if self.recorder is None else self.recorder.number

    @property
    def prompt(self) -> str:
        """The prompt for the next line."""
        if self.match.offer is not None:
            return "yes or no: "
        if self.match.is_over:
            return "review, new, undo, save FILE or quit: "
        return f"{self._describe_clocks()}{self.describe_turn()}: "

    def describe_turn(self) -> str:
        """Return whose move it is, and where in Ultimate."""
        side, block = self.match.turn, self.position.block_to_play
        where = f", board {block + 1}" if block is not None else ""
        if not self.waits_for_person:
            return "enter to continue"
        return f"your move ({side}{where})" if self.only_person else f"{side} to move{where}"

    def _describe_clocks(self) -> str:
        clock = self.match.clock
        if clock is None:
            return ""
        return f"[{'  '.join(f'{side} {format_seconds(clock.left(side))}' for side in Side)}] "

    def describe(self, side: Side) -> str:
        """Return a side with the name of its player: ``O (insane)``."""
        return f"{side} ({self.match.names[side]})"

    # Events

    def emit(self, event: Event) -> None:
        """Add an event to those that are shown next."""
        self._events.append(event)

    def refuse(self, text: str) -> None:
        """Report why a line cannot be carried out."""
        self.emit(Refused(text))

    def take_events(self) -> list[Event]:
        """Return the events since the last call, and after them the results of the player or the turn that begins."""
        events, self._events = self._events, []
        if self.is_left:
            return events
        if any(isinstance(event, Ended) for event in events) and self.match.is_over:
            return [*events, *self._results_against_opponent()]
        turn = self.match.turn
        if turn in self.people and any(isinstance(event, TURN_CHANGES) for event in events):
            events.append(TurnBegan(self.position.copy(), turn, self.match.names[turn]))
        return events

    def _results_against_opponent(self) -> list[Event]:
        person, game = self.only_person, self.position.game
        if person is None or self.recorder is None:
            return []
        opponent = self.match.names[person.opponent]
        results = self.recorder.results(self.match.names[person], game)
        return [
            Answered("stats", describe_results(record, title_of(game)), vars(record))
            for record in results
            if record.opponent == opponent
        ]

    # Playing

    def start(self) -> list[Event]:
        """Begin or resume the match; if it is over already, its result is shown."""
        self.match.start()
        self._show_result()
        return self.take_events()

    def _show_result(self) -> None:
        """Show the result of a match that was over when it started; it is not recorded again."""
        if self.match.outcome is not None:
            self.emit(Ended(self.position.copy(), self.match.outcome, dict(self.match.names)))

    def question(self) -> PendingMove:
        """Return the question to the engine to move, which may be asked in another thread."""
        turn = self.match.turn
        assert turn is not None
        return PendingMove(self.match, self.engines[turn])

    def settle(self, question: PendingMove, answer: Callable[[], int]) -> list[Event]:
        """Make the move that the engine answered; one that fails loses."""
        engine, who = question.player, self.describe(question.side)
        question.settle(answer, lambda error: f"{who} failed: {error}{_stderr_lines(engine)}")
        return self.take_events()

    def ask_engine(self, run: Callable[[Callable[[], int]], int] = lambda question: question()) -> list[Event]:
        """Let the engine to move make its move; one that fails loses. ``run`` may ask it in another thread."""
        question = self.question()
        return self.settle(question, lambda: run(question.ask))

    def check_flag(self) -> list[Event]:
        """End the match if the time of the side to move is up."""
        self.match.check_flag()
        return self.take_events()

    def leave(self, reason: LeaveReason) -> list[Event]:
        """End the session; a game that is not over can be resumed if it is saved."""
        self.quit(reason)
        return self.take_events()

    def quit(self, reason: LeaveReason = LeaveReason.QUIT) -> None:
        """End the session, for a command."""
        self.is_left = True
        self.match.suspend()
        saved = self.saved_as
        if self.match.is_over:
            self.emit(Left(reason, saved))
        elif saved is None:
            self.emit(Left(reason, lost_plies=self.position.ply))
        else:
            self.emit(Left(reason, saved, resume=command_line("games", "resume", saved)))

    def change_players(self, names: Mapping[Side, str], engines: Mapping[Side, HostedPlayer]) -> None:
        """Let other players continue; engines that no longer play are closed."""
        self._replace_engines(engines)
        self.match.change_players(names)

    def _replace_engines(self, engines: Mapping[Side, HostedPlayer]) -> None:
        for engine in self.engines.values():
            if engine not in engines.values():
                self.close_engine(engine)
        self.engines = dict(engines)

    def begin(self, match: Match, engines: Mapping[Side, HostedPlayer]) -> None:
        """Begin or resume another match, perhaps of another game; engines that no longer play are closed."""
        self._replace_engines(engines)
        self._attach(match)
        self.match.start()
        self._show_result()

    def restart(self, position: Position | None = None, outcome: Outcome | None = None) -> None:
        """Begin another match with full clocks: from the start of this one, or from a given position."""
        if position is None:
            position = self.position.game.start_from(self.position.start_text)
        self.begin(self.match.rematch(position, outcome), self.engines)


def describe_results(record: PlayerRecord, game: str) -> str:
    """Return the results against an opponent as a sentence."""
    return (
        f"Against {record.opponent} at {game}: {record.won} won, {record.drawn} drawn, {record.lost} lost"
        f" in {count(record.played, 'game')}."
    )


def open_engine(
    name: str,
    game: Game,
    seed: int | None = None,
    book: bool = True,
    network: Network = None,
    sandbox: Sandbox | None = None,
) -> HostedPlayer | None:
    """Open and start the player of a name; None for a person. Raises ValueError if it is unknown or cannot start."""
    if is_person_name(name):
        return None
    engine = None
    try:
        engine = open_player(name, seed=seed, book=book, network=network, sandbox=sandbox)
        engine.start(game)
        engine.settle()
    except PlayerFailed as error:
        stderr = "" if engine is None else _stderr_lines(engine)
        if engine is not None:
            engine.close()
        problem = str(error) if isinstance(error, NotStarted) else f"cannot use {normalise_name(name)}: {error}"
        raise ValueError(f"{problem}{stderr}") from None
    return engine


def _stderr_lines(engine: HostedPlayer) -> str:
    """Return the last lines that a program wrote to standard error, each on its own line."""
    return "".join(f"\n  stderr: {line}" for line in engine.stderr_tail.splitlines()[-MAX_STDERR_LINES:])
