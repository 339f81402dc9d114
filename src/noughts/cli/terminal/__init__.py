"""A game played line by line: a session that takes lines and gives events, and faces that show them.

``Session`` holds no input and no output, so that it can be tested, scripted and shown by any face; ``run`` drives it at
a terminal or through a pipe.
"""

from noughts.cli.terminal.clock import Clock, parse_clock
from noughts.cli.terminal.seats import Seat
from noughts.cli.terminal.session import Session

__all__ = ["Clock", "Seat", "Session", "parse_clock"]
