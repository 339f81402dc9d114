"""A class cup: submissions copied from a folder, checked, and played in one tournament, all kept in one folder.

``cup.json`` in that folder has the settings, the submissions and their checks, and is written after every step;
``cup.sqlite3`` has the results. A cup that was killed continues from them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from noughts.arena.check import Check
from noughts.arena.plan import Plan, read_plan
from noughts.arena.tournaments import Tournaments
from noughts.games.atomic_file import write_file
from noughts.games.file_lock import locked_file
from noughts.games.quoting import count, quote
from noughts.process.sandbox import STRANGERS, Sandbox
from noughts.schema import plain, read
from noughts.teaching.cup.checking import check_submissions
from noughts.teaching.cup.submissions import (
    CupSubmission,
    InvalidSubmission,
    copy_submission,
    digest_of,
    find_submissions,
    name_submissions,
    printable,
)

__all__ = ["Cup", "CupSettings"]

STATE, STORE, LOCK, ENTRIES = "cup.json", "cup.sqlite3", "cup.lock", "entries"
VERSION = 1
WITHOUT_OPENINGS = "codingame"
"""The protocol that cannot begin from an opening."""


@dataclass(frozen=True)
class CupSettings:
    """The game, the format and the limits of a cup, fixed when it begins."""

    game: str = "3x3"
    format: str = "round-robin"
    rounds: int = 1
    seconds: float = 1.0
    startup: float = 3.0
    seed: int = 1
    plies: int | None = None
    memory_mb: int | None = None
    sandbox: Sandbox = STRANGERS
    guests: tuple[str, ...] = ()
    """Built-in players that take part."""
    plays_all: bool = False
    """Whether submissions that failed the check play, and probably forfeit."""

    @property
    def guest_names(self) -> list[str]:
        """The names of the guests in the tournament."""
        return [f"{guest} (guest)" for guest in self.guests]

    def plan(self, bots: list[dict[str, object]], home: Path, name: str) -> Plan:
        """Return the plan of a tournament between bots and the guests; raises InvalidPlan."""
        openings = {} if self.plies is None else {"plies": self.plies}
        data = {
            "name": name,
            "game": self.game,
            "format": self.format,
            "rounds": self.rounds,
            "seed": self.seed,
            "limit": {"seconds": self.seconds, "startup": self.startup},
            "openings": openings,
            "bots": [*bots, *map(_guest, self.guests, self.guest_names)],
        }
        plan = read_plan(data, home)
        return replace(plan, entrants=tuple(replace(entrant, sandbox=self.sandbox) for entrant in plan.entrants))


@dataclass(frozen=True)
class _State:
    """The contents of ``cup.json``."""

    began: str
    source: str
    settings: CupSettings
    submissions: tuple[CupSubmission, ...]
    port: int = 0
    version: int = VERSION


class Cup:
    """The cup of a folder of submissions, kept in the folder ``home``. Only one process may use it: see ``lock``."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder.resolve()
        self.home = home.resolve()

    @property
    def store_file(self) -> Path:
        """The SQLite file with the results."""
        return self.home / STORE

    @property
    def has_begun(self) -> bool:
        return (self.home / STATE).exists()

    @property
    def settings(self) -> CupSettings:
        return self._state.settings

    @property
    def submissions(self) -> tuple[CupSubmission, ...]:
        """All submissions, in the order of their names."""
        return self._state.submissions

    @property
    def name(self) -> str:
        return f"{printable(self.folder.name)[:90]} cup"

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes out of the folder, which is made if necessary; raises ValueError if one is in it."""
        if self.home.is_dir() and any(self.home.iterdir()) and not (self.home / LOCK).exists():
            raise ValueError(f"expected a new folder or that of a cup, got {quote(str(self.home))}")
        self.home.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            try:
                held.enter_context(locked_file(self.home / LOCK))
            except BlockingIOError:
                raise ValueError(f"the cup in {self.home} is being played by another process") from None
            yield

    # Beginning and continuing

    def begin(self, settings: CupSettings) -> None:
        """Copy the submissions and begin; an earlier cup in the folder is given up, but its results are kept."""
        settings.plan([{"run": "random", "name": "1"}, {"run": "random", "name": "2"}], self.home, self.name)
        paths = find_submissions(self.folder)
        (self.home / STATE).unlink(missing_ok=True)
        shutil.rmtree(self.home / ENTRIES, ignore_errors=True)
        names = name_submissions(paths, settings.guest_names)
        found = [self._enter(path, *each) for path, each in zip(paths, names, strict=True)]
        began = datetime.now(UTC).isoformat(timespec="microseconds")
        self._state = _State(began, str(self.folder), settings, tuple(found))
        self._save()

    def _enter(self, path: Path, name: str, slug: str) -> CupSubmission:
        entered = CupSubmission(name, slug, printable(path.name), "", folder=f"{ENTRIES}/{slug}")
        try:
            copy_submission(path, self.home / entered.folder)
            return replace(entered, digest=digest_of(path))
        except InvalidSubmission as error:
            shutil.rmtree(self.home / entered.folder, ignore_errors=True)
            return replace(entered, checks=(Check("can be entered", False, str(error)),))

    def load(self) -> None:
        """Continue a cup that has begun; raises ValueError if its file cannot be read."""
        try:
            state = read(_State, json.loads((self.home / STATE).read_text(encoding="utf-8")))
        except ValueError as error:
            reason = f"{type(error).__name__}: {error}"
            raise ValueError(f"expected a cup in {self.home / STATE}, got {reason}; --again begins a new one") from None
        sandbox = replace(state.settings.sandbox, trusts_command=False)
        self._state = replace(state, settings=replace(state.settings, sandbox=sandbox))

    def _save(self) -> None:
        write_file(self.home / STATE, json.dumps(plain(self._state), indent=1))

    @property
    def port(self) -> int:
        """The port of its page, kept so that browsers find it again; 0 at first."""
        return self._state.port

    @port.setter
    def port(self, port: int) -> None:
        self._state = replace(self._state, port=port)
        self._save()

    def changes(self, settings: CupSettings) -> list[str]:
        """Return a line for each difference between the cup and its folder and settings now: none of them counts."""
        lines = [
            f"{name.replace('_', ' ')} is {quote(was)} in this cup, not {quote(now)}"
            for name, was in plain(self.settings).items()
            if (now := plain(settings)[name]) != was
        ]
        if self._state.source != str(self.folder):
            lines.append(f"this cup began with the submissions of {self._state.source}")
        known = {submission.source: submission for submission in self.submissions}
        paths = {printable(path.name): path for path in find_submissions(self.folder)}
        lines += [f"{name} was added after the cup began" for name in paths if name not in known]
        lines += [f"{name} was removed after the cup began" for name in known if name not in paths]
        return lines + [
            f"{name} has changed since the cup began"
            for name, path in paths.items()
            if name in known and known[name].digest and not _has_digest(path, known[name].digest)
        ]

    # Playing

    def check(self, size: int, on_checked: Callable[[CupSubmission], object]) -> None:
        """Check the submissions that have not been checked yet, ``size`` at a time, and save each result at once."""
        settings = self.settings
        waiting = [submission for submission in self.submissions if not submission.is_checked]
        checked = check_submissions(
            waiting, self.home, settings.sandbox, min(size, len(waiting)) or 1,
            games=[settings.game], seconds=settings.seconds, startup=settings.startup, memory_mb=settings.memory_mb,
        )  # fmt: skip
        for submission in checked:
            self._replace(submission)
            on_checked(submission)

    def _replace(self, checked: CupSubmission) -> None:
        found = tuple(checked if each.slug == checked.slug else each for each in self.submissions)
        self._state = replace(self._state, submissions=found)
        self._save()

    @property
    def players(self) -> list[CupSubmission]:
        """The submissions that play: those that are ready, or with ``plays_all`` those that can be run at all."""
        return [each for each in self.submissions if (each.run if self.settings.plays_all else each.is_ready)]

    def tournament(self, tournaments: Tournaments) -> tuple[int, Plan]:
        """Return the number and the plan of its tournament, which is added if necessary.

        Raises ValueError with fewer than two players.
        """
        source = f"{self._state.source} {self._state.began}"
        number = next((each.id for each in tournaments.list() if each.source == source), None)
        if number is None:
            number = tournaments.add(self._plan(), source)
        return number, replace(tournaments.plan(number), folder=str(self.home))

    def _plan(self) -> Plan:
        players, settings = self.players, self.settings
        if len(players) + len(settings.guests) < 2:
            ready = f"{count(len(players), 'submission')} of {len(self.submissions)}"
            raise ValueError(f"expected two players for a cup, got {ready} that passed the check")
        if settings.plies is None and any(player.protocol == WITHOUT_OPENINGS for player in players):
            settings = replace(settings, plies=0)
        return settings.plan([_bot(player, settings) for player in players], self.home, self.name)


def _guest(level: str, name: str) -> dict[str, object]:
    return {"run": level, "name": name}


def _bot(player: CupSubmission, settings: CupSettings) -> dict[str, object]:
    bot: dict[str, object] = {"name": player.name, "run": player.run, "protocol": player.protocol}
    bot["folder"] = player.folder
    return bot if settings.memory_mb is None else bot | {"memory_mb": settings.memory_mb}


def _has_digest(path: Path, digest: str) -> bool:
    try:
        return digest_of(path) == digest
    except (InvalidSubmission, OSError):
        return False
