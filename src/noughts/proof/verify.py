"""Checks proofs by the rules alone: a small program, independent of the solver and of the compiled core.

Every node of a claim belongs to one position, the one at which it is first reached. Each later reference must lead to
the same position, or to its image under the named symmetry. Each edge adds a mark, so cycles are impossible.
Positions are packed into integers, see ``reference_rules``. docs/proof-format.md defines the kinds of node,
docs/proof-soundness.md proves them. ``breaker_check`` checks the claims whose nodes belong to sets of cells instead of
positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from time import perf_counter
from typing import NamedTuple

from noughts.games import Side, Value
from noughts.proof.breaker_check import BreakerCheck
from noughts.proof.claim_check import (
    EDGES,
    NUMBER,
    PASS,
    REFERENCE,
    SET_ARGUMENT_NAMES,
    SET_ARGUMENTS,
    ClaimCheck,
    InvalidNode,
    X,
    compile_shapes,
)
from noughts.proof.fixed_strategy import FixedStrategy, parse_items
from noughts.proof.mirror_strategy import MirrorStrategy
from noughts.proof.proof import Claim, InvalidProof, Proof, ProofGoal, target_of
from noughts.proof.reference_rules import DRAW, FlatRules, Symmetry, UltimateRules, cells_in, rules_of
from noughts.proof.zone_check import InvalidPasses, ZoneCheck

__all__ = ["Report", "Sequences", "verify"]

SHAPES = {
    "m": (rf"m {NUMBER}(?: \+?{REFERENCE})?", "m CELL NODE"),
    "r": (
        rf"r(?: {NUMBER}(?::\+?{REFERENCE}|<{NUMBER})?)*(?: ~ \+?{REFERENCE})*(?: =(?: {NUMBER})*)?",
        "r CELL:NODE … or r … = CELL …",
    ),
    "f": (rf"f(?: {NUMBER})+", "f CELL CELL …"),
    "g": (rf"g(?: {NUMBER}(?:-{NUMBER})?)*", "g CELL CELL-CELL …"),
    "o": (rf"o {NUMBER}", "o SYMMETRY"),
    **SET_ARGUMENTS,
    "S": ("S", "S alone"),
}
NODES_PER_JOB = 5_000
"""Nodes that take about as long to check as it takes to start a process."""
MAX_JOBS = 1024

Progress = Callable[[int, int], object]


class Report(NamedTuple):
    """The work of a successful check. ``positions`` includes those of replayed sequences."""

    claims: int
    nodes: int
    positions: int
    seconds: float

    @property
    def rate(self) -> int:
        return round(self.positions / self.seconds) if self.seconds > 0 else 0


def verify(proof: Proof, progress: Progress | None = None, jobs: int = 1) -> Report:
    """Check a proof and return a report; raises InvalidProof with the claim, the node and the moves to it.

    ``progress`` is called regularly with the number of nodes done and their total. With ``jobs``, as many processes
    check a part of the nodes each; a proof that is too small to gain by that uses fewer.
    """
    if not isinstance(proof, Proof):
        raise TypeError(f"expected a Proof, which Proof.load reads from a file, got {type(proof).__name__}")
    if not 1 <= jobs <= MAX_JOBS:
        raise ValueError(f"expected 1 to {MAX_JOBS} jobs, got {jobs}")
    began = perf_counter()
    theorem = _Theorem(proof)
    parts = _check_in_parts(theorem, min(jobs, 1 + theorem.nodes // NODES_PER_JOB), progress)
    failures = [part.failure for part in parts if part.failure is not None]
    if failures:
        raise InvalidProof(min(failures).message)
    positions = sum(part.positions for part in parts)
    return Report(len(theorem.claims), theorem.nodes, positions, perf_counter() - began)


class _Theorem:
    """What a proof states: a game and its rules, a position, and claims that fit the value."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.rules = rules_of(proof.game)
        self.start, self.symmetries = _read_header(proof, self.rules)
        self.claims = proof.claims
        _check_claims(proof, self.claims, self.rules.turn(self.start))
        if any(claim.goal is ProofGoal.BLOCK for claim in self.claims) and not _is_static(self.rules):
            raise InvalidProof(f"expected claims that are valid in {proof.game.label}, got a claim block")
        self.nodes = sum(len(claim.nodes) for claim in self.claims)


class _Failure(NamedTuple):
    """A mistake, with its place in the order in which one process checks the nodes."""

    claim: int
    order: int
    message: str


class _Part(NamedTuple):
    positions: int
    failure: _Failure | None


