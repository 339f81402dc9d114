"""Bodies of requests and responses: dataclasses of the table as JSON, and errors of one line."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, cast

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from noughts.ask.json_schema import Schema, definitions, schema_of
from noughts.games.quoting import quote
from noughts.json_types import Json
from noughts.schema import InvalidData, Shape, encode, loads, read
from noughts.store import StoreError
from noughts.web.errors import Reason, WebError
from noughts.web.metrics import Metrics
from noughts.web.saved_games import GameFinished

__all__ = [
    "ErrorAnswer",
    "add_error_handlers",
    "body_of",
    "document_errors",
    "documented",
    "error_response",
    "json_response",
]

S = TypeVar("S")
SCHEMAS = "#/components/schemas/"
ERRORS = {
    400: "not JSON",
    403: "forbidden",
    404: "not found",
    409: "conflicts with the saved state",
    413: "too large",
    422: "invalid",
    429: "too many requests",
}

EXPECTED = {
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
    "string_pattern_mismatch": "a text like {pattern}",
    "string_too_long": "at most {max_length} letters",
}
"""Our words for pydantic's error types whose own messages are too technical."""

SOURCES = ("query", "path", "header")


@dataclass(frozen=True, kw_only=True)
class ErrorAnswer(Shape):
    """Every error looks like this."""

    error: Annotated[str, "For example `move 3: b2 is taken by X`."]


# Requests and answers


async def read_json(request: Request) -> Json:
    """Return the JSON in the body of a request; raises WebError or InvalidData."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise InvalidData("expected a JSON object, sent as application/json")
    try:
        return loads(await request.body())
    except InvalidData as error:
        raise WebError(400, str(error)) from None


def body_of(kind: type[S]) -> S:
    """Return the dependency of a route whose body is a request of this type."""

    async def read_body(request: Request) -> S:
        return read(kind, await read_json(request))

    return cast(S, Depends(read_body))


def json_response(answer: object, seconds: float | None = None) -> Response:
    """Return an answer, or its JSON, as a response; large ones are better encoded in a worker than in the event loop.

    The time that the answer took is not a part of it: it stands in the header ``Server-Timing``.
    """
    text = answer if isinstance(answer, str) else encode(answer)
    headers = {} if seconds is None else {"Server-Timing": f"answer;dur={1000 * seconds:.1f}"}
    return Response(text, headers=headers, media_type="application/json")


def documented(request: type | None, answer: type, *, is_query: bool = False) -> dict[str, Any]:
    """Return the options of a route that describe its request, a body or a query, and its answer in OpenAPI."""
    found: dict[str, Any] = {
        "response_model": None,
        "response_class": Response,
        "responses": {200: {"description": "the answer", "content": _content(answer, _ANSWERS)}},
    }
    if request is not None and is_query:
        found["openapi_extra"] = {"parameters": _parameters(request)}
    elif request is not None:
        found["openapi_extra"] = {"requestBody": {"required": True, "content": _content(request, _REQUESTS)}}
    return found


def _parameters(request: type) -> list[Schema]:
    schema = schema_of(request)
    return [
        {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": field}
        for name, field in schema["properties"].items()
    ]


def document_errors() -> dict[int | str, dict[str, Any]]:
    """Return the responses that every route may give."""
    return {
        status: {"description": about, "content": _content(ErrorAnswer, _ANSWERS)} for status, about in ERRORS.items()
    }


_REQUESTS: dict[str, type] = {}
_ANSWERS: dict[str, type] = {}


def _content(kind: type, documented: dict[str, type]) -> dict[str, object]:
    documented[kind.__name__] = kind
    return {"application/json": {"schema": {"$ref": f"{SCHEMAS}{kind.__name__}"}}}


class DocumentedApp(FastAPI):
    """An app whose OpenAPI document has the schemas of all documented requests and answers."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.update(definitions(_REQUESTS.values(), prefix=SCHEMAS))
        schemas.update(definitions(_ANSWERS.values(), prefix=SCHEMAS, is_answer=True))
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        return document


# Errors


def error_response(status: int, message: str, retry_after: float | None = None) -> Response:
    """Return the response that carries an error."""
    body = json.dumps({"error": " ".join(message.split())}).encode()
    headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
    return Response(body, status, headers, "application/json")


def add_error_handlers(app: FastAPI, metrics: Metrics) -> None:
    """Make the app answer every error with one line of JSON."""

    async def web_error(_: Request, error: Exception) -> Response:
        assert isinstance(error, WebError)
        metrics.refuse(error.reason)
        return error_response(error.status, error.message, error.retry_after)

    async def value_error(_: Request, error: Exception) -> Response:
        return error_response(409 if isinstance(error, GameFinished) else 422, str(error))

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return error_response(422, _validation_message(error.errors()[0]))

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return error_response(error.status_code, _http_message(request, error))

    async def store_error(_: Request, error: Exception) -> Response:
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


def _validation_message(error: Mapping[str, Any]) -> str:
    """Return one of pydantic's errors in our style: expected value, field, and the value received."""
    steps = [str(step) for step in error["loc"] if step not in SOURCES]
    field = quote(".".join(steps))
    if error["type"] == "missing":
        return f"expected the field {field}"
    return f"expected {_describe_expected(error)} for {field}{_describe_received(error['input'])}"


def _describe_expected(error: Mapping[str, Any]) -> str:
    if error["type"] in EXPECTED:
        return EXPECTED[error["type"]].format(**error.get("ctx", {}))
    message = str(error["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    return (message[:1].lower() + message[1:]).removeprefix("expected ")


def _describe_received(value: object) -> str:
    return f", got {quote(value)}" if isinstance(value, str | int | float) else ""
