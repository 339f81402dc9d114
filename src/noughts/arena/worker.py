"""Opens the bots of a tournament and plays its tasks, in processes of this machine or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from noughts.arena.openings import Opening
from noughts.arena.plan import BotLimits, Entrant, InvalidPlan, Plan
from noughts.arena.schedule import Key, ScheduledGame, opening_of, seed_of
from noughts.arena.tournaments import Result
from noughts.games import Game, Position, Side
from noughts.match import Clock, Failure, Match, play_out
from noughts.match.events import Moved
from noughts.players import HostedPlayer, Limits, PlayerFailed, detect_protocol, open_player
from noughts.process.program import become_subreaper
from noughts.process.tasks import LocalTasks, RayTasks, TaskError, report_progress

__all__ = ["ArenaError", "LocalWorkers", "Progress", "RayWorkers", "Worker", "open_entrant", "probe_entrants"]

MAX_DETAIL_CHARACTERS = 500
MAX_STDERR_CHARACTERS = 2000
MAX_FAILED_STARTS = 2
"""Failed starts after which a bot that has never started forfeits without being tried again."""
MAX_CACHED_OPENINGS = 4096


class ArenaError(TaskError):
    """The tournament cannot continue; its results so far are stored."""


class Worker:
    """Plays one task after the other. Between tasks it keeps openings, and bots with ``restart = false``."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._bots: dict[tuple[int, Side], HostedPlayer] = {}
        self._openings: dict[int, Opening] = {}
        self._failed_starts: dict[int, list[PlayerFailed]] = {}
        self._has_started: set[int] = set()

    def play(self, task: ScheduledGame, on_move: Callable[[Position], object] | None = None) -> Result:
        """Play a task; ``on_move`` gets the first position and each after a move.

        Raises ValueError if a bot cannot be run here at all, such as without a sandbox.
        """
        numbers = {Side.X: task.x, Side.O: task.o}
        opening = self._opening(task.key)
        match = self._make_match(numbers, opening)
        bots = {side: self._bot(numbers[side], side, task.key) for side in Side}
        seconds: list[float] = []
        match.subscribe(lambda event: seconds.append(event.seconds) if isinstance(event, Moved) else None)
        if on_move is not None:
            match.subscribe(lambda event: on_move(match.position) if isinstance(event, Moved) else None)
            on_move(match.position)
        try:
            failure = self._forfeit_unstartable(match, numbers)
            if failure is None:
                failure = play_out(match, bots, opening.start_position(self.plan.game))
        finally:
            for side in Side:
                self._release(bots[side], numbers[side])
        self._note_starts(failure, numbers)
        stderr = bots[failure.side].stderr_tail if failure else ""
        return self._result(task, opening, match, seconds, failure, stderr)

    def close(self) -> None:
        """End the bots that are still running."""
        for bot in self._bots.values():
            bot.close()
        self._bots.clear()

    def _opening(self, key: Key) -> Opening:
        if key.pair not in self._openings:
            if len(self._openings) > MAX_CACHED_OPENINGS:
                self._openings.clear()
            self._openings[key.pair] = opening_of(self.plan, key)
        return self._openings[key.pair]

    def _make_match(self, numbers: Mapping[Side, int], opening: Opening) -> Match:
        limits = {side: self.plan.limits_of(numbers[side]) for side in Side}
        controls = {side: each.clock for side, each in limits.items() if each.clock is not None}
        return Match(
            opening.position(self.plan.game),
            {side: self.plan.names[numbers[side]] for side in Side},
            clock=Clock(controls) if controls else None,
            limits={side: each.move_limit for side, each in limits.items()},
        )

    def _bot(self, number: int, side: Side, key: Key) -> HostedPlayer:
        seed = seed_of(self.plan, *key, side)
        bot = self._bots.get((number, side))
        if bot is not None:
            bot.seed = seed
            return bot
        entrant = self.plan.entrants[number]
        bot = open_entrant(entrant, self.plan.limits_of(number), Path(self.plan.folder), seed)
        if not self._is_restarted(number):
            self._bots[number, side] = bot
        return bot

    def _release(self, bot: HostedPlayer, number: int) -> None:
        if self._is_restarted(number):
            bot.close()

    def _is_restarted(self, number: int) -> bool:
        entrant = self.plan.entrants[number]
        return entrant.restart or entrant.is_built_in

    def _forfeit_unstartable(self, match: Match, numbers: Mapping[Side, int]) -> Failure | None:
        """Let a bot that failed to start again and again, and has never started, forfeit at once."""
        for side in Side:
            failures = self._failed_starts.get(numbers[side], [])
            if numbers[side] not in self._has_started and len(failures) >= MAX_FAILED_STARTS:
                match.forfeit(side, failures[-1].termination, str(failures[-1]))
                return Failure(side, failures[-1])
        return None

    def _note_starts(self, failure: Failure | None, numbers: Mapping[Side, int]) -> None:
        if failure is not None and failure.error.reason == "start":
            self._failed_starts.setdefault(numbers[failure.side], []).append(failure.error)
        else:
            self._has_started.update(numbers.values())

    def _result(
        self,
        task: ScheduledGame,
        opening: Opening,
        match: Match,
        seconds: list[float],
        failure: Failure | None,
        stderr: str,
    ) -> Result:
        outcome, names = match.outcome, self.plan.names
        assert outcome is not None
        return Result(
            key=task.key,
            x=names[task.x],
            o=names[task.o],
            start=match.position.start_text,
            moves=tuple(match.position.moves),
            opening=len(opening.moves),
            seconds=tuple(round(each, 4) for each in seconds),
            winner=outcome.winner,
            reason=outcome.reason,
            points=outcome.points,
            failure=failure.error.reason if failure else None,
            detail=str(failure.error)[:MAX_DETAIL_CHARACTERS] if failure else None,
            stderr=stderr[-MAX_STDERR_CHARACTERS:] or None,
            ended=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )


