"""The body of an HTTP request, read as a whole before a server looks at it: bounded in size and in time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope

__all__ = ["BODY_BYTES", "BodyRefused", "read_body", "replay"]

BODY_BYTES = 256 * 1024
"""Size limit for a request and for a websocket frame: a custom game with a few thousand lines fits."""
BODY_SECONDS = 10.0
"""Time in which the body of a request must have arrived."""
MAX_LENGTH_DIGITS = 9


class BodyRefused(Exception):
    """The body is too large (status 413), or did not arrive in time (408)."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def read_body(scope: Scope, receive: Receive) -> list[Message]:
    """Return the messages of the whole request; raises BodyRefused."""
    try:
        return await asyncio.wait_for(_read_messages(scope, receive), BODY_SECONDS)
    except TimeoutError:
        raise BodyRefused(408, f"the request did not arrive within {BODY_SECONDS:g} s") from None


async def _read_messages(scope: Scope, receive: Receive) -> list[Message]:
    length = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"content-length"), "0")
    is_number = length.isascii() and length.isdigit() and len(length) <= MAX_LENGTH_DIGITS
    _check_size(int(length) if is_number else BODY_BYTES + 1)
    messages, size = [], 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        _check_size(size)
        if message["type"] != "http.request" or not message.get("more_body"):
            return messages


def _check_size(size: int) -> None:
    if size > BODY_BYTES:
        raise BodyRefused(413, f"expected a request of at most {BODY_BYTES // 1024} kB")


def replay(messages: list[Message], receive: Receive) -> Receive:
    """Return a receive function that repeats the messages read, then continues with the connection."""
    waiting = iter(messages)

    async def repeat() -> Message:
        return next(waiting, None) or await receive()

    return repeat
