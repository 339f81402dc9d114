"""A tournament as data: the bots, the game, the schedule and the limits.

Plans are read from TOML files, from command-line flags, or from the store.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from noughts.arena.openings import Opening, read_openings
from noughts.arena.plan_fields import Fields, InvalidPlan
from noughts.engine import Limit
from noughts.games import Game, find_game
from noughts.games.quoting import escape_control_characters, quote
from noughts.match import TimeControl
from noughts.players import GRACE_SECONDS, PROTOCOLS, is_builtin_name
from noughts.process.sandbox import TRUSTED, Sandbox

__all__ = [
    "BotLimits",
    "Entrant",
    "Format",
    "InvalidPlan",
    "Plan",
    "Scoring",
    "Sprt",
    "load_data",
    "load_plan",
    "override",
    "parse_toml",
    "read_plan",
]


class Format(StrEnum):
    """The ways of pairing the bots."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    KNOCKOUT = "knockout"
    SPRT = "sprt"


class Scoring(StrEnum):
    """The score of a playthrough in the ranking: 1, ½, 0 for the result, or the points of the game."""

    RESULT = "result"
    POINTS = "points"


KEYS = (
    "name", "game", "format", "rounds", "seed", "scoring", "concurrency", "restart", "sandbox", "readable",
    "allow_root", "memory_mb", "book", "challengers", "limit", "openings", "bots", "sprt",
)  # fmt: skip
LIMIT_KEYS = ("seconds", "clock", "nodes", "depth", "margin", "patience", "startup")
BOT_KEYS = (
    "name",
    "run",
    "protocol",
    "folder",
    "limit",
    "restart",
    "sandbox",
    "readable",
    "allow_root",
    "memory_mb",
    "book",
)
OPENING_KEYS = ("file", "plies", "balance")
SPRT_KEYS = ("elo0", "elo1", "alpha", "beta", "pairs")
TABLES = {"limit": LIMIT_KEYS, "openings": OPENING_KEYS, "sprt": SPRT_KEYS}
OVERRIDES_FOR_ALL_BOTS = ("protocol", "sandbox", "readable", "allow_root", "book")
OVERRIDES = (
    *("game", "format", "rounds", "seed", "scoring", "concurrency", "challengers", "bots"),
    *(key for keys in TABLES.values() for key in keys),
    *OVERRIDES_FOR_ALL_BOTS,
)
"""The keys that ``override`` takes."""
BOT_PROTOCOLS = tuple(protocol for protocol in PROTOCOLS if protocol != "in-process")
"""A bot never runs inside a worker: one that hangs there could not be stopped."""
MAX_ROUNDS = 1_000_000
MAX_BOTS = 1_000
MAX_FILE_BYTES = 1_000_000
DAY_SECONDS = 86_400.0
MAX_BOT_NAME, MAX_TOURNAMENT_NAME = 40, 100
MEMORY_MB_RANGE = 16, 1 << 20