class Progress(NamedTuple):
    """A playthrough in progress: its task, the position it began with (None for the empty board) and its moves."""

    task: ScheduledGame
    start: str | None
    moves: tuple[int, ...]


class LocalWorkers(LocalTasks[ScheduledGame]):
    """Worker processes on this machine; with ``reports_moves`` their ``progress`` is a list of ``Progress``."""

    def __init__(self, plan: Plan, size: int, reports_moves: bool = False) -> None:
        super().__init__(_LocalPlay(plan, reports_moves), size, _describe)


class RayWorkers(RayTasks[ScheduledGame]):
    """Workers on a Ray cluster, by default as many as it has room for."""

    def __init__(self, plan: Plan, size: int | None = None) -> None:
        super().__init__(partial(_play_alone, plan), _describe, size)


class _LocalPlay:
    """Plays tasks in a process of its own, with a worker that it keeps."""

    def __init__(self, plan: Plan, reports_moves: bool) -> None:
        self._plan, self._reports_moves = plan, reports_moves

    @cached_property
    def _worker(self) -> Worker:
        become_subreaper()
        return Worker(self._plan)

    def __call__(self, task: ScheduledGame) -> Result:
        def report(position: Position) -> None:
            report_progress(Progress(task, position.start_text, tuple(position.moves)))

        return _play(self._worker, task, report if self._reports_moves else None)


def _play_alone(plan: Plan, task: ScheduledGame) -> Result:
    """Play one task; all its bots have ended when it returns."""
    with closing(Worker(plan)) as worker:
        return _play(worker, task)


def _play(worker: Worker, task: ScheduledGame, on_move: Callable[[Position], object] | None = None) -> Result:
    """Play a task; raises ArenaError."""
    try:
        return worker.play(task, on_move)
    except ValueError as error:
        raise ArenaError(str(error)) from None
    except Exception as error:
        raise ArenaError(f"{_describe(task)} failed: {type(error).__name__}: {error}") from None


def _describe(task: ScheduledGame) -> str:
    return f"playthrough {tuple(task.key)}"


def open_entrant(entrant: Entrant, limits: BotLimits, folder: Path, seed: int) -> HostedPlayer:
    """Return the bot of an entrant, not yet started; raises ValueError if it cannot be run here at all."""
    return open_player(
        entrant.run,
        protocol="auto" if entrant.is_built_in else entrant.protocol,
        limits=_program_limits(entrant, limits),
        sandbox=entrant.sandbox,
        folder=folder / entrant.folder,
        seed=seed,
        book=entrant.book,
    )


def _program_limits(entrant: Entrant, limits: BotLimits) -> Limits:
    found = Limits(grace_seconds=limits.margin, hang_seconds=limits.patience, first_seconds=limits.startup)
    return found if entrant.memory_mb is None else found._replace(memory_mb=entrant.memory_mb)


def probe_entrants(plan: Plan, warn: Callable[[str], object]) -> Plan:
    """Start every bot once and return the plan with the protocols filled in.

    ``warn`` gets a line about each bot that fails to start and will forfeit. Raises InvalidPlan for a bot that
    could never play: the sandbox is not available, or its protocol cannot describe the game.
    """
    mistakes, entrants, without_openings = [], [], []
    for number, entrant in enumerate(plan.entrants):
        try:
            probed, takes_openings, problem = _probe(entrant, plan.limits_of(number), Path(plan.folder), plan.game)
        except (ValueError, OSError) as error:
            mistakes.append(f"bots[{number + 1}] ({entrant.name}): {error}")
            continue
        entrants.append(probed)
        if not takes_openings:
            without_openings.append(entrant.name)
        if problem is not None:
            warn(f"{entrant.name} will forfeit: {problem}")
    if without_openings and (plan.openings or plan.plies):
        given = "a file" if plan.openings else f"plies = {plan.plies}"
        mistakes.append(
            f"openings: expected plies = 0, because the protocol of {without_openings[0]} has no openings, got {given}"
        )
    if mistakes:
        raise InvalidPlan(mistakes)
    return replace(plan, entrants=tuple(entrants), plies=0 if without_openings else plan.plies)


def _probe(entrant: Entrant, limits: BotLimits, folder: Path, game: Game) -> tuple[Entrant, bool, str | None]:
    """The entrant with its protocol, whether it takes openings, and why it cannot start, or None."""
    if entrant.is_built_in:
        try:
            open_entrant(entrant, limits, folder, 0).start(game)
        except PlayerFailed as failed:
            raise ValueError(str(failed)) from None
        return entrant, True, None
    try:
        if entrant.protocol == "auto":
            program_limits = _program_limits(entrant, limits)
            protocol = detect_protocol(entrant.run, program_limits, entrant.sandbox, folder / entrant.folder)
            entrant = replace(entrant, protocol=protocol)
        with open_entrant(entrant, limits, folder, 0) as bot:
            bot.start(game)
            return entrant, bot.takes_openings, None
    except PlayerFailed as failed:
        # JSON has no greeting and is what most beginners mean, so it is the best guess for a bot that fails.
        protocol = "json" if entrant.protocol == "auto" else entrant.protocol
        return replace(entrant, protocol=protocol), protocol != "codingame", str(failed)
