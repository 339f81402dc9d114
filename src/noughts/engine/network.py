"""The network that an engine evaluates positions with: that of the game, none, or one from a file."""

from __future__ import annotations

from pathlib import Path

from noughts.games.quoting import escape_control_characters, quote

__all__ = ["NO_NETWORK", "Network", "name_network", "parse_network", "read_network"]

Network = str | Path | bytes | bool | None
"""None for the network of the game, if it has one; False for none; a file; or the bytes of a file."""
NO_NETWORK = "none"
"""The word for no network in names of players and on the command line."""
MAX_FILE_BYTES = 64 << 20


def parse_network(text: str, folder: Path | None = None) -> Network:
    """Return the network that a text names: a file, or ``none`` for the hand-written evaluation.

    ``folder`` is that of a relative path. Raises ValueError if there is no such file, or it cannot be read.

    >>> parse_network("none")
    False
    """
    if text.strip().lower() == NO_NETWORK:
        return False
    path = (folder or Path()) / text.strip()
    try:
        path.open("rb").close()
    except OSError as error:
        raise ValueError(f"cannot read the network {quote(text)}: {(error.strerror or str(error)).lower()}") from None
    return path


def read_network(network: Network) -> bytes | None:
    """Return a network as the core takes it: its bytes, none for no network, or None for that of the game.

    Raises OSError if the file cannot be read, and TypeError. Whether the bytes are a network is for the core to say.
    """
    if network is None or isinstance(network, bytes):
        return network
    if network is False:
        return b""
    if network is True or not isinstance(network, str | Path):
        raise TypeError(f"expected network as a file, bytes, False or None, got {quote(network)}")
    with open(network, "rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if not data or len(data) > MAX_FILE_BYTES:
        size = f"more than {MAX_FILE_BYTES >> 20} MB" if data else "an empty file"
        raise ValueError(f"cannot use {name_network(network)}: expected a network, got {size}")
    return data


def name_network(network: Network) -> str:
    """Return a network the way messages name it."""
    return escape_control_characters(str(network)) if isinstance(network, str | Path) else "the network"
