"""Rates: how often a client may do something, in memory that does not grow with the number of clients."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Any

__all__ = ["Bucket", "Buckets", "Count", "client_of"]

MOST_CLIENTS = 10_000


class Bucket:
    """Holds so many drops and gains so many a second; whoever takes from an empty one waits."""

    __slots__ = ("_holds", "_level", "_now", "_per_second", "_when")

    def __init__(self, holds: float, per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._holds, self._per_second, self._now = holds, per_second, now
        self._level, self._when = holds, now()

    def take(self, drops: float = 1.0) -> float:
        """Take drops and return 0, or take none and return the seconds until there are enough."""
        self._fill()
        if self._level >= drops:
            self._level -= drops
            return 0.0
        return (drops - self._level) / self._per_second

    def spend(self, drops: float) -> None:
        """Take drops that are spent already, even those that are not there."""
        self._fill()
        self._level -= drops

    def _fill(self) -> None:
        now = self._now()
        self._level = min(self._holds, self._level + (now - self._when) * self._per_second)
        self._when = now


class Buckets:
    """A bucket for each client; those not seen for longest are forgotten."""

    def __init__(self, rate: tuple[float, float], most: int = MOST_CLIENTS) -> None:
        self._rate, self._most = rate, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, client: str) -> Bucket:
        """Return the bucket of a client."""
        bucket = self._buckets.pop(client, None) or Bucket(*self._rate)
        self._buckets[client] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket


class Count:
    """How many of something each client holds at the moment, up to a bound."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[str, int] = {}

    def take(self, client: str) -> bool:
        """Hold one more, or return False when that is too many."""
        held = self._held.get(client, 0)
        if held >= self._most:
            return False
        self._held[client] = held + 1
        return True

    def give_back(self, client: str) -> None:
        """Hold one less."""
        held = self._held.pop(client) - 1
        if held:
            self._held[client] = held


def client_of(scope: Any) -> str:
    """Return who is counted together: an address, or the 64 bits of an IPv6 one that a household has to itself."""
    host = scope["client"][0] if scope.get("client") else "unknown"
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return f"{int(address) >> 64:x}::/64" if not address.is_loopback else "::1"
    return str(address)
