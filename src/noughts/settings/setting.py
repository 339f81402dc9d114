"""A setting: a name, a kind of values and a default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from noughts.settings.kinds import Kind

__all__ = ["Setting"]

T = TypeVar("T")
PREFIX = "NOUGHTS_"


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A default that can be changed. The settings of a command are named after it and its option: ``web.port``."""

    name: str
    kind: Kind[T]
    factory: Callable[[], T]
    about: str
    default_text: str | None = None
    """Describes a default that depends on the machine."""

    @property
    def default(self) -> T:
        """The value without any configuration."""
        return self.factory()

    @property
    def variable(self) -> str:
        """The environment variable, such as ``NOUGHTS_WEB_PORT``."""
        return PREFIX + self.name.upper().translate(str.maketrans(".-", "__"))

    def describe_default(self) -> str:
        """Return the default as a text, the same on every machine."""
        return self.kind.format(self.default) if self.default_text is None else self.default_text
