"""A setting: a name, the type of its values, a default, and how its values are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

from noughts.games.quoting import quote
from noughts.schema import Flag, read_value
from noughts.settings.kinds import parse_text

__all__ = ["Setting"]

T = TypeVar("T")
PREFIX = "NOUGHTS_"


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A default that can be changed. The settings of a command are named after it and its option: ``web.port``."""

    name: str
    kind: object
    """The type of a value, which ``schema`` checks; that of each if there may be several."""
    factory: Callable[[], T]
    about: str
    default_text: str | None = None
    """Describes a default that depends on the machine."""
    metavar: str = "N"
    none: str | None = None
    """The word for None."""
    is_list: bool = False
    """Whether there may be several values: with commas between them in a text, in a file as a list."""

    @property
    def default(self) -> T:
        """The value without any configuration."""
        return self.factory()

    @property
    def variable(self) -> str:
        """The environment variable, such as ``NOUGHTS_WEB_PORT``."""
        return PREFIX + self.name.upper().translate(str.maketrans(".-", "__"))

    @property
    def words(self) -> tuple[str, ...]:
        """The words to choose from, if there are only a few."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ("true", "false") if self.is_flag else ()

    @property
    def is_flag(self) -> bool:
        return self.kind is Flag

    def describe_default(self) -> str:
        """Return the default as a text, the same on every machine."""
        return self.format(self.default) if self.default_text is None else self.default_text

    def parse(self, text: str) -> Any:
        """Return the value of a text in the environment or on the command line; raises ValueError."""
        if self.is_list:
            return tuple(parse_text(self.kind, part) for part in text.split(",") if part.strip())
        return None if text.strip().lower() == self.none else parse_text(self.kind, text)

    def format(self, value: Any) -> str:
        """Return the text that ``parse`` reads."""
        if value is None:
            return self.none or ""
        if self.is_list:
            return ",".join(value)
        return str(value).lower() if self.is_flag else str(value)

    def load(self, data: object) -> Any:
        """Return the value of an item of the configuration file; raises ValueError."""
        if not self.is_list:
            return None if data is not None and data == self.none else read_value(self.kind, data)
        if not isinstance(data, list):
            raise ValueError(f"expected a list, got {quote(data)}")
        return tuple(read_value(self.kind, each) for each in data)

    def dump(self, value: Any) -> object:
        """Return the item of the configuration file that ``load`` reads."""
        if self.is_list:
            return list(value)
        return value if isinstance(value, bool | int) else self.format(value)
