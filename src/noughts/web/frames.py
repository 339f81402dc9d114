"""Reading a websocket: texts of JSON objects, not too many, not too large."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.websockets import WebSocket

from noughts.web.errors import said
from noughts.web.limits import Bucket
from noughts.web.outbox import GONE

__all__ = ["BadFrame", "checked", "frames"]

M = TypeVar("M", bound=BaseModel)
POLICY = 1008
PATIENCE = 20
"""Messages beyond the rate that are answered with a refusal before the connection is cut."""


class BadFrame(ValueError):
    """A message that makes no sense; the connection stays."""


async def frames(socket: WebSocket, *rates: Bucket) -> AsyncGenerator[dict[str, Any] | BadFrame, None]:
    """Yield the messages as objects, or what is wrong with them; end when the connection does or floods."""
    too_many = 0
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if not any(rate.take() for rate in rates):
            too_many = 0
            yield _read(message)
            continue
        too_many += 1
        if too_many > PATIENCE:
            with suppress(*GONE):
                await socket.close(POLICY, "too many messages")
            return
        yield BadFrame("expected fewer messages a second")


def _read(message: Any) -> dict[str, Any] | BadFrame:
    text = message.get("text")
    if text is None:
        return BadFrame("expected a text with a JSON object, got bytes")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return BadFrame("expected a JSON object, got something else")
    return data if isinstance(data, dict) else BadFrame("expected a JSON object, got something else")


def checked(model: type[M], data: object) -> M:
    """Return the data as a model; raises BadFrame with one line."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise BadFrame(said(error.errors()[0])) from None
