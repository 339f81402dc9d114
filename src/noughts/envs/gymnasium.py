"""Gymnasium: an agent plays one side, an opponent the other. Needs ``pip install 'noughts[gymnasium]'``.

Importing this module registers ``noughts/Game-v0``, which takes any game, and an id for each game of ``IDS``.

>>> import gymnasium
>>> connect4 = gymnasium.make("noughts/ConnectFour-v0")
>>> planes, info = connect4.reset(seed=1)
>>> planes.shape, connect4.action_space, info["action_mask"]
((4, 6, 7), Discrete(7), array([1, 1, 1, 1, 1, 1, 1], dtype=int8))
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, SupportsIndex

from noughts.analysis.exact import ExactValues
from noughts.envs.batch import ILLEGAL, RANDOM, Batch, Starts, as_game, check_choice
from noughts.envs.episode import (
    Episode,
    Frame,
    Info,
    Values,
    as_exact_values,
    check_render_mode,
    mean_known_regret,
    regret_of,
    render,
    start_in,
)
from noughts.envs.opponents import SELF, BatchOpponents, Opponent, OpponentPolicy, as_player
from noughts.envs.views import ActionNumbering, Mask, Observation, ObservationFormat
from noughts.games import Game, Side
from noughts.games.quoting import quote
from noughts.invocation import install_line
from noughts.limit import as_seed

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from numpy.typing import NDArray
except ImportError:
    raise ImportError(f"Gymnasium is not installed: {install_line('gymnasium')}") from None

__all__ = ["IDS", "GameEnv", "GameVectorEnv"]

IDS: dict[str, dict[str, str]] = {
    "noughts/Game-v0": {},
    "noughts/TicTacToe-v0": {"game": "3x3"},
    "noughts/ConnectFour-v0": {"game": "7x6:4+gravity", "actions": "columns"},
    "noughts/Qubic-v0": {"game": "4x4x4"},
    "noughts/ScoreFour-v0": {"game": "4x4x4+gravity", "actions": "columns"},
    "noughts/Gomoku-v0": {"game": "15x15:5"},
    "noughts/Ultimate-v0": {"game": "ultimate:3"},
}
"""The ids that are registered, with the options they stand for."""
SEEDS = 1 << 31
SIDES = tuple(Side)
Options = dict[str, object]


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """One playthrough against an opponent: a level, a rating such as ``elo:1500``, ``random``, or any player.

    ``side`` is the agent's side; None draws it for each episode. With the opponent ``"self"`` the agent plays both
    sides: it sees each position as the side to move, and a reward is that of the side that moved. ``info["side"]`` is
    the side whose turn it is: 0 for X, 1 for O.

    ``actions`` are ``"cells"`` or, with gravity, ``"columns"``; ``info["action_mask"]`` and ``action_masks()`` mark the
    legal ones. With ``illegal="lose"`` any other loses, with the reason in ``info["illegal"]``; with ``"raise"`` it
    raises IllegalMove, and nothing has been played.
    ``observation`` is ``"planes"`` (uint8), ``"float"`` (the same as float32) or ``"flat"`` (a row of float32).

    ``values`` adds the exact ``value`` and ``regret`` to ``info``, None where they are not known: ``"book"`` looks them
    up, ``"solve"`` also tries a proof of some milliseconds in each step, and a limit bounds longer ones.

    Episodes begin at the empty board or, in turn, at ``starts``; ``reset(options={"position": ...})`` begins one at a
    position or a position string. A step after the end raises ``gymnasium.error.ResetNeeded``. Render modes: ``ansi``
    returns the board as text, ``rgb_array`` as pixels, ``human`` prints it.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 2}  # noqa: RUF012 - as in the base class

    def __init__(
        self,
        game: Game | str = "3x3",
        side: Side | str | None = "X",
        opponent: Opponent = RANDOM,
        *,
        values: Values = False,
        illegal: str = "lose",
        actions: str = "cells",
        observation: str = "planes",
        starts: Starts | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._episode = Episode(
            as_game(game), values=values, illegal=illegal, actions=actions, observation=observation, starts=starts
        )
        self._wanted_side = _as_side(side)
        self.side = self._wanted_side or Side.X
        """The agent's side in this episode; against itself, the side that moves next."""
        self._plays_itself = isinstance(opponent, str) and opponent == SELF
        self._opponent = RANDOM if self._plays_itself else opponent
        self._player = as_player(self._opponent, None)
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.observation_space = _observation_space(self._episode.format)
        self.action_space = spaces.Discrete(self._episode.actions.count)

    def reset(self, *, seed: SupportsIndex | None = None, options: Options | None = None) -> tuple[Observation, Info]:
        """Start a new playthrough; the seed determines the agent's side and a built-in opponent's moves."""
        super().reset(seed=as_seed(seed))
        if seed is not None:
            self._episode.rewind_starts()
        self._player = as_player(self._opponent, int(self.np_random.integers(SEEDS)))
        self.side = self._wanted_side or SIDES[int(self.np_random.integers(2))]
        self._episode.reset(start_in(options))
        self._reply()
        return self._observe()

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Make a move, and the opponent's reply."""
        if self._episode.is_over:
            raise gymnasium.error.ResetNeeded("the playthrough is over: call reset before the next step")
        mover = self.side
        self._episode.act(action)
        self._reply()
        observation, info = self._observe()
        return observation, self._episode.reward(mover), self._episode.is_over, False, info

    def action_masks(self) -> Mask:
        """Return the legal actions as an array of ``bool``; MaskablePPO of sb3-contrib asks for them by this name."""
        return self._episode.action_mask(self.side)

    def _reply(self) -> None:
        """Let the opponent move if it is its turn."""
        turn = self._episode.position.turn
        if self._episode.is_over or turn is None:
            pass
        elif self._plays_itself:
            self.side = turn
        elif turn is not self.side:
            self._episode.play(self._player.choose(self._episode.position.copy()))
        if self.render_mode == "human":
            self.render()

    def _observe(self) -> tuple[Observation, Info]:
        info = {"action_mask": self.action_masks().view(np.int8), "side": self.side.number}
        return self._episode.observe(self.side), info | self._episode.info(self.side)

    def render(self) -> Frame:
        """Return the board as text or pixels, or print it."""
        return render(self._episode.position, self.render_mode)


class GameVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many playthroughs, stepped in the core by a ``Batch``; the options are those of ``GameEnv``.

    The opponent is ``random``, played in the core; a function from observations and action masks to actions, such as an
    earlier version of the agent; a level or a player, which is asked for each move in turn and is far slower; a
    list of these, which are spread over the playthroughs; or ``"self"``.

    A playthrough that ends starts again in the same step; its last observation is in ``info["final_obs"]``. The other
    entries of ``info`` are arrays with an item for each playthrough. ``value`` and ``regret`` have masks, ``_value``
    and ``_regret``, that are true where they are known; ``known_steps`` and ``mean_known_regret`` belong to the
    episodes that ended. ``illegal`` marks the actions that lost because they were illegal.

    ``statistics`` adds ``info["episode"]`` with return (``r``), length (``l``) and time (``t``) of the episodes that
    ended, as Gymnasium's RecordEpisodeStatistics does, which also works; but against itself the return is that of X.
    With ``copy=False`` observations and masks may be views of the batch's memory, which the next step overwrites.
    """

    metadata = {  # noqa: RUF012 - declared like this by the base class
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: Game | str = "3x3",
        num_envs: int = 1,
        side: Side | str | None = "X",
        opponent: Opponent | OpponentPolicy | Sequence[Opponent | OpponentPolicy] = RANDOM,
        *,
        values: Values = False,
        illegal: str = "lose",
        actions: str = "cells",
        observation: str = "planes",
        starts: Starts | None = None,
        statistics: bool = False,
        render_mode: str | None = None,
        threads: int | None = None,
        copy: bool = True,
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        self.batch = Batch(game, num_envs, threads=threads, starts=starts)
        self.num_envs = len(self.batch)
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self._starts = self.batch.starts
        self._actions = ActionNumbering(self.batch.game, actions)
        self._format = ObservationFormat(self.batch.game, observation)
        self._illegal, self._copy = illegal, copy
        self._wanted_side = _as_side(side)
        self._sides = np.zeros(self.num_envs, np.int8)
        self._opponents = self._make_opponents(opponent)
        self._values = as_exact_values(values)
        self._regrets: list[list[int | None]] = [[] for _ in range(self.num_envs)]
        self._statistics = EpisodeStatistics(self.num_envs) if statistics else None
        self.single_observation_space = _observation_space(self._format)
        self.single_action_space = spaces.Discrete(self._actions.count)
        self.observation_space = spaces.Box(0, 1, (self.num_envs, *self._format.shape), self._format.dtype)
        self.action_space = spaces.MultiDiscrete(np.full(self.num_envs, self._actions.count))

    def _make_opponents(
        self, opponent: Opponent | OpponentPolicy | Sequence[Opponent | OpponentPolicy]
    ) -> BatchOpponents | None:
        """The opponents; None if the agent plays itself."""
        if isinstance(opponent, str) and opponent == SELF:
            return None
        several = opponent if isinstance(opponent, Sequence) and not isinstance(opponent, str) else [opponent]
        return BatchOpponents(self.batch, several, self._actions, self._format)

    def reset(self, *, seed: SupportsIndex | None = None, options: Options | None = None) -> tuple[Observation, Info]:
        """Start all playthroughs again; the seed decides sides and the moves of built-in opponents.

        ``options={"position": ...}`` gives a start, or several, which hold until the next reset.
        """
        seed = as_seed(seed)
        super().reset(seed=seed)
        starts = start_in(options)
        self.batch.reset(seed, self._starts if starts is None else starts)
        if seed is not None and self._opponents is not None:
            self._opponents.seed(seed)
        self._regrets = [[] for _ in range(self.num_envs)]
        self._draw_sides(np.ones(self.num_envs, np.bool_))
        self._reply(np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_))
        if self._statistics is not None:
            self._statistics.reset()
        return self._observations(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Make the agent's moves, and the opponents' replies."""
        moves = self._actions.moves(actions, self.batch.masks)
        is_illegal = ~self._is_legal(moves)
        if self._illegal == "raise" and is_illegal.any():
            self.batch.step(moves)  # raises IllegalMove
        movers = self.batch.to_move.copy()
        if self._values is not None:
            self._note_regrets(self._values, moves)
        step = self.batch._step(moves, None, "lose")
        rewards, ended = step.rewards.copy(), step.terminated.copy()
        ended_by_move = np.flatnonzero(ended & ~is_illegal)
        self._draw_sides(ended)
        self._reply(rewards, ended)
        info = self._info() | self._results(rewards, ended, movers)
        if is_illegal.any():
            info["illegal"] = is_illegal
        if ended.any():
            final = self.batch.final_observations.copy()
            final[ended_by_move] = self._format.seen_by_opponent(final[ended_by_move])
            info |= {"final_obs": self._format.convert(final), "_final_obs": ended}
        return self._observations(), rewards, ended, np.zeros_like(ended), info

    def action_masks(self) -> Mask:
        """Return the legal actions of each playthrough as an array of ``bool``."""
        return self._actions.mask(self.batch.masks)

    def render(self) -> tuple[Frame, ...]:  # type: ignore[override] # the base class does not foresee text
        """Return the boards as text or pixels."""
        return tuple(render(self.batch.position(index), self.render_mode) for index in range(self.num_envs))

    def _is_legal(self, moves: NDArray[np.int64]) -> Mask:
        is_cell = (moves >= 0) & (moves < self.batch.game.cells)
        return is_cell & self.batch.masks[np.arange(self.num_envs), np.where(is_cell, moves, 0)]

    def _draw_sides(self, where: NDArray[np.bool_]) -> None:
        """Choose the agent's sides in new playthroughs."""
        if self._wanted_side is None:
            self._sides[where] = self.np_random.integers(2, size=int(where.sum()))
        else:
            self._sides[where] = self._wanted_side.number

    def _reply(self, rewards: NDArray[np.float32], ended: NDArray[np.bool_]) -> None:
        """Let the opponents move until it is the agent's turn everywhere; notes the results in both arrays."""
        if self._opponents is None:
            return
        while (waiting := self.batch.to_move != self._sides).any():
            step = self.batch.step(self._opponents.choose(waiting), waiting)
            rewards -= step.rewards
            if (ended & step.terminated).any():
                raise ValueError(
                    "expected starts at which the agent gets to move, but an opponent ended the game at once"
                )
            ended |= step.terminated
            self._draw_sides(step.terminated)

    def _observations(self) -> Observation:
        seen = self._format.convert(self.batch.observations)
        return seen.copy() if self._copy and np.may_share_memory(seen, self.batch.observations) else seen

    def _info(self) -> Info:
        mask = self.action_masks().view(np.int8)
        if self._copy and np.may_share_memory(mask, self.batch.masks):
            mask = mask.copy()
        info: Info = {"action_mask": mask, "side": self.batch.to_move.copy()}
        if self._values is not None:
            values = [self._values.of(self.batch.position(index)) for index in range(self.num_envs)]
            info |= _with_mask("value", [None if value is None else value.number for value in values], np.int8)
        return info

    def _note_regrets(self, values: ExactValues, moves: NDArray[np.int64]) -> None:
        for index, move in enumerate(moves.tolist()):
            self._regrets[index].append(regret_of(values, self.batch.position(index), move))

    def _results(self, rewards: NDArray[np.float32], ended: NDArray[np.bool_], movers: NDArray[np.int8]) -> Info:
        """The regrets of the step, and what is known of the episodes that ended."""
        info: Info = {}
        if self._values is not None:
            info |= _with_mask("regret", [regrets[-1] for regrets in self._regrets], np.int8)
            if ended.any():
                info |= self._end_regrets(ended)
        if self._statistics is not None:
            returns = rewards if self._opponents is not None else np.where(movers == 0, rewards, -rewards)
            info |= self._statistics.step(returns, ended)
        return info

    def _end_regrets(self, ended: NDArray[np.bool_]) -> Info:
        known: list[int | None] = [None] * self.num_envs
        means: list[float | None] = [None] * self.num_envs
        for index in np.flatnonzero(ended):
            known[index], means[index] = mean_known_regret(self._regrets[index])
            self._regrets[index] = []
        return _with_mask("known_steps", known, np.int64) | _with_mask("mean_known_regret", means, np.float32)


class EpisodeStatistics:
    """Returns, lengths and times of episodes, in the form of Gymnasium's RecordEpisodeStatistics."""

    def __init__(self, count: int) -> None:
        self._returns = np.zeros(count)
        self._lengths = np.zeros(count, np.int64)
        self._began = np.zeros(count)
        self.reset()

    def reset(self) -> None:
        """Begin all episodes."""
        self._returns[:] = self._lengths[:] = 0
        self._began[:] = time.perf_counter()

    def step(self, rewards: NDArray[Any], ended: NDArray[np.bool_]) -> Info:
        """Add a step; returns the statistics of the episodes that it ended."""
        self._returns += rewards
        self._lengths += 1
        if not ended.any():
            return {}
        now = time.perf_counter()
        found = {
            "r": np.where(ended, self._returns, 0.0),
            "l": np.where(ended, self._lengths, 0),
            "t": np.where(ended, np.round(now - self._began, 6), 0.0),
        }
        self._returns[ended] = self._lengths[ended] = 0
        self._began[ended] = now
        return {"episode": found, "_episode": ended}


def _with_mask(name: str, items: Sequence[float | None], dtype: type[np.generic]) -> Info:
    """Items as an array, and a mask of those that are known, as in the information of Gymnasium's vectors."""
    is_known = np.array([item is not None for item in items])
    return {name: np.array([item or 0 for item in items], dtype), f"_{name}": is_known}


def _observation_space(format: ObservationFormat) -> spaces.Box:
    return spaces.Box(0, 1, format.shape, format.dtype)


def _as_side(side: Side | str | None) -> Side | None:
    if side is not None and side not in SIDES:
        raise ValueError(f"expected X, O or None as side, got {quote(str(side))}")
    return None if side is None else Side(side)


for _id, _options in IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id, f"{__name__}:GameEnv", vector_entry_point=f"{__name__}:GameVectorEnv", kwargs=dict(_options)
        )
