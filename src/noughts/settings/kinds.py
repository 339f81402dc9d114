"""The types of settings beside those of ``schema``, and how a value of any of them is read from a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from noughts.games.quoting import quote
from noughts.schema import Expected, InvalidData, read_value

__all__ = ["Address", "Folder", "Printable", "check_host_name", "check_network", "parse_text"]

FLAG_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
MAX_PORT = 65535


def parse_text(kind: object, text: str) -> Any:
    """Return the value of a text in the environment or on the command line; raises ValueError.

    >>> parse_text(bool, "on"), parse_text(int, " 80 ")
    (True, 80)
    """
    base = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    word = text.strip()
    if base is bool:
        return read_value(kind, FLAG_WORDS.get(word.lower(), text))
    if base is int:
        return read_value(kind, int(word) if word.isascii() and word.isdigit() and len(word) < 10 else text)
    if base is Folder and word:
        return read_value(kind, str(Path(text).expanduser().absolute()))
    return read_value(kind, word.lower() if get_origin(base) is Literal else word)


@dataclass(frozen=True)
class Printable(Expected):
    """A text that is not empty; ``accepts`` raises ValueError for those that are not allowed."""

    accepts: Callable[[str], object] = str

    def check(self, value: str, path: str) -> None:
        """Raise InvalidData if the text is not allowed."""
        try:
            self.accepts(value)
            is_allowed = bool(value) and value.isprintable()
        except ValueError:
            is_allowed = False
        if not is_allowed:
            raise InvalidData(f"expected {self.text}, got {quote(value)}")


class Folder:
    """The type of a folder, which need not exist."""

    @staticmethod
    def from_data(data: object) -> Path:
        """Return an absolute path; raises ValueError."""
        if not isinstance(data, str) or not data.isprintable() or not Path(data).expanduser().is_absolute():
            raise ValueError(f"expected an absolute path, got {quote(data)}")
        return Path(data).expanduser()


class Address(NamedTuple):
    """An address to listen on."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def from_data(cls, data: object) -> Address:
        """Return the address ``HOST:PORT``, or that of a port on loopback; raises ValueError."""
        host, colon, port = str(data).strip().rpartition(":")
        if not (port.isascii() and port.isdigit() and len(port) < 6 and int(port) <= MAX_PORT) or (colon and not host):
            raise ValueError(f"expected a port, HOST:PORT or off, got {quote(data)}")
        return cls(host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port))


def check_host_name(name: str) -> None:
    """Raise ValueError for a name with a port or a path."""
    if set(name) & set(":/ "):
        raise ValueError(name)


def check_network(text: str) -> None:
    """Raise ValueError unless the text is an address or a network such as 10.0.0.0/8."""
    ip_network(text)
