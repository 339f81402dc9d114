"""The only way from a name to a player.

======================  ==================================================================
``random``, a level     a built-in player, in this process
``elo:1500``            the same, of this rating
``master:FILE``         the engine with the network of a file; ``master:none`` is the engine without a network
``mcts``                the engine with tree search and rollouts; ``mcts:network``, ``mcts:weights`` and ``mcts:FILE``
                        evaluate positions by a network or the hand-written evaluation; ``mcts:200`` searches 200
                        simulations for each move
``file.py:name``        a player in Python, in a process of its own; also ``module:name``
``ugi:COMMAND``         a program that speaks a protocol: ``ugi``, ``uci``, ``gomocup``, ``codingame`` or ``json``
``bot:COMMAND``         a program whose protocol is detected; also ``COMMAND`` alone
======================  ==================================================================

People have names as well, ``you`` and ``friend``, but are not opened: their moves come from a user interface.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from noughts.engine import RANDOM, Engine, EnginePlayer, Level, Limit, is_level_name, level
from noughts.engine.evaluator import MAX_SEED, Evaluator, Search
from noughts.engine.network import Network, parse_network
from noughts.games import Game, Position
from noughts.games.quoting import quote
from noughts.limit import as_int, as_seed
from noughts.players.player import HostedPlayer, Player
from noughts.players.python_bot import InProcessPlayer, is_python_spec, load_player
from noughts.process.failure import FailureReason, NotStarted, PlayerFailed
from noughts.process.limits import Limits
from noughts.process.sandbox import Sandbox

if TYPE_CHECKING:
    from noughts.players.protocols.host import ProgramHost

__all__ = [
    "BUILTIN_NAMES",
    "PEOPLE",
    "PROTOCOLS",
    "TREE_SEARCHES",
    "Attempt",
    "NoProtocol",
    "RandomPlayer",
    "detect_protocol",
    "is_builtin_name",
    "is_person_name",
    "make_builtin",
    "normalise_name",
    "open_player",
    "player_names",
]

PEOPLE = {"you": "you, at this keyboard", "friend": "a friend at this keyboard"}
"""The names of people, each with one line about them."""
AUTO, IN_PROCESS, PYTHON, ANY_PROGRAM = "auto", "in-process", "python", "bot"
HOSTS = {
    "json": "json_protocol.JsonHost",
    "ugi": "ugi.UgiHost",
    "uci": "ugi.UciHost",
    "gomocup": "gomocup.GomocupHost",
    "codingame": "codingame.CodingameHost",
    PYTHON: "json_protocol.PythonHost",
}
"""The host of each protocol: its module in ``noughts.players.protocols``, and its class."""
PROTOCOLS = (*HOSTS, IN_PROCESS, AUTO)
"""The values of the parameter ``protocol`` of ``open_player``."""
PREFIXES = {name: name for name in HOSTS} | {ANY_PROGRAM: AUTO}
"""Words that may precede a command with a colon, and the protocols they stand for."""
MAX_SIMULATIONS = 1_000_000_000
PROBE_SECONDS = 2.0
"""Time for a program to answer in a protocol before the next one is tried."""
SLOW_SECONDS = 1.0
"""An attempt that takes longer is reported."""
PROBED = ("ugi", "uci", "gomocup", "json", "codingame")
PROBE_GAMES = {"json": "3x3", "codingame": "ultimate:3+count"}
"""The protocols without a greeting, and the game in which a move is asked for."""
GREETING_GAME = "15x15:5"
SPOKEN_WORDS = {
    "ugi": (b"ugiok",),
    "uci": (b"uciok",),
    "gomocup": (b"ABOUT", b"BEGIN"),
    "json": (b"json", b'"move"'),
    "codingame": (b"opponent", b"valid_action", b"validAction"),
}
"""Words of each protocol that programs contain which speak it: those protocols are tried first."""
MAX_SEARCHED_BYTES = 1 << 20
BUILTIN_NAMES = {
    RANDOM: "plays any legal move",
    Level.BEGINNER: "overlooks threats and makes other mistakes",
    Level.EASY: "looks one move ahead, and makes mistakes",
    Level.DIFFICULT: "looks two moves ahead, and makes some mistakes",
    Level.INSANE: "a short search of the engine, rarely a mistake",
    Level.MASTER: "the engine at full strength, a second for a move",
}
"""The names of the built-in players, weakest first, each with one line about it."""
TREE_SEARCHES = {
    Search.MCTS: "Monte-Carlo tree search with random play to the end",
    f"{Search.MCTS}:{Evaluator.NETWORK}": "Monte-Carlo tree search with the network of the game",
    f"{Search.MCTS}:{Evaluator.WEIGHTS}": "Monte-Carlo tree search with the hand-written evaluation",
}
"""Built-in players for comparison, which are not in the order of strength."""


def player_names() -> dict[str, str]:
    """Return the names of the built-in players, weakest first, each with one line about it."""
    return {str(name): about for name, about in BUILTIN_NAMES.items()}


def is_person_name(name: str) -> bool:
    """Whether a name stands for a person: ``you`` or ``friend``, ignoring case."""
    return name.strip().lower() in PEOPLE


def is_builtin_name(name: str) -> bool:
    """Whether a name stands for a built-in player, ignoring case: ``random``, a level, ``elo:1500``, ``mcts:FILE``."""
    word = name.strip().lower()
    return word == RANDOM or is_level_name(word) or _split_engine(name) is not None


def _split_engine(name: str) -> tuple[str, str] | None:
    """Return ``master`` or ``mcts`` and what follows it with a colon, possibly nothing; None for another name."""
    word, colon, option = name.strip().partition(":")
    is_engine = word.lower() in (Level.MASTER, Search.MCTS) and (option.strip() or not colon)
    return (word.lower(), option.strip()) if is_engine else None


def normalise_name(name: str) -> str:
    """Return a name the way it is shown and saved: people, built-in players and protocols in lower case.

    >>> normalise_name(" Easy "), normalise_name("UGI: ./Engine")
    ('easy', 'ugi:./Engine')
    """
    prefix, command = _split_prefix(name)
    if prefix is not None:
        return f"{prefix}:{command}"
    if (engine := _split_engine(name)) is not None:
        return ":".join(filter(None, engine))
    is_known = is_person_name(name) or is_builtin_name(name)
    return name.strip().lower() if is_known else name.strip()


def _split_prefix(name: str) -> tuple[str | None, str]:
    """Return the prefix and the command of ``PREFIX:COMMAND``; None and the whole name without a prefix."""
    prefix, colon, command = name.strip().partition(":")
    if colon and prefix.lower() in PREFIXES:
        return prefix.lower(), command.strip()
    return None, name.strip()


def open_player(
    player: object,
    *,
    protocol: str = AUTO,
    limits: Limits | None = None,
    sandbox: Sandbox | None = None,
    folder: Path | None = None,
    seed: SupportsIndex | None = None,
    limit: Limit | None = None,
    book: bool = True,
    network: Network = None,
) -> HostedPlayer:
    """Return a player that can be asked for moves; a program is started when it is first needed.

    ``player`` is a name (see this module), a command as a list of words, any object with ``choose``, or a function;
    the last two play in this process. ``protocol`` is that of a command, unless the name says it; ``auto`` runs the
    program to find out. ``limits`` bound a program, which runs in ``folder``, in a sandbox unless that is off; for
    players in this process only their ``grace_seconds`` count. ``seed`` makes built-in players repeatable and is given
    to programs, too. ``limit`` holds when ``choose`` is given none. ``book`` is False if ``master`` and ``mcts`` are to
    play without the opening book, and ``network`` is their network if their names give none.

    Raises ValueError for an unknown name, for a network that cannot be used, or when programs or the sandbox are not
    available here, and PlayerFailed when a program speaks no known protocol.
    """
    if protocol not in PROTOCOLS:
        raise ValueError(f"expected a protocol of {', '.join(PROTOCOLS)}, got {quote(protocol)}")
    grace_seconds = (limits or Limits()).grace_seconds
    if not isinstance(player, str | Sequence):
        return InProcessPlayer(player, grace_seconds=grace_seconds, limit=limit)
    if isinstance(player, str):
        if protocol in (AUTO, IN_PROCESS) and is_builtin_name(player):
            builtin = make_builtin(player, seed, limit, book, network, folder)
            # Only a clock can make it late: a level searches to its depth, and the engine keeps its seconds as well as
            # the machine allows.
            return InProcessPlayer(builtin, normalise_name(player), grace_seconds, limit, is_held_to_seconds=False)
        if protocol == IN_PROCESS:
            return InProcessPlayer(load_player(player), player, grace_seconds, limit)
        given, (protocol, player) = player, _parse_name(player, protocol)
        if protocol == AUTO:
            _check_known(given)
    return _open_program(player, protocol, limits, sandbox, folder, as_seed(seed), limit)


def _parse_name(name: str, protocol: str) -> tuple[str, str]:
    """Return the protocol and the command of a program's name; the protocol stays ``auto`` if it has to be probed."""
    prefix, command = _split_prefix(name)
    if prefix is not None and (protocol in (AUTO, prefix) or prefix == ANY_PROGRAM):
        return (PREFIXES[prefix] if protocol == AUTO else protocol), command
    if protocol == AUTO and is_python_spec(name.strip()):
        return PYTHON, name.strip()
    return protocol, name


