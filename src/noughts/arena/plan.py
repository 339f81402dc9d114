"""A tournament as data: who plays what, how often, how fast. Read from a TOML file, flags, or what was kept."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from noughts.arena.openings import Opening, read_openings
from noughts.arena.reading import BadPlan, Reader
from noughts.engine import LEVELS
from noughts.games import Game, find_game
from noughts.games.quoting import escape_control_characters, quote
from noughts.players.protocols import PROTOCOLS

__all__ = [
    "FORMATS",
    "SCORINGS",
    "Entrant",
    "Pace",
    "Plan",
    "Sprt",
    "load_data",
    "load_plan",
    "parse_toml",
    "read_plan",
]

FORMATS = ("round-robin", "gauntlet", "knockout", "sprt")
SCORINGS = ("result", "points")
KEYS = (
    "name", "game", "format", "rounds", "seed", "scoring", "concurrency", "restart", "sandbox", "memory_mb",
    "challengers", "limit", "openings", "bots", "sprt",
)  # fmt: skip
SPOKEN = tuple(protocol for protocol in PROTOCOLS if protocol != "in-process")
"""Bots of others never run in a worker itself: one that hangs there could not be ended."""
PACE_KEYS = ("seconds", "clock", "nodes", "depth", "margin", "patience", "startup")
BOT_KEYS = ("name", "run", "protocol", "limit", "restart", "sandbox", "memory_mb")
OPENING_KEYS = ("file", "plies", "balance")
SPRT_KEYS = ("elo0", "elo1", "alpha", "beta", "pairs")
MOST_ROUNDS = 1_000_000
MOST_BOTS = 1_000
MOST_BYTES = 1_000_000
"""The size of a tournament file, at most."""
DAY = 86_400.0
LONGEST_NAME, LONGEST_TITLE = 40, 100
MEMORY_MB = 16, 1 << 20


@dataclass(frozen=True)
class Pace:
    """How fast: seconds a move, a clock with increment, nodes or depth; several may be given at once.

    ``margin`` is what a bot may overstep its time by, for a busy machine keeps it waiting. ``patience`` is when a bot
    that has no clock, only nodes or depth, counts as hanging. ``startup`` is what a program may take longer for its
    first answer, where its protocol has no greeting that tells when it has started.
    """

    seconds: float | None = None
    clock: tuple[float, float] | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: float = 0.3
    patience: float = 60.0
    startup: float = 3.0

    @property
    def text(self) -> str:
        """In words: ``1 s a move``, ``60+0.5``, ``10,000 nodes``."""
        parts = []
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s a move")
        if self.clock is not None:
            parts.append("{:g}+{:g}".format(*self.clock))
        if self.nodes is not None:
            parts.append(f"{self.nodes:,} nodes")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        return ", ".join(parts) or f"{self.patience:g} s at most"


@dataclass(frozen=True)
class Entrant:
    """Who takes part: ``run`` is a level, ``random``, ``file.py:name`` or a command; the rest is how it is run."""

    name: str
    run: str
    protocol: str = "auto"
    pace: Pace | None = None
    restart: bool = True
    sandbox: bool = False
    memory_mb: int | None = None

    @property
    def is_ours(self) -> bool:
        """Whether it is one of noughts' own, which run without a process of their own."""
        return self.run == "random" or self.run in LEVELS


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the first bot rather ``elo1`` stronger than the second, or ``elo0``?"""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    pairs: int = 50_000
    """How many pairs to play at most."""


@dataclass(frozen=True)
class Plan:
    """A tournament. ``rounds`` are the openings of a pairing, each played with both sides."""

    name: str
    game: Game
    entrants: tuple[Entrant, ...]
    format: str = "round-robin"
    rounds: int = 1
    seed: int = 1
    scoring: str = "result"
    pace: Pace = field(default_factory=Pace)
    openings: tuple[Opening, ...] = ()
    """Openings to play in turn; none means random ones."""
    plies: int | None = None
    """How long random openings are; None for a good choice."""
    balance: int = 120
    """What score of the engine still counts as even."""
    challengers: tuple[str, ...] = ()
    sprt: Sprt | None = None
    concurrency: int = 1
    folder: str = "."
    """Where commands run and files lie."""

    def to_data(self) -> dict[str, Any]:
        """Return everything about it as plain data, from which :meth:`from_data` makes an equal plan."""
        data = asdict(replace(self, game=None))  # type: ignore[arg-type]
        data["game"] = self.game.to_data()
        data["openings"] = [[opening.start, list(opening.moves)] for opening in self.openings]
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan of data that :meth:`to_data` has made; it is trusted."""
        game = Game.from_data(data["game"])
        entrants = tuple(Entrant(**{**entrant, "pace": _pace(entrant["pace"])}) for entrant in data["entrants"])
        changed: dict[str, Any] = {
            "game": game,
            "entrants": entrants,
            "pace": _pace(data["pace"]),
            "openings": tuple(Opening(start, tuple(moves)) for start, moves in data["openings"]),
            "challengers": tuple(data["challengers"]),
            "sprt": None if data["sprt"] is None else Sprt(**data["sprt"]),
        }
        return cls(**{**data, **changed})

    @property
    def key(self) -> str:
        """What decides the results, as a text; concurrency and name do not."""
        data = self.to_data()
        for name in ("concurrency", "name"):
            del data[name]
        return json.dumps(data, sort_keys=True)

    def follows(self, asked: Plan) -> bool:
        """Whether this is the plan that was asked for, but for what was found out since: protocols, and whether bots
        can be told of openings."""
        if len(self.entrants) != len(asked.entrants):
            return False
        entrants = tuple(
            replace(here, protocol="auto") if there.protocol == "auto" else here
            for here, there in zip(self.entrants, asked.entrants, strict=True)
        )
        plies = None if asked.plies is None else self.plies
        return replace(self, entrants=entrants, plies=plies).key == asked.key

    def pace_of(self, number: int) -> Pace:
        """Return how fast an entrant must play."""
        return self.entrants[number].pace or self.pace

    @property
    def names(self) -> list[str]:
        """The names of the entrants."""
        return [entrant.name for entrant in self.entrants]


