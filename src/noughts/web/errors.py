"""Refusals of requests: a status as in HTTP, and a one-line message."""

from __future__ import annotations

import math
from enum import StrEnum

__all__ = [
    "Abandoned",
    "OutOfMemory",
    "Reason",
    "ServerClosing",
    "TooManyRequests",
    "TookTooLong",
    "WebError",
    "WorkerLost",
    "refusal_of",
]


class Reason(StrEnum):
    """Why the server refused a request that may have been right; such refusals are counted."""

    HOST = "host"
    """The name of another host."""
    ORIGIN = "origin"
    """Sent by the page of another site."""
    REQUESTS = "requests"
    """Too many requests of a client."""
    CONNECTIONS = "connections"
    """Too many connections of a client."""
    SOCKETS = "sockets"
    """Too many websockets of a client."""
    MESSAGES = "messages"
    """Too many messages on websockets."""
    SIZE = "size"
    """Too large."""
    SLOW = "slow"
    """Arrived too slowly."""
    ENGINE_TIME = "engine_time"
    """The client has used its engine time."""
    QUEUE = "queue"
    """Too many jobs are waiting."""
    FRIEND_GAMES = "friend_games"
    CHALLENGES = "challenges"
    SAVED_GAMES = "saved_games"
    LATE = "late"
    """The answer took too long."""
    MEMORY = "memory"
    """The answer needed more memory than is granted."""
    WORKER = "worker"
    """The process of the engine crashed, or could not be started."""
    STORE = "store"
    """The store failed."""
    CLOSING = "closing"
    """The server is shutting down."""


class Abandoned(Exception):
    """The client no longer waits for the answer."""


class WebError(Exception):
    """A request that is not served: an HTTP status and a one-line message."""

    def __init__(
        self, status: int, message: str, retry_after: float | None = None, reason: Reason | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.retry_after, self.reason = status, message, retry_after, reason


class TooManyRequests(WebError):
    """The client uses more than its share; the message says when to try again."""

    def __init__(self, problem: str, retry_after: float = 1.0, *, reason: Reason) -> None:
        super().__init__(429, f"{problem}; try again in {_duration(retry_after)}", retry_after, reason)


class TookTooLong(WebError):
    """The answer took too long."""

    def __init__(self) -> None:
        super().__init__(503, "the answer took too long; ask for less time, or try again later", 30, Reason.LATE)


class OutOfMemory(WebError):
    """The answer needed more memory than is granted."""

    def __init__(self) -> None:
        super().__init__(503, "the answer needs more memory than this server grants; ask for less", 30, Reason.MEMORY)


class WorkerLost(WebError):
    """The process of the engine crashed, or could not be started."""

    def __init__(self) -> None:
        super().__init__(503, "the engine stopped working on this; try again", 5, Reason.WORKER)


class ServerClosing(WebError):
    """The server is shutting down."""

    def __init__(self) -> None:
        super().__init__(503, "the server is shutting down", 5, Reason.CLOSING)


def refusal_of(error: Exception) -> WebError | None:
    """Return the refusal that an error amounts to; None if it is a mistake in the program."""
    if isinstance(error, WebError):
        return error
    return WebError(422, str(error)) if isinstance(error, ValueError) else None


def _duration(seconds: float) -> str:
    if seconds >= 7200:
        return f"{math.ceil(seconds / 3600)} hours"
    return f"{max(1, math.ceil(seconds))} s" if seconds < 120 else f"{math.ceil(seconds / 60)} minutes"
