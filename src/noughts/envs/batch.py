"""Many playthroughs stepped at once, in the threads of the core."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from noughts import _core
from noughts.games import Game, IllegalMove, Position, find_game
from noughts.games.planes import require_numpy
from noughts.games.quoting import quote
from noughts.limit import as_int

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "ILLEGAL",
    "MAX_PLAYTHROUGHS",
    "Batch",
    "BatchStep",
    "Policy",
    "Starts",
    "as_game",
    "as_start",
    "as_starts",
    "check_choice",
    "core_seed",
]

RANDOM = "random"
"""The name of the policy that plays random moves, in the core."""
SEEDS = 1 << 64
MAX_PLAYTHROUGHS = 1 << 20
ILLEGAL = ("raise", "lose")
"""What an illegal move does."""
OBSERVATIONS = (None, "planes", "bits")
"""What a batch writes of each position, by the numbers that the core has for it."""

Policy = Callable[["NDArray[np.uint8]", "NDArray[np.bool_]"], "ArrayLike"]
"""Takes the observations and the masks of a batch and returns a move for each playthrough."""
Starts = Position | str | Iterable[Position | str]
"""Where playthroughs begin: a position or a position string, or several of them."""


class BatchStep(NamedTuple):
    """The state of a batch after a step or a reset. The arrays are the batch's memory: the next step changes them."""

    observations: NDArray[np.uint8]
    """The planes of each position, as the side to move sees it; of shape (n, *game.observation_shape). As bits, of
    shape (n, planes, bytes); without observations, of shape (n, 0)."""
    masks: NDArray[np.bool_]
    """The legal moves of each position, of shape (n, cells)."""
    rewards: NDArray[np.float32]
    """1, 0 or -1 for the side that made the move; the other side gets the opposite."""
    terminated: NDArray[np.bool_]
    """Whether the move ended the playthrough. A new one has begun then."""
    to_move: NDArray[np.int8]
    """The side to move now: 0 for X, 1 for O."""


