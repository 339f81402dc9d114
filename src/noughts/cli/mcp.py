"""``noughts mcp``: the games as tools for language models."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

import click

from noughts.cli.extras import import_mcp
from noughts.cli.output import explained, print_message
from noughts.cli.types import WholeNumberRange


@click.command(name="mcp")
@click.option(
    "--port",
    type=WholeNumberRange(0, 65535),
    help="Serve HTTP on this machine at a port, 0 for a free one, instead of standard input and output.",
)
def command(port: int | None) -> None:
    """Serve the games to a language model through the Model Context Protocol.

    The client starts this command and talks to it by standard input and output; or it connects to --port. The tools
    are new_game, legal_moves and play, and questions such as analyse, solve, explain, judge and review. The last 100
    games are kept in memory.

    \b
    noughts mcp
    noughts mcp --port 8765
    """
    server = import_mcp()
    if port is None:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)
        server.serve_stdio()
        return
    with explained(f"cannot listen on port {port}"):
        listening = server.listen(port)
    click.echo(f"http://{server.HOST}:{listening.getsockname()[1]}{server.PATH}")
    click.echo("press Ctrl-C to stop", err=True)
    server.serve_http(listening)


def _leave(number: int, frame: object) -> NoReturn:
    """End the process on Ctrl-C. Cancelling the server would wait for the thread that reads standard input."""
    print_message("interrupted")
    os._exit(130)