def _check_in_parts(theorem: _Theorem, count: int, progress: Progress | None) -> list[_Part]:
    """Check all parts of a proof; the first in this process, the others in one process each."""
    if count == 1:
        return [_check_part(theorem, 0, 1, progress)]
    from noughts.process.tasks import LocalTasks

    with closing(LocalTasks[int](_check_other_part, count - 1, lambda number: f"part {number} of a proof")) as others:
        for number in range(1, count):
            others.submit(number, theorem.proof, number, count)
        parts = [_check_part(theorem, 0, count, progress)]
        while len(parts) < count:
            parts += [part for _, part in others.collect()]
    return parts


def _check_other_part(proof: Proof, number: int, count: int) -> _Part:
    return _check_part(_Theorem(proof), number, count, None)


def _check_part(theorem: _Theorem, number: int, count: int, progress: Progress | None) -> _Part:
    """Check every ``count``-th node of each claim, beginning with node ``number``."""
    done = positions = 0
    for at, claim in enumerate(theorem.claims):
        check = _check_of(theorem, claim, number, count)
        try:
            for seen in check.run():
                if progress is not None:
                    progress(done + seen, theorem.nodes)
        except InvalidProof as error:
            return _Part(0, _Failure(at, check.seen, str(error)))
        done += len(claim.nodes)
        positions += check.positions
    return _Part(positions, None)


def _read_header(proof: Proof, rules: FlatRules | UltimateRules) -> tuple[int, list[Symmetry]]:
    try:
        return rules.setup(proof.position), [rules.symmetry(numbers) for numbers in proof.symmetries]
    except ValueError as error:
        raise InvalidProof(f"line 1: {error}") from None


def _check_claims(proof: Proof, claims: list[Claim], turn: int) -> None:
    """A win is one claim of the side to move, a loss one of the other side, a draw one of each side."""
    mover = Side.X if turn == X else Side.O
    wanted = {
        Value.WIN: [(mover, ProofGoal.WIN)],
        Value.LOSS: [(mover.opponent, ProofGoal.WIN)],
        Value.DRAW: [(Side.O, ProofGoal.DRAW), (Side.X, ProofGoal.DRAW)],
    }[proof.value]
    got = sorted((claim.side, claim.goal) for claim in claims)
    if [(side, ProofGoal.DRAW if goal is ProofGoal.BLOCK else goal) for side, goal in got] != wanted:
        text = [", ".join(f"claim {side} {goal}" for side, goal in some) or "none" for some in (wanted, got)]
        raise InvalidProof(f"expected {text[0]} for a {proof.value} with {mover} to move, got {text[1]}")


def _is_static(rules: FlatRules | UltimateRules) -> bool:
    """Whether a side wins by completing a line and in no other way, and every empty cell can be played."""
    return isinstance(rules, FlatRules) and not rules.is_misere and not rules.has_gravity


def _check_of(theorem: _Theorem, claim: Claim, part: int, parts: int) -> _Check | BreakerCheck:
    if claim.goal is not ProofGoal.BLOCK:
        return _Check(theorem, claim, part, parts)
    assert isinstance(theorem.rules, FlatRules)
    return BreakerCheck(theorem.rules, theorem.proof, claim, theorem.start, theorem.symmetries, part, parts)


