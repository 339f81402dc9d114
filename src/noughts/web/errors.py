"""Refusals: a status and one line, as JSON."""

from __future__ import annotations

import json
import logging
import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from noughts.games.quoting import quote
from noughts.store import StoreError

__all__ = ["Refused", "ShuttingDown", "TooLong", "TooMany", "add_handlers", "refusal"]


class Refused(Exception):
    """What was asked is not done: a status and one line that says why."""

    def __init__(self, status: int, text: str, retry_after: float | None = None) -> None:
        super().__init__(text)
        self.status, self.text, self.retry_after = status, text, retry_after


class TooMany(Refused):
    """The client asks for more than its share."""

    def __init__(self, text: str, seconds: float = 1.0) -> None:
        super().__init__(429, text, seconds)


class TooLong(Refused):
    """The answer took longer than it may."""

    def __init__(self) -> None:
        super().__init__(503, "the answer took too long; ask for less, or try again later", 30)


class ShuttingDown(Refused):
    """The server is about to end."""

    def __init__(self) -> None:
        super().__init__(503, "the server is shutting down", 5)


def refusal(status: int, text: str, retry_after: float | None = None) -> Response:
    """Return the response for a refusal."""
    body = json.dumps({"error": " ".join(text.split())}).encode()
    headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
    return Response(body, status, headers, "application/json")


def add_handlers(app: FastAPI) -> None:
    """Make the app answer every error with one line."""

    async def refused(_: Request, error: Any) -> Response:
        return refusal(error.status, error.text, error.retry_after)

    async def bad_value(_: Request, error: Any) -> Response:
        return refusal(422, str(error))

    async def invalid(_: Request, error: Any) -> Response:
        first = error.errors()[0]
        is_broken = first["type"] == "json_invalid"
        return refusal(400, "expected JSON, got something else") if is_broken else refusal(422, said(first))

    async def http(request: Request, error: Any) -> Response:
        return refusal(error.status_code, _http_text(request, error))

    async def store(_: Request, error: Any) -> Response:
        logging.getLogger(__name__).error("what is kept cannot be reached: %s", error)  # the path is not for strangers
        return refusal(503, "what is kept cannot be reached at the moment; try again", 5)

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(StoreError, store)
    app.add_exception_handler(ValueError, bad_value)


def _http_text(request: Request, error: HTTPException) -> str:
    if error.status_code == 404:
        return f"there is nothing at {quote(request.url.path)}"
    if error.status_code == 405:
        return f"{request.url.path} does not take {request.method}"
    return str(error.detail).lower()


WORDS = {
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
    "literal_error": "{expected}",
    "model_attributes_type": "a JSON object, sent as application/json",
    "model_type": "a JSON object",
    "string_pattern_mismatch": "a text like {pattern}",
    "string_too_long": "at most {max_length} letters",
    "too_long": "at most {max_length} entries",
}
"""What pydantic's kinds of errors expect, where its own words are not a player's."""

WHERE = ("body", "query", "path", "header")
ALTERNATIVES = ("int", "constrained-str", "dict[str,any]")
"""Steps of a place that only say which of several types was tried."""


def said(error: Any) -> str:
    """Return what pydantic complains of in our style: what was expected, where, and what came."""
    steps = [str(step) for step in error["loc"] if step not in (*WHERE, *ALTERNATIVES)]
    place = quote(".".join(steps)) if steps else ""
    if error["type"] == "missing":
        return f"expected the field {place}" if place else "expected a JSON object, got nothing"
    if error["type"] == "extra_forbidden":
        return f"expected no field {place}"
    return f"expected {_expected(error)}" + (f" for {place}" if place else "") + _came(error["input"])


def _expected(error: Any) -> str:
    if error["type"] in WORDS:
        return WORDS[error["type"]].format(**error.get("ctx", {}))
    message = str(error["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    return (message[:1].lower() + message[1:]).removeprefix("expected ")


def _came(given: object) -> str:
    return f", got {quote(given)}" if isinstance(given, str | int | float) else ""
