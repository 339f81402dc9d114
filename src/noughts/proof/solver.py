"""Solving: the proven value of a position, with a certificate on request."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from hashlib import blake2b
from os import PathLike, fspath
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, SupportsFloat, SupportsIndex

from noughts import _core
from noughts.exclusive import Exclusive
from noughts.games import Position, ProvenValue, Side, Value
from noughts.games.atomic_file import atomic_file
from noughts.limit import Limit, as_int
from noughts.proof.progress_estimate import ProgressEstimate

if TYPE_CHECKING:
    from noughts.games.rendering.notebook import Bundle
    from noughts.proof.proof import Proof

__all__ = ["ProofProgress", "Solution", "SolveProgress", "Solver", "solve"]

MAX_MEMORY_MB = 1 << 20
MAX_NODES = 1 << 62

SNAPSHOT_MAGIC = b"noughts solve "
CHECKSUM_BYTES = 32
CHUNK_BYTES = 1 << 20
RATE_SECONDS = 5.0

FilePath = str | PathLike[str]


class SolveProgress(NamedTuple):
    """The progress of a solve. The question is whether ``attacker`` can force a win.

    ``rate`` is the number of nodes a second in the last few seconds. ``share`` estimates how much of the work is done;
    it is None until there is something to estimate from. In about four of five cases the truth is in its range.

    ``proof`` and ``disproof`` are the minimum numbers of positions that must still be settled to prove that the
    attacker can win, and that it cannot; both are 0 in games that are searched to the end. ``line`` leads to the
    position being searched, or at least to its neighbourhood. ``hashfull`` is the share of the allowed memory that is
    filled, in per mille, and ``table_bytes`` the memory taken so far.
    """

    nodes: int
    seconds: float
    rate: float
    share: ProgressEstimate | None
    attacker: Side
    proof: int
    disproof: int
    hashfull: int
    table_bytes: int
    line: list[int]
    line_text: str = ""

    def __str__(self) -> str:
        work = f"{self.nodes:,} nodes  {self.seconds:.1f} s" + (f"  {self.share}" if self.share else "")
        if self.proof == self.disproof == 0:  # an exhaustive search has no such numbers
            return work
        question = f"can {self.attacker} win? {self.proof:,} to show it, {self.disproof:,} to refute it"
        return f"{work}  {question}  {self.line_text}"


class ProofProgress(NamedTuple):
    """The progress of writing a proof: nodes written, and the estimated share of the work that is done."""

    nodes: int
    seconds: float
    share: ProgressEstimate


class Prover(Protocol):
    """Writes the certificate of a position that it has solved."""

    def prove(self, progress: Callable[[ProofProgress], object] | None = None) -> Proof:
        """Return the certificate; raises ValueError when it would be too long."""


class Solution:
    """The result of a solve: the proven ``value`` for the side to move, or None and the bounds ``lower`` and ``upper``.

    ``move`` preserves the lower bound or, if all moves lose, resists; if no move is known to do so, ``move_is_proven``
    is False and ``move`` is a guess, or None. ``is_stored`` says that the value comes from an earlier solve.

    A solution can be pickled. Its proof is written first, since the solver itself is not pickled.
    """

    def __init__(
        self,
        position: Position,
        lower: Value,
        upper: Value,
        move: int | None,
        *,
        move_is_proven: bool = True,
        nodes: int = 0,
        seconds: float = 0.0,
        plies: int | None = None,
        is_stored: bool = False,
        solver: Prover | None = None,
    ) -> None:
        self.position = position.copy()
        self.lower = lower
        self.upper = upper
        self.value = lower if lower is upper else None
        self.move = move
        self.move_is_proven = move_is_proven and move is not None
        self.nodes = nodes
        self.seconds = seconds
        self.is_stored = is_stored
        self._plies = plies
        self._proof: Proof | None = None
        self._solver = solver
        self._why_no_proof = "the proof was not stored with the value; solve the position again"

    @classmethod
    def from_proven(cls, position: Position, known: ProvenValue) -> Solution:
        """Return the solution for a value from the store or the book; it has no proof."""
        return cls(
            position, known.value, known.value, known.move,
            nodes=known.nodes, seconds=known.seconds, plies=known.plies, is_stored=True,
        )  # fmt: skip

    @property
    def proof(self) -> Proof | None:
        """The certificate, written on first access; None if the value is unknown.

        Raises ValueError when it would be too long.
        """
        return self.prove()

    def prove(self, progress: Callable[[ProofProgress], object] | None = None) -> Proof | None:
        """Return the proof; while it is written, ``progress`` is called about four times a second."""
        if self.value is None or self._proof is not None:
            return self._proof
        if self._solver is None:
            raise ValueError(self._why_no_proof)
        self._proof = self._solver.prove(progress)
        return self._proof

    @property
    def plies(self) -> int | None:
        """A win or a loss takes at most this many plies; known once the proof is written, else None."""
        return self._plies if self._proof is None else self._proof.plies

    @property
    def proven(self) -> ProvenValue | None:
        """The value in the form used by the store and the book; None if it is unknown."""
        if self.value is None:
            return None
        return ProvenValue(self.value, self.move if self.move_is_proven else None, self.plies, self.nodes, self.seconds)

    def __getstate__(self) -> dict[str, object]:
        try:
            _ = self.proof
        except ValueError as error:
            return self.__dict__ | {"_solver": None, "_why_no_proof": str(error)}
        return self.__dict__ | {"_solver": None}

    def __str__(self) -> str:
        if self.value is None:
            return f"between {self.lower} and {self.upper}, {self.nodes:,} nodes, {self.seconds:.2f} s"
        move = None if self.value is Value.LOSS else self.move
        how = "" if move is None else f" by {self.position.format_move(move)}"
        return f"{self.value}{how}, {self.nodes:,} nodes, {self.seconds:.2f} s"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """The picture of the board, after the move if one is known."""
        from noughts.games.rendering.notebook import picture_of

        return picture_of(self.position if self.move is None else self.position.after(self.move), str(self))

    def __repr__(self) -> str:
        return f"Solution({self.value!r}, {self.lower!r}, {self.upper!r}, move={self.move}, nodes={self.nodes})"


class Solver:
    """Solves one position, in one or more runs; ``save`` and ``load`` preserve its table between them.

    The value does not depend on the number of ``threads``.
    """

    def __init__(self, position: Position, memory_mb: SupportsIndex = 1024, threads: SupportsIndex = 1) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"expected a Position, got {type(position).__name__}")
        memory_mb = as_int("memory_mb", memory_mb, 1, MAX_MEMORY_MB)
        threads = as_int("threads", threads, 1, _core.MAX_THREADS)
        position.require_unfinished()
        self.position = position.copy()
        self._core = _core.Solver(position, position.game.symmetry, memory_mb, threads)
        self._turn = Exclusive("solver")
        self._was_lost = False
        self.seconds = 0.0
        """Time spent so far."""

    def solve(self, limit: Limit | None = None, progress: Callable[[SolveProgress], object] | None = None) -> Solution:
        """Continue until the value is proven or the limit is reached.

        ``progress`` is called about four times a second; returning False ends the run, as ``stop`` does.
        """
        seconds, nodes = _bounds(limit)

        rate = _Rate()

        def report(found: _core.SolveProgress) -> object:
            now = rate.update(found.nodes, found.seconds)
            return True if progress is None else progress(_progress(self.position, found, now))

        with self._exclusive():
            found = self._core.solve(seconds, nodes, report if progress is not None else None)
            self.seconds = found.seconds
            return Solution(
                self.position,
                Value.from_number(found.lower),
                Value.from_number(found.upper),
                found.move,
                move_is_proven=found.move_is_proven,
                nodes=found.nodes,
                seconds=found.seconds,
                solver=self,
            )

    def turn_to(self, position: Position) -> bool:
        """Turn to another position of the same game, keeping the table.

        Returns False if the search method for this game cannot; then a new solver is needed. Raises ValueError for a
        position of another game, or one that is over.
        """
        if position.game != self.position.game:
            raise ValueError(f"expected a position of {self.position.game.id}, got one of {position.game.id}")
        position.require_unfinished()
        with self._exclusive():
            if not self._core.turn_to(position):
                return False
            self.position = position.copy()
        return True

    def prove(self, progress: Callable[[ProofProgress], object] | None = None) -> Proof:
        """Return the certificate of a solved position; parts that the table has lost are searched again.

        ``progress`` is called about four times a second; an exception ends the work. Raises ValueError when the
        position is not solved yet, or when the certificate would be too long.
        """
        from noughts.proof.proof import Proof

        def report(nodes: int, seconds: float, walked: float) -> None:
            assert progress is not None
            progress(ProofProgress(nodes, seconds, _proof_share(walked)))

        with self._exclusive():
            solved = self._core.solve(0.0, 1, None)
            if solved.lower != solved.upper:
                raise ValueError("the position is not solved yet")
            try:
                body, symmetries = self._core.certificate(report if progress is not None else None)
            except RuntimeError as error:
                raise ValueError(str(error)) from None
        return Proof(self.position.game, self.position.text, Value.from_number(solved.lower), body, symmetries)

    def _exclusive(self) -> Exclusive:
        """Return the lock of the solver; raises RuntimeError in a child forked while another thread was solving."""
        self._was_lost = self._turn.recover_from_fork() or self._was_lost
        if self._was_lost:
            raise RuntimeError("this solver was running when the process was forked; make a new Solver here")
        return self._turn

    def stop(self) -> None:
        """Stop the running solve, from another thread; it returns the bounds found so far."""
        self._core.stop()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the state to a file, replacing an old one; raises OSError.

        May be called from the ``progress`` of ``solve``.
        """
        with nullcontext() if self._turn.is_mine else self._exclusive():
            _write_snapshot(path, self._core.save)

    def load(self, path: str | PathLike[str]) -> None:
        """Read the state that a solve of the same game saved; raises OSError if the file is damaged or does not fit."""
        with self._exclusive():
            _read_snapshot(path, self._core.load)


