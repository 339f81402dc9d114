"""``noughts web``: the page, on this machine or for a network."""

from __future__ import annotations

import importlib
import json
from typing import Any

import click

from noughts.cli.options import book_option
from noughts.cli.output import system_reason
from noughts.games.quoting import quote

__all__ = ["command"]


@click.command(name="web")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free port.")
@click.option("--open/--no-open", "opens", default=True, help="Open the page in the browser.", show_default=True)
@click.option("--name", "names", multiple=True, metavar="HOST", help="Host name to answer to; repeatable.")
@click.option("--behind-proxy", is_flag=True, help="Trust the X-Forwarded-For of a proxy on this machine.")
@click.option("--workers", type=click.IntRange(2, 64), help="Number of engine threads.  [default: cores]")
@book_option
@click.option("--json", "as_json", is_flag=True, help="Print the address as JSON.")
def command(
    host: str,
    port: int,
    opens: bool,
    names: tuple[str, ...],
    behind_proxy: bool,
    workers: int | None,
    book: bool,
    as_json: bool,
) -> None:
    """Serve the page: play, analyse and learn in the browser, alone or with a friend by link.

    It listens on this machine only unless --host is given. Ctrl-C stops it; friend games are saved.

    \b
    noughts web
    noughts web --host 0.0.0.0 --name games.example.org --no-open
    """
    web: Any = importlib.import_module("noughts.web.server")  # cli and web do not import each other; this starts it
    more = {} if workers is None else {"workers": workers}
    settings = web.Settings(
        host=host, port=port, names=tuple(map(str.lower, names)), behind_proxy=behind_proxy, book=book, **more
    )
    _check(settings)
    try:
        listening = web.listen(settings)
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}:{port}: {system_reason(error)}") from None
    address = _address(host, listening.getsockname()[1])
    _warn(settings, address)

    def ready() -> None:
        click.echo(json.dumps({"address": address}) if as_json else address)
        click.echo("press Ctrl-C to stop", err=True)
        if opens:
            _open(address)

    web.serve(settings, listening, ready)


def _check(settings: Any) -> None:
    if not settings.host:
        raise click.UsageError("expected an address for --host, got none; 0.0.0.0 is every address of this machine")
    if settings.names and settings.is_local:
        raise click.UsageError("--name needs --host or --behind-proxy: on loopback the name is localhost")
    for name in settings.names:
        if set(name) & set(":/"):
            raise click.UsageError(f"expected a host name such as games.example.org for --name, got {quote(name)}")


def _address(host: str, port: int) -> str:
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def _warn(settings: Any, address: str) -> None:
    """Warn about what others can do when they can reach the server."""
    if settings.is_local:
        return
    lines = [
        f"listening on {settings.host}: everyone who can reach this machine can play, watch and use its engine,",
        "within limits for each address; each visitor has their own saved games, separate from noughts games;",
        "there is no encryption: on a network you do not trust, put a proxy with TLS in front (docs/web.md)",
    ]
    if not settings.names:
        lines.append("it answers to any host name; restrict that with --name")
    click.echo("\n".join(lines), err=True)


def _open(address: str) -> None:
    import os
    import sys
    import threading
    import webbrowser

    has_screen = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if not has_screen:
        return  # a text browser would take over the terminal
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
