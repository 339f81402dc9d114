"""The loop of a session: lines from the input, moves from the engines, events to the output."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from noughts.cli.terminal.background import StatusDisplay, exit_if_still_running, run_interruptible
from noughts.cli.terminal.commands import COMMANDS, find_command, receive
from noughts.cli.terminal.input import HungUp, PromptInput, TimeIsUp, raise_on_hang_up
from noughts.cli.terminal.output import Output
from noughts.cli.terminal.session import LeaveReason, Session
from noughts.players import HostedPlayer

__all__ = ["Loop", "Pace", "thinking_status"]

INTERRUPTED_CODE = 130


@dataclass(frozen=True)
class Pace:
    """The pace of two engines that are watched: seconds to wait after each move, or whether to wait for enter."""

    pause_seconds: float = 0.0
    waits_for_enter: bool = False


@dataclass(frozen=True)
class Loop:
    """Runs a session until it is left."""

    session: Session
    output: Output
    prompts: PromptInput
    status_display: StatusDisplay
    pace: Pace = Pace()

    def run(self) -> int:
        """Play until the user leaves the session; returns the exit code, 130 if it was interrupted."""
        with raise_on_hang_up():
            code = self._run()
            for engine in self.session.engines.values():
                engine.close()
            return exit_if_still_running(code) if code == INTERRUPTED_CODE else code

    def _run(self) -> int:
        session, output = self.session, self.output
        try:
            output.show(session.start())
            while not session.is_left:
                self._advance()
        except KeyboardInterrupt:
            output.show(session.leave(LeaveReason.INTERRUPTED))
            return INTERRUPTED_CODE
        except HungUp:
            events = session.leave(LeaveReason.HUNG_UP)
            with suppress(OSError):  # the terminal may be gone; the game is saved anyway
                output.show(events)
            return INTERRUPTED_CODE
        return 0

    def _advance(self) -> None:
        session = self.session
        is_watched = not session.people
        if session.waits_for_engine:
            self._let_engine_move()
            if is_watched and not session.match.is_over:
                self._wait()
        elif session.match.is_over and is_watched and not self.prompts.is_keyboard:
            self.output.show(session.leave(LeaveReason.OVER))
        else:
            self._take_line()

    def _take_line(self) -> None:
        session = self.session
        try:
            line = self.prompts.read(session.prompt, session.match.seconds_to_flag())
        except TimeIsUp:
            sys.stdout.write("\n")
            self.output.show(session.check_flag())
            return
        if line is None:
            self.output.show(session.leave(LeaveReason.END_OF_INPUT))
        elif self._confirms(line):
            self.output.show(receive(session, line))

    def _confirms(self, line: str) -> bool:
        """Whether a line is meant: at a keyboard, a person who resigns is asked."""
        match = self.session.match
        if find_command(line.strip())[0] is not COMMANDS["resign"] or match.is_over or not self.prompts.is_keyboard:
            return True
        answer = self.prompts.read("resign this game? yes or no: ", match.seconds_to_flag())
        return (answer or "").strip().lower() in ("y", "yes")

    def _let_engine_move(self) -> None:
        session, turn = self.session, self.session.match.turn
        assert turn is not None
        engine = session.engines[turn]
        status = thinking_status(session.describe(turn), engine)
        events = session.ask_engine(lambda ask: run_interruptible(ask, self.status_display, status, engine.stop))
        self.output.show(events)

    def _wait(self) -> None:
        """Wait between the moves of two engines, with their clocks stopped."""
        self.session.match.pause()
        if self.pace.waits_for_enter:
            self._wait_for_enter()
        else:
            time.sleep(self.pace.pause_seconds)
        self.session.match.resume()

    def _wait_for_enter(self) -> None:
        """Carry out commands until an empty line, or until one of them changes the turn or leaves."""
        session, before = self.session, self.session.position.copy()
        while not session.is_left and session.waits_for_engine and session.position == before:
            line = self.prompts.read(session.prompt)
            if line is None:
                self.output.show(session.leave(LeaveReason.END_OF_INPUT))
            elif line.strip():
                self.output.show(receive(session, line))
            else:
                return


def thinking_status(who: str, engine: HostedPlayer) -> Callable[[], str]:
    """Return a function for the status line: who is thinking, and how deep, if the engine reports it."""

    def status() -> str:
        found = engine.latest
        return f"{who} is thinking" + (" ..." if found is None else f": depth {found.depth}, {found.verdict}")

    return status
