"""Kinds of values: how they are written in the environment, on the command line and in a TOML file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from noughts.games.quoting import quote

__all__ = [
    "Address",
    "AddressKind",
    "Choice",
    "Flag",
    "Folder",
    "Integer",
    "IntegerOrAuto",
    "Kind",
    "Many",
    "Text",
    "check_host_name",
    "check_network",
]

T = TypeVar("T")
OFF = "off"
AUTO = "auto"
FLAG_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, OFF: False, "0": False}
MAX_PORT = 65535


class Kind(ABC, Generic[T]):
    """A set of values and their notations. Every method raises ValueError with what was expected and what came."""

    expected: str
    metavar: str

    @abstractmethod
    def parse(self, text: str) -> T:
        """Return the value of a text."""

    def load(self, data: object) -> T:
        """Return the value of an item of a TOML file."""
        if not isinstance(data, str):
            raise self._refuse(data)
        return self.parse(data)

    def dump(self, value: T) -> object:
        """Return the item of a TOML file that ``load`` reads."""
        return self.format(value)

    def format(self, value: T) -> str:
        """Return the text that ``parse`` reads."""
        return str(value)

    def _refuse(self, data: object) -> ValueError:
        return ValueError(f"expected {self.expected}, got {quote(data)}")


class Text(Kind[str]):
    """A text that is not empty; ``check`` raises ValueError for those that are not allowed."""

    def __init__(self, expected: str, metavar: str, check: Callable[[str], object] = str) -> None:
        self.expected, self.metavar, self._check = expected, metavar, check

    def parse(self, text: str) -> str:
        """Return the text without surrounding blanks."""
        found = text.strip()
        try:
            self._check(found)
        except ValueError:
            raise self._refuse(text) from None
        if not found or not found.isprintable():
            raise self._refuse(text)
        return found


class Choice(Kind[str]):
    """One of several words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.expected = f"{', '.join(words[:-1])} or {words[-1]}"
        self.metavar = f"[{'|'.join(words)}]"

    def parse(self, text: str) -> str:
        """Return the word, in lower case."""
        word = text.strip().lower()
        if word not in self.words:
            raise self._refuse(text)
        return word


class Integer(Kind[int]):
    """A whole number in a range."""

    metavar = "N"

    def __init__(self, minimum: int, maximum: int) -> None:
        self._minimum, self._maximum = minimum, maximum
        self.expected = f"a whole number from {minimum} to {maximum}"

    def parse(self, text: str) -> int:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise self._refuse(text)
        return self._checked(int(digits), text)

    def load(self, data: object) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            raise self._refuse(data)
        return self._checked(data, data)

    def dump(self, value: int) -> object:
        return value

    def _checked(self, number: int, data: object) -> int:
        if not self._minimum <= number <= self._maximum:
            raise self._refuse(data)
        return number


class Flag(Kind[bool]):
    """Yes or no."""

    expected, metavar = "true or false", "BOOLEAN"

    def parse(self, text: str) -> bool:
        """Return the value of a word such as true, yes, on or 1."""
        word = text.strip().lower()
        if word not in FLAG_WORDS:
            raise self._refuse(text)
        return FLAG_WORDS[word]

    def load(self, data: object) -> bool:
        if not isinstance(data, bool):
            raise self._refuse(data)
        return data

    def dump(self, value: bool) -> object:
        return value

    def format(self, value: bool) -> str:
        """Return true or false."""
        return "true" if value else "false"


class Many(Kind[tuple[str, ...]]):
    """Any number of texts, separated by commas; in a file, a list."""

    def __init__(self, each: Text) -> None:
        self.each = each
        self.expected, self.metavar = f"a list, each {each.expected}", each.metavar

    def parse(self, text: str) -> tuple[str, ...]:
        """Return the texts between the commas."""
        return tuple(map(self.each.parse, filter(str.strip, text.split(","))))

    def load(self, data: object) -> tuple[str, ...]:
        if not isinstance(data, list):
            raise self._refuse(data)
        return tuple(map(self.each.load, data))

    def dump(self, value: tuple[str, ...]) -> object:
        """Return the texts as a list."""
        return list(value)

    def format(self, value: tuple[str, ...]) -> str:
        """Return the texts with commas between them."""
        return ",".join(value)


class Folder(Kind[Path]):
    """A folder, which need not exist."""

    expected, metavar = "an absolute path", "FOLDER"

    def parse(self, text: str) -> Path:
        """Return the path; a relative one begins in the current folder."""
        if not text.strip() or not text.isprintable():
            raise self._refuse(text)
        return Path(text).expanduser().absolute()

    def load(self, data: object) -> Path:
        if not isinstance(data, str) or not data.isprintable() or not Path(data).expanduser().is_absolute():
            raise self._refuse(data)
        return Path(data).expanduser()


class Address(NamedTuple):
    """An address to listen on."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class IntegerOrAuto(Kind[int | None]):
    """A whole number in a range, or auto."""

    def __init__(self, minimum: int, maximum: int) -> None:
        self._integer = Integer(minimum, maximum)
        self.expected, self.metavar = f"{self._integer.expected}, or {AUTO}", f"N|{AUTO}"

    def parse(self, text: str) -> int | None:
        """Return the number; None is auto."""
        try:
            return None if text.strip().lower() == AUTO else self._integer.parse(text)
        except ValueError:
            raise self._refuse(text) from None

    def load(self, data: object) -> int | None:
        """Return the number; None is auto."""
        try:
            return None if data == AUTO else self._integer.load(data)
        except ValueError:
            raise self._refuse(data) from None

    def dump(self, value: int | None) -> object:
        return AUTO if value is None else value

    def format(self, value: int | None) -> str:
        return AUTO if value is None else str(value)


class AddressKind(Kind[Address | None]):
    """``HOST:PORT``, a port of this machine, or off."""

    expected, metavar = "a port, HOST:PORT or off", "[HOST:]PORT|off"

    def parse(self, text: str) -> Address | None:
        """Return the address; None is off. Without a host it is that of loopback."""
        if text.strip().lower() == OFF:
            return None
        host, colon, port = text.strip().rpartition(":")
        if not (port.isascii() and port.isdigit() and len(port) < 6 and int(port) <= MAX_PORT) or (colon and not host):
            raise self._refuse(text)
        return Address(host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port))

    def load(self, data: object) -> Address | None:
        """Return the address; None is off."""
        if isinstance(data, bool) or not isinstance(data, str | int):
            raise self._refuse(data)
        return self.parse(str(data))

    def format(self, value: Address | None) -> str:
        """Return ``HOST:PORT`` or off."""
        return OFF if value is None else str(value)


def check_host_name(name: str) -> None:
    """Raise ValueError for a name with a port or a path."""
    if set(name) & set(":/ "):
        raise ValueError(name)


def check_network(text: str) -> None:
    """Raise ValueError unless the text is an address or a network such as 10.0.0.0/8."""
    ip_network(text)
