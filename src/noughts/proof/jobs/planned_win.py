"""Proves a win by a plan: the winner's first moves are given, and every position that they lead to is a job.

A job searches for a win by quiet moves. One that fails is tried again with other settings and more time, after all
others. The journal keeps the answers, so that the work can be interrupted and continued elsewhere.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from noughts import _core
from noughts.games import Game, Position, Side, Value
from noughts.games.position_text import canonical
from noughts.process.tasks import Tasks
from noughts.proof.jobs.joined_proof import join_proof
from noughts.proof.jobs.journal import Journal
from noughts.proof.jobs.tree import INFINITE, JobNode, JobTree
from noughts.proof.jobs.worker import Answer, Part
from noughts.proof.proof import Proof

__all__ = ["ROUNDS", "PlannedWin", "RoundSettings", "answer_quietly"]


class RoundSettings(NamedTuple):
    """The settings of a search for quiet moves: moves looked at first, factor of the work on each reply, seconds."""

    width: int
    effort: int
    seconds: float


ROUNDS = tuple(
    RoundSettings(*settings)
    for settings in (
        *((10, 1, 5), (8, 1, 10), (14, 1, 10), (10, 5, 30), (8, 5, 30), (20, 1, 30), (10, 5, 120), (8, 5, 120)),
        *((14, 5, 120), (6, 10, 120), (12, 10, 240)),
    )
)
"""Few moves at first: their order is good, and most positions are won by the first ones."""


def answer_quietly(game: str, position: str, attacker: int, settings: Sequence[float], memory_mb: int) -> Answer:
    """Return whether a search for quiet moves finds a win; ``game`` is the JSON text of its data."""
    width, effort, seconds = settings
    began = monotonic()
    start = _game(game).parse(position)
    text, nodes = _core.find_quiet_win(start, attacker, (int(width), int(effort)), seconds, memory_mb)
    taken = round(monotonic() - began, 3)
    if text is None:
        return Answer(None, 1, 1, nodes, taken, None)
    return Answer(True, 0, INFINITE, nodes, taken, Part(text.splitlines()[1:], []))


@lru_cache(maxsize=1)
def _game(data: str) -> Game:
    return Game.from_data(json.loads(data))


class PlannedWin:
    """The win of the side that the plan moves for, from a position with either side to move.

    ``plan`` has the positions in which that side is to move and its move is given, with the move.
    """

    def __init__(
        self, position: Position, plan: Iterable[tuple[Position, int]], attacker: Side, journals: Iterable[Journal] = ()
    ) -> None:
        self.position = position.copy()
        self.tree = JobTree(position, attacker)
        self.processor_seconds = 0.0
        self.jobs = 0
        self._game = json.dumps(position.game.to_data())
        self._plan: dict[str, int] = {}
        self._tried: dict[str, int] = {}
        for before, move in plan:
            image = canonical(before)
            self._plan[image.text] = image.move_there(move)
            self.tree.add(before)
        answers = [answer for journal in journals for answer in self._read(journal)]
        self.leaves = list(self._grow())
        leaves = {leaf.position.text: leaf for leaf in self.leaves}
        for text, answer in answers:
            if text in leaves:
                self._record(leaves[text], answer)

    def _read(self, journal: Journal) -> Iterator[tuple[str, Answer]]:
        """The answers of a journal. A proven position gets its node first, so that the proof fits it as it stands."""
        for _, (text, data) in journal.read():
            answer = Answer.from_data(data)
            if answer.can_win:
                self.tree.add(self.position.game.parse(text))
            yield text, answer

    def _grow(self) -> Iterator[JobNode]:
        """Expand the positions of the plan and all replies; yields the positions after them."""
        waiting, seen = [self.tree.root], {self.tree.root}
        while waiting:
            node = waiting.pop()
            move = self._plan.get(node.image.text)
            if node.attacks and move is None:
                yield node
                continue
            self.tree.expand(node, None if move is None else [node.image.move_here(move)])
            new = [child for child in node.children if child not in seen]
            waiting += new
            seen.update(new)

    @property
    def is_proven(self) -> bool:
        return self.tree.can_win is True

    @property
    def open_leaves(self) -> list[JobNode]:
        return [leaf for leaf in self.leaves if not leaf.is_solved]

    def solve(
        self, tasks: Tasks[tuple[str, int]], journal: Journal, seconds: float, memory_mb: int, first_round: int = 0
    ) -> None:
        """Work until all positions are proven, all rounds are done, or the time is over; ``tasks`` answer quietly."""
        ends = monotonic() + seconds
        waiting = deque(sorted((max(self._tried.get(leaf.position.text, 0), first_round), number, leaf)
                               for number, leaf in enumerate(self.open_leaves)))  # fmt: skip
        running: dict[str, JobNode] = {}
        while (waiting or running) and monotonic() < ends:
            while waiting and tasks.free and waiting[0][0] < len(ROUNDS):
                number, _, leaf = waiting.popleft()
                text, side = leaf.position.text, 0 if self.tree.attacker is Side.X else 1
                running[text] = leaf
                left = max(1.0, ends - monotonic())
                settings = ROUNDS[number]._replace(seconds=min(ROUNDS[number].seconds, left))
                tasks.submit((text, number), self._game, text, side, settings, memory_mb)
            if not running:
                break
            for (text, number), answer in tasks.collect():
                leaf = running.pop(text)
                self._record(leaf, answer)
                journal.write(text, answer)
                if not answer.can_win:
                    waiting.append((number + 1, 0, leaf))
            journal.flush()

    def _record(self, leaf: JobNode, answer: Answer) -> None:
        self.jobs += 1
        self.processor_seconds += answer.seconds
        if answer.can_win:
            if not leaf.is_solved:
                self.tree.record(leaf, answer.nodes, answer)
        else:
            self._tried[leaf.position.text] = self._tried.get(leaf.position.text, 0) + 1

    def proof(self) -> Proof:
        """Return the joined certificate; all positions must be proven."""
        value = Value.WIN if self.position.turn is self.tree.attacker else Value.LOSS
        return join_proof(self.position, value, [self.tree], is_stolen=False)