def solve(
    position: Position,
    limit: Limit | None = None,
    memory_mb: SupportsIndex = 1024,
    progress: Callable[[SolveProgress], object] | None = None,
    threads: SupportsIndex = 1,
    *,
    seconds: SupportsFloat | None = None,
    nodes: SupportsIndex | None = None,
) -> Solution:
    """Return the proven value of a position, or the bounds found within the limit; the position is left unchanged.

    ``seconds`` and ``nodes`` are short for ``limit=Limit(seconds=…, nodes=…)``.

    >>> from noughts import Game
    >>> print(solve(Game("4x3:3").start(), seconds=60).value)
    win
    """
    if seconds is not None or nodes is not None:
        if limit is not None:
            raise ValueError("expected a limit, or seconds and nodes, got both")
        limit = Limit(seconds=seconds, nodes=nodes)
    return Solver(position, memory_mb, threads).solve(limit, progress)


def _bounds(limit: Limit | None) -> tuple[float, int]:
    if limit is None:
        return 0.0, 0
    if not isinstance(limit, Limit):
        raise TypeError(f"expected a Limit, got {type(limit).__name__}")
    if limit.depth is not None:
        raise ValueError("expected a limit in seconds or nodes, since a proof has no depth")
    if limit.clock is not None:
        raise ValueError("expected a limit in seconds or nodes, got one with a clock")
    return limit.seconds or 0.0, min(limit.nodes or 0, MAX_NODES)


