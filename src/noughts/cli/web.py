"""``noughts web``: the page, on this machine or for a network."""

from __future__ import annotations

import json
import logging
import socket
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from noughts.cli.extras import import_web
from noughts.cli.options import add_options, book_option, json_option
from noughts.cli.output import print_result, system_reason, terminal_width
from noughts.cli.settings import setting_option
from noughts.packaged import read_packaged
from noughts.settings.kinds import Address
from noughts.settings.table import WEB_SETTINGS
from noughts.store import store_path

if TYPE_CHECKING:
    from noughts.web.limits import Settings

LOOPBACK = ("127.0.0.1", "::1")
HEALTH_SECONDS = 8.0
"""Time for a running server to say whether it works."""


@dataclass(frozen=True)
class ServedAddresses:
    """The addresses of the page and of the metrics, if they are served."""

    address: str
    metrics: str | None


@dataclass(frozen=True)
class ServerHealth:
    """What a running server says about itself: ``ok``, or what is wrong."""

    status: str


@click.command(name="web")
@add_options([setting_option(each) for each in WEB_SETTINGS])
@click.option("--behind-proxy", is_flag=True, help="Trust a proxy on this machine: --proxy 127.0.0.1 --proxy ::1.")
@book_option
@click.option("--health", is_flag=True, help="Ask a running server whether it works; the exit code is 1 if not.")
@click.option("--unit", is_flag=True, help="Print a unit for systemd that starts this installation.")
@json_option("Print the address, or the health, as JSON.")
def command(behind_proxy: bool, health: bool, unit: bool, as_json: bool, **more: Any) -> int:
    """Serve the page: play, analyse and learn in the browser, alone or with a friend by link.

    Without --host only this machine can reach it. Ctrl-C stops it; games between friends are saved. noughts config
    changes the defaults, and docs/deploying.md explains how to run it for others.

    With --lobby the page lists people who wait for an opponent and games in progress, so that a class or an office
    needs no links. A challenge is listed for half an hour while its player is on the page.

    \b
    noughts web
    noughts web --host 0.0.0.0 --lobby
    noughts web --host 0.0.0.0 --name games.example.org --no-open
    """
    if unit:
        click.echo(_format_unit(), nl=False)
        return 0
    if health:
        return _print_health(_reachable(Address(more["host"], more["port"])), as_json)
    web, opens = import_web("server"), more.pop("open")
    settings = web.Settings(
        names=tuple(map(str.lower, more.pop("name"))),
        proxies=(*more.pop("proxy"), *(LOOPBACK if behind_proxy else ())),
        store=store_path(),
        **more,
    )
    _check(settings)
    with ExitStack() as sockets:
        listening = sockets.enter_context(_listen(web, settings.address))
        metrics = None if settings.metrics is None else sockets.enter_context(_listen(web, settings.metrics))
        measured = None if metrics is None else f"{_link(settings.metrics, metrics)}metrics"
        served = ServedAddresses(_link(settings.address, listening), measured)
        web.configure_logging(settings.log_format, settings.log_level)
        _warn(settings, import_web("network").address_in_network(settings, listening.getsockname()[1]))

        def ready() -> None:
            print_result(served, "\n".join(filter(None, (served.address, served.metrics))), as_json)
            if sys.stderr.isatty():
                click.echo("press Ctrl-C to stop", err=True)
            if opens:
                _open(served.address)

        web.serve(settings, listening, ready, metrics)
    return 0


def _format_unit() -> str:
    """Return the unit that comes with the package, with the program of this installation."""
    program = Path(sys.executable).with_name("noughts")
    return read_packaged("web/noughts.service").decode().replace("/opt/noughts/bin/noughts", str(program))


def _print_health(address: Address, as_json: bool) -> int:
    """Print what a running server says about itself; returns the exit code."""
    status = _ask_health(address)
    print_result(ServerHealth(status), status, as_json)
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


def _check(settings: Settings) -> None:
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


def _warn(settings: Settings, in_network: str | None) -> None:
    """Warn about what others can do when they can reach the server, and say how they reach it."""
    if settings.is_local:
        return
    reach = "the proxy" if settings.host in LOOPBACK else "this machine"
    parts = [
        f"listening on {settings.host}: everyone who can reach {reach} can play, watch and use the engine,"
        " within limits for each address",
        "each visitor has their own saved games, separate from noughts games",
    ]
    if not settings.proxies:
        parts.append("there is no encryption: on a network you do not trust, put a proxy in front (docs/deploying.md)")
    if not settings.names:
        parts.append("it answers to the addresses and the name of this machine; --name adds another name")
    if in_network is not None:
        parts.append(f"other devices in the network open {in_network}")
    if settings.log_format == "json":
        logging.getLogger(__name__).warning("%s", "; ".join(parts))
    else:
        for part in parts:
            click.echo(fill(part, terminal_width(), subsequent_indent="  ", break_on_hyphens=False), err=True)


def _open(address: str) -> None:
    import os
    import threading
    import webbrowser

    has_screen = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if not has_screen:
        return  # a text browser would take over the terminal
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
