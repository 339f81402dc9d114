"""A win by a plan: few moves of the winner are looked at, and every position that they lead to is a job.

A job searches for a win by quiet moves. Where short searches fail, moves to try are chosen, and each reply to one of
them is a job again. The journal keeps the answers, so that the work can be interrupted and continued elsewhere.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from time import process_time
from typing import Any, NamedTuple

from noughts import _core
from noughts.games import Game, Position, Side, Value
from noughts.proof.jobs.joined_proof import join_proof
from noughts.proof.jobs.journal import Journal
from noughts.proof.jobs.tree import INFINITE, JobNode, JobTree
from noughts.proof.jobs.worker import Answer, Part
from noughts.proof.proof import Proof

__all__ = ["ROUNDS", "PlannedWin", "RoundSettings", "answer_quietly"]


class RoundSettings(NamedTuple):
    """The settings of a search: moves looked at first; moves of each search for a win by threats of a fork when a reply
    is first looked at, when it is searched, and after a pass; seconds of processor time."""

    width: int
    reply_moves: int
    attack_moves: int
    pass_moves: int
    seconds: float


ROUNDS = (RoundSettings(10, 200, 4_000, 2_000, 1), RoundSettings(8, 600, 600, 3_000, 6))
"""The searches of a position. Nineteen replies in twenty are won in the first second; with brief searches for wins by
threats of a fork, the second search sees many more quiet moves. What is left is divided, see ``PlannedWin.choose``."""
FAILED_PROOF, UNTRIED_PROOF = 15, 400
"""Proof numbers: of a position for each search that failed, and of a move whose replies have not been looked at. That
of a position not searched yet is 1, so that the replies to the first move begin with about 220 on 15×15."""


def guess_numbers(node: JobNode) -> tuple[int, int]:
    """The proof and disproof numbers of a new node: all replies to a move come before the first is searched again."""
    return (1, 1) if node.attacks else (UNTRIED_PROOF, 1)


def answer_quietly(game: str, position: str, attacker: int, settings: Sequence[float], memory_mb: int) -> Answer:
    """Return whether a search for quiet moves finds a win; ``game`` is the JSON text of its data."""
    width, reply_moves, attack_moves, pass_moves = map(int, settings[:-1])
    quiet_settings = width, reply_moves, attack_moves, pass_moves, 0  # the order of moves is not varied
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
    """The win of the side to move, which begins with one of the given moves.

    Answers and chosen moves are read from the journal and from ``others``, and written to the journal. Positions are
    taken in the order of a proof-number search.
    """

    def __init__(
        self, position: Position, moves: Sequence[int], journal: Journal, others: Iterable[Journal] = ()
    ) -> None:
        assert position.turn is not None
        self.journal = journal
        self.position = position.copy()
        self.tree = JobTree(position, position.turn, guess_numbers)
        self.processor_seconds = 0.0
        self.jobs = 0
        self._game = json.dumps(position.game.to_data())
        self._wins: dict[JobNode, Answer] = {}
        self._failures: defaultdict[JobNode, int] = defaultdict(int)
        self._moves: dict[JobNode, Sequence[int]] = {self.tree.root: moves}
        self._looked_at: set[JobNode] = set()
        for source in (*others, journal):
            for _, (text, data) in source.read():
                self._load(self.tree.add(position.game.parse(text)), text, data)
        self._grow(self.tree.root)

    def _load(self, node: JobNode, text: str, data: Any) -> None:
        """Take an entry of a journal: an answer, the moves chosen, or None where the replies were looked at."""
        if data is None:
            self._looked_at.add(node)
        elif isinstance(data, dict):
            if node.position.text == text:
                self._moves[node] = data["moves"]
        else:
            answer = Answer.from_data(data)
            self._count(answer)
            if not answer.can_win:
                self._failures[node] += 1
            elif node.position.text == text:
                self._wins[node] = answer

    def _count(self, answer: Answer) -> None:
        self.jobs += 1
        self.processor_seconds += answer.seconds

    def _grow(self, node: JobNode) -> None:
        """Add what is known about a position and those after it."""
        waiting, seen = [node], {node}
        while waiting:
            node = waiting.pop()
            if node.is_solved or node.edges is not None or node.is_running:
                continue
            if not node.attacks:
                self.tree.expand(node)
            elif node in self._wins:
                self.tree.record(node, self._wins[node].nodes, self._wins[node])
            elif node in self._moves:
                self.tree.expand(node, self._moves[node])
            elif failures := self._failures.get(node, 0):
                self.tree.record(node, 1, Answer(None, FAILED_PROOF * failures, 1 + failures, 1, 0.0, None))
            new = [child for child in node.children if child not in seen]
            if node.attacks:
                new = [child for number, child in enumerate(new) if number == 0 or child in self._looked_at]
            waiting += new
            seen.update(new)

    @property
    def is_proven(self) -> bool:
        return self.tree.can_win is True

    @property
    def open_replies(self) -> list[int]:
        """The replies to the first given move that are not answered; of symmetric ones, one."""
        edges = self.tree.root.edges
        first = edges[0].node if edges else None
        if first is None or first.is_solved:
            return []
        replies = {edge.node: edge.move for edge in first.edges or () if edge.node is not None}
        return [move for node, move in replies.items() if not node.is_solved]

    def failures(self, leaf: JobNode) -> int:
        """Return the number of jobs that found no win from a position."""
        return self._failures.get(leaf, 0)

    def next_leaf(self) -> JobNode | None:
        """Return the position to work on next; None if there is none but those in progress."""
        while (leaf := self.tree.most_proving()) is not None and not leaf.attacks:
            self._looked_at.add(leaf)
            self.journal.write(leaf.position.text, None)
            self._grow(leaf)
        return leaf

    def start(self, leaf: JobNode) -> None:
        """A job for a position begins."""
        self.tree.start(leaf, 1)

    def search_job(self, leaf: JobNode, settings: RoundSettings, memory_mb: int) -> tuple[object, ...]:
        """Return the arguments of ``answer_quietly`` for a position."""
        return self._game, leaf.position.text, 0 if self.tree.attacker is Side.X else 1, settings, memory_mb

    def choice_job(self, leaf: JobNode) -> tuple[str, str]:
        """Return the arguments of a function that returns moves to try in a position, best first."""
        return self._game, leaf.position.text

    def record(self, leaf: JobNode, answer: Answer) -> None:
        """Keep the answer of a job; it is on disk when the journal was flushed."""
        self.journal.write(leaf.position.text, answer)
        self._load(leaf, leaf.position.text, answer)
        self.stop(leaf)
        self._grow(leaf)

    def choose(self, leaf: JobNode, moves: Sequence[int]) -> None:
        """Divide a position into those after some moves; the replies to the first are looked at next."""
        self.journal.write(leaf.position.text, {"moves": list(moves)})
        self._moves[leaf] = moves
        self.stop(leaf)
        self._grow(leaf)

    def stop(self, leaf: JobNode) -> None:
        """The job for a position has ended and says nothing."""
        self.tree.record(leaf, 1, Answer(None, *leaf.guess, 1, 0.0, None))

    def proof(self) -> Proof:
        """Return the joined certificate; all positions must be proven."""
        return join_proof(self.position, Value.WIN, [self.tree], is_stolen=False)
