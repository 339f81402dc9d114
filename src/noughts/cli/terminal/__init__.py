"""Playing in the terminal.

``Session`` does no input or output: lines go in, events come out. ``Loop`` connects it to a terminal or a pipe.
"""

from noughts.cli.terminal.session import Session

__all__ = ["Session"]
