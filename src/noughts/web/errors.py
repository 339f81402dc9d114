"""Refusals: an HTTP status and a one-line message, sent as JSON."""

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
from noughts.validation import validation_message

__all__ = [
    "InvalidRequest",
    "ServerClosing",
    "TooManyRequests",
    "TookTooLong",
    "WebError",
    "add_error_handlers",
    "error_response",
]


class WebError(Exception):
    """A request that is not served: an HTTP status and a one-line message."""

    def __init__(self, status: int, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.retry_after = status, message, retry_after


class InvalidRequest(WebError):
    """The request is well formed but cannot be served."""

    def __init__(self, message: str) -> None:
        super().__init__(422, message)


class TooManyRequests(WebError):
    """The client uses more than its share; the message says when to try again."""

    def __init__(self, problem: str = "too many requests", retry_after: float = 1.0) -> None:
        super().__init__(429, f"{problem}; try again in {_duration(retry_after)}", retry_after)


class TookTooLong(WebError):
    """The answer took too long."""

    def __init__(self) -> None:
        super().__init__(503, "the answer took too long; ask for less time, or try again later", 30)


class ServerClosing(WebError):
    """The server is shutting down."""

    def __init__(self) -> None:
        super().__init__(503, "the server is shutting down", 5)


def _duration(seconds: float) -> str:
    if seconds >= 7200:
        return f"{math.ceil(seconds / 3600)} hours"
    return f"{max(1, math.ceil(seconds))} s" if seconds < 120 else f"{math.ceil(seconds / 60)} minutes"


def error_response(status: int, message: str, retry_after: float | None = None) -> Response:
    """Return the response that carries an error."""
    body = json.dumps({"error": " ".join(message.split())}).encode()
    headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
    return Response(body, status, headers, "application/json")


def add_error_handlers(app: FastAPI) -> None:
    """Make the app answer every error with one line of JSON."""

    async def web_error(_: Request, error: Any) -> Response:
        return error_response(error.status, error.message, error.retry_after)

    async def value_error(_: Request, error: Any) -> Response:
        return error_response(422, str(error))

    async def invalid(_: Request, error: Any) -> Response:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return error_response(400, "expected JSON, got something else")
        return error_response(422, validation_message(first))

    async def http_error(request: Request, error: Any) -> Response:
        return error_response(error.status_code, _http_message(request, error))

    async def store_error(_: Request, error: Any) -> Response:
        logging.getLogger(__name__).error("the store failed: %s", error)  # the path is not for strangers
        return error_response(503, "saved games cannot be reached; try again in 5 s", 5)

    app.add_exception_handler(WebError, web_error)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(StoreError, store_error)
    app.add_exception_handler(ValueError, value_error)


def _http_message(request: Request, error: HTTPException) -> str:
    if error.status_code == 404:
        return f"there is nothing at {quote(request.url.path)}"
    if error.status_code == 405:
        return f"{request.url.path} does not support {request.method}"
    return str(error.detail).lower()
