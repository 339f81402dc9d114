"""Checks whether a bot is ready for a tournament: it answers in every kind of position, in time, restarts and quits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic

from noughts.arena.openings import random_moves
from noughts.engine import Limit
from noughts.games import Game, Position, Side, find_game
from noughts.games.quoting import quote
from noughts.match import Match, play_out
from noughts.players import (
    PROTOCOLS,
    FailureReason,
    HostedPlayer,
    Limits,
    NoProtocol,
    NotStarted,
    PlayerFailed,
    detect_protocol,
    open_player,
)
from noughts.process.sandbox import Sandbox

__all__ = ["TRIAL", "Check", "check_bot"]

DEFAULT_GAMES = {"gomocup": ("15x15:5",), "codingame": ("ultimate:3+count",)}
MAX_RANDOM_PLAYTHROUGHS = 400
"""Random playthroughs that are searched for a position of a rare kind."""
FIND_SECONDS = 2.0
QUIT_SECONDS = 5.0
"""Time to exit when told to; generous, since a bot that has just started may be slow on a busy machine."""
EXCHANGE_LINES = 12
MAX_MISSED_DEADLINES = 3
"""After this many missed deadlines the remaining checks are skipped."""
TRIAL = "moves first with more time"
"""The end of the name of the trial of a bot that missed a deadline."""
TRIAL_FACTOR = 10
"""A bot that missed a deadline is tried with this many times the limit, but not more than MAX_TRIAL_SECONDS."""
MAX_TRIAL_SECONDS = 30.0
USED_UP = 0.9
"""A bot that takes this part of the trial uses all the time it is given."""
SEED = 7


@dataclass
class Check:
    """The result of one check. If it failed, ``exchange`` and ``stderr`` have the bot's last lines."""

    name: str
    passed: bool
    detail: str = ""
    exchange: tuple[str, ...] = ()
    stderr: str = ""
    is_note: bool = False
    """Whether it only comments on how well the bot plays."""
    trial_seconds: float | None = None
    """The time the bot took for its first move in a trial with more time, after it missed a deadline."""


def check_bot(
    command: str,
    games: list[str],
    protocol: str = "auto",
    seconds: float = 1.0,
    sandbox: Sandbox | None = None,
    startup: float = 3.0,
    progress: Callable[[str], object] = lambda line: None,
    *,
    folder: Path | None = None,
    memory_mb: int | None = None,
) -> Iterator[Check]:
    """Yield the results of the checks as they are made; without ``games`` in the game of the protocol, or 3x3.

    The bot runs in ``folder``, by default the current one. ``progress`` gets a line about each step that takes long.
    Raises ValueError for an unknown game or protocol, and for a protocol that cannot describe the game.
    """
    limits = Limits(quit_seconds=QUIT_SECONDS, first_seconds=startup)
    limits = limits if memory_mb is None else limits._replace(memory_mb=memory_mb)
    folder = folder or Path.cwd()
    wanted = [find_game(game) for game in games]
    if protocol not in PROTOCOLS:
        raise ValueError(f"expected a protocol of {', '.join(PROTOCOLS)}, got {quote(protocol)}")
    if protocol != "auto":
        yield Check("protocol given", True, protocol)
    else:
        try:
            protocol = detect_protocol(command, limits, sandbox, folder, progress)
        except PlayerFailed as failed:
            attempt = failed.attempt if isinstance(failed, NoProtocol) else None
            exchange, stderr = (tuple(attempt.exchange[-EXCHANGE_LINES:]), attempt.stderr) if attempt else ((), "")
            yield Check("speaks a protocol", False, str(failed), exchange, stderr)
            return
        yield Check("speaks a protocol", True, protocol)
    chosen = wanted or [Game(id) for id in DEFAULT_GAMES.get(protocol, ("3x3",))]
    bot = open_player(command, protocol=protocol, limits=limits, sandbox=sandbox, folder=folder)
    yield from _Checker(bot, Limit(seconds=seconds)).checks(chosen)