class _Check(ClaimCheck[int]):
    """The check of a claim of a win or a draw, whose nodes belong to positions."""

    shapes = compile_shapes(SHAPES)
    rules: FlatRules | UltimateRules

    def __init__(self, theorem: _Theorem, claim: Claim, part: int, parts: int) -> None:
        rules = theorem.rules
        super().__init__(rules, theorem.proof, claim, theorem.start, theorem.symmetries, part, parts)
        self.wants_win = claim.goal is ProofGoal.WIN
        self.is_broken = False  # by a node of another part
        # Which arguments are valid. is_plain: a side wins by completing a line and in no other way. is_static: also,
        # every empty cell can be played. is_free: also, a mark never hurts the side that makes it.
        is_plain = isinstance(rules, FlatRules) and not rules.is_misere
        self.sequences = Sequences(rules) if isinstance(rules, FlatRules) and is_plain else None
        self.is_static = _is_static(rules)
        self.is_free = self.is_static and not any(guards for _, guards in rules.lines)
        self.kinds = {
            "m": self._move, "r": self._replies, "f": self._forced, "g": self._strategy, "o": self._mirror,
            "p": self._sets, "t": self._sets, "s": self._sets, "S": self._stealing,
        }  # fmt: skip

    def image(self, state: int, symmetry: Symmetry) -> int:
        """Return the image of a packed position."""
        return self.rules.image(state, symmetry)

    def run(self) -> Iterator[int]:
        """Check every node, then the passes, which need the positions of all nodes."""
        yield from super().run()
        if self.wants_win and self.is_static and not self.is_broken and any(" ~ " in line for line in self.claim.nodes):
            assert isinstance(self.rules, FlatRules)
            positions = [self._take(node) for node in range(len(self.reached))]
            passes = ZoneCheck(self.rules, self.claim.nodes, positions, self.symmetries, self.prover)
            try:
                passes.run(range(self.part, len(positions), self.parts))
            except InvalidPasses as error:
                self.seen += error.order
                raise InvalidProof(f"{self._where(error.node)}: {error}") from None

    def _pass(self, node: int, packed: int, line: str) -> None:
        kind = line[:1]
        if kind not in self.shapes or not self.shapes[kind][0].fullmatch(line):
            self.is_broken = True
            return
        side = self.rules.turn(packed)
        for cell, reference, image in EDGES[kind].findall(line) if kind in EDGES else ():
            move, symmetry = int(cell) if cell else PASS, int(image) if image else -1
            target = target_of(reference, node)
            is_known = move < self.rules.cells and target < len(self.reached) and symmetry < len(self.back)
            if not is_known or (move == PASS and not self.is_static):
                self.is_broken = True
                return
            if self.reached[target] is None:
                after = self._after_pass(packed) if move == PASS else self.rules.after(packed, side, move)[0]
                self._reach(node, move, after, target, symmetry)

    def _after_pass(self, packed: int) -> int:
        assert isinstance(self.rules, FlatRules)
        return self.rules.after_pass(packed)

    # Nodes that lead to others

    def _move(self, node: int, packed: int, line: str) -> None:
        self._expect_turn(self.prover, self.rules.turn(packed))
        _, cell, *reference = line.split(" ")
        self._play(node, packed, int(cell), self.rules.legal(packed), reference[0] if reference else None)

    def _replies(self, node: int, packed: int, line: str) -> None:
        self._expect_turn(1 - self.prover, self.rules.turn(packed))
        listed, default, sequence = line.partition(" =")
        listed, *passes = listed.split(" ~ ")
        legal, covered, dominated = self.rules.legal(packed), 0, {}
        for item in listed.split(" ")[1:]:
            cell, by = self._reply(node, packed, item, legal)
            if covered >> cell & 1:
                raise InvalidNode(f"expected one answer to {self._cell(cell)}, got two")
            covered |= 1 << cell
            if by is not None:
                dominated[cell] = by
        for cell, by in dominated.items():
            self._dominated(packed, cell, by, legal, dominated)
        left = legal & ~covered
        for reference in passes:
            self._expect(self.wants_win and self.is_static, "a pass")
            self._follow(node, PASS, self._after_pass(packed), reference)
        if passes:
            self.positions += left.bit_count()
            return
        if left and not default:
            raise InvalidNode(f"expected an answer to {self._cell(next(cells_in(left)))}, got none")
        if default:
            self._default(packed, left, [int(cell) for cell in sequence.split()])

    def _reply(self, node: int, packed: int, item: str, legal: int) -> tuple[int, int | None]:
        """Check one listed reply; returns it and the reply that dominates it, or None if it has its own answer."""
        cell, _, reference = item.partition(":")
        if reference:
            self._play(node, packed, int(cell), legal, reference)
            return int(cell), None
        cell, _, by = item.partition("<")
        if not by:
            self._play(node, packed, int(cell), legal, None)
        else:
            self._expect_legal(int(cell), legal)
        return int(cell), int(by) if by else None

    def _play(self, node: int, packed: int, cell: int, legal: int, reference: str | None) -> None:
        """Play a move: without a reference it must end the game as claimed, otherwise the proof continues there."""
        self._expect_legal(cell, legal)
        following, ending = self.rules.after(packed, self.rules.turn(packed), cell)
        self.positions += 1
        if ending is None:
            if reference is None:
                raise InvalidNode(f"expected the game to end with {self._cell(cell)}, but it is not over")
            self._follow(node, cell, following, reference)
            return
        how = "a draw" if ending == DRAW else f"a win of {self._name(ending)}"
        if reference is not None:
            raise InvalidNode(f"expected the game to continue after {self._cell(cell)}, but it ends in {how}")
        if ending != self.prover and (self.wants_win or ending != DRAW):
            raise InvalidNode(f"expected that {self.claim}, but {self._cell(cell)} ends in {how}")

    def _expect_legal(self, cell: int, legal: int) -> None:
        if not (cell < self.rules.cells and legal >> cell & 1):
            raise InvalidNode(f"expected a legal move, got {self._cell(cell)}")

    # Nodes at which the proof ends

    def _dominated(self, packed: int, cell: int, by: int, legal: int, dominated: dict[int, int]) -> None:
        """Check that a mark on ``by`` is at least as good for the opponent as one on ``cell``."""
        self._expect(self.is_free, "a dominated reply")
        self._expect_legal(by, legal)
        if by in dominated:
            raise InvalidNode(f"expected {self._cell(by)}, which dominates {self._cell(cell)}, to be answered itself")
        x, o = self.rules.marks(packed)
        for line, _ in self.rules.through[cell]:
            if not (line & x and line & o) and not line >> by & 1:
                pair = self._cell(by), self._cell(cell)
                raise InvalidNode(f"expected {pair[0]} on every open line of {pair[1]}, but not on {self._line(line)}")

    def _forced(self, node: int, packed: int, line: str) -> None:
        self._expect_turn(self.prover, self.rules.turn(packed))
        sequences = self._sequences()
        own, other = self._own_and_other(packed)
        hopes, fears = sequences.lacking(own, other), sequences.lacking(other, own)
        moves = [int(cell) for cell in line.split(" ")[1:]]
        reason = sequences.replay(own, other, hopes, fears, moves, at_once=False)
        self._count_replayed()
        if reason is not None:
            raise InvalidNode(reason)

    def _default(self, packed: int, replies: int, sequence: Sequence[int]) -> None:
        """Replay the sequence after every reply that was not listed, except for replies that cannot affect it."""
        sequences = self._sequences()
        own, other = self._own_and_other(packed)
        hopes, fears = sequences.lacking(own, other), sequences.lacking(other, own)
        alike = replies & sequences.indifferent(own, other, hopes, fears, sequence)
        self.positions += alike.bit_count()
        for cell in cells_in(replies & ~alike):
            reason = sequences.replay_after(cell, own, other, hopes, fears, sequence)
            if reason is not None:
                raise InvalidNode(f"after the reply {self._cell(cell)}: {reason}")
        self._count_replayed()

    def _sequences(self) -> Sequences:
        self._expect(self.sequences is not None, "a forced sequence")
        assert self.sequences is not None
        return self.sequences

    def _count_replayed(self) -> None:
        assert self.sequences is not None
        self.positions += self.sequences.positions
        self.sequences.positions = 0

    def _strategy(self, node: int, packed: int, line: str) -> None:
        """Play out a fixed strategy against every reply."""
        self._expect(self.sequences is not None, "a fixed strategy")
        assert isinstance(self.rules, FlatRules)
        try:
            strategy = FixedStrategy(self.rules, parse_items(line[1:]), self.wants_win)
        except ValueError as error:
            raise InvalidNode(str(error)) from None
        reason = strategy.play_out(*self._own_and_other(packed), self.rules.turn(packed) == self.prover)
        self.positions += strategy.positions
        if reason is not None:
            raise InvalidNode(reason)

    def _mirror(self, node: int, packed: int, line: str) -> None:
        """Check that the prover never completes a line if it answers each reply with its image under a symmetry."""
        rules, number = self.rules, int(line.split(" ")[1])
        self._expect(isinstance(rules, FlatRules) and rules.is_misere and not rules.has_gravity, "a mirror strategy")
        self._expect(not any(guards for _, guards in rules.lines), "a mirror strategy")
        self._expect_turn(1 - self.prover, rules.turn(packed))
        if number >= len(self.symmetries):
            raise InvalidNode(f"expected a symmetry below {len(self.symmetries)}, got {number}")
        mirror = MirrorStrategy(rules.lines, self.symmetries[number])
        reason = mirror.find_flaw(*self._own_and_other(packed), rules.board, self.wants_win)
        if reason is not None:
            raise InvalidNode(reason)

    def _sets(self, node: int, packed: int, line: str) -> None:
        """Check an argument about the lines open to the opponent."""
        self._expect(self.is_static and not self.wants_win, SET_ARGUMENT_NAMES[line[0]])
        own, other = self._own_and_other(packed)
        self._check_sets(line, self.rules.open_lines(own, other), self.rules.legal(packed), self.rules.turn(packed))

    def _stealing(self, node: int, packed: int, line: str) -> None:
        """Check strategy stealing: the first player does not lose on an empty board where marks never hurt."""
        self._expect(self.is_free and not self.wants_win, "strategy stealing")
        if node != 0 or packed != 0 or self.prover != X:
            raise InvalidNode("expected strategy stealing only as X, who moves first on the empty board")

    def _own_and_other(self, packed: int) -> tuple[int, int]:
        x, o = self.rules.marks(packed)
        return (x, o) if self.prover == X else (o, x)


