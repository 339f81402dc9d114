"""Commands that write the game to a file and read it back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from noughts.cli.terminal import events
from noughts.cli.terminal.session import Session
from noughts.games import Playthrough, Side, load_all
from noughts.games import save as save_file

__all__ = ["load", "playthrough_of", "save", "save_over"]

Events = Iterator[events.Event]


def playthrough_of(session: Session) -> Playthrough:
    """Return what was played so far, with who played it."""
    tags = {str(side): session.seats[side].name for side in Side} | {"Date": date.today().strftime("%Y.%m.%d")}
    if session.clock is not None:
        tags["TimeControl"] = session.clock.tag
    return Playthrough.of(session.position, tags, outcome=session.outcome, clocks=session.clocks)


def save(session: Session, argument: str) -> Events:
    """Write the game to a file that is not there yet."""
    path = Path(argument).expanduser()
    if path.is_file() and path not in session.saved:
        yield events.Refused(f"there is a file {argument} already; to write over it type save! {argument}")
        return
    yield from save_over(session, argument)


def save_over(session: Session, argument: str) -> Events:
    """Write the game to a file, whether it is there or not."""
    if not argument:
        yield events.Refused("expected a file name, such as save game.ngn")
        return
    path = Path(argument).expanduser()
    try:
        save_file(playthrough_of(session), path)
    except (OSError, ValueError) as error:
        yield events.Refused(f"not saved: {plainly(error)}")
        return
    session.saved.add(path)
    yield events.Said("save", f"Saved to {argument}.", {"file": str(path)})


def load(session: Session, argument: str) -> Events:
    """Go on with the first game of a file; the one before stays kept."""
    if not argument:
        yield events.Refused("expected a file name, such as load game.ngn")
        return
    try:
        plays = load_all(Path(argument).expanduser())
    except (OSError, ValueError) as error:
        yield events.Refused(f"not loaded: {plainly(error)}")
        return
    if len(plays) > 1:
        yield events.Said("load", f"{argument} has {len(plays)} games; this is the first.", {"games": len(plays)})
    yield from session.restart(plays[0].position(), plays[0].outcome)


def plainly(error: Exception) -> str:
    """Return an error as a person would say it: without its number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror.lower()}: {error.filename}"
    return str(error)
