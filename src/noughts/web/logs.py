"""Log lines of the server process, as text or as JSON, on standard error."""

from __future__ import annotations

import json
import logging
import sys
import time

from noughts.games.quoting import escape_control_characters, escape_lines

__all__ = ["ACCESS_LOGGER", "configure_logging", "library_level"]

ACCESS_LOGGER = "noughts.web.access"


class TextFormatter(logging.Formatter):
    """``2026-11-17T02:35:26Z warning: the message``; a traceback follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        message = escape_control_characters(record.getMessage())
        level = "" if record.name == ACCESS_LOGGER else f"{record.levelname.lower()}: "
        traceback = "" if record.exc_info is None else f"\n{escape_lines(self.formatException(record.exc_info))}"
        return f"{_format_time(record)} {level}{message}{traceback}"


class JsonFormatter(logging.Formatter):
    """One object a line: ``time``, ``level``, ``logger`` and ``message``, or the fields of a request."""

    def format(self, record: logging.LogRecord) -> str:
        fields = getattr(record, "fields", None) or {"message": record.getMessage()}
        data = {"time": _format_time(record), "level": record.levelname.lower(), "logger": record.name, **fields}
        if record.exc_info is not None:
            data["traceback"] = self.formatException(record.exc_info)
        return json.dumps(data)


def _format_time(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))


def library_level(level: str) -> int:
    """Return the level of uvicorn and other libraries: below warnings they log addresses, and messages with tokens."""
    return max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()])


def configure_logging(format: str, level: str) -> None:
    """Send the log of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if format == "json" else TextFormatter())
    logging.basicConfig(handlers=[handler], level=library_level(level), force=True)
    logging.getLogger("noughts").setLevel(level.upper())
    logging.getLogger(ACCESS_LOGGER).setLevel(logging.INFO)
