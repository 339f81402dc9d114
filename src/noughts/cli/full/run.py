"""Runs the full-screen game in the terminal."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, nullcontext

from noughts.cli.full.app import FullApp
from noughts.cli.output import stdout_capabilities, warn
from noughts.cli.terminal.advisor import SessionAdvisor
from noughts.cli.terminal.background import exit_if_still_running
from noughts.cli.terminal.loop import Pace
from noughts.cli.terminal.output import TextOutput
from noughts.cli.terminal.session import Session
from noughts.cli.terminal.setup import Engines, Setup
from noughts.match import Match, Recorder

__all__ = ["run_full"]

LIGHT_BACKGROUNDS = ("7", "15")
"""Colours of the background that some terminals put into ``COLORFGBG``, last."""


def run_full(
    setup: Setup,
    match: Match,
    engines: Engines,
    open_recorder: Callable[[Callable[[str], None]], Recorder | None],
    *,
    pace: Pace | None = None,
    asks_game: bool = False,
) -> int:
    """Play until the user leaves; returns the exit code. ``open_recorder`` takes the function for its warnings."""
    notices: list[str] = []
    app: FullApp | None = None

    def say(text: str) -> None:
        if app is not None and app.is_running:
            app.tell(text)
        else:
            notices.append(text)

    recorder = open_recorder(say)
    advisor = SessionAdvisor(say, book=setup.book, network=setup.network)
    session = Session(match, engines, recorder, advisor, setup.sandbox)
    with nullcontext() if recorder is None else closing(recorder):
        app = FullApp(session, setup, pace or Pace(), asks_game, _is_light(), notices)
        shown = len(notices)
        events = app.run() or []
        for engine in session.engines.values():
            engine.close()
        TextOutput(stdout_capabilities()).show(events)
    for text in notices[shown:]:
        warn(text)
    return exit_if_still_running(app.return_code or 0)


def _is_light() -> bool:
    """Whether the terminal says that its background is light."""
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in LIGHT_BACKGROUNDS
