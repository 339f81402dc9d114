"""UGI/UCI, Gomocup, CodinGame and JSON lines: both as engine and as host."""

from noughts.protocol.clock import Clock
from noughts.protocol.host import HostedBot
from noughts.protocol.local import LocalBot
from noughts.protocol.opening import PROTOCOLS, built_in, detect_protocol, open_bot

__all__ = ["PROTOCOLS", "Clock", "HostedBot", "LocalBot", "built_in", "detect_protocol", "open_bot"]
