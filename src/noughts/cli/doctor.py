"""``noughts doctor``: checks the installation."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import click

from noughts.cli.options import json_option
from noughts.cli.output import print_json, system_reason, table_width
from noughts.cli.tables import Words, format_table
from noughts.invocation import install_line

__all__ = ["command", "examine"]

SUPERVISION_SECONDS = 10.0
PERFT_5_OF_3X3 = 15_120
MIN_SQLITE_VERSION = (3, 37, 0)


class CheckState(StrEnum):
    """The state of one part of the installation."""

    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True)
class Finding:
    """The result of one check: ``ok``, ``missing`` (optional, not there) or ``broken`` (needed, but not working)."""

    name: str
    state: CheckState
    about: str


@click.command(name="doctor")
@json_option("Print the findings as JSON.")
def command(as_json: bool) -> int:
    """Check the installation: core, storage, terminal and optional parts. The exit code is 1 if a part is broken."""
    findings = list(examine())
    if as_json:
        print_json(findings)
    else:
        rows = [(finding.name, finding.state, finding.about) for finding in findings]
        click.echo(format_table(("part", "state", "about"), rows, table_width(), words=Words.WRAPPED))
    return 1 if any(finding.state is CheckState.BROKEN for finding in findings) else 0


def examine() -> Iterator[Finding]:
    """Yield the results of all checks; nothing here raises."""
    yield Finding("python", CheckState.OK, f"{platform.python_version()} ({sys.executable})")
    for name, check in CHECKS.items():
        yield _run_check(name, check)
    yield _programs()
    yield _sandbox()
    for package, extras in _requirements().items():
        if not all(extras):
            yield _package(package, CheckState.BROKEN, f"required, but not installed: {install_line('')}")
        else:
            yield _package(package, CheckState.MISSING, f"not installed: {install_line(extras[0])}")


def _requirements() -> dict[str, list[str]]:
    """The packages that noughts depends on, each with the extras that install it; an empty text for required ones."""
    found: dict[str, list[str]] = {}
    for line in importlib.metadata.requires("noughts") or []:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"]([\w.-]+)['\"]", line)
        if name is not None:
            found.setdefault(name[0], []).append(extra[1] if extra else "")
    return found


def _run_check(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, CheckState.OK, check())
    except Exception as error:
        return Finding(name, CheckState.BROKEN, str(error) or type(error).__name__)


def _package(name: str, without: CheckState, advice: str) -> Finding:
    if importlib.util.find_spec(name) is None:
        return Finding(name, without, advice)
    try:
        return Finding(name, CheckState.OK, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, CheckState.OK, "of unknown version")


def _programs() -> Finding:
    """Check whether programs can play, in the arena and at the prompt."""
    from noughts.process.sandbox import why_no_programs

    why = why_no_programs()
    return Finding("programs", CheckState.MISSING if why else CheckState.OK, why or _describe_supervision())


def _describe_supervision() -> str:
    """Return how programs are ended where they run without a sandbox."""
    from noughts.process.failure import PlayerFailed
    from noughts.process.program import Program
    from noughts.process.sandbox import Sandbox

    try:
        parent = Program(["sh", "-c", "echo $PPID"], None, Sandbox.off(), Path("/")).run(SUPERVISION_SECONDS)
    except (PlayerFailed, ValueError) as error:
        return f"can be run; not without a sandbox: {error}"
    how = "by the kernel (PID namespaces)" if parent == b"1\n" else "by their supervisors (no PID namespaces here)"
    return f"can be run; without a sandbox they are ended {how}"


def _sandbox() -> Finding:
    """Check whether bots can be isolated from the network and from files."""
    from noughts.process.sandbox import why_no_programs, why_no_sandbox

    why = why_no_programs() or why_no_sandbox()
    return Finding(
        "sandbox", CheckState.MISSING if why else CheckState.OK, why or f"bubblewrap works; {_describe_rights()}"
    )


def _describe_rights() -> str:
    """Return the user as which programs run, and whether their system calls are filtered."""
    from noughts.process.rights import is_root
    from noughts.process.seccomp import filter_program

    user = "programs run as an unprivileged user" if is_root() else "programs run as you"
    calls = "are filtered" if filter_program() else f"cannot be filtered on {platform.machine()}"
    return f"{user}, and their system calls {calls}"


def _noughts() -> str:
    import noughts

    return f"{noughts.__version__} ({Path(noughts.__file__).parent})"


def _core() -> str:
    """Count positions with the compiled core and compare with the known number."""
    from noughts import Game, _core

    found = Game("3x3").start().perft(5)
    if found != PERFT_5_OF_3X3:
        raise RuntimeError(f"expected {PERFT_5_OF_3X3} playthroughs of five plies, got {found}")
    return f"works ({Path(_core.__file__ or '').name}; networks use {_core.instruction_set()})"


def _engine() -> str:
    """Search tic-tac-toe, which must be a draw."""
    from noughts import Engine, Game, Limit, Value

    found = Engine(hash_mb=1, book=False).search(Game("3x3").start(), Limit(depth=9))
    if found.value is not Value.DRAW:
        raise RuntimeError(f"expected 3x3 to be a draw, got {found.verdict}")
    return f"works ({found.nodes:,} nodes for 3x3)"


def _book() -> str:
    """Read the opening book, which the engine does without if it is missing."""
    from noughts.engine.book.book import SHIPPED, Book
    from noughts.packaged import packaged_path

    found = Book.load(packaged_path(SHIPPED))
    return f"{len(found):,} positions of {len(found.games)} games"


def _drawing() -> str:
    from noughts import Game

    return f"{len(str(Game('4x4x4').start()).splitlines())} lines for 4x4x4"


def _sqlite() -> str:
    if sqlite3.sqlite_version_info < MIN_SQLITE_VERSION:
        wanted = ".".join(map(str, MIN_SQLITE_VERSION))
        raise RuntimeError(f"expected SQLite {wanted} or newer, got {sqlite3.sqlite_version}")
    return sqlite3.sqlite_version


def _data_folder() -> str:
    """Write a file in the data folder, or in the nearest existing folder above it."""
    from noughts.store import data_folder

    folder = data_folder()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        raise RuntimeError(f"cannot write to {existing}: {system_reason(error)}") from None
    return f"{folder} (writable)" if existing == folder else f"{folder} (will be created)"


def _settings() -> str:
    """Read every setting, from the file and from the environment."""
    from noughts.cli.settings import resolve_checked
    from noughts.games.quoting import count
    from noughts.settings import SETTINGS, SettingSource, config_path

    sources = [resolve_checked(setting).source for setting in SETTINGS]
    places = {SettingSource.FILE: str(config_path()), SettingSource.ENVIRONMENT: "the environment"}
    changed = [
        f"{count(sources.count(source), 'setting')} from {place}"
        for source, place in places.items()
        if source in sources
    ]
    return ", ".join(changed) or "the defaults"


def _saved_games() -> str:
    """Open the store without creating one."""
    from noughts.games.quoting import count
    from noughts.store import Store, store_path

    if not store_path().exists():
        return "none yet"
    with Store(read_only=True) as store:
        return f"{count(len(store.list()), 'game')} ({store_path().stat().st_size:,} bytes)"


def _terminal() -> str:
    from noughts.cli.output import stdout_capabilities
    from noughts.cli.terminal.input import CAN_INTERRUPT_READING

    found = stdout_capabilities()
    size = f"{found.width} columns, {shutil.get_terminal_size().lines} lines"
    words = {"colours": found.colours, "UTF-8": found.unicode, "status line": found.can_rewrite}
    can = ", ".join(word for word, has in words.items() if has) or "plain text"
    kind = os.environ.get("TERM", "none") if found.is_terminal else "not a terminal"
    late = "" if CAN_INTERRUPT_READING else "; time-outs are noticed only at the next line"
    return f"{kind}: {size}; {can}{late}"


CHECKS: dict[str, Callable[[], str]] = {
    "noughts": _noughts,
    "core": _core,
    "engine": _engine,
    "opening book": _book,
    "drawing": _drawing,
    "sqlite": _sqlite,
    "settings": _settings,
    "data folder": _data_folder,
    "saved games": _saved_games,
    "terminal": _terminal,
}