def _check_known(name: str, people: Mapping[str, str] = PEOPLE) -> None:
    """Raise ValueError for a single word that is neither a name nor a program: probably a typo."""
    name = name.strip()
    if _split_prefix(name)[0] is None and len(name.split()) == 1 and "/" not in name and shutil.which(name) is None:
        raise ValueError(_unknown_player(name, people))


def _unknown_player(name: str, people: Mapping[str, str]) -> str:
    if is_person_name(name):
        return f"cannot open {quote(name)}: the moves of people come from a user interface"
    known = [*people, *BUILTIN_NAMES, Search.MCTS]
    if near := get_close_matches(name.lower(), known, n=1):
        return f"unknown player {quote(name)}; did you mean {near[0]}?"
    programs = ", ".join(f"{prefix}:COMMAND" for prefix in PREFIXES if prefix != PYTHON)
    choices = f"{', '.join(known)}, or a program: {programs}, FILE.py:NAME; elo:1500 is a rating"
    return f"unknown player {quote(name)}; choose {choices}"


def host_class(protocol: str) -> type[ProgramHost]:
    """Return the class that hosts programs in a protocol."""
    module, name = HOSTS[protocol].split(".")
    host: type[ProgramHost] = getattr(import_module(f"noughts.players.protocols.{module}"), name)
    return host


