"""Responses that carry an error: one line, sent as JSON."""

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
from noughts.web.metrics import Metrics
from noughts.web.refusals import Reason, WebError

__all__ = ["add_error_handlers", "error_response"]


def error_response(status: int, message: str, retry_after: float | None = None) -> Response:
    """Return the response that carries an error."""
    body = json.dumps({"error": " ".join(message.split())}).encode()
    headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
    return Response(body, status, headers, "application/json")


def add_error_handlers(app: FastAPI, metrics: Metrics) -> None:
    """Make the app answer every error with one line of JSON."""

    async def web_error(_: Request, error: Any) -> Response:
        metrics.refuse(error.reason)
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
        metrics.refuse(Reason.STORE)
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
