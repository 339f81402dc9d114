"""Work in threads whose results come back to the app, so that the screen never waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Never, TypeVar

from textual.app import App
from textual.message import Message

from noughts.cli.terminal.background import THREAD_NAME

__all__ = ["Background", "Called", "Result"]

T = TypeVar("T")
Result = Callable[[], T]
"""Returns the result of some work, or raises its exception."""


@dataclass
class Called(Message):
    """A function to be called by the app, from another thread."""

    function: Callable[[], object]


class Background:
    """Runs work in threads. The app calls the functions that receive the results."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app

    def call(self, function: Callable[[], object]) -> None:
        """Let the app call a function; may be used in any thread. Does nothing once the app has ended."""
        self._app.post_message(Called(function))

    def run(self, work: Callable[[], T], receive: Callable[[Result[T]], object]) -> None:
        """Do some work in a thread, and let the app call ``receive`` with its result."""

        def body() -> None:
            try:
                answer = work()
            except BaseException as problem:
                error = problem
                self.call(lambda: receive(lambda: _raise(error)))
            else:
                self.call(lambda: receive(lambda: answer))

        threading.Thread(target=body, name=THREAD_NAME, daemon=True).start()


def _raise(error: BaseException) -> Never:
    raise error
