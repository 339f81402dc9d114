"""The driver of a solve by jobs: it chooses positions, hands them to workers, and combines their answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, NamedTuple

from noughts.games import Position, Side, Value
from noughts.limit import Limit
from noughts.process.tasks import Tasks
from noughts.proof.jobs.joined_proof import join_proof
from noughts.proof.jobs.journal import Journal
from noughts.proof.jobs.tree import JobNode, JobTree
from noughts.proof.jobs.worker import Answer
from noughts.proof.proof import InvalidProof, Proof
from noughts.proof.solver import ProofProgress, Solution

__all__ = ["FIRST_NODES", "JobProgress", "JobSolver"]

FIRST_NODES = 20_000
"""Nodes of the first job of a position, in games searched by proof numbers; others have cheaper nodes."""
FIRST_CHEAP_NODES = 1_000_000
GROWTH = 4
"""A position that a job has not solved is expanded, or gets this many times as many nodes."""
LEAVES_PER_WORKER = 4
"""Positions are expanded while there are fewer open leaves."""
LARGE_BOARD = 128
"""Boards with this many cells are large."""
EXPAND, RECORD = "expand", "record"

Task = tuple[Side, str]
"""The question and the position of a job."""


class _UnknownPosition(ValueError):
    """A line of a journal is about a position that is not in the tree."""


class JobProgress(NamedTuple):
    """The progress of a solve by jobs: those done and running, the positions in the trees, and the open leaves."""

    jobs: int
    running: int
    positions: int
    leaves: int
    nodes: int
    seconds: float


class JobSolver:
    """Solves one position by jobs; ``journal`` keeps the answers, so that another process can continue.

    A draw needs two answers, that neither side can force a win, so there is a tree for each side, unless strategy
    stealing answers the second question.
    """

    def __init__(
        self, position: Position, journal: Journal | None = None, memory_mb: int = 256, first_nodes: int | None = None
    ) -> None:
        self.position = position.copy()
        self._game = json.dumps(position.game.to_data())
        self._memory_mb = memory_mb
        self._first_nodes = first_nodes or (FIRST_NODES if _is_static(position) else FIRST_CHEAP_NODES)
        assert position.turn is not None
        self._is_stolen = _second_player_cannot_win(position)
        sides = [position.turn] if self._is_stolen else [position.turn, position.turn.opponent]
        self._trees = {side: JobTree(position, side) for side in sides}
        self._jobs = self._running = self._nodes = 0
        self._began = monotonic()
        self._seconds_before = 0.0
        self._journal = journal
        self.is_resumed = False
        """Whether answers come from a journal: then the value is to be believed only if its certificate is right."""
        self.dependent_lines = 0
        """Lines of the journal that cannot be used because others are damaged."""
        if journal is not None:
            self._replay(journal)

    def _replay(self, journal: Journal) -> None:
        for number, entry in journal.read():
            try:
                self._replay_entry(*entry)
            except _UnknownPosition as error:
                if not journal.damaged_lines:
                    raise OSError(f"{journal.path}: line {number} is not that of a journal: {error}") from error
                self.dependent_lines += 1
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise OSError(f"{journal.path}: line {number} is not that of a journal: {error}") from error

    def _replay_entry(self, kind: str, side: str, text: str, *rest: Any) -> None:
        tree, position = self._trees[Side(side)], self.position.game.parse(text)
        try:
            node = tree.find(position)
        except KeyError:
            raise _UnknownPosition(f"no line before it leads to {text}") from None
        if kind == EXPAND:
            tree.expand(node)
            return
        nodes, data, seconds = rest
        answer = Answer.from_data(data)
        self._seconds_before = max(self._seconds_before, seconds)
        if answer.can_win is not None and answer.part is None:
            return  # nothing shows that it is true: the job is done again
        self._record(tree, node, nodes, answer)
        self.is_resumed = True

    # --- the search

    def solve(
        self,
        tasks: Tasks[Task],
        limit: Limit | None = None,
        progress: Callable[[JobProgress], object] | None = None,
    ) -> Solution:
        """Work until the value is proven or the limit is reached; ``tasks`` call ``worker.answer``."""
        self._began = monotonic()
        self._running = 0
        try:
            self._work(tasks, limit, progress)
        finally:
            self._flush()
        return self.solution()

    def _work(self, tasks: Tasks[Task], limit: Limit | None, progress: Callable[[JobProgress], object] | None) -> None:
        workers = 0
        while not self._is_solved and not self._is_over(limit):
            workers = max(workers, tasks.free + self._running)
            while tasks.free and (job := self._next_job(workers)) is not None:
                self._submit(tasks, *job)
            self._flush()  # while the workers work
            for (side, text), answer in tasks.collect():
                self._running -= 1
                self._finish(self._trees[side], text, answer)
            if progress is not None:
                progress(self._progress())

    def _is_over(self, limit: Limit | None) -> bool:
        if limit is None:
            return False
        is_late = limit.seconds is not None and monotonic() - self._began >= limit.seconds
        return is_late or (limit.nodes is not None and self._nodes >= limit.nodes)

    def _next_job(self, workers: int) -> tuple[JobTree, JobNode] | None:
        """The next position to solve, of the tree with the fewest jobs in progress."""
        for tree in sorted(self._open_trees(), key=lambda tree: tree.running):
            while (node := tree.most_proving()) is not None:
                has_enough = tree.leaves >= LEAVES_PER_WORKER * workers
                if node.nodes == 0 or has_enough or not self._may_expand(node):
                    return tree, node
                tree.expand(node)
                self._write(EXPAND, tree.attacker, node.position.text)
        return None

    def _may_expand(self, node: JobNode) -> bool:
        """Whether the moves of a position may become jobs.

        On large boards a search chooses the attacker's moves better than a job for each of them would.
        """
        return not node.attacks or self.position.game.cells < LARGE_BOARD

    def _open_trees(self) -> Iterator[JobTree]:
        return (tree for tree in self._trees.values() if tree.can_win is None)

    def _submit(self, tasks: Tasks[Task], tree: JobTree, node: JobNode) -> None:
        nodes = GROWTH * node.nodes if node.nodes else self._first_nodes
        tree.start(node, nodes)
        self._running += 1
        text = node.position.text
        number = 0 if tree.attacker is Side.X else 1
        tasks.submit((tree.attacker, text), self._game, text, number, nodes, self._memory_mb)

    def _finish(self, tree: JobTree, text: str, answer: Answer) -> None:
        node = tree.find(self.position.game.parse(text))
        self._record(tree, node, node.nodes, answer)
        self._write(RECORD, tree.attacker, text, node.nodes, answer, self.seconds)

    def _record(self, tree: JobTree, node: JobNode, nodes: int, answer: Answer) -> None:
        tree.record(node, nodes, answer)
        self._jobs += 1
        self._nodes += answer.nodes

    def _write(self, *data: object) -> None:
        if self._journal is not None:
            self._journal.write(*data)

    def _flush(self) -> None:
        """Bring the journal to the disk: a crash loses only the answers that came in since."""
        if self._journal is not None:
            self._journal.flush()

    # --- results

    @property
    def seconds(self) -> float:
        """Time spent so far, in earlier processes too."""
        return self._seconds_before + monotonic() - self._began

    def _progress(self) -> JobProgress:
        leaves = sum(tree.leaves for tree in self._open_trees())
        positions = sum(map(len, self._trees.values()))
        return JobProgress(self._jobs, self._running, positions, leaves, self._nodes, self.seconds)

    def _bounds(self) -> tuple[Value, Value]:
        assert self.position.turn is not None
        mine = self._trees[self.position.turn].can_win
        rival = False if self._is_stolen else self._trees[self.position.turn.opponent].can_win
        if mine:
            return Value.WIN, Value.WIN
        if rival:
            return Value.LOSS, Value.LOSS
        return Value.LOSS if rival is None else Value.DRAW, Value.WIN if mine is None else Value.DRAW

    @property
    def _is_solved(self) -> bool:
        lower, upper = self._bounds()
        return lower is upper

    def solution(self) -> Solution:
        """Return the value, or the bounds known so far."""
        lower, upper = self._bounds()
        move = None if lower is not upper else self._move(lower)
        return Solution(
            self.position, lower, upper, move, nodes=self._nodes, seconds=self.seconds, solver=self
        )  # fmt: skip

    def _move(self, value: Value) -> int | None:
        """The move that the certificate begins with. Where strategy stealing gives a draw, every move draws."""
        assert self.position.turn is not None
        if value is Value.DRAW and self._is_stolen:
            lines = Counter(cell for line in self.position.game.lines for cell in line)
            return max(self.position.legal_moves, key=lambda cell: lines[cell])
        try:
            claims = self.prove().claims
            first = next((claim.nodes[0] for claim in claims if claim.side is self.position.turn), "")
            kind, *cells = first.split(" ")
            return int(cells[0]) if kind in ("m", "f") else None
        except (LookupError, ValueError):  # no certificate, or that of a forged journal
            return None

    def prove(self, progress: Callable[[ProofProgress], object] | None = None) -> Proof:
        """Return the certificate, joined from those of the parts; raises ValueError if one of them was too long.

        The parts are written already, so there is no progress to report. Those of a journal are not checked: they
        come from a file.
        """
        lower, upper = self._bounds()
        if lower is not upper:
            raise ValueError("the position is not solved yet")
        try:
            return join_proof(self.position, lower, list(self._trees.values()), self._is_stolen)
        except LookupError:
            raise InvalidProof("a part of the certificate refers to a symmetry that it does not have") from None


def _is_static(position: Position) -> bool:
    """Whether every empty cell can be played and completing a line wins."""
    game = position.game
    return game.blocks == 1 and not game.is_misere and not game.has_gravity


def _second_player_cannot_win(position: Position) -> bool:
    """Strategy stealing, see docs/proof-soundness.md."""
    return _is_static(position) and not any(position.game.guards) and len(position.legal_moves) == position.game.cells
