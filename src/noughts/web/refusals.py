"""Refusals of requests: a status as in HTTP, and a one-line message."""

from __future__ import annotations

import math

__all__ = ["InvalidRequest", "ServerClosing", "TooManyRequests", "TookTooLong", "WebError"]


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
