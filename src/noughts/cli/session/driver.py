"""Drives a session: lines from the reader, moves from the bots, events to the face."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from noughts.cli.session.face import Face
from noughts.cli.session.reader import HungUp, Reader, TimeIsUp, hang_ups
from noughts.cli.session.seats import Seat
from noughts.cli.session.session import Session

__all__ = ["Pace", "run", "think"]

INTERRUPTED = 130
POLL = 0.05
"""Seconds between looks at a bot that thinks: how long Ctrl-C may take."""


@dataclass(frozen=True)
class Pace:
    """How fast two bots play: seconds to wait after each move, or a line to wait for."""

    pause: float = 0.0
    step: bool = False


def run(session: Session, face: Face, reader: Reader, pace: Pace, resumed: bool = False) -> int:
    """Play until the session is left; returns the exit code: 130 when it was interrupted."""
    with hang_ups():
        try:
            face.show(session.start(resumed))
            while not session.is_left:
                _advance(session, face, reader, pace)
        except KeyboardInterrupt:
            face.show(session.leave("interrupted"))
            return INTERRUPTED
        except HungUp:
            leaving = session.leave("hung up")
            with suppress(OSError):  # the terminal may be gone; the game is kept all the same
                face.show(leaving)
            return INTERRUPTED
    return 0


def _advance(session: Session, face: Face, reader: Reader, pace: Pace) -> None:
    if session.waits_for_bot:
        _let_bot_move(session, face)
        if not session.people and not session.is_over:
            _wait(session, face, reader, pace)
    elif session.is_over and not session.people and not reader.is_keyboard:
        face.show(session.leave("over"))
    else:
        _take_line(session, face, reader)


def _take_line(session: Session, face: Face, reader: Reader) -> None:
    try:
        line = reader.read(session.prompt, session.time_left)
    except TimeIsUp:
        sys.stdout.write("\n")
        face.show(session.check_flag())
        return
    face.show(session.leave("end of input") if line is None else session.receive(line))


def _let_bot_move(session: Session, face: Face) -> None:
    seat = session.seat
    assert seat is not None
    try:
        move = think(lambda: _choose(seat, session))
    except Exception as error:
        face.show(session.bot_crashed(str(error) or type(error).__name__))
        return
    face.show(session.bot_moved(move))


def _choose(seat: Seat, session: Session) -> int:
    assert seat.bot is not None
    return seat.bot.choose(session.position.copy())


def _wait(session: Session, face: Face, reader: Reader, pace: Pace) -> None:
    if pace.step:
        _take_line(session, face, reader)
    elif pace.pause:
        time.sleep(pace.pause)


def think(work: Callable[[], Any], every: Callable[[], None] = lambda: None) -> Any:
    """Return what ``work`` returns or raises, done in a thread so that Ctrl-C and hang-ups are heard meanwhile.

    ``every`` is called now and then while it lasts.
    """
    result: list[Any] = []
    failure: list[BaseException] = []

    def do() -> None:
        try:
            result.append(work())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(POLL)
        every()
    if failure:
        raise failure[0]
    return result[0]