def _open_program(
    command: str | Sequence[object],
    protocol: str,
    limits: Limits | None,
    sandbox: Sandbox | None,
    folder: Path | None,
    seed: int | None,
    limit: Limit | None,
) -> ProgramHost:
    words = command if isinstance(command, str) else [str(word) for word in command]
    sandbox = sandbox or Sandbox()
    if protocol == AUTO:
        protocol = _probe_protocols(words, limits, sandbox, folder)
    host = host_class(protocol)(words, limits, sandbox, folder, seed, limit)
    sandbox.check()
    return host


class Attempt(NamedTuple):
    """A failed attempt to talk to a program in a protocol: the failure, the exchange, and its standard error."""

    protocol: str
    failure: PlayerFailed
    exchange: list[str]
    stderr: str


class NoProtocol(PlayerFailed):
    """The program speaks no known protocol; ``attempt`` is the trial with JSON lines, which says most."""

    def __init__(
        self, message: str, reason: FailureReason | str = FailureReason.START, attempt: Attempt | None = None
    ) -> None:
        super().__init__(message, reason)
        self.attempt = attempt


def detect_protocol(
    command: str | Sequence[str],
    limits: Limits | None = None,
    sandbox: Sandbox | None = None,
    folder: Path | None = None,
    report: Callable[[str], object] = lambda line: None,
) -> str:
    """Return the protocol of a program, by its name or by trying which one it answers in.

    Each protocol is tried on a new process by a greeting, or a question in a small game. Protocols whose words are in
    the file of the program come first. ``report`` gets a line about each attempt that takes long. Raises ValueError for
    an unknown name, NoProtocol, or NotStarted when the program cannot be run.
    """
    if isinstance(command, str):
        given, (protocol, command) = command, _parse_name(command, AUTO)
        if protocol != AUTO:
            return protocol
        _check_known(given, people={})
    return _probe_protocols(command, limits, sandbox, folder, report)


def _probe_protocols(
    command: str | Sequence[str],
    limits: Limits | None,
    sandbox: Sandbox | None,
    folder: Path | None,
    report: Callable[[str], object] = lambda line: None,
) -> str:
    """Return the protocol that a command answers in."""
    bounds = (limits or Limits())._replace(start_seconds=PROBE_SECONDS, quit_seconds=0.0)
    attempts = {}
    order = _likely_first(command, folder or Path.cwd())
    for protocol in order:
        began = monotonic()
        attempts[protocol] = attempt = _try(host_class(protocol)(command, bounds, sandbox, folder))
        if attempt is None:
            return protocol
        if monotonic() - began > SLOW_SECONDS and protocol != order[-1]:
            report(f"no answer in {protocol}; trying the next protocol ...")
    json_attempt = attempts["json"]
    assert json_attempt is not None
    raise NoProtocol(_why_no_protocol(json_attempt), attempt=json_attempt)


