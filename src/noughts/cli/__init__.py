"""The ``noughts`` command. Each subcommand is a module, imported only when it runs."""

from noughts.cli.main import main

__all__ = ["main"]