class Batch:
    """``n`` playthroughs of a game, stepped at once. A playthrough that ends starts again in the same step.

    ``game`` is a game, an id or the path of a game file. Random moves depend on ``seed`` alone, not on the number of
    threads, which is by default that of the processors. Numbers may be Python's or NumPy's. Needs NumPy.

    ``starts`` are the positions from which playthroughs begin, by default the empty board: playthrough ``i`` begins at
    start ``i``, when it ends at start ``i + n``, and so on; after the last start comes the first. So all are played,
    and with ``n`` starts each playthrough keeps its own.

    ``observations`` are ``"planes"``, a byte for each cell of each plane; ``"bits"``, an eighth of that, which
    ``numpy.unpackbits(bits, axis=-1, count=game.cells, bitorder="little")`` turns into planes; or None for none at all.
    ``illegal`` says what an illegal move does: ``"raise"`` raises IllegalMove, ``"lose"`` ends the playthrough with
    reward -1, and its final observation is that of the position as it stands.

    The arrays ``observations``, ``masks``, ``rewards``, ``terminated``, ``to_move`` and ``final_observations`` are
    views of the batch's memory. Nothing is copied: each step overwrites them, so copy those you keep. PyTorch and JAX
    share the memory by DLPack, for example ``torch.from_dlpack(batch.observations)``.

    >>> batch = Batch("3x3", 1000, seed=1)
    >>> step = batch.step([4] * 1000)
    >>> step.observations.shape, step.masks.shape, int(step.masks[0].sum())
    ((1000, 4, 3, 3), (1000, 9), 8)
    >>> float(batch.rollout().mean()) < 0
    True
    """

    game: Game
    state: BatchStep
    """The arrays together, as ``reset`` and ``step`` return them."""
    observations: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    to_move: NDArray[np.int8]
    final_observations: NDArray[np.uint8]
    """Where ``terminated``, the last observation of the playthrough that ended, as the side that would move sees it."""

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        n: SupportsIndex,
        seed: SupportsIndex | None = None,
        *,
        threads: SupportsIndex | None = None,
        starts: Starts | None = None,
        observations: str | None = "planes",
        illegal: str = "raise",
    ) -> None:
        require_numpy()
        game = as_game(game)
        check_choice("observations", observations, OBSERVATIONS)
        check_choice("illegal", illegal, ILLEGAL)
        n = as_int("n", n, 1, MAX_PLAYTHROUGHS)
        threads = _processors() if threads is None else as_int("threads", threads, 1, _core.MAX_THREADS)
        core = _core.Batch(game._core, n, core_seed(seed), threads, OBSERVATIONS.index(observations))
        self._set(game, core, [game.start()], observations, illegal)
        if starts is not None:
            self._set_starts(starts)

    def _set(
        self, game: Game, core: _core.Batch, starts: list[Position], observations: str | None, illegal: str
    ) -> None:
        self.game = game
        self._core = core
        self._starts = starts
        self._kind, self._illegal = observations, illegal
        arrays = core.arrays()
        planes = game.observation_shape[0]
        shape = (core.size, *{None: (0,), "planes": game.observation_shape, "bits": (planes, -1)}[observations])
        for name in ("observations", "final_observations"):
            arrays[name] = arrays[name].reshape(shape)
        self.final_observations = arrays.pop("final_observations")
        self.state = BatchStep(**arrays)
        self.observations, self.masks, self.rewards, self.terminated, self.to_move = self.state

    def __len__(self) -> int:
        return self._core.size

    @property
    def threads(self) -> int:
        """The number of threads."""
        return self._core.threads

    @property
    def bytes_per_step(self) -> int:
        """The bytes that a step writes for each playthrough: its observation, mask, reward, end and side to move."""
        return sum(array.nbytes for array in self.state) // len(self)

    @property
    def starts(self) -> list[Position]:
        """Copies of the positions from which playthroughs begin."""
        return [start.copy() for start in self._starts]

    def reset(self, seed: SupportsIndex | None = None, starts: Starts | None = None) -> BatchStep:
        """Start every playthrough again, from now on at ``starts`` if given; with a seed, also the random numbers."""
        if seed is not None:
            self._core.seed(core_seed(seed))
        if starts is not None:
            self._set_starts(starts)
        else:
            self._core.reset()
        return self.state

    def _set_starts(self, starts: Starts) -> None:
        found = as_starts(self.game, starts)
        self._core.set_starts(found)
        self._starts = found

    def restart(self, where: NDArray[np.bool_]) -> BatchStep:
        """Give up the playthroughs where an array of ``bool`` is true: each begins again, at its next start."""
        self._core.restart(where)
        return self.state

    def step(self, moves: ArrayLike, active: NDArray[np.bool_] | None = None) -> BatchStep:
        """Play a move in every playthrough, or only where ``active`` is true, and return the new state.

        ``moves`` are integers, best as an array of int64. Raises IllegalMove, which names the index, if one of them is
        not legal; then no move has been played. With ``illegal="lose"`` it loses instead.
        """
        return self._step(moves, active, self._illegal)

    def _step(self, moves: ArrayLike, active: NDArray[np.bool_] | None, illegal: str) -> BatchStep:
        numpy = require_numpy()
        found = self._as_moves(moves)
        at = self._core.step(numpy.ascontiguousarray(found, numpy.int64), active, illegal == "lose")
        if at >= 0:
            move = int(found[at])
            reason = self.position(at)._reason_against(move)
            raise IllegalMove(f"illegal move {move} at index {at}: {reason}")
        return self.state

    def _as_moves(self, moves: ArrayLike) -> NDArray[Any]:
        found: NDArray[Any] = require_numpy().asarray(moves)
        if found.dtype.kind not in "iu":
            raise TypeError(f"expected moves as integers, got {found.dtype}")
        if found.shape != (len(self),):
            raise ValueError(f"expected {len(self)} moves, got an array of shape {found.shape}")
        return found

    def random_moves(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return a random legal move for each playthrough; ``out`` is filled and returned instead of a new array."""
        if out is None:
            out = require_numpy().empty(len(self), "int64")
        self._core.choose_randomly(out)
        return out

    def rollout(self, policy: str | Policy = RANDOM) -> NDArray[np.float32]:
        """Play a copy of every playthrough to its end and return the results: 1, 0 or -1 for the side to move now.

        The batch itself does not change, but the next rollout plays other random moves. ``policy`` is ``"random"`` or a
        function that takes observations and masks and returns moves.
        """
        if callable(policy):
            return self._roll_out_by(policy)
        if policy != RANDOM:
            raise ValueError(f"expected a function or {RANDOM!r} as policy, got {quote(str(policy))}")
        results: NDArray[np.float32] = require_numpy().empty(len(self), "float32")
        self._core.roll_out(results)
        return results

    def _roll_out_by(self, policy: Policy) -> NDArray[np.float32]:
        numpy = require_numpy()
        playing, side = self.clone(), self.to_move.copy()
        results: NDArray[np.float32] = numpy.zeros(len(self), "float32")
        active = numpy.ones(len(self), "bool")
        while active.any():
            sign = numpy.where(playing.to_move == side, 1, -1)
            step = playing.step(policy(playing.observations, playing.masks), active)
            results += sign * step.rewards
            active &= ~step.terminated
        return results

    def position(self, index: SupportsIndex) -> Position:
        """Return a copy of one position, with its moves; indices count from 0."""
        at = as_int("index", index, 0, len(self) - 1)
        return self._starts[self._core.start_of(at)]._copy_of(self._core.position(at))

    def clone(self) -> Batch:
        """Return an independent copy, which continues with the same random numbers."""
        twin = Batch.__new__(type(self))
        twin._set(self.game, self._core.clone(), self._starts, self._kind, self._illegal)
        return twin

    def save(self) -> bytes:
        """Return the whole state but its starts as bytes, for ``restore``."""
        return self._core.save()

    def restore(self, data: bytes) -> BatchStep:
        """Return to a saved state of a batch of the same game, size, starts and kind of observations.

        Raises ValueError, and changes nothing, if the bytes do not fit.
        """
        if not isinstance(data, bytes):
            raise TypeError(f"expected the bytes of a saved batch, got {type(data).__name__}")
        self._core.load(data)
        return self.state

    def __reduce__(self) -> tuple[object, ...]:
        options = {
            "threads": self.threads,
            "starts": [start.text for start in self._starts],
            "observations": self._kind,
            "illegal": self._illegal,
        }
        return (_rebuild, (self.game, len(self), options, self.save()))

    def __repr__(self) -> str:
        return f"Batch({self.game.id!r}, {len(self)})"


def as_game(game: Game | str | os.PathLike[str]) -> Game:
    """Return a game itself, or the game of an id, an alias or a game file."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str | os.PathLike):
        raise TypeError(f"expected a Game, an id or the path of a game file, got {type(game).__name__}")
    return find_game(os.fspath(game))


def as_starts(game: Game, starts: Starts) -> list[Position]:
    """Return positions to begin from, without earlier moves; raises ValueError if there is none or one is over."""
    if not isinstance(starts, str | Position | Iterable):
        raise TypeError(f"expected a position, a position string or several as starts, got {type(starts).__name__}")
    given = [starts] if isinstance(starts, str | Position) else list(starts)
    if not given:
        raise ValueError("expected at least one start, got none")
    return [as_start(game, start) for start in given]


def as_start(game: Game, start: Position | str) -> Position:
    """Return a position to begin from, without earlier moves; raises ValueError if it is over or of another game."""
    if not isinstance(start, str | Position):
        raise TypeError(f"expected a position or a position string as start, got {type(start).__name__}")
    if isinstance(start, Position) and start.game != game:
        raise ValueError(f"expected a position of {game.id}, got one of {start.game.id}")
    found = game.parse(start if isinstance(start, str) else start.text)
    if found.is_over:
        raise ValueError(f"expected a position that is not over, got {quote(found.text)}")
    return found


def _rebuild(game: Game, n: int, options: dict[str, Any], saved: bytes) -> Batch:
    batch = Batch(game, n, 0, **options)
    batch.restore(saved)
    return batch


def check_choice(name: str, value: object, choices: Sequence[object]) -> None:
    """Raise ValueError if a value is none of the choices."""
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        listed = " or ".join(", ".join(map(repr, choices)).rsplit(", ", 1))
        raise ValueError(f"expected {name} as {listed}, got {quote(value) if isinstance(value, str) else repr(value)}")


def core_seed(seed: SupportsIndex | None) -> int:
    """Return a seed as the core takes it; a random one for None."""
    return secrets.randbelow(SEEDS) if seed is None else as_int("seed", seed) % SEEDS


def _processors() -> int:
    """The number of processors that this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(count or 1, _core.MAX_THREADS)