@dataclass(frozen=True)
class BotLimits:
    """The limits of a bot: seconds, nodes and depth for a move, a clock for all its moves, and tolerances in seconds.

    ``margin`` is how late an answer may be, since a busy machine delays it. ``patience`` is when a bot without
    seconds or clock counts as hanging. ``startup`` is the extra time for the first answer of a program whose protocol
    has no greeting to show that it has started.
    """

    seconds: float | None = None
    clock: TimeControl | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: float = GRACE_SECONDS
    patience: float = 60.0
    startup: float = 3.0

    @property
    def move_limit(self) -> Limit | None:
        """The limit for each move, without the clock."""
        if self.seconds is None and self.nodes is None and self.depth is None:
            return None
        return Limit(seconds=self.seconds, depth=self.depth, nodes=self.nodes)

    @property
    def text(self) -> str:
        """The limits in words: ``1 s a move``, ``1m+0.5s``, ``10,000 nodes``."""
        parts = []
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s a move")
        if self.clock is not None:
            parts.append(str(self.clock))
        if self.nodes is not None:
            parts.append(f"{self.nodes:,} nodes")
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        return ", ".join(parts) or f"at most {self.patience:g} s"

    def to_data(self) -> dict[str, Any]:
        return asdict(replace(self, clock=None)) | {"clock": None if self.clock is None else str(self.clock)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> BotLimits:
        clock = None if data["clock"] is None else TimeControl.parse(data["clock"])
        return cls(**{**data, "clock": clock})


@dataclass(frozen=True)
class Entrant:
    """A bot of the tournament: ``run`` is a level, ``random``, ``master:FILE``, ``file.py:name`` or a command."""

    name: str
    run: str
    protocol: str = "auto"
    limits: BotLimits | None = None
    """None for those of the plan."""
    restart: bool = True
    """Whether each playthrough gets a new process."""
    sandbox: Sandbox = TRUSTED
    memory_mb: int | None = None
    book: bool = True
    """Whether ``master`` uses the opening book; programs have options of their own."""
    folder: str = "."
    """The folder in which it runs, below that of the plan."""

    @property
    def is_built_in(self) -> bool:
        """Whether it is a level or ``random``, which play inside the worker."""
        return is_builtin_name(self.run)

    def to_data(self) -> dict[str, Any]:
        limits = None if self.limits is None else self.limits.to_data()
        return asdict(replace(self, limits=None)) | {"limits": limits}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Entrant:
        limits = None if data["limits"] is None else BotLimits.from_data(data["limits"])
        return cls(**{**data, "limits": limits, "sandbox": Sandbox.from_data(data["sandbox"])})


@dataclass(frozen=True)
class Sprt:
    """The hypotheses of a sequential test: the first bot is ``elo1`` (H1) or only ``elo0`` (H0) stronger."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    pairs: int = 50_000
    """The maximum number of pairs."""


@dataclass(frozen=True)
class Plan:
    """A tournament. ``rounds`` is the number of openings per pairing; each is played with both sides."""

    name: str
    game: Game
    entrants: tuple[Entrant, ...]
    format: Format = Format.ROUND_ROBIN
    rounds: int = 1
    seed: int = 1
    scoring: Scoring = Scoring.RESULT
    limits: BotLimits = field(default_factory=BotLimits)
    openings: tuple[Opening, ...] = ()
    """The openings to play in turn; empty for random ones."""
    plies: int | None = None
    """The length of random openings; None for the usual one of the game."""
    balance: int = 120
    """The engine's score up to which a random opening counts as even."""
    challengers: tuple[str, ...] = ()
    sprt: Sprt | None = None
    concurrency: int = 1
    folder: str = "."
    """The folder in which commands run and files are found."""

    def to_data(self) -> dict[str, Any]:
        """Return the plan as plain data, from which ``from_data`` makes an equal plan."""
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return data | {
            "game": self.game.to_data(),
            "entrants": [entrant.to_data() for entrant in self.entrants],
            "limits": self.limits.to_data(),
            "openings": [[opening.start, list(opening.moves)] for opening in self.openings],
            "challengers": list(self.challengers),
            "sprt": None if self.sprt is None else asdict(self.sprt),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan of data made by ``to_data``; the data is trusted."""
        changed: dict[str, Any] = {
            "game": Game.from_data(data["game"]),
            "entrants": tuple(map(Entrant.from_data, data["entrants"])),
            "format": Format(data["format"]),
            "scoring": Scoring(data["scoring"]),
            "limits": BotLimits.from_data(data["limits"]),
            "openings": tuple(Opening(start, tuple(moves)) for start, moves in data["openings"]),
            "challengers": tuple(data["challengers"]),
            "sprt": None if data["sprt"] is None else Sprt(**data["sprt"]),
        }
        return cls(**{**data, **changed})

    @property
    def key(self) -> str:
        """Everything that decides the results, as text: all but the name and the concurrency."""
        data = self.to_data()
        for name in ("concurrency", "name"):
            del data[name]
        return json.dumps(data, sort_keys=True)

    def follows(self, requested: Plan) -> bool:
        """Whether this plan equals the requested one, apart from the protocols and openings filled in by probing."""
        if len(self.entrants) != len(requested.entrants):
            return False
        entrants = tuple(
            replace(here, protocol="auto") if there.protocol == "auto" else here
            for here, there in zip(self.entrants, requested.entrants, strict=True)
        )
        plies = None if requested.plies is None else self.plies
        return replace(self, entrants=entrants, plies=plies).key == requested.key

    def limits_of(self, number: int) -> BotLimits:
        """Return the limits of an entrant: its own, or those of the plan."""
        return self.entrants[number].limits or self.limits

    @property
    def names(self) -> list[str]:
        """The names of the entrants."""
        return [entrant.name for entrant in self.entrants]


def load_data(path: Path) -> dict[str, Any]:
    """Return the data of a TOML file, named after the file by default; raises InvalidPlan or OSError."""
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    try:
        return {"name": path.stem[:MAX_TOURNAMENT_NAME], **parse_toml(data.decode(), str(path))}
    except UnicodeDecodeError:
        raise InvalidPlan([f"{path}: expected text in UTF-8, got other bytes"]) from None


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return the data of a TOML text; raises InvalidPlan, whose line begins with the source."""
    if len(text) > MAX_FILE_BYTES:
        raise InvalidPlan([f"{source}: expected at most {MAX_FILE_BYTES} bytes of TOML, got more"])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidPlan([f"{source}: expected TOML, got {_lower(escape_control_characters(str(error)))}"]) from None
    except (ValueError, RecursionError):
        raise InvalidPlan([f"{source}: expected TOML without huge numbers and deep nesting"]) from None


def override(data: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Set keys of a plan's data, each in the table to which it belongs; None leaves a key as it is.

    ``OVERRIDES_FOR_ALL_BOTS`` are set for every bot. An opening file replaces random openings, and the
    reverse.
    """
    given = {key: values[key] for key in OVERRIDES if values.get(key) is not None}
    if given.keys() & {"file", "plies"}:
        for table in _tables_of(data, "file"):
            table.pop("file", None)
            table.pop("plies", None)
    for key, value in given.items():
        for table in _tables_of(data, key):
            table[key] = value


def _tables_of(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The tables to which a key belongs. Values of other types are left for ``read_plan`` to report."""
    if key in OVERRIDES_FOR_ALL_BOTS:
        bots = data.get("bots")
        return [bot for bot in bots if isinstance(bot, dict)] if isinstance(bots, list) else []
    name = next((name for name, keys in TABLES.items() if key in keys), None)
    table = data if name is None else data.setdefault(name, {})
    return [table] if isinstance(table, dict) else []


def load_plan(path: Path) -> Plan:
    """Return the plan of a TOML file; raises InvalidPlan with all its mistakes, or OSError."""
    return read_plan(load_data(path), path.parent, str(path))


def read_plan(data: Mapping[str, Any], folder: Path, source: str = "") -> Plan:
    """Return the plan of data in the form of TOML files; paths are relative to the folder.

    Raises InvalidPlan, whose lines begin with the source if there is one.
    """
    fields = Fields(data, KEYS)
    plan = _read(fields, folder)
    if fields.mistakes or plan is None:
        prefix = f"{source}: " if source else ""
        raise InvalidPlan([prefix + mistake for mistake in fields.mistakes])
    return plan


def _read(fields: Fields, folder: Path) -> Plan | None:
    game = _read_game(fields, folder)
    format = fields.choice("format", [*Format], Format.ROUND_ROBIN)
    entrants = _read_bots(fields, folder)
    openings, plies, balance = _read_openings(fields, game, folder)
    name = fields.text("name")
    _check_name(fields, name, MAX_TOURNAMENT_NAME)
    plan = Plan(
        name=name or _default_name(game, format, entrants),
        game=game or Game("3x3"),
        entrants=entrants,
        format=format,
        rounds=fields.whole("rounds", 1, MAX_ROUNDS, 1) or 1,
        seed=fields.whole("seed", 0, 2**63 - 1, 1) or 0,
        scoring=fields.choice("scoring", [*Scoring], Scoring.RESULT),
        limits=_read_limits(fields.table("limit", LIMIT_KEYS)),
        openings=openings,
        plies=plies,
        balance=balance,
        challengers=_read_challengers(fields, format, entrants),
        sprt=_read_sprt(fields, format, len(entrants)),
        concurrency=fields.whole("concurrency", 1, 1024, 1) or 1,
        folder=str(folder.resolve()),
    )
    return None if game is None else plan


def _default_name(game: Game | None, format: Format, entrants: tuple[Entrant, ...]) -> str:
    if format is Format.SPRT:
        return " against ".join(entrant.name for entrant in entrants)
    return f"{game.name if game else ''} {format}"


def _read_game(fields: Fields, folder: Path) -> Game | None:
    text = fields.text("game", required='a game such as "3x3", "ultimate4" or a game file')
    if not text:
        return None
    try:
        return find_game(str(folder / text) if text.endswith(".json") else text)
    except (ValueError, OSError) as error:
        fields.mistakes.append(f"{fields.path('game')}: {error}")
        return None


def _read_limits(fields: Fields) -> BotLimits:
    """The limits; without any bound, one second a move."""
    limits = BotLimits(
        seconds=fields.number("seconds", 0.001, DAY_SECONDS),
        clock=_read_clock(fields),
        nodes=fields.whole("nodes", 1, 1 << 62),
        depth=fields.whole("depth", 1, 10_000),
        margin=fields.number("margin", 0, 60, BotLimits.margin) or 0.0,
        patience=fields.number("patience", 0.01, DAY_SECONDS, BotLimits.patience) or BotLimits.patience,
        startup=fields.number("startup", 0, 600, BotLimits.startup) or 0.0,
    )
    return limits if limits.move_limit or limits.clock else replace(limits, seconds=1.0)


def _read_clock(fields: Fields) -> TimeControl | None:
    text = fields.text("clock", required='a time control such as "5+3" or "10s+0.1s"') if fields.has("clock") else ""
    if not text:
        return None
    try:
        return TimeControl.parse(text)
    except ValueError as error:
        fields.mistakes.append(f"{fields.path('clock')}: {error}")
        return None


def _read_bots(fields: Fields, folder: Path) -> tuple[Entrant, ...]:
    tables = fields.tables("bots", BOT_KEYS, 'at least two [[bots]], each with run = "..."')
    restart, sandbox = fields.flag("restart", True), _read_sandbox(fields, TRUSTED, folder)
    memory_mb, book = fields.whole("memory_mb", *MEMORY_MB_RANGE), fields.flag("book", True)
    defaults = Entrant("", "", restart=restart, sandbox=sandbox, memory_mb=memory_mb, book=book)
    entrants = tuple(_read_bot(bot, defaults, folder) for bot in tables)
    if tables and not 2 <= len(entrants) <= MAX_BOTS:
        fields.add_mistake("bots", f"2 to {MAX_BOTS} bots", len(entrants))
    seen: set[str] = set()
    for number, entrant in enumerate(entrants, 1):
        if entrant.name in seen:
            fields.add_mistake(f"bots[{number}].name", "a name no other bot has", quote(entrant.name))
        seen.add(entrant.name)
    return entrants


def _read_sandbox(fields: Fields, default: Sandbox, folder: Path) -> Sandbox:
    readable = tuple(str(folder / Path(path).expanduser()) for path in fields.texts("readable"))
    return Sandbox(
        is_on=fields.flag("sandbox", default.is_on),
        readable=readable if fields.has("readable") else default.readable,
        allow_root=fields.flag("allow_root", default.allow_root),
    )


def _read_bot(bot: Fields, defaults: Entrant, folder: Path) -> Entrant:
    run = bot.text("run", required='a level, "random", "file.py:name" or a command')
    name = bot.text("name", run)
    if bot.has("name"):
        _check_name(bot, name, MAX_BOT_NAME)
    elif len(name) > MAX_BOT_NAME or not name.isprintable():
        name = name[: MAX_BOT_NAME - 1] + "…"
    return Entrant(
        name=name,
        run=run,
        protocol=bot.choice("protocol", BOT_PROTOCOLS, "auto"),
        limits=_read_limits(bot.table("limit", LIMIT_KEYS)) if bot.has("limit") else None,
        restart=bot.flag("restart", defaults.restart),
        sandbox=_read_sandbox(bot, defaults.sandbox, folder),
        memory_mb=bot.whole("memory_mb", *MEMORY_MB_RANGE, defaults.memory_mb),
        book=bot.flag("book", defaults.book),
        folder=bot.text("folder", defaults.folder),
    )


def _check_name(fields: Fields, name: str, longest: int) -> None:
    if len(name) > longest or not name.isprintable():
        fields.add_mistake("name", f"a name of at most {longest} printable characters", quote(name))


def _read_openings(fields: Fields, game: Game | None, folder: Path) -> tuple[tuple[Opening, ...], int | None, int]:
    table = fields.table("openings", OPENING_KEYS)
    file = table.text("file")
    plies = table.whole("plies", 0, 200)
    balance = table.whole("balance", 1, 1_000_000, Plan.balance) or Plan.balance
    if file and plies is not None:
        table.add_mistake("plies", "either a file or random plies", "both")
    if not file or game is None:
        return (), plies, balance
    try:
        return tuple(read_openings(folder / file, game)), None, balance
    except OSError as error:
        table.mistakes.append(
            f"{table.path('file')}: cannot read {quote(file)}: {(error.strerror or str(error)).lower()}"
        )
    except ValueError as error:
        table.mistakes += [f"{table.path('file')}: {line}" for line in str(error).splitlines()]
    return (), None, balance


def _read_challengers(fields: Fields, format: Format, entrants: tuple[Entrant, ...]) -> tuple[str, ...]:
    names = fields.texts("challengers")
    known = [entrant.name for entrant in entrants]
    for name in names:
        if name not in known:
            fields.add_mistake("challengers", f"names of bots ({', '.join(known)})", quote(name))
    if names and format is not Format.GAUNTLET:
        fields.add_mistake("challengers", 'format = "gauntlet" for them', f"format {format}")
    if format is Format.GAUNTLET and len(set(names)) == len(known) > 0:
        fields.add_mistake("challengers", "a bot that is not a challenger", "all bots")
    if format is Format.GAUNTLET and not names:
        names = known[:1]
    return tuple(names)


def _read_sprt(fields: Fields, format: Format, bots: int) -> Sprt | None:
    if format is not Format.SPRT:
        if fields.has("sprt"):
            fields.add_mistake("sprt", 'format = "sprt" for it', f"format {format}")
        return None
    if bots != 2:
        fields.add_mistake("bots", "two bots for an sprt", bots)
    table = fields.table("sprt", SPRT_KEYS)
    numbers = {
        "elo0": table.number("elo0", -2000, 2000, Sprt.elo0),
        "elo1": table.number("elo1", -2000, 2000, Sprt.elo1),
        "alpha": table.number("alpha", 0.0001, 0.49, Sprt.alpha),
        "beta": table.number("beta", 0.0001, 0.49, Sprt.beta),
    }
    elo0, elo1, alpha, beta = (float(value or 0) for value in numbers.values())
    if elo0 >= elo1:
        table.add_mistake("elo1", f"more than elo0 ({elo0:g})", f"{elo1:g}")
    return Sprt(elo0, elo1, alpha, beta, table.whole("pairs", 1, MAX_ROUNDS, Sprt.pairs) or 1)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
