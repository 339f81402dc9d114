"""A win by a plan: the winner's first moves are given, and every position that they lead to is a job.

A job searches for a win by quiet moves. The journal keeps the answers, so that the work can be interrupted and
continued elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from time import process_time
from typing import NamedTuple

from noughts import _core
from noughts.games import Game, Position, Side, Value
from noughts.games.position_text import canonical
from noughts.proof.jobs.joined_proof import join_proof
from noughts.proof.jobs.journal import Journal
from noughts.proof.jobs.tree import INFINITE, JobNode, JobTree
from noughts.proof.jobs.worker import Answer, Part
from noughts.proof.proof import Proof

__all__ = ["ROUNDS", "PlannedWin", "RoundSettings", "answer_quietly"]


class RoundSettings(NamedTuple):
    """The settings of a search: moves looked at first; moves of each search for a win by threats of a fork when a reply
    is first looked at, when it is searched, and after a pass; a variation of the order; seconds of processor time."""

    width: int
    reply_moves: int
    attack_moves: int
    pass_moves: int
    variation: int
    seconds: float


_THOROUGH, _QUICK, _BRIEF = (1_000, 20_000, 10_000), (200, 4_000, 2_000), (600, 600, 3_000)
ROUNDS = (
    *(RoundSettings(10, *_THOROUGH, 0, 4), RoundSettings(10, *_QUICK, 0, 4), RoundSettings(8, *_BRIEF, 0, 8)),
    *(RoundSettings(6, 500, 10_000, 5_000, 0, 8), RoundSettings(8, *_QUICK, 0, 10)),
    *(RoundSettings(8, *_BRIEF, variation, 30) for variation in range(6)),
    *(RoundSettings(width, *_BRIEF, width, 60) for width in (6, 7, 8, 9, 10, 12, 14)),
    *(RoundSettings(8, *_BRIEF, variation, 240) for variation in range(20, 40)),
)
"""Few moves at first: their order is good, and most positions are won by the first ones. Whether a search wins a hard
position in ten seconds or in ten minutes is a matter of luck, so that many different searches of half a minute win more
than a few long ones. With brief searches for wins by threats of a fork, a search sees many more quiet moves."""


def answer_quietly(game: str, position: str, attacker: int, settings: Sequence[float], memory_mb: int) -> Answer:
    """Return whether a search for quiet moves finds a win; ``game`` is the JSON text of its data."""
    width, reply_moves, attack_moves, pass_moves, variation = map(int, settings[:-1])
    quiet_settings = width, reply_moves, attack_moves, pass_moves, variation
    began = process_time()
    start = _game(game).parse(position)
    try:
        text, nodes = _core.find_quiet_win(start, attacker, quiet_settings, settings[-1], memory_mb)
    except RuntimeError:  # a certificate that is too long
        text, nodes = None, 0
    taken = round(process_time() - began, 3)
    if text is None:
        return Answer(None, 1, 1, nodes, taken, None)
    return Answer(True, 0, INFINITE, nodes, taken, Part(text.splitlines()[1:], []))


@lru_cache(maxsize=1)
def _game(data: str) -> Game:
    return Game.from_data(json.loads(data))


class PlannedWin:
    """The win of the side that the plan moves for, from a position with either side to move.

    ``plan`` has the positions in which that side is to move and its move is given, with the move. Answers are read from
    the journal and from ``others``, and written to the journal.
    """

    def __init__(
        self,
        position: Position,
        plan: Iterable[tuple[Position, int]],
        attacker: Side,
        journal: Journal,
        others: Iterable[Journal] = (),
    ) -> None:
        self.journal = journal
        self.position = position.copy()
        self.tree = JobTree(position, attacker)
        self.processor_seconds = 0.0
        self.jobs = 0
        self._game = json.dumps(position.game.to_data())
        self._plan: dict[str, int] = {}
        self._failures: dict[str, int] = {}
        for before, move in plan:
            image = canonical(before)
            self._plan[image.text] = image.move_there(move)
            self.tree.add(before)
        answers = [answer for source in (*others, journal) for answer in self._read(source)]
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

    def failures(self, leaf: JobNode) -> int:
        """Return the number of jobs that found no win from the position of a leaf."""
        return self._failures.get(leaf.position.text, 0)

    def job(self, leaf: JobNode, settings: RoundSettings, memory_mb: int) -> tuple[object, ...]:
        """Return the arguments of ``answer_quietly`` for a leaf."""
        return self._game, leaf.position.text, 0 if self.tree.attacker is Side.X else 1, settings, memory_mb

    def record(self, leaf: JobNode, answer: Answer) -> None:
        """Keep the answer of a job; it is on disk when the journal was flushed."""
        self._record(leaf, answer)
        self.journal.write(leaf.position.text, answer)

    def _record(self, leaf: JobNode, answer: Answer) -> None:
        self.jobs += 1
        self.processor_seconds += answer.seconds
        if answer.can_win:
            if not leaf.is_solved:
                self.tree.record(leaf, answer.nodes, answer)
        else:
            self._failures[leaf.position.text] = self.failures(leaf) + 1

    def proof(self) -> Proof:
        """Return the joined certificate; all positions must be proven."""
        value = Value.WIN if self.position.turn is self.tree.attacker else Value.LOSS
        return join_proof(self.position, value, [self.tree], is_stolen=False)
