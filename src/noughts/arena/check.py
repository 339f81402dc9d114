"""Is this bot ready? Every kind of position it can meet, in time, twice in a row, and nothing left of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from noughts.games import Game, Position, find_game
from noughts.players import BotFailed, Limits
from noughts.players.loading import is_python_spec
from noughts.players.protocols import PROTOCOLS, Clock, HostedBot, detect_protocol, open_bot
from noughts.players.protocols.host import ProgramHost
from noughts.players.protocols.opening import NoProtocol

__all__ = ["Check", "check_bot"]

USUAL_GAMES = {"gomocup": ("15x15:5",), "codingame": ("ultimate:3+count",)}
TRIES = 400
"""Random playthroughs in which a position of a rare kind is looked for."""
QUIT_SECONDS = 5.0
"""How long it may take to leave when told to: starting and ending at once takes a while on a busy machine."""
SHOWN_LINES = 12
HANGS = 3
"""After so many missed deadlines the positions that are left are not tried."""
SEED = 7


@dataclass
class Check:
    """One thing that was checked. When it failed, ``exchange`` is what was said, ``stderr`` what it complained."""

    name: str
    passed: bool
    detail: str = ""
    exchange: list[str] = field(default_factory=list)
    stderr: str = ""
    is_remark: bool = False
    """Whether it only says how well the bot plays, and fails nothing."""

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def check_bot(
    command: str,
    games: list[str],
    protocol: str = "auto",
    seconds: float = 1.0,
    sandbox: bool = False,
    startup: float = 3.0,
    say: Callable[[str], object] = lambda line: None,
) -> Iterator[Check]:
    """Yield one check after the other; without games those its protocol is for, or 3x3.

    ``say`` gets a line about what is being tried when that takes long.

    Raises ValueError for games that are none and protocols that cannot tell of them.
    """
    limits = Limits(quit_seconds=QUIT_SECONDS, first_seconds=startup)
    folder = Path.cwd()
    wanted = [find_game(game) for game in games]
    if protocol not in PROTOCOLS:
        raise ValueError(f"expected a protocol of {', '.join(PROTOCOLS)}, got {protocol!r}")
    with _Token() as token:
        protocol, check = _find_protocol(command, protocol, limits, sandbox, folder, say)
        yield check
        if not check.passed:
            return
        chosen = wanted or [Game(id) for id in USUAL_GAMES.get(protocol, ("3x3",))]
        bot = open_bot(command, protocol, limits, sandbox, folder)
        yield from _Checker(bot, Clock(seconds=seconds), token).checks(chosen)


def _find_protocol(
    command: str, protocol: str, limits: Limits, sandbox: bool, folder: Path, say: Callable[[str], object]
) -> tuple[str, Check]:
    if protocol != "auto":
        return protocol, Check("is told to speak", True, protocol)
    if is_python_spec(command):
        return "python", Check("is a bot in Python", True, command)
    try:
        found = detect_protocol(command, limits, sandbox, folder, say)
    except BotFailed as failed:
        attempt = failed.attempt if isinstance(failed, NoProtocol) else None
        said = (attempt.exchange[-SHOWN_LINES:], attempt.stderr) if attempt else ([], "")
        return protocol, Check("speaks a protocol", False, str(failed), *said)
    return found, Check("speaks a protocol", True, found)


class _Checker:
    def __init__(self, bot: HostedBot, clock: Clock, token: _Token) -> None:
        self.bot = bot
        self.clock = clock
        self.token = token
        self.hangs = 0

    def checks(self, games: list[Game]) -> Iterator[Check]:
        try:
            for game in games:
                yield self._check(f"{game.name}: starts", partial(self.bot.new_game, game.start()))
                for name, position in _positions(game, self._is_stateful):
                    yield self._check(f"{game.name}: {name}", partial(self._answer, position))
                yield from self._skills(game)
                for side in (0, 1):
                    name = f"{game.name}: plays to the end as {'XO'[side]}"
                    yield self._check(name, partial(self._whole, game, side))
            yield self._check("survives a restart", partial(self._restart, games[0]))
            said = [line[2:] for line in self.bot.exchange if line.startswith("> ")]
            yield self._leaves(games[0])
        finally:
            self.bot.close()
        yield Check("leaves no process behind", *self._on_its_own(said))

    @property
    def _is_stateful(self) -> bool:
        """Whether it must have seen all moves: CodinGame's protocol has no word for a position."""
        return self.bot.protocol == "codingame"

    def _check(self, name: str, test: Callable[[], str | None]) -> Check:
        if self.hangs >= HANGS:
            return Check(name, False, f"not tried, for it missed {HANGS} deadlines before")
        try:
            detail = test() or ""
        except BotFailed as failed:
            self.hangs += failed.reason == "time"
            said = self.bot.exchange[-SHOWN_LINES:]
            return Check(name, False, f"{failed.reason}: {failed}", said, self.bot.stderr_tail)
        return Check(name, True, detail)

    def _answer(self, position: Position) -> str:
        begin = position.game.start() if position.start_text is None else position.game.parse(position.start_text)
        self.bot.new_game(begin)
        return self._move(position)[1]

    def _move(self, position: Position) -> tuple[int, str]:
        move = self.bot.choose(position, self.clock)
        return move, f"{position.format_move(move)} after {self.bot.last_seconds * 1000:.0f} ms"

    def _whole(self, game: Game, side: int) -> str:
        position, random = game.start(), Random(SEED)
        self.bot.new_game(game.start())
        while not position.is_over:
            own = position.ply % 2 == side
            position.play(self._move(position)[0] if own else random.choice(position.legal_moves))
        return f"{position.outcome} after {position.ply} plies"

    def _skills(self, game: Game) -> Iterator[Check]:
        """Remarks: it may well lose, but its author wants to know."""
        if self._is_stateful or game.is_misere:
            return
        for name, position, moves in _tests_of_skill(game):
            check = self._check(f"{game.name}: {name}", partial(self._answer, position))
            if check.passed:
                played = check.detail.split()[0]
                good = [position.format_move(move) for move in moves]
                check.is_remark = True
                check.detail += "" if played in good else f", where {' or '.join(good[:3])} was called for"
            yield check

    def _restart(self, game: Game) -> str:
        self.bot.close()
        return self._answer(game.start())

    def _leaves(self, game: Game) -> Check:
        name = "leaves by itself when told to, or when its input ends"
        try:
            self.bot.start(game)
        except BotFailed as failed:
            return Check(name, False, f"{failed.reason}: {failed}")
        began = monotonic()
        self.bot.close()
        took = monotonic() - began
        if took < QUIT_SECONDS:
            return Check(name, True, f"{took:.2f} s")
        return Check(name, False, f"it was still there after {QUIT_SECONDS:g} s and had to be ended")

    def _on_its_own(self, said: list[str]) -> tuple[bool, str]:
        """Run it once more without anybody who cleans up after it, and see what it leaves."""
        passed, left = self.token.all_gone()
        if not passed or not isinstance(self.bot, ProgramHost) or self.bot.program.sandbox:
            return passed, left
        process = subprocess.Popen(
            self.bot.program.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with suppress(subprocess.TimeoutExpired):
            process.communicate("".join(f"{line}\n" for line in said).encode(), QUIT_SECONDS)
        process.kill()
        process.communicate()
        return self.token.all_gone()


def _positions(game: Game, is_stateful: bool) -> Iterator[tuple[str, Position]]:
    """Every kind of position there is, each with what is special about it."""
    yield "moves first", game.start()
    if is_stateful:
        return
    random = Random(SEED)
    yield "moves second", _random_position(game, random, 1)
    for part, name in ((4, "early"), (2, "in the middle"), (1.25, "late")):
        yield f"moves {name}", _random_position(game, random, int(game.cells / part))
    if (last := _find(game, lambda position: len(position.legal_moves) == 1)) is not None:
        yield "moves where one move is left", last
    yield "moves from a position without its moves", game.parse(_random_position(game, random, 3).text)


def _tests_of_skill(game: Game) -> Iterator[tuple[str, Position, list[int]]]:
    win = _find(game, lambda position: bool(_winning(position)))
    if win is not None:
        yield "has a win to take", win, _winning(win)
    block = _find(game, lambda position: not _winning(position) and len(_needed(position)) == 1)
    if block is not None:
        yield "has a threat to block", block, _needed(block)


def _winning(position: Position) -> list[int]:
    return [move for move in position.legal_moves if position.after(move).winner is position.turn is not None]


def _needed(position: Position) -> list[int]:
    """The moves after which the opponent cannot win at once, when without them it could."""
    assert position.turn is not None
    safe = [move for move in position.legal_moves if not _winning(position.after(move))]
    return safe if len(safe) < len(position.legal_moves) else []


def _random_position(game: Game, random: Random, plies: int) -> Position:
    """A position after so many random plies that goes on; fewer when that is not to be had."""
    while True:
        position = game.start()
        while not position.is_over and position.ply < plies:
            position.play(random.choice(position.legal_moves))
        if not position.is_over:
            return position
        plies -= 1


def _find(game: Game, is_wanted: Callable[[Position], bool]) -> Position | None:
    random, deadline = Random(SEED), monotonic() + 2.0
    for _ in range(TRIES):
        position = game.start()
        while not position.is_over:
            if is_wanted(position):
                return position
            position.play(random.choice(position.legal_moves))
            if monotonic() > deadline:
                return None
    return None


class _Token:
    """A variable that every process started meanwhile inherits, so that each can be found again."""

    def __init__(self) -> None:
        self.name = f"NOUGHTS_CHECK_{uuid4().hex}"

    def __enter__(self) -> _Token:
        os.environ[self.name] = "1"
        return self

    def __exit__(self, *_: object) -> None:
        del os.environ[self.name]

    def all_gone(self) -> tuple[bool, str]:
        """Whether no process has the variable any more, and what was left; it is ended now."""
        if sys.platform != "linux":
            return True, "cannot be seen on this system"
        deadline = monotonic() + 1.0
        while (left := self._left()) and monotonic() < deadline:
            sleep(0.02)
        self._end(left)
        return not left, "; ".join(list(left.values())[:3])

    def _end(self, left: dict[int, str]) -> None:
        """End them, and those they have started meanwhile."""
        deadline = monotonic() + QUIT_SECONDS
        while left and monotonic() < deadline:
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            sleep(0.02)
            left = self._left()

    def _left(self) -> dict[int, str]:
        """The processes that are left, each with its command."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if folder.name != str(os.getpid()) and self.name.encode() in (folder / "environ").read_bytes():
                    words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    found[int(folder.name)] = words.strip() or folder.name
            except OSError:
                continue  # it is gone, or somebody else's
        return found
