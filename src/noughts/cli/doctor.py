"""``noughts doctor``: what is installed and what works."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import click

__all__ = ["command", "examine"]

PERFT_5_OF_3X3 = 15_120
OLDEST_SQLITE = (3, 37, 0)


class Finding(NamedTuple):
    """One thing looked at: ``ok``, ``missing`` (one can do without) or ``broken`` (it should work and does not)."""

    name: str
    state: Literal["ok", "missing", "broken"]
    about: str


@click.command(name="doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(as_json: bool) -> int:
    """Say what is installed and what works; leave with 1 when something that should work does not."""
    findings = list(examine())
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings], indent=2))
    else:
        for finding in findings:
            click.echo(f"{finding.state:<8} {finding.name:<14} {finding.about}")
    return 1 if any(finding.state == "broken" for finding in findings) else 0


def examine() -> Iterator[Finding]:
    """Look at everything, one finding after the other; nothing here raises."""
    yield Finding("python", "ok", f"{platform.python_version()} ({sys.executable})")
    for name, check in CHECKS.items():
        yield _examined(name, check)
    yield _programs()
    yield _sandbox()
    for package, extra in _requirements():
        if extra is None:
            yield _package(package, "broken", "not installed, but needed: pip install noughts")
        else:
            yield _package(package, "missing", f"not installed; comes with pip install 'noughts[{extra}]'")


def _requirements() -> Iterator[tuple[str, str | None]]:
    """The packages that noughts names, each with the extra that brings it, None for those it always needs."""
    for line in importlib.metadata.requires("noughts") or []:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"]([\w.-]+)['\"]", line)
        if name is not None:
            yield name[0], extra[1] if extra else None


def _examined(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, "ok", check())
    except Exception as error:
        return Finding(name, "broken", str(error) or type(error).__name__)


def _package(name: str, without: Literal["missing", "broken"], advice: str) -> Finding:
    if importlib.util.find_spec(name) is None:
        return Finding(name, without, advice)
    try:
        return Finding(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, "ok", "of unknown version")


def _programs() -> Finding:
    """Whether programs can play, in the arena and at the board."""
    from noughts.players.programs.platforms import why_no_programs

    why = why_no_programs()
    return Finding("programs", "missing" if why else "ok", why or "bots can be run as programs")


def _sandbox() -> Finding:
    """Whether bots can be kept from the network and from files."""
    from noughts.players.programs.platforms import why_no_programs
    from noughts.players.programs.sandbox import why_no_sandbox

    why = why_no_programs() or why_no_sandbox()
    return Finding("sandbox", "missing" if why else "ok", why or "bubblewrap works")


def _noughts() -> str:
    import noughts

    return f"{noughts.__version__} ({Path(noughts.__file__).parent})"


def _core() -> str:
    """Count positions with the compiled core: the number is known."""
    from noughts import Game, _core

    found = Game("3x3").start().perft(5)
    if found != PERFT_5_OF_3X3:
        raise RuntimeError(f"expected {PERFT_5_OF_3X3} playthroughs of five plies, got {found}")
    return f"built and right ({Path(_core.__file__ or '').name})"


def _engine() -> str:
    """Let the engine look at tic-tac-toe: it must see the draw."""
    from noughts import Engine, Game, Limit

    found = Engine(hash_mb=1).search(Game("3x3").start(), Limit(depth=9))
    if found.value != "draw":
        raise RuntimeError(f"expected 3x3 to be a draw, got {found.verdict}")
    return f"works ({found.nodes:,} nodes for 3x3)"


def _drawing() -> str:
    from noughts import Game

    return f"{len(str(Game('4x4x4').start()).splitlines())} lines for 4x4x4"


def _sqlite() -> str:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        raise RuntimeError(f"expected SQLite {wanted} or newer, got {sqlite3.sqlite_version}")
    return sqlite3.sqlite_version


def _data_folder() -> str:
    """Write a file in the data folder, or where it would be made."""
    from noughts.store import data_folder

    folder = data_folder()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        raise RuntimeError(f"cannot write to {existing}: {(error.strerror or str(error)).lower()}") from None
    return f"{folder} (writable)" if existing == folder else f"{folder} (to be made)"


def _kept_games() -> str:
    """Open the store, but do not make one."""
    from noughts.plural import count
    from noughts.store import Store, store_path

    if not store_path().exists():
        return "none yet"
    with Store(read_only=True) as store:
        return f"{count(len(store.list()), 'game')} ({store_path().stat().st_size:,} bytes)"


def _terminal() -> str:
    from noughts.cli.capabilities import stdout_capabilities
    from noughts.cli.terminal.input import CAN_INTERRUPT_READING

    able = stdout_capabilities()
    size = f"{able.width} columns, {shutil.get_terminal_size().lines} lines"
    words = {"colours": able.colours, "UTF-8": able.unicode, "a thinking line": able.can_rewrite}
    can = ", ".join(word for word, has in words.items() if has) or "plain text"
    kind = os.environ.get("TERM", "none") if able.is_terminal else "not a terminal"
    late = "" if CAN_INTERRUPT_READING else "; a clock that runs out shows after the next line"
    return f"{kind}: {size}; {can}{late}"


CHECKS: dict[str, Callable[[], str]] = {
    "noughts": _noughts,
    "core": _core,
    "engine": _engine,
    "drawing": _drawing,
    "sqlite": _sqlite,
    "data folder": _data_folder,
    "kept games": _kept_games,
    "terminal": _terminal,
}
