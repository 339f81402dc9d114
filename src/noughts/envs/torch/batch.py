"""Many playthroughs on a device, stepped without leaving it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple, SupportsIndex

import torch
from torch import Tensor

from noughts.envs.batch import ILLEGAL, MAX_PLAYTHROUGHS, as_game, check_choice, core_seed
from noughts.envs.torch.rules import NONE, TensorRules
from noughts.envs.torch.words import member_at, mix, popcount
from noughts.games import Game, IllegalMove, Position, Side
from noughts.limit import as_int

__all__ = ["TensorBatch", "TensorStep"]

RANDOM_STEP = 0x9E3779B97F4A7C15 - (1 << 64)
MOST_TENSOR_PLAYTHROUGHS = 64 * MAX_PLAYTHROUGHS

Work = Callable[[], tuple[Tensor, ...]]


class TensorStep(NamedTuple):
    """The state of a batch after a step or a reset, as tensors on its device. The next step may overwrite them."""

    observations: Tensor
    """The planes of each position, as the side to move sees it; of shape (n, *game.observation_shape)."""
    masks: Tensor
    """The legal moves of each position, of shape (n, cells) and type bool."""
    rewards: Tensor
    """1, 0 or -1 for the side that made the move; the other side gets the opposite. float32."""
    terminated: Tensor
    """Whether the move ended the playthrough. A new one has begun then."""
    to_move: Tensor
    """The side to move now: 0 for X, 1 for O. int8."""


class TensorBatch:
    """``n`` playthroughs of a game on a device of PyTorch; the rules are those of ``Batch``, move by move.

    ``game`` is a game, an id or the path of a game file. ``device`` is a GPU if there is one. ``dtype`` is the type of
    the observations, or None for none at all. ``illegal`` is ``"raise"``, which waits for the device in every step, or
    ``"lose"``: an illegal move ends the playthrough with reward -1. Random moves follow the seed, and are those of
    ``Batch`` with this seed. ``compile`` fuses the operations into few kernels, which takes a minute once; by default
    on a GPU only, where a step is then recorded and replayed as a CUDA graph.

    >>> batch = TensorBatch("3x3", 1000, seed=1, device="cpu")
    >>> step = batch.step(torch.full((1000,), 4))
    >>> tuple(step.observations.shape), int(step.masks[0].sum())
    ((1000, 4, 3, 3), 8)
    """

    game: Game
    state: TensorStep
    """The tensors that ``reset`` and ``step`` return."""

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        n: SupportsIndex,
        seed: SupportsIndex | None = None,
        *,
        device: str | torch.device | None = None,
        dtype: torch.dtype | None = torch.uint8,
        illegal: str = "raise",
        compile: bool | None = None,
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        self.game = as_game(game)
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self._n = as_int("n", n, 1, MOST_TENSOR_PLAYTHROUGHS)
        self._dtype = dtype
        self._raises = illegal == "raise"
        self._rules = TensorRules(self.game, self.device)
        self._indices = torch.arange(self._n, device=self.device)
        compiled = self.device.type == "cuda" if compile is None else compile
        self._computation = Computation(self._rules, self._n, dtype, compiled)
        self._positions = self._computation.positions
        self._seed(core_seed(seed))
        self.reset()

    def __len__(self) -> int:
        return self._n

    def _seed(self, seed: int) -> None:
        first = torch.tensor(seed - (1 << 64) if seed >> 63 else seed, device=self.device)
        self._computation.random.copy_(mix(mix(first) ^ self._indices))

    def reset(self, seed: SupportsIndex | None = None) -> TensorStep:
        """Start every playthrough again; with a seed, also the random numbers."""
        if seed is not None:
            self._seed(core_seed(seed))
        for old, new in zip(self._positions.tensors(), self._rules.start(1).tensors(), strict=True):
            old.copy_(new.expand(self._n))
        rewards = torch.zeros(self._n, device=self.device)
        observations, masks, to_move = self._computation.observe()
        return self._set(observations, masks, to_move, rewards, rewards != 0)

    def _set(
        self, observations: Tensor, masks: Tensor, to_move: Tensor, rewards: Tensor, terminated: Tensor
    ) -> TensorStep:
        if self._dtype is not None:
            observations = observations.view(self._n, *self.game.observation_shape)
        self.state = TensorStep(observations, masks, rewards, terminated, to_move)
        return self.state

    def step(self, moves: Tensor) -> TensorStep:
        """Play a move in every playthrough and return the new state; ``moves`` are integers of shape (n,).

        If illegal moves raise, IllegalMove names the first of them, and no move has been played.
        """
        moves = self._as_moves(moves)
        if self._raises:
            self._check(moves)
        if moves is not self._computation.moves:
            self._computation.moves.copy_(moves)
        observations, masks, to_move, rewards, terminated = self._computation.step()
        return self._set(observations, masks, to_move, rewards, terminated)

    def _as_moves(self, moves: Tensor) -> Tensor:
        if not isinstance(moves, Tensor) or moves.is_floating_point() or moves.dtype == torch.bool:
            raise TypeError(
                f"expected moves as a tensor of integers, got {getattr(moves, 'dtype', type(moves).__name__)}"
            )
        if moves.shape != (self._n,):
            raise ValueError(f"expected {self._n} moves, got a tensor of shape {tuple(moves.shape)}")
        return moves.to(self.device, torch.int64)

    def _check(self, moves: Tensor) -> None:
        is_legal = self._rules.is_legal(self._positions, moves)
        if not is_legal.all():
            index = int((~is_legal).nonzero()[0])
            move = int(moves[index])
            reason = self.position(index)._reason_against(move)
            raise IllegalMove(f"illegal move {move} at index {index}: {reason}")

    def random_moves(self) -> Tensor:
        """Return a uniformly random legal move for each playthrough; the next call or step overwrites the tensor."""
        self._computation.choose()
        return self._computation.moves

    def position(self, index: SupportsIndex) -> Position:
        """Return a copy of one position, without its moves; indices count from 0."""
        at = as_int("index", index, 0, self._n - 1)
        cells = self.game.cells
        side, other = (0, 1) if int(self._positions.to_move[at]) == 0 else (1, 0)
        marks = [NONE] * cells
        for words, mark in ((self._positions.own, side), (self._positions.opponents, other)):
            for cell in _members(words, at):
                marks[cell] = mark
        owners = [NONE] * self.game.blocks
        for won, mark in zip(self._positions.blocks[:2], (side, other), strict=False):
            for block in _members([won], at):
                owners[block] = mark
        to_play = next((int(block[at]) for block in self._positions.block_to_play), NONE)
        return Position(self.game, marks, (Side.X, Side.O)[side], to_play, owners)

    def __repr__(self) -> str:
        return f"TensorBatch({self.game.id!r}, {self._n}, device={str(self.device)!r})"


class Computation:
    """The tensors of a batch and the functions that change them in place, compiled if asked for.

    On a GPU, compiled functions are recorded as CUDA graphs and replayed, so that a step costs few microseconds of the
    processor.
    """

    def __init__(self, rules: TensorRules, n: int, dtype: torch.dtype | None, compiled: bool) -> None:
        self._rules = rules
        self._dtype = dtype
        self._first = rules.start(1)
        self.positions = rules.start(n)
        self.moves = torch.zeros(n, dtype=torch.int64, device=rules.device)
        self.random = torch.zeros_like(self.moves)
        self._compiled = compiled
        self._advance = torch.compile(self._play, dynamic=False) if compiled else self._play
        self._see = torch.compile(self._observe, dynamic=False) if compiled else self._observe
        self._draw = torch.compile(self._choose, dynamic=False) if compiled else self._choose
        self._graphs: dict[Work, Graph] = {}

    def step(self) -> tuple[Tensor, ...]:
        """Play the moves; returns observations, masks, sides to move, rewards and ends."""
        return self._run(self._step)

    def observe(self) -> tuple[Tensor, ...]:
        """Return observations, masks and sides to move."""
        return self._run(self._see)

    def choose(self) -> None:
        """Set the moves to random legal ones and advance the random numbers."""
        self._run(self._draw)

    def _run(self, work: Work) -> tuple[Tensor, ...]:
        if not self._compiled:
            return work()
        if self._rules.device.type != "cuda":
            with _unlimited_compilations():
                return work()
        if work not in self._graphs:
            with _unlimited_compilations():
                self._graphs[work] = Graph(work, [*self.positions.tensors(), self.moves, self.random])
        return self._graphs[work].replay()

    def _step(self) -> tuple[Tensor, ...]:
        ended = self._advance()
        return (*self._see(), *ended)

    def _play(self) -> tuple[Tensor, ...]:
        is_legal = self._rules.is_legal(self.positions, self.moves)
        moved = self._rules.play(self.positions, torch.where(is_legal, self.moves, 0))
        terminated = moved.is_over | ~is_legal
        pairs = zip(self._first.tensors(), moved.state.tensors(), strict=True)
        after = [torch.where(terminated, first, new) for first, new in pairs]
        for old, new in zip(self.positions.tensors(), after, strict=True):
            old.copy_(new)
        return torch.where(is_legal, moved.reward, -1.0), terminated

    def _observe(self) -> tuple[Tensor, ...]:
        masks = self._rules.masks(self.positions)
        observations = masks[:, :0] if self._dtype is None else self._rules.observations(self.positions, self._dtype)
        return observations, masks, self.positions.to_move.to(torch.int8)

    def _choose(self) -> tuple[Tensor, ...]:
        """Like the core: the legal move whose rank is a random number scaled to their count."""
        legal = self.positions.legal
        count = popcount(legal[0])
        for word in legal[1:]:
            count = count + popcount(word)
        number = mix(self.random) >> 32 & 0xFFFFFFFF
        self.random.copy_(self.random + RANDOM_STEP)
        self.moves.copy_(member_at(legal, number * count >> 32))
        return ()


class Graph:
    """Work on the GPU that is recorded once and replayed in the same memory."""

    def __init__(self, work: Work, changed: list[Tensor]) -> None:
        saved = [tensor.clone() for tensor in changed]
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):  # compiles and allocates, which cannot be recorded
            for _ in range(2):
                work()
        torch.cuda.current_stream().wait_stream(side)
        for tensor, value in zip(changed, saved, strict=True):
            tensor.copy_(value)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._results = work()

    def replay(self) -> tuple[Tensor, ...]:
        """Do the work; the results are the same tensors every time."""
        self._graph.replay()
        return self._results


def _unlimited_compilations() -> AbstractContextManager[None]:
    """By default a function that was compiled for eight batches is not compiled for a ninth."""
    limits: AbstractContextManager[None] = torch._dynamo.config.patch(recompile_limit=1 << 16)
    return limits


def _members(words: list[Tensor], index: int) -> list[int]:
    bits = [int(word[index]) for word in words]
    return [64 * w + bit for w, word in enumerate(bits) for bit in range(64) if word >> bit & 1]
