"""Messages for parameters that FastAPI refuses, in our style: one line with what was expected, then what came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noughts.games.quoting import quote

__all__ = ["validation_message"]

EXPECTED = {
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
    "string_pattern_mismatch": "a text like {pattern}",
    "string_too_long": "at most {max_length} letters",
}
"""Our words for pydantic's error types whose own messages are too technical."""

SOURCES = ("query", "path", "header")


def validation_message(error: Mapping[str, Any]) -> str:
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
