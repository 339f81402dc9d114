"""A tournament as data: the bots, the game, the schedule and the limits.

Plans are read from TOML files, from command-line flags, or from the store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

from noughts import toml_table
from noughts.arena.openings import Opening, read_openings
from noughts.engine import Limit
from noughts.games import Game, find_game
from noughts.games.quoting import quote
from noughts.match import TimeControl
from noughts.players import GRACE_SECONDS, PROTOCOLS, is_builtin_name
from noughts.process.sandbox import TRUSTED, Sandbox
from noughts.schema import Expected, OneOf, Range
from noughts.toml_table import Flag, Name, Text, read_table

__all__ = [
    "BotLimits",
    "BotTable",
    "Entrant",
    "Format",
    "InvalidPlan",
    "OpeningTable",
    "Plan",
    "PlanTable",
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


BOT_PROTOCOLS = tuple(protocol for protocol in PROTOCOLS if protocol != "in-process")
"""A bot never runs inside a worker: one that hangs there could not be stopped."""
MAX_ROUNDS = 1_000_000
MAX_BOTS = 1_000
MAX_FILE_BYTES = 1_000_000
DAY_SECONDS = 86_400.0
MAX_BOT_NAME, MAX_TOURNAMENT_NAME = 40, 100

T = TypeVar("T")
Texts = Annotated[tuple[str, ...] | str, Expected("a list of texts")]
"""A single text is a list of one."""


class InvalidPlan(ValueError):
    """A tournament that cannot be played; ``mistakes`` has one line for each mistake."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = list(mistakes)