def _pace(data: Mapping[str, Any] | None) -> Any:
    if data is None:
        return None
    return Pace(**{**data, "clock": None if data["clock"] is None else tuple(data["clock"])})


def load_data(path: Path) -> dict[str, Any]:
    """Return the plain data of a TOML file, its name by default that of the file; raises BadPlan or OSError."""
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    try:
        return {"name": path.stem[:LONGEST_TITLE], **parse_toml(data.decode(), str(path))}
    except UnicodeDecodeError:
        raise BadPlan([f"{path}: expected text in UTF-8, got other bytes"]) from None


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return the data of a TOML text; raises BadPlan with the source in its line."""
    if len(text) > MOST_BYTES:
        raise BadPlan([f"{source}: expected at most {MOST_BYTES} bytes of TOML, got more"])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadPlan([f"{source}: expected TOML, got {_lower(escape_control_characters(str(error)))}"]) from None
    except (ValueError, RecursionError):
        raise BadPlan([f"{source}: expected TOML of sensible depth and numbers"]) from None


def load_plan(path: Path) -> Plan:
    """Return the tournament of a TOML file; raises BadPlan with all its mistakes, or OSError."""
    return read_plan(load_data(path), path.parent, str(path))


def read_plan(data: Mapping[str, Any], folder: Path, source: str = "") -> Plan:
    """Return the tournament of plain data as TOML files have it; paths are taken from the folder.

    Raises BadPlan; its lines begin with the source where one is given.
    """
    reader = Reader(data, KEYS)
    plan = _read(reader, folder)
    if reader.mistakes or plan is None:
        before = f"{source}: " if source else ""
        raise BadPlan([before + mistake for mistake in reader.mistakes])
    return plan


def _read(reader: Reader, folder: Path) -> Plan | None:
    game = _read_game(reader, folder)
    format = reader.choice("format", FORMATS, "round-robin")
    entrants = _read_bots(reader)
    openings, plies, balance = _read_openings(reader, game, folder)
    name = reader.text("name")
    _check_name(reader, name, LONGEST_TITLE)
    plan = Plan(
        name=name or _usual_name(game, format, entrants),
        game=game or Game("3x3"),
        entrants=entrants,
        format=format,
        rounds=reader.whole("rounds", 1, MOST_ROUNDS, 1) or 1,
        seed=reader.whole("seed", 0, 2**63 - 1, 1) or 0,
        scoring=reader.choice("scoring", SCORINGS, "result"),
        pace=read_pace(reader.table("limit", PACE_KEYS)),
        openings=openings,
        plies=plies,
        balance=balance,
        challengers=_read_challengers(reader, format, entrants),
        sprt=_read_sprt(reader, format, len(entrants)),
        concurrency=reader.whole("concurrency", 1, 1024, 1) or 1,
        folder=str(folder.resolve()),
    )
    return None if game is None else plan


def _usual_name(game: Game | None, format: str, entrants: tuple[Entrant, ...]) -> str:
    if format == "sprt":
        return " against ".join(entrant.name for entrant in entrants)
    return f"{game.name if game else ''} {format}"


def _read_game(reader: Reader, folder: Path) -> Game | None:
    text = reader.text("game", needed='a game such as "3x3", "ultimate4" or a game file')
    if not text:
        return None
    try:
        return find_game(str(folder / text) if text.endswith(".json") else text)
    except (ValueError, OSError) as error:
        reader.mistakes.append(f"{reader.path('game')}: {error}")
        return None


def read_pace(reader: Reader) -> Pace:
    """Return how fast to play; the standard of a second a move when nothing limits it."""
    pace = Pace(
        seconds=reader.number("seconds", 0.001, DAY),
        clock=reader.clock("clock"),
        nodes=reader.whole("nodes", 1, 1 << 62),
        depth=reader.whole("depth", 1, 10_000),
        margin=reader.number("margin", 0, 60, Pace.margin) or 0.0,
        patience=reader.number("patience", 0.01, DAY, Pace.patience) or Pace.patience,
        startup=reader.number("startup", 0, 600, Pace.startup) or 0.0,
    )
    if all(bound is None for bound in (pace.seconds, pace.clock, pace.nodes, pace.depth)):
        return replace(pace, seconds=1.0)
    return pace


def _read_bots(reader: Reader) -> tuple[Entrant, ...]:
    readers = reader.tables("bots", BOT_KEYS, 'at least two [[bots]], each with run = "..."')
    restart, sandbox = reader.flag("restart", True), reader.flag("sandbox", False)
    usual = Entrant("", "", restart=restart, sandbox=sandbox, memory_mb=reader.whole("memory_mb", *MEMORY_MB))
    entrants = tuple(_read_bot(bot, usual) for bot in readers)
    if readers and not 2 <= len(entrants) <= MOST_BOTS:
        reader.wrong("bots", f"2 to {MOST_BOTS} bots", len(entrants))
    seen: set[str] = set()
    for number, entrant in enumerate(entrants, 1):
        if entrant.name in seen:
            reader.wrong(f"bots[{number}].name", "a name of its own", f"{quote(entrant.name)} again")
        seen.add(entrant.name)
    return entrants


def _read_bot(bot: Reader, usual: Entrant) -> Entrant:
    run = bot.text("run", needed='a level, "random", "file.py:name" or a command')
    name = bot.text("name", run)
    if bot.has("name"):
        _check_name(bot, name, LONGEST_NAME)
    elif len(name) > LONGEST_NAME or not name.isprintable():
        name = name[: LONGEST_NAME - 1] + "…"
    return Entrant(
        name=name,
        run=run,
        protocol=bot.choice("protocol", SPOKEN, "auto"),
        pace=read_pace(bot.table("limit", PACE_KEYS)) if bot.has("limit") else None,
        restart=bot.flag("restart", usual.restart),
        sandbox=bot.flag("sandbox", usual.sandbox),
        memory_mb=bot.whole("memory_mb", *MEMORY_MB, usual.memory_mb),
    )


def _check_name(reader: Reader, name: str, longest: int) -> None:
    if len(name) > longest or not name.isprintable():
        reader.wrong("name", f"a name of at most {longest} printable letters", quote(name))


def _read_openings(reader: Reader, game: Game | None, folder: Path) -> tuple[tuple[Opening, ...], int | None, int]:
    table = reader.table("openings", OPENING_KEYS)
    file = table.text("file")
    plies = table.whole("plies", 0, 200)
    balance = table.whole("balance", 1, 1_000_000, Plan.balance) or Plan.balance
    if file and plies is not None:
        table.wrong("plies", "either a file or random plies", "both")
    if not file or game is None:
        return (), plies, balance
    try:
        return tuple(read_openings(folder / file, game)), None, balance
    except OSError as error:
        table.wrong("file", "a file that can be read", f"{file}: {error.strerror}")
    except ValueError as error:
        table.mistakes += [f"{table.path('file')}: {line}" for line in str(error).splitlines()]
    return (), None, balance


def _read_challengers(reader: Reader, format: str, entrants: tuple[Entrant, ...]) -> tuple[str, ...]:
    names = reader.texts("challengers")
    known = [entrant.name for entrant in entrants]
    for name in names:
        if name not in known:
            reader.wrong("challengers", f"names of bots ({', '.join(known)})", quote(name))
    if names and format != "gauntlet":
        reader.wrong("challengers", "a gauntlet, where challengers meet all others", f"format {format}")
    if format == "gauntlet" and len(set(names)) == len(known) > 0:
        reader.wrong("challengers", "a bot that is not a challenger", "all bots")
    if format == "gauntlet" and not names:
        names = known[:1]
    return tuple(names)


def _read_sprt(reader: Reader, format: str, bots: int) -> Sprt | None:
    if format != "sprt":
        if reader.has("sprt"):
            reader.wrong("sprt", 'format = "sprt" for it', f"format {format}")
        return None
    if bots != 2:
        reader.wrong("bots", "two bots for an sprt", bots)
    table = reader.table("sprt", SPRT_KEYS)
    numbers = {
        "elo0": table.number("elo0", -2000, 2000, Sprt.elo0),
        "elo1": table.number("elo1", -2000, 2000, Sprt.elo1),
        "alpha": table.number("alpha", 0.0001, 0.49, Sprt.alpha),
        "beta": table.number("beta", 0.0001, 0.49, Sprt.beta),
    }
    elo0, elo1, alpha, beta = (float(value or 0) for value in numbers.values())
    if elo0 >= elo1:
        table.wrong("elo1", f"more than elo0 ({elo0:g})", f"{elo1:g}")
    return Sprt(elo0, elo1, alpha, beta, table.whole("pairs", 1, MOST_ROUNDS, Sprt.pairs) or 1)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
