"""UGI/UCI, Gomocup, CodinGame and JSON lines: both as engine and as host.

Names are imported when they are first used: an engine must answer its host at once, and needs none of the hosts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.lazy import lazy_names

if TYPE_CHECKING:
    from noughts.players.protocols.clock import Clock
    from noughts.players.protocols.host import HostedBot
    from noughts.players.protocols.local import LocalBot
    from noughts.players.protocols.opening import PROTOCOLS, built_in, detect_protocol, open_bot
    from noughts.players.protocols.serving import Settings, serve

__all__ = [
    "PROTOCOLS",
    "Clock",
    "HostedBot",
    "LocalBot",
    "Settings",
    "built_in",
    "detect_protocol",
    "open_bot",
    "serve",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "PROTOCOLS": ".opening",
        "Clock": ".clock",
        "HostedBot": ".host",
        "LocalBot": ".local",
        "Settings": ".serving",
        "built_in": ".opening",
        "detect_protocol": ".opening",
        "open_bot": ".opening",
        "serve": ".serving",
    },
)
