"""``noughts web``: the page, on this machine or for a network."""

from __future__ import annotations

import importlib
import json
from typing import Any

import click

from noughts.cli.options import book_option
from noughts.cli.output import system_reason
from noughts.cli.settings import setting_option
from noughts.settings.table import WEB_HOST, WEB_NAME, WEB_OPEN, WEB_PORT, WEB_PROXY, WEB_WORKERS
from noughts.store import store_path

__all__ = ["command"]

LOOPBACK = ("127.0.0.1", "::1")


@click.command(name="web")
@setting_option(WEB_HOST)
@setting_option(WEB_PORT)
@setting_option(WEB_OPEN, "opens")
@setting_option(WEB_NAME, "names")
@setting_option(WEB_PROXY, "proxies")
@click.option("--behind-proxy", is_flag=True, help="Trust a proxy on this machine: --proxy 127.0.0.1 --proxy ::1.")
@setting_option(WEB_WORKERS)
@book_option
@click.option("--json", "as_json", is_flag=True, help="Print the address as JSON.")
def command(
    host: str,
    port: int,
    opens: bool,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    behind_proxy: bool,
    workers: int,
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
    settings = web.Settings(
        host=host,
        port=port,
        names=tuple(map(str.lower, names)),
        proxies=(*proxies, *(LOOPBACK if behind_proxy else ())),
        store=store_path(),
        book=book,
        workers=workers,
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
    if settings.names and settings.is_local:
        raise click.UsageError("--name needs --host or --behind-proxy: on loopback the name is localhost")


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