def _likely_first(command: str | Sequence[str], folder: Path) -> list[str]:
    """Return the protocols, those first whose words are in a command or in its files."""
    from noughts.process.program import split_command  # not at the top: noughts engine has no use for it

    words = split_command(command)
    text = " ".join(words[1:]).encode()
    for path in [folder / word for word in words[len(words) > 1 :]]:
        if os.path.isfile(path):
            with suppress(OSError), path.open("rb") as file:
                text += file.read(MAX_SEARCHED_BYTES)
    return sorted(PROBED, key=lambda protocol: not any(word in text for word in SPOKEN_WORDS[protocol]))


def _try(host: ProgramHost) -> Attempt | None:
    """Try a program in a protocol; None when it answers. Raises NotStarted when it cannot be run at all."""
    with host:
        try:
            if host.protocol in PROBE_GAMES:
                host.choose(Game(PROBE_GAMES[host.protocol]).start(), Limit(seconds=PROBE_SECONDS))
            else:
                host.start(Game(GREETING_GAME))
        except NotStarted:
            raise
        except PlayerFailed as failure:
            return Attempt(host.protocol, failure, host.exchange, host.stderr_tail)
    return None


def _why_no_protocol(attempt: Attempt) -> str:
    """Return a message for the author of the program, who probably means to speak JSON lines."""
    tail = f"; its standard error ends with {quote(attempt.stderr.splitlines()[-1])}" if attempt.stderr else ""
    answers = [line[2:] for line in attempt.exchange if line.startswith("<")]
    if answers and answers[-1].lstrip().startswith("{"):
        return f"speaks json, but failed when asked for a move in 3x3: {attempt.failure}{tail}"
    return f"speaks none of {', '.join(PROBED)}; asked in json, it failed: {attempt.failure}{tail}"


class RandomPlayer:
    """Plays random legal moves; the same seed gives the same moves.

    >>> from noughts import Game
    >>> position = Game("3x3").start()
    >>> RandomPlayer(seed=1).choose(position) == RandomPlayer(seed=1).choose(position)
    True
    """

    def __init__(self, seed: SupportsIndex | None = None) -> None:
        self._random = random.Random(as_seed(seed))

    def choose(self, position: Position, limit: Limit | None = None) -> int:
        """Return a random legal move; raises GameOver."""
        return self._random.choice(position.require_unfinished().legal_moves)


def make_builtin(
    name: str,
    seed: SupportsIndex | None = None,
    limit: Limit | None = None,
    book: bool = True,
    network: Network = None,
    folder: Path | None = None,
) -> Player | None:
    """Return the built-in player of a name, or None when there is none; raises ValueError for an unusable network.

    ``book``, ``network`` and the ``folder`` of networks matter to ``master`` and ``mcts``; see ``open_player``.
    """
    name = normalise_name(name)
    if name == RANDOM:
        return RandomPlayer(seed)
    engine = _split_engine(name)
    if engine is None:
        return level(name, seed, limit) if is_level_name(name) else None
    word, option = engine
    if word == Search.MCTS:
        simulations = _parse_simulations(option)
        tree_search = _tree_search("" if simulations else option, seed, book, network, folder)
        return EnginePlayer(limit, tree_search, name, nodes=simulations)
    network = parse_network(option, folder) if option else network
    return EnginePlayer(limit, None if book and network is None else Engine(book=book, network=network), name)


def _parse_simulations(option: str) -> int | None:
    """The simulations of ``mcts:200``; None for the name of an evaluator or a network."""
    if not option.isascii() or not option.isdecimal():
        return None
    return as_int("the simulations of mcts", int(option), 1, MAX_SIMULATIONS)


def _tree_search(option: str, seed: SupportsIndex | None, book: bool, network: Network, folder: Path | None) -> Engine:
    """The tree search of ``mcts:OPTION``; without a seed, a random one."""
    evaluator = Evaluator(option.lower()) if option.lower() in tuple(Evaluator) else None
    if option and evaluator is None:
        evaluator, network = Evaluator.NETWORK, parse_network(option, folder)
    seed = random.getrandbits(32) if seed is None else as_int("seed", seed) & MAX_SEED
    return Engine(book=book, network=network, search=Search.MCTS, evaluator=evaluator, seed=seed)
