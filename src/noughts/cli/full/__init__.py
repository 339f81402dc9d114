"""The full-screen game: ``noughts play --full``.

It shows a session of ``noughts.cli.terminal``, which has the commands, the players and the messages, and draws boards
with ``noughts.games.rendering``. Textual is imported only here.
"""
