"""Types of modules and tracebacks, and ``MappingProxyType``."""

from collections.abc import Mapping
from typing import Any


class ModuleType:
    """The type of modules."""


class UnionType:
    """The type of ``int | str``."""


class TracebackType:
    """The type of tracebacks."""


def MappingProxyType(mapping: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return the mapping itself: the type checker finds assignments to it."""
    return mapping
