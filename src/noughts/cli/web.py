"""``noughts web``: the page, on this machine or for a network."""

from __future__ import annotations

import json
import logging
import socket
import sys
from contextlib import ExitStack
from types import ModuleType
from typing import Any

import click

from noughts.cli.extras import import_web
from noughts.cli.options import book_option, json_option
from noughts.cli.output import system_reason
from noughts.cli.settings import setting_option
from noughts.settings.kinds import Address
from noughts.settings.table import (
    WEB_ACCESS_LOG,
    WEB_HOST,
    WEB_LOG_ADDRESSES,
    WEB_LOG_FORMAT,
    WEB_LOG_LEVEL,
    WEB_MAX_CONNECTIONS,
    WEB_MAX_GAMES,
    WEB_MAX_MESSAGES,
    WEB_MAX_REQUESTS,
    WEB_MAX_SOCKETS,
    WEB_METRICS,
    WEB_NAME,
    WEB_OPEN,
    WEB_PORT,
    WEB_PROXY,
    WEB_WORKER_MEMORY,
    WEB_WORKERS,
)
from noughts.store import store_path

__all__ = ["command"]

LOOPBACK = ("127.0.0.1", "::1")
HEALTH_SECONDS = 8.0
"""Time for a running server to say whether it works."""


@click.command(name="web")
@setting_option(WEB_HOST)
@setting_option(WEB_PORT)
@setting_option(WEB_OPEN, "opens")
@setting_option(WEB_NAME, "names")
@setting_option(WEB_PROXY, "proxies")
@click.option("--behind-proxy", is_flag=True, help="Trust a proxy on this machine: --proxy 127.0.0.1 --proxy ::1.")
@setting_option(WEB_WORKERS)
@setting_option(WEB_WORKER_MEMORY)
@setting_option(WEB_MAX_CONNECTIONS)
@setting_option(WEB_MAX_SOCKETS)
@setting_option(WEB_MAX_REQUESTS)
@setting_option(WEB_MAX_MESSAGES)
@setting_option(WEB_MAX_GAMES)
@setting_option(WEB_LOG_LEVEL)
@setting_option(WEB_LOG_FORMAT)
@setting_option(WEB_ACCESS_LOG)
@setting_option(WEB_LOG_ADDRESSES)
@setting_option(WEB_METRICS)
@book_option
@click.option("--health", is_flag=True, help="Ask the running server whether it works, instead; exit code 1 if not.")
@json_option("Print the address, or the health, as JSON.")
def command(
    opens: bool,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    behind_proxy: bool,
    health: bool,
    as_json: bool,
    **more: Any,
) -> int:
    """Serve the page: play, analyse and learn in the browser, alone or with a friend by link.

    It listens on this machine only unless --host is given. Ctrl-C stops it; friend games are saved. noughts config
    changes the defaults, and docs/deploying.md explains how to run it for others.

    \b
    noughts web
    noughts web --host 0.0.0.0 --name games.example.org --no-open
    """
    if health:
        return _print_health(_reachable(Address(more["host"], more["port"])), as_json)
    web = import_web("server")
    settings = web.Settings(
        names=tuple(map(str.lower, names)),
        proxies=(*proxies, *(LOOPBACK if behind_proxy else ())),
        store=store_path(),
        **more,
    )
    _check(settings)
    with ExitStack() as sockets:
        listening = sockets.enter_context(_listen(web, settings.address))
        metrics = None if settings.metrics is None else sockets.enter_context(_listen(web, settings.metrics))
        addresses = {"address": _link(settings.address, listening)}
        if metrics is not None:
            addresses["metrics"] = f"{_link(settings.metrics, metrics)}metrics"
        web.configure_logging(settings.log_format, settings.log_level)
        _warn(settings)

        def ready() -> None:
            click.echo(json.dumps(addresses) if as_json else "\n".join(addresses.values()))
            if sys.stderr.isatty():
                click.echo("press Ctrl-C to stop", err=True)
            if opens:
                _open(addresses["address"])

        web.serve(settings, listening, ready, metrics)
    return 0


def _print_health(address: Address, as_json: bool) -> int:
    """Print what a running server says about itself; returns the exit code."""
    status = _ask_health(address)
    click.echo(json.dumps({"status": status}) if as_json else status)
    return 0 if status == "ok" else 1


def _ask_health(address: Address) -> str:
    from http.client import HTTPConnection, HTTPException

    connection = HTTPConnection(*address, timeout=HEALTH_SECONDS)
    try:
        connection.request("GET", "/healthz")
        return str(json.loads(connection.getresponse().read())["status"])
    except OSError as error:
        return f"no answer from {address}: {system_reason(error)}"
    except (HTTPException, KeyError, TypeError, ValueError):
        return f"no answer of noughts from {address}"
    finally:
        connection.close()


def _listen(web: ModuleType, address: Address) -> socket.socket:
    try:
        listening: socket.socket = web.listen(address)
    except OSError as error:
        raise click.ClickException(f"cannot listen on {address}: {system_reason(error)}") from None
    return listening


def _check(settings: Any) -> None:
    if settings.names and settings.is_local:
        raise click.UsageError("--name needs --host or --behind-proxy: on loopback the name is localhost")
    if settings.metrics is not None and settings.metrics.port == settings.port != 0:
        raise click.UsageError(
            f"expected a port for --metrics that is not that of the page, got {settings.port} for both"
        )


def _reachable(address: Address) -> Address:
    """Return the address under which this machine reaches a server that listens on ``address``."""
    return address._replace(host={"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address.host, address.host))


def _link(address: Address, listening: socket.socket) -> str:
    """Return the link to a server; its port may have been chosen by the system."""
    return f"http://{_reachable(address)._replace(port=listening.getsockname()[1])}/"


def _warn(settings: Any) -> None:
    """Warn about what others can do when they can reach the server."""
    if settings.is_local:
        return
    lines = [
        f"listening on {settings.host}: everyone who can reach this machine can play, watch and use its engine,",
        "within limits for each address; each visitor has their own saved games, separate from noughts games;",
    ]
    if not settings.proxies:
        lines.append("there is no encryption: on a network you do not trust, put a proxy in front (docs/deploying.md)")
    if not settings.names:
        lines.append("it answers to the addresses and the name of this machine; --name adds another name")
    if settings.log_format == "json":
        logging.getLogger(__name__).warning("%s", " ".join(lines))
    else:
        click.echo("\n".join(lines), err=True)


def _open(address: str) -> None:
    import os
    import threading
    import webbrowser

    has_screen = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if not has_screen:
        return  # a text browser would take over the terminal
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