class _Checker:
    def __init__(self, bot: HostedPlayer, limit: Limit) -> None:
        self.bot = bot
        self.limit = limit
        self.missed_deadlines = 0
        self.cannot_start = False

    def checks(self, games: list[Game]) -> Iterator[Check]:
        try:
            for game in games:
                yield self._check(f"{game.name}: starts", partial(self.bot.new_game, game.start()))
                if self.cannot_start:
                    return
                for name, position in _positions(game, self._is_stateful):
                    yield self._check(f"{game.name}: {name}", partial(self._answer, position))
                yield from self._check_skills(game)
                for side in Side:
                    yield self._check(f"{game.name}: plays to the end as {side}", partial(self._play_out, game, side))
            if self.missed_deadlines:
                yield self._try_longer(games[0])
            yield self._check("survives a restart", partial(self._restart, games[0]))
            yield self._check_quit(games[0])
        finally:
            self.bot.close()

    @property
    def _is_stateful(self) -> bool:
        """Whether it must have seen all moves: the CodinGame protocol cannot send a position."""
        return self.bot.protocol == "codingame"

    def _check(self, name: str, test: Callable[[], str | None]) -> Check:
        if self.missed_deadlines >= MAX_MISSED_DEADLINES:
            return Check(name, False, f"skipped after {MAX_MISSED_DEADLINES} missed deadlines")
        try:
            detail = test() or ""
        except PlayerFailed as failed:
            self.missed_deadlines += failed.reason is FailureReason.TIME
            self.cannot_start = isinstance(failed, NotStarted)
            exchange = tuple(self.bot.exchange[-EXCHANGE_LINES:])
            return Check(name, False, _describe_failure(failed), exchange, self.bot.stderr_tail)
        return Check(name, True, detail)

    def _answer(self, position: Position) -> str:
        self.bot.new_game(position.game.start_from(position.start_text))
        move = self.bot.choose(position, self.limit)
        return f"{position.format_move(move)} after {self.bot.last_seconds * 1000:.0f} ms"

    def _play_out(self, game: Game, side: Side) -> str:
        """Play a whole match against random moves."""
        names = {side: self.bot.name, side.opponent: "random"}
        match = Match(game.start(), names, limits={side: self.limit})
        failure = play_out(match, {side: self.bot, side.opponent: open_player("random", seed=SEED)})
        if failure is not None:
            raise failure.error
        return f"{match.outcome} after {match.position.ply} plies"

    def _check_skills(self, game: Game) -> Iterator[Check]:
        """Note whether it takes a win and blocks a threat; neither is required."""
        if self._is_stateful or game.is_misere:
            return
        for name, position, moves in _skill_positions(game):
            check = self._check(f"{game.name}: {name}", partial(self._answer, position))
            if check.passed:
                played = check.detail.split()[0]
                good = [position.format_move(move) for move in moves]
                check.is_note = True
                check.detail += "" if played in good else f"; better was {' or '.join(good[:3])}"
            yield check

    def _try_longer(self, game: Game) -> Check:
        """Note how long the first move takes, which usually is the longest, if there is more time."""
        name = f"{game.name}: {TRIAL}"
        seconds = min(TRIAL_FACTOR * (self.limit.seconds or 0.0), MAX_TRIAL_SECONDS)
        start = game.start()
        self.bot.close()
        try:
            self.bot.new_game(start)
            self.bot.choose(start, Limit(seconds=seconds))
        except PlayerFailed:
            return Check(name, True, f"no answer within {seconds:g} s", is_note=True)
        took = self.bot.last_seconds
        if took >= USED_UP * seconds:
            return Check(name, True, f"it used all of {seconds:g} s", is_note=True)
        return Check(name, True, f"after {took:.1f} s", is_note=True, trial_seconds=round(took, 3))

    def _restart(self, game: Game) -> str:
        self.bot.close()
        return self._answer(game.start())

    def _check_quit(self, game: Game) -> Check:
        name = "exits when told to, or when its input ends"
        try:
            self.bot.start(game)
        except PlayerFailed as failed:
            return Check(name, False, _describe_failure(failed))
        began = monotonic()
        self.bot.close()
        took = monotonic() - began
        if took < QUIT_SECONDS:
            return Check(name, True, f"{took:.2f} s")
        return Check(name, False, f"still running after {QUIT_SECONDS:g} s; it had to be killed")


def _positions(game: Game, is_stateful: bool) -> Iterator[tuple[str, Position]]:
    """Positions of every kind, each with its description."""
    yield "moves first", game.start()
    if is_stateful:
        return
    random = Random(SEED)
    yield "moves second", _random_position(game, random, 1)
    for part, name in ((4, "early"), (2, "in the middle"), (1.25, "late")):
        yield f"moves {name}", _random_position(game, random, int(game.cells / part))
    if (last := _find(game, lambda position: len(position.legal_moves) == 1)) is not None:
        yield "moves with one legal move", last
    yield "moves from a position without history", game.parse(_random_position(game, random, 3).text)


def _skill_positions(game: Game) -> Iterator[tuple[str, Position, list[int]]]:
    win = _find(game, lambda position: bool(_winning(position)))
    if win is not None:
        yield "has a win to take", win, _winning(win)
    block = _find(game, lambda position: not _winning(position) and len(_blocking(position)) == 1)
    if block is not None:
        yield "has a threat to block", block, _blocking(block)


def _winning(position: Position) -> list[int]:
    return [move for move in position.legal_moves if position.after(move).winner is position.turn is not None]


def _blocking(position: Position) -> list[int]:
    """The moves that prevent an immediate win of the opponent; none if there is no such threat."""
    assert position.turn is not None
    safe = [move for move in position.legal_moves if not _winning(position.after(move))]
    return safe if len(safe) < len(position.legal_moves) else []


def _random_position(game: Game, random: Random, plies: int) -> Position:
    position = game.start()
    position.play_all(random_moves(game, random, plies))
    return position


def _find(game: Game, is_wanted: Callable[[Position], bool]) -> Position | None:
    random, deadline = Random(SEED), monotonic() + FIND_SECONDS
    for _ in range(MAX_RANDOM_PLAYTHROUGHS):
        position = game.start()
        while not position.is_over:
            if is_wanted(position):
                return position
            position.play(random.choice(position.legal_moves))
            if monotonic() > deadline:
                return None
    return None


def _describe_failure(failed: PlayerFailed) -> str:
    """Return the reason and the message; of an illegal move the message alone, which says so itself."""
    return str(failed) if failed.reason is FailureReason.ILLEGAL else f"{failed.reason}: {failed}"
