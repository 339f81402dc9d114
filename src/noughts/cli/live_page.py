"""Serving the live page of a tournament or a cup, beside the playing."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from time import sleep
from typing import TYPE_CHECKING

import click

from noughts.cli.extras import import_web
from noughts.cli.options import add_options
from noughts.cli.output import system_reason
from noughts.cli.types import WholeNumberRange
from noughts.settings.kinds import Address

if TYPE_CHECKING:
    from noughts.arena.live_page import LivePage

__all__ = ["ServedPage", "page_options", "serve_live", "stay"]

page_options = add_options(
    [
        click.option(
            "--host", metavar="ADDRESS", default="127.0.0.1", show_default=True,
            help="Address of the live page; 0.0.0.0 shows it to the local network.",
        ),
        click.option(
            "--port", type=WholeNumberRange(0, 65535), default=0, help="Port of the live page; by default a free one."
        ),
        click.option("--stay", is_flag=True, help="Serve the live page after the end, until Ctrl-C."),
    ]
)  # fmt: skip
"""Adds the options of a live page."""


@dataclass(frozen=True)
class ServedPage:
    """The address of a page that is being served."""

    url: str
    port: int


@contextmanager
def serve_live(page: LivePage, wanted: Address, any_port: bool = False, otherwise: str = "") -> Iterator[ServedPage]:
    """Serve a page while the block runs; with ``any_port`` on a free port if the one wanted is taken.

    Raises UsageError if the address cannot be used, ClickException without the extra ``web``.
    """
    web = import_web("page_server", "the live page needs more packages", otherwise)
    try:
        server = web.PageServer(page.answer, wanted)
    except OSError as error:
        if not any_port or not wanted.port:
            raise click.UsageError(f"cannot serve the page on {wanted}: {system_reason(error)}") from None
        server = web.PageServer(page.answer, wanted._replace(port=0))
    with closing(server):
        yield ServedPage(f"http://{Address(_shown_host(wanted.host), server.port)}/", server.port)


def stay(note: Callable[[str], object]) -> None:
    """Say that the page stays, and wait for Ctrl-C."""
    with suppress(KeyboardInterrupt):
        note("the page stays until Ctrl-C")
        while True:
            sleep(3600)


def _shown_host(host: str) -> str:
    """Return the host for an address that other machines can open."""
    if host in ("0.0.0.0", "::", ""):
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the network interface
            return str(probe.getsockname()[0])
        return socket.gethostname()
    return host