class _Rate:
    """Nodes a second, in the last few seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def update(self, nodes: int, seconds: float) -> float:
        self._seen.append((seconds, nodes))
        while len(self._seen) > 2 and self._seen[1][0] < seconds - RATE_SECONDS:
            self._seen.popleft()
        before, nodes_before = self._seen[0] if len(self._seen) > 1 else (0.0, 0)
        return (nodes - nodes_before) / (seconds - before) if seconds > before else 0.0


def _progress(position: Position, found: _core.SolveProgress, rate: float) -> SolveProgress:
    text = " ".join(position.format_move(move) for move in found.line[:12])
    return SolveProgress(
        found.nodes,
        found.seconds,
        rate,
        None if found.share is None else ProgressEstimate(*found.share),
        found.attacker,
        found.proof,
        found.disproof,
        found.hashfull,
        found.table_bytes,
        found.line,
        text + (" …" if len(found.line) > 12 else ""),
    )


def _proof_share(walked: float) -> ProgressEstimate:
    """The share of a proof that is written, by how far the walk through it has come.

    Positions that were written before are skipped, so the first replies take the most work. The powers are measured.
    """
    return ProgressEstimate(walked**0.5, walked, walked**0.2)


# --- saved solves: the bytes of the core, then a checksum of them ----------------------------------------------------


def _write_snapshot(path: FilePath, save: Callable[[Callable[[bytes], object]], None]) -> None:
    """Write a file with the bytes that ``save(write)`` writes and a checksum; raises OSError.

    An old file is replaced only when the new one is complete.
    """
    checksum = blake2b(digest_size=CHECKSUM_BYTES)
    with atomic_file(path) as file:

        def write(chunk: bytes) -> None:
            file.write(chunk)
            checksum.update(chunk)

        save(write)
        file.write(checksum.digest())


def _read_snapshot(path: FilePath, load: Callable[[Callable[[int], bytes]], None]) -> None:
    """Let ``load(read)`` read the body of a file; raises OSError when the file is damaged.

    The checksum is compared first, so ``load`` never sees damaged bytes. It raises RuntimeError for a body that it does
    not accept.
    """
    with open(path, "rb") as file:
        left = _check_snapshot(path, file)
        file.seek(0)

        def read(size: int) -> bytes:
            nonlocal left
            chunk = file.read(min(size, left))
            left -= len(chunk)
            return chunk

        try:
            load(read)
        except RuntimeError as error:
            raise OSError(f"{fspath(path)}: {error}") from None


def _check_snapshot(path: FilePath, file: BinaryIO) -> int:
    """Compare the checksum; returns the length of the body."""
    if file.read(len(SNAPSHOT_MAGIC)) != SNAPSHOT_MAGIC:
        raise OSError(f"{fspath(path)}: expected a saved solve, got another file")
    checksum, size, last = blake2b(SNAPSHOT_MAGIC, digest_size=CHECKSUM_BYTES), len(SNAPSHOT_MAGIC), b""
    while chunk := file.read(CHUNK_BYTES):
        data = last + chunk
        checksum.update(data[:-CHECKSUM_BYTES])
        size += max(0, len(data) - CHECKSUM_BYTES)
        last = data[-CHECKSUM_BYTES:]
    if checksum.digest() != last:
        raise OSError(f"{fspath(path)} is damaged: its checksum does not fit its contents; solve without it")
    return size
