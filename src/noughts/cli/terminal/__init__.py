"""Playing in the terminal.

``Session`` does no input or output: lines go in, events come out. ``loop.run`` connects it to a terminal or a pipe.
"""

from noughts.cli.terminal.clock import Clock, parse_clock
from noughts.cli.terminal.seats import Seat
from noughts.cli.terminal.session import Session

__all__ = ["Clock", "Seat", "Session", "parse_clock"]
