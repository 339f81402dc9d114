"""Drives a session: lines from the line_input, moves from the bots, events to the output."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import dataclass

from noughts.cli.terminal.background import StatusLine, engine_status, leave_with, think
from noughts.cli.terminal.input import HungUp, LineInput, TimeIsUp, hang_ups
from noughts.cli.terminal.output import Output
from noughts.cli.terminal.seats import Seat
from noughts.cli.terminal.session import Session
from noughts.engine import Limit
from noughts.players import EngineBot

__all__ = ["Pace", "run"]

INTERRUPTED = 130
SHARE, RESERVE = 25, 0.5
"""An engine with a clock thinks for a 25th of what it has left plus the increment, and never half of it."""


@dataclass(frozen=True)
class Pace:
    """How fast two bots play: seconds to wait after each move, or a line to wait for."""

    pause: float = 0.0
    step: bool = False


def run(
    session: Session, output: Output, line_input: LineInput, status_line: StatusLine, pace: Pace, resumed: bool = False
) -> int:
    """Play until the session is left; returns the exit code: 130 when it was interrupted."""
    with hang_ups():
        code = _run(session, output, line_input, status_line, pace, resumed)
        for seat in session.seats.values():
            seat.close()
        return leave_with(code) if code == INTERRUPTED else code


def _run(
    session: Session, output: Output, line_input: LineInput, status_line: StatusLine, pace: Pace, resumed: bool
) -> int:
    try:
        output.show(session.start(resumed))
        while not session.is_left:
            _advance(session, output, line_input, status_line, pace)
    except KeyboardInterrupt:
        output.show(session.leave("interrupted"))
        return INTERRUPTED
    except HungUp:
        leaving = session.leave("hung up")
        with suppress(OSError):  # the terminal may be gone; the game is kept all the same
            output.show(leaving)
        return INTERRUPTED
    return 0


def _advance(session: Session, output: Output, line_input: LineInput, status_line: StatusLine, pace: Pace) -> None:
    if session.waits_for_bot:
        _let_bot_move(session, output, status_line)
        if not session.people and not session.is_over:
            _wait(session, output, line_input, pace)
    elif session.is_over and not session.people and not line_input.is_keyboard:
        output.show(session.leave("over"))
    else:
        _take_line(session, output, line_input)


def _take_line(session: Session, output: Output, line_input: LineInput) -> None:
    try:
        line = line_input.read(session.prompt, session.time_left)
    except TimeIsUp:
        sys.stdout.write("\n")
        output.show(session.check_flag())
        return
    output.show(session.leave("end of input") if line is None else session.receive(line))


def _let_bot_move(session: Session, output: Output, status_line: StatusLine) -> None:
    seat, turn = session.seat, session.position.turn
    assert seat is not None
    assert turn is not None
    status = engine_status(session.describe(turn), seat.bot)
    stop = seat.bot.stop if isinstance(seat.bot, EngineBot) else None
    try:
        move = think(lambda: _choose(seat, session), status_line, status, stop)
    except Exception as error:
        output.show(session.bot_crashed((str(error) or type(error).__name__) + seat.complaints))
        return
    output.show(session.bot_moved(move))


def _choose(seat: Seat, session: Session) -> int:
    assert seat.bot is not None
    return seat.bot.choose(session.position.copy(), _limit(session))


def _limit(session: Session) -> Limit | None:
    """How long a bot may think now, by what it was given and by its clock."""
    bounds = [] if session.seconds_limit is None else [session.seconds_limit]
    if session.clock is not None and session.time_left is not None:
        left = session.time_left
        bounds.append(max(0.01, min(left / SHARE + session.clock.increment, left * RESERVE)))
    return Limit(seconds=min(bounds)) if bounds else None


def _wait(session: Session, output: Output, line_input: LineInput, pace: Pace) -> None:
    session.hold()
    if pace.step:
        _wait_for_enter(session, output, line_input)
    else:
        time.sleep(pace.pause)
    session.release()


def _wait_for_enter(session: Session, output: Output, line_input: LineInput) -> None:
    """Take commands until an empty line, or until one of them changes who is to move, or leaves."""
    before = session.position.copy()
    while not session.is_left and session.waits_for_bot and session.position == before:
        line = line_input.read(session.prompt)
        if line is None:
            output.show(session.leave("end of input"))
        elif line.strip():
            output.show(session.receive(line))
        else:
            return
