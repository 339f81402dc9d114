"""One playthrough between two bots. Whatever a bot does wrong is a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from noughts.arena.openings import Opening
from noughts.arena.plan import Plan
from noughts.arena.players import clock_of, open_entrant, seeded
from noughts.arena.records import Played
from noughts.arena.schedule import Key, Task, opening_of, seed_of
from noughts.games import Outcome, Position, Side
from noughts.games.outcome import decide
from noughts.players import BotFailed
from noughts.players.protocols import HostedBot

__all__ = ["Seats", "Table", "play_out"]

LONGEST_DETAIL = 500
LONGEST_STDERR = 2000
PATIENCE = 2
"""Failed starts after which a bot that never started is not tried again."""
MOST_OPENINGS = 4096

Seats = Mapping[Side, HostedBot]


@dataclass(frozen=True)
class Course:
    """How a playthrough went: its last position, the time of each move, and who failed how."""

    position: Position
    seconds: tuple[float, ...]
    outcome: Outcome
    failed: BotFailed | None = None
    loser: Side | None = None


def play_out(task: Task, opening: Opening, seats: Seats, plan: Plan) -> Course:
    """Play from an opening to the end, or to the first failure."""
    numbers = {Side.X: task.x, Side.O: task.o}
    position = opening.position(plan.game)
    begin = plan.game.start() if opening.start is None else plan.game.parse(opening.start)
    paces = {side: plan.pace_of(numbers[side]) for side in Side}
    left = {side: pace.clock[0] if pace.clock else 0.0 for side, pace in paces.items()}
    seconds: list[float] = []
    side = Side.X
    try:
        for side in Side:
            with seeded(seed_of(plan, *task.key, side)):
                seats[side].new_game(begin)
        while position.turn is not None:
            side = position.turn
            bot, pace = seats[side], paces[side]
            # A copy, so that no bot can change the board.
            move = bot.choose(position.copy(), clock_of(pace, left))
            seconds.append(bot.last_seconds)
            if pace.clock is not None:
                left[side] = max(0.0, left[side] - bot.last_seconds) + pace.clock[1]
            if not position.is_legal(move):
                raise BotFailed(f"an illegal move: {move}", "illegal")
            position.play(move)
    except BotFailed as failed:
        outcome = decide(position, failed.outcome, side.opponent)
        return Course(position, tuple(seconds[: position.ply - len(opening.moves)]), outcome, failed, side)
    assert position.outcome is not None
    return Course(position, tuple(seconds), position.outcome)


class Table:
    """Where one playthrough after the other is played; keeps what may be kept between them."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._kept: dict[tuple[int, Side], HostedBot] = {}
        self._openings: dict[int, Opening] = {}
        self._failed_starts: dict[int, int] = {}
        self._latest_failure: dict[int, BotFailed] = {}

    def play(self, task: Task) -> Played:
        """Play it; raises ValueError when a bot could not be run here whatever it did."""
        numbers = {Side.X: task.x, Side.O: task.o}
        opening = self._opening(task.key)
        seats = {side: self._seat(numbers[side], side, task.key) for side in Side}
        try:
            course = self._given_up(opening, numbers) or play_out(task, opening, seats, self.plan)
        finally:
            for side in Side:
                self._leave(seats[side], numbers[side])
        self._learn(course, numbers)
        return self._record(task, opening, course, seats)

    def _opening(self, key: Key) -> Opening:
        if key.pair not in self._openings:
            if len(self._openings) > MOST_OPENINGS:
                self._openings.clear()
            self._openings[key.pair] = opening_of(self.plan, key)
        return self._openings[key.pair]

    def _seat(self, number: int, side: Side, key: Key) -> HostedBot:
        kept = self._kept.get((number, side))
        if kept is not None:
            return kept
        entrant = self.plan.entrants[number]
        seed = seed_of(self.plan, *key, side)
        bot = open_entrant(entrant, self.plan.pace_of(number), Path(self.plan.folder), seed)
        if not entrant.restart and not entrant.is_ours:
            self._kept[number, side] = bot
        return bot

    def _leave(self, bot: HostedBot, number: int) -> None:
        if self.plan.entrants[number].restart or self.plan.entrants[number].is_ours:
            bot.close()

    def _given_up(self, opening: Opening, numbers: Mapping[Side, int]) -> Course | None:
        """A bot that has never started loses without being tried for ever."""
        for side in Side:
            if self._failed_starts.get(numbers[side], 0) >= PATIENCE:
                failed = self._latest_failure[numbers[side]]
                position = opening.position(self.plan.game)
                return Course(position, (), decide(position, failed.outcome, side.opponent), failed, side)
        return None

    def _learn(self, course: Course, numbers: Mapping[Side, int]) -> None:
        did_not_start = course.loser if course.failed is not None and course.failed.reason == "start" else None
        for side in Side:
            number = numbers[side]
            if side is did_not_start:
                assert course.failed is not None
                if self._failed_starts.get(number, 0) >= 0:
                    self._failed_starts[number] = self._failed_starts.get(number, 0) + 1
                    self._latest_failure[number] = course.failed
            elif did_not_start is None:
                self._failed_starts[number] = -1  # it has started once, so it may again

    def _record(self, task: Task, opening: Opening, course: Course, seats: Seats) -> Played:
        names, failed = self.plan.names, course.failed
        stderr = seats[course.loser].stderr_tail if course.loser is not None and failed is not None else ""
        outcome = course.outcome
        return Played(
            key=task.key,
            x=names[task.x],
            o=names[task.o],
            start=course.position.start_text,
            moves=tuple(course.position.moves),
            opening=len(opening.moves),
            seconds=tuple(round(each, 4) for each in course.seconds),
            winner=None if outcome.winner is None else str(outcome.winner),
            reason=outcome.reason,
            points=outcome.points,
            failure=failed.reason if failed else None,
            detail=str(failed)[:LONGEST_DETAIL] if failed else None,
            stderr=stderr[-LONGEST_STDERR:] or None,
            ended=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )

    def close(self) -> None:
        """End the bots that were kept."""
        for bot in self._kept.values():
            bot.close()
        self._kept.clear()