class Sequences:
    """Replays forced sequences: each move of the prover leaves the opponent one reply, until no reply helps.

    ``hopes`` are the cells that would complete a line of the prover, ``fears`` those that would complete one of the
    opponent.
    """

    def __init__(self, rules: FlatRules) -> None:
        self.rules = rules
        self.positions = 0
        self.names = rules.game.format_cell

    def lacking(self, own: int, other: int) -> int:
        """Return the empty cells that would complete a line, regardless of guards."""
        return self.rules.lacking(self.rules.lines, own, other)

    def replay_after(
        self, cell: int, own: int, other: int, hopes: int, fears: int, sequence: Sequence[int]
    ) -> str | None:
        """Replay after a reply of the opponent; returns None if the prover wins, else the reason why not."""
        bit = 1 << cell
        if self.rules.completing(fears & bit, other):
            return "expected a reply that does not win, but it completes a line"
        self.positions += 1
        other |= bit
        fears = fears & ~bit | self.rules.lacking(self.rules.through[cell], other, own)
        return self.replay(own, other, hopes & ~bit, fears, sequence, at_once=True)

    def replay(
        self, own: int, other: int, hopes: int, fears: int, sequence: Sequence[int], at_once: bool
    ) -> str | None:
        """Replay with the prover to move; returns None if it wins, else the reason why not.

        With ``at_once`` the first line that can be completed ends the sequence; otherwise every move must be played.
        """
        rules = self.rules
        free = rules.board & ~(own | other)
        playable = rules.playable(free)
        for number, cell in enumerate(sequence):
            wins = self.rules.completing(hopes & playable, own)
            if at_once and wins:
                return None
            bit = 1 << cell if cell < rules.cells else 0
            if not playable & bit:
                return f"expected a legal move in the sequence, got {self._name(cell)}"
            self.positions += 1
            own |= bit
            free ^= bit
            playable = rules.playable(free)
            ended = bool(wins & bit)
            if not ended:
                hopes, fears = hopes & ~bit | rules.lacking(rules.through[cell], own, other), fears & ~bit
                if self.rules.completing(fears & playable, other):
                    return f"expected no line open to the opponent after {self._name(cell)}, but one can be completed"
                wins = self.rules.completing(hopes & playable, own)
                if not wins:
                    return f"expected {self._name(cell)} to threaten a line, but it does not"
                ended = wins & wins - 1 != 0
            if ended:
                spare = len(sequence) - number - 1
                return None if at_once or not spare else f"expected the sequence to end with {self._name(cell)}"
            self.positions += 1
            other |= wins
            free ^= wins
            playable = rules.playable(free)
            forced = rules.through[wins.bit_length() - 1]
            hopes, fears = hopes & ~wins, fears & ~wins | rules.lacking(forced, other, own)
        if self.rules.completing(hopes & playable, own):
            return None
        return "expected a sequence that ends in a win, but it stops before"

    def indifferent(self, own: int, other: int, hopes: int, fears: int, sequence: Sequence[int]) -> int:
        """Return replies after which the same moves win as if the opponent had passed; not necessarily all of them.

        A reply matters if it takes a cell the sequence uses, completes a line, or makes a threat, that is, lies on a
        line without a mark of the prover that has two empty cells or fewer at any time during the sequence.
        """
        rules = self.rules
        if rules.has_gravity or rules.has_guards:
            return 0
        free = rules.board & ~(own | other)
        replies = free & ~(fears | _nearly(rules.lines, other, own))
        for cell in sequence:
            if hopes & free:
                break
            bit = 1 << cell if cell < rules.cells else 0
            if not free & bit:
                return 0
            own |= bit
            free ^= bit
            hopes, fears = hopes & ~bit | rules.lacking(rules.through[cell], own, other), fears & ~bit
            wins = hopes & free
            if fears & free or not wins:
                return 0
            replies &= ~(bit | wins)
            if wins & wins - 1:
                return replies
            other |= wins
            free ^= wins
            forced = rules.through[wins.bit_length() - 1]
            hopes, fears = hopes & ~wins, fears & ~wins | rules.lacking(forced, other, own)
            replies &= ~_nearly(forced, other, own)
        return replies & ~hopes if hopes & free else 0

    def _name(self, cell: int) -> str:
        return self.names(cell) if cell < self.rules.cells else f"cell {cell}"


def _nearly(lines: Sequence[tuple[int, int]], own: int, other: int) -> int:
    """The empty cells of those lines that lack at most two cells."""
    found = 0
    for line, _ in lines:
        if not line & other:
            rest = line & ~own
            if rest.bit_count() <= 2:
                found |= rest
    return found
