"""Playing in the terminal.

``session.Session`` does no input or output: lines go in, events come out. ``loop.Loop`` connects it to a terminal or a
pipe.
"""