def _keys(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


@dataclass(frozen=True)
class BotLimits:
    """The limits of a bot: seconds, nodes and depth for a move, a clock for all its moves, and tolerances in seconds.

    ``margin`` is how late an answer may be, since a busy machine delays it. ``patience`` is when a bot without
    seconds or clock counts as hanging. ``startup`` is the extra time for the first answer of a program whose protocol
    has no greeting to show that it has started.
    """

    seconds: Annotated[float | None, Range(0.001, DAY_SECONDS)] = None
    clock: TimeControl | None = None
    nodes: Annotated[int | None, Range(1, 1 << 62)] = None
    depth: Annotated[int | None, Range(1, 10_000)] = None
    margin: Annotated[float, Range(0.0, 60)] = GRACE_SECONDS
    patience: Annotated[float, Range(0.01, DAY_SECONDS)] = 60.0
    startup: Annotated[float, Range(0.0, 600)] = 3.0

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


@dataclass(frozen=True)
class Sprt:
    """The hypotheses of a sequential test: the first bot is ``elo1`` (H1) or only ``elo0`` (H0) stronger."""

    elo0: Annotated[float, Range(-2000.0, 2000)] = 0.0
    elo1: Annotated[float, Range(-2000.0, 2000)] = 5.0
    alpha: Annotated[float, Range(0.0001, 0.49)] = 0.05
    beta: Annotated[float, Range(0.0001, 0.49)] = 0.05
    pairs: Annotated[int, Range(1, MAX_ROUNDS)] = 50_000
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

    def decides_as(self, other: Plan) -> bool:
        """Whether another plan has the same results: only name and concurrency may differ."""
        return self == replace(other, name=self.name, concurrency=self.concurrency)

    def follows(self, requested: Plan) -> bool:
        """Whether this plan equals the requested one, apart from the protocols and openings filled in by probing."""
        if len(self.entrants) != len(requested.entrants):
            return False
        entrants = tuple(
            replace(here, protocol="auto") if there.protocol == "auto" else here
            for here, there in zip(self.entrants, requested.entrants, strict=True)
        )
        plies = None if requested.plies is None else self.plies
        return replace(self, entrants=entrants, plies=plies).decides_as(requested)

    def limits_of(self, number: int) -> BotLimits:
        """Return the limits of an entrant: its own, or those of the plan."""
        return self.entrants[number].limits or self.limits

    @property
    def names(self) -> list[str]:
        """The names of the entrants."""
        return [entrant.name for entrant in self.entrants]


# Files


@dataclass(frozen=True, kw_only=True)
class _SharedKeys:
    """Keys of a bot, and of all bots that do not set them."""

    restart: Flag | None = None
    sandbox: Flag | None = None
    readable: Texts | None = None
    allow_root: Flag | None = None
    memory_mb: Annotated[int | None, Range(16, 1 << 20)] = None
    book: Flag | None = None


@dataclass(frozen=True, kw_only=True)
class BotTable(_SharedKeys):
    """A bot in a file."""

    name: Annotated[Text | None, Name(MAX_BOT_NAME)] = None
    run: Annotated[Text, Expected('a level, "random", "file.py:name" or a command', is_required=True)] = ""
    protocol: Annotated[str, OneOf(BOT_PROTOCOLS)] = "auto"
    folder: Text = "."
    limit: BotLimits | None = None


@dataclass(frozen=True, kw_only=True)
class OpeningTable:
    """The openings in a file."""

    file: Text | None = None
    plies: Annotated[int | None, Range(0, 200)] = None
    balance: Annotated[int, Range(1, 1_000_000)] = Plan.balance


@dataclass(frozen=True, kw_only=True)
class PlanTable(_SharedKeys):
    """A tournament in a file."""

    name: Annotated[Text | None, Name(MAX_TOURNAMENT_NAME)] = None
    game: Annotated[Text, Expected('a game such as "3x3", "ultimate4" or a game file', is_required=True)] = ""
    format: Format = Format.ROUND_ROBIN
    rounds: Annotated[int, Range(1, MAX_ROUNDS)] = 1
    seed: Annotated[int, Range(0, 2**63 - 1)] = 1
    scoring: Scoring = Scoring.RESULT
    concurrency: Annotated[int, Range(1, 1024)] = 1
    challengers: Texts = ()
    limit: BotLimits = field(default_factory=BotLimits)
    openings: OpeningTable = field(default_factory=OpeningTable)
    bots: Annotated[
        tuple[BotTable, ...], Expected('at least two [[bots]], each with run = "..."', is_required=True)
    ] = ()
    sprt: Sprt | None = None


TABLES = {"limit": _keys(BotLimits), "openings": _keys(OpeningTable), "sprt": _keys(Sprt)}
OVERRIDES_FOR_ALL_BOTS = ("protocol", "sandbox", "readable", "allow_root", "book")
OVERRIDES = (
    *("game", "format", "rounds", "seed", "scoring", "concurrency", "challengers", "bots"),
    *(key for keys in TABLES.values() for key in keys),
    *OVERRIDES_FOR_ALL_BOTS,
)
"""The keys that ``override`` takes."""


def load_data(path: Path) -> dict[str, object]:
    """Return the data of a TOML file, named after the file by default; raises InvalidPlan or OSError."""
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    try:
        return {"name": path.stem[:MAX_TOURNAMENT_NAME], **parse_toml(data.decode(), str(path))}
    except UnicodeDecodeError:
        raise InvalidPlan([f"{path}: expected text in UTF-8, got other bytes"]) from None


def parse_toml(text: str, source: str) -> dict[str, object]:
    """Return the data of a TOML text; raises InvalidPlan, whose line begins with the source."""
    if len(text) > MAX_FILE_BYTES:
        raise InvalidPlan([f"{source}: expected at most {MAX_FILE_BYTES} bytes of TOML, got more"])
    try:
        return toml_table.parse_toml(text)
    except ValueError as error:
        raise InvalidPlan([f"{source}: {error}"]) from None


def override(data: dict[str, object], values: Mapping[str, object]) -> None:
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


def _tables_of(data: dict[str, object], key: str) -> list[dict[str, object]]:
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


def read_plan(data: Mapping[str, object], folder: Path, source: str = "") -> Plan:
    """Return the plan of data in the form of TOML files; paths are relative to the folder.

    Raises InvalidPlan, whose lines begin with the source if there is one.
    """
    mistakes: list[str] = []
    plan = _read(read_table(PlanTable, data, mistakes), folder, mistakes)
    if mistakes or plan is None:
        prefix = f"{source}: " if source else ""
        raise InvalidPlan([prefix + mistake for mistake in mistakes])
    return plan


def _read(table: PlanTable, folder: Path, mistakes: list[str]) -> Plan | None:
    game = _find_game(table.game, folder, mistakes)
    entrants = _read_bots(table, folder, mistakes)
    challengers = _find_challengers(table, [entrant.name for entrant in entrants], mistakes)
    sprt = _check_sprt(table, len(entrants), mistakes)
    openings = _read_openings(table.openings, game, folder, mistakes)
    if game is None:
        return None
    return Plan(
        name=table.name or _default_name(game, table.format, entrants),
        game=game,
        entrants=entrants,
        format=table.format,
        rounds=table.rounds,
        seed=table.seed,
        scoring=table.scoring,
        limits=_bounded(table.limit),
        openings=openings,
        plies=table.openings.plies,
        balance=table.openings.balance,
        challengers=challengers,
        sprt=sprt,
        concurrency=table.concurrency,
        folder=str(folder.resolve()),
    )


def _default_name(game: Game, format: Format, entrants: tuple[Entrant, ...]) -> str:
    if format is Format.SPRT:
        return " against ".join(entrant.name for entrant in entrants)
    return f"{game.name} {format}"


def _find_game(text: str, folder: Path, mistakes: list[str]) -> Game | None:
    try:
        return find_game(str(folder / text) if text.endswith(".json") else text) if text else None
    except (ValueError, OSError) as error:
        mistakes.append(f"game: {error}")
        return None


def _bounded(limits: BotLimits) -> BotLimits:
    """The limits; without any bound, one second a move."""
    return limits if limits.move_limit or limits.clock else replace(limits, seconds=1.0)


def _read_bots(table: PlanTable, folder: Path, mistakes: list[str]) -> tuple[Entrant, ...]:
    entrants = tuple(_read_bot(bot, table, folder) for bot in table.bots)
    if entrants and not 2 <= len(entrants) <= MAX_BOTS:
        mistakes.append(f"bots: expected 2 to {MAX_BOTS} bots, got {len(entrants)}")
    seen: set[str] = set()
    for number, entrant in enumerate(entrants, 1):
        if entrant.name in seen:
            mistakes.append(f"bots[{number}].name: expected a name no other bot has, got {quote(entrant.name)}")
        seen.add(entrant.name)
    return entrants


def _read_bot(bot: BotTable, plan: PlanTable, folder: Path) -> Entrant:
    name = bot.name or bot.run
    if len(name) > MAX_BOT_NAME or not name.isprintable():
        name = name[: MAX_BOT_NAME - 1] + "…"
    readable = _first(_texts(bot.readable), _texts(plan.readable), ())
    sandbox = Sandbox(
        is_on=_first(bot.sandbox, plan.sandbox, TRUSTED.is_on),
        readable=tuple(str(folder / Path(path).expanduser()) for path in readable),
        allow_root=_first(bot.allow_root, plan.allow_root, TRUSTED.allow_root),
    )
    return Entrant(
        name=name,
        run=bot.run,
        protocol=bot.protocol,
        limits=None if bot.limit is None else _bounded(bot.limit),
        restart=_first(bot.restart, plan.restart, True),
        sandbox=sandbox,
        memory_mb=_first(bot.memory_mb, plan.memory_mb, None),
        book=_first(bot.book, plan.book, True),
        folder=bot.folder,
    )


def _first(value: T | None, other: T | None, default: T) -> T:
    """Return the first value that is set."""
    return value if value is not None else other if other is not None else default


def _texts(value: tuple[str, ...] | str | None) -> tuple[str, ...] | None:
    return (value,) if isinstance(value, str) else value


def _read_openings(table: OpeningTable, game: Game | None, folder: Path, mistakes: list[str]) -> tuple[Opening, ...]:
    if table.file and table.plies is not None:
        mistakes.append("openings.plies: expected either a file or random plies, got both")
    if not table.file or game is None:
        return ()
    try:
        return tuple(read_openings(folder / table.file, game))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        mistakes.append(f"openings.file: cannot read {quote(table.file)}: {reason}")
    except ValueError as error:
        mistakes += [f"openings.file: {line}" for line in str(error).splitlines()]
    return ()


def _find_challengers(table: PlanTable, known: list[str], mistakes: list[str]) -> tuple[str, ...]:
    names, is_gauntlet = _texts(table.challengers) or (), table.format is Format.GAUNTLET
    mistakes += [
        f"challengers: expected names of bots ({', '.join(known)}), got {quote(name)}"
        for name in names
        if name not in known
    ]
    if names and not is_gauntlet:
        mistakes.append(f'challengers: expected format = "gauntlet" for them, got format {table.format}')
    if is_gauntlet and len(set(names)) == len(known) > 0:
        mistakes.append("challengers: expected a bot that is not a challenger, got all bots")
    return names or (tuple(known[:1]) if is_gauntlet else ())


def _check_sprt(table: PlanTable, bots: int, mistakes: list[str]) -> Sprt | None:
    if table.format is not Format.SPRT:
        if table.sprt is not None:
            mistakes.append(f'sprt: expected format = "sprt" for it, got format {table.format}')
        return None
    if bots != 2:
        mistakes.append(f"bots: expected two bots for an sprt, got {bots}")
    sprt = table.sprt or Sprt()
    if sprt.elo0 >= sprt.elo1:
        mistakes.append(f"sprt.elo1: expected more than elo0 ({sprt.elo0:g}), got {sprt.elo1:g}")
    return sprt
