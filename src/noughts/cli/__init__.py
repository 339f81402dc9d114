"""The ``noughts`` command. Each subcommand is a module of its own, imported only when it is asked for."""

from noughts.cli.main import main

__all__ = ["main"]
