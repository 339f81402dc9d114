"""Docstrings for the fields of named tuples; Python's default is "Alias for field number 0"."""

from __future__ import annotations

__all__ = ["document_fields"]


def document_fields(cls: type, **texts: str) -> None:
    """Set the docstrings of fields, which ``help`` and editors show."""
    for name, text in texts.items():
        getattr(cls, name).__doc__ = text
