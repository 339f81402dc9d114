"""The address under which other devices in the network open the page."""

from __future__ import annotations

import socket

from noughts.settings.kinds import Address
from noughts.web.limits import ANY_NAME, Settings, is_loopback

__all__ = ["address_in_network"]

WILDCARDS = ("0.0.0.0", "::", "")
UNUSED_ADDRESS = ("192.0.2.1", 9)
"""An address reserved for documentation. A datagram socket connected to it sends nothing, but knows the interface that
the system would use."""


def address_in_network(settings: Settings, port: int) -> str | None:
    """Return the link to the page for other devices in the network; None if only this machine reaches the server.

    Behind a proxy it is None, too: only the proxy knows the address under which it is reached.
    """
    if settings.is_local or settings.proxies:
        return None
    host = _own_address() if settings.host in WILDCARDS else settings.host
    named = next((name for name in settings.names if name != ANY_NAME), None)
    reached = named or host
    return None if reached is None else f"http://{Address(reached, port)}/"


def _own_address() -> str | None:
    """Return the address of this machine in its network; None if it has none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(UNUSED_ADDRESS)
            found = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(found) else found
