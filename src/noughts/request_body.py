"""The body of an HTTP request, read as a whole before a server looks at it: bounded in size and in time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope

__all__ = ["BodyTooLarge", "BodyTooSlow", "read_body", "replay"]

MAX_LENGTH_DIGITS = 9


class BodyTooLarge(Exception):
    """The body has more bytes than allowed."""


class BodyTooSlow(Exception):
    """The body did not arrive in time."""


async def read_body(scope: Scope, receive: Receive, most: int, seconds: float) -> list[Message]:
    """Return the messages of the whole request; raises BodyTooLarge or BodyTooSlow."""
    try:
        return await asyncio.wait_for(_read_messages(scope, receive, most), seconds)
    except TimeoutError:
        raise BodyTooSlow from None


async def _read_messages(scope: Scope, receive: Receive, most: int) -> list[Message]:
    length = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"content-length"), "0")
    is_number = length.isascii() and length.isdigit() and len(length) <= MAX_LENGTH_DIGITS
    if not is_number or int(length) > most:
        raise BodyTooLarge
    messages, size = [], 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if size > most:
            raise BodyTooLarge
        if message["type"] != "http.request" or not message.get("more_body"):
            return messages


def replay(messages: list[Message], receive: Receive) -> Receive:
    """Return a receive function that repeats the messages read, then continues with the connection."""
    waiting = iter(messages)

    async def repeat() -> Message:
        return next(waiting, None) or await receive()

    return repeat
