"""Gymnasium: an agent plays one side, a level the other. Needs ``pip install 'noughts[gymnasium]'``.

>>> import gymnasium
>>> connect4 = gymnasium.make("noughts/Game-v0", game="connect4", opponent="random")
>>> planes, info = connect4.reset(seed=1)
>>> planes.shape, info["value"]
((4, 6, 7), 1)
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from noughts.engine import Limit
from noughts.envs.batch import RANDOM, Batch, Policy, as_game
from noughts.envs.episode import Episode, check_render_mode
from noughts.games import Game, Side
from noughts.games.planes import opponents_planes
from noughts.games.quoting import quote
from noughts.players import Player
from noughts.players.registry import make_builtin

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from numpy.typing import ArrayLike, NDArray
except ImportError:
    raise ImportError("Gymnasium is not installed: pip install 'noughts[gymnasium]'") from None

__all__ = ["GameEnv", "GameVectorEnv"]

ID = "noughts/Game-v0"
SEEDS = 1 << 31
Opponent = str | Player
Planes = NDArray[np.uint8]
Info = dict[str, Any]


class GameEnv(gymnasium.Env[Planes, np.int64]):
    """One playthrough against an opponent: a level, a rating such as ``elo:1500``, ``random``, or any player.

    ``side`` is the agent's side; None draws it for each episode. An action is a move; ``info["action_mask"]`` marks the
    legal ones, and any other loses. A step after the end raises ``gymnasium.error.ResetNeeded``. ``values`` adds the
    exact ``value`` and ``regret`` to ``info`` where they are known; a limit bounds each proof, False turns it off.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 2}  # noqa: RUF012 - declared like this by the base class

    def __init__(
        self,
        game: Game | str = "3x3",
        side: Side | str | None = "X",
        opponent: Opponent = "easy",
        values: bool | Limit = True,
        render_mode: str | None = None,
    ) -> None:
        self._episode = Episode(as_game(game), values)
        self._wanted_side = None if side is None else _as_side(side)
        self.side = self._wanted_side or Side.X
        """The agent's side in this episode."""
        self._opponent, self._player = opponent, _player(opponent, None)
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.observation_space = spaces.Box(0, 1, self._episode.game.observation_shape, np.uint8)
        self.action_space = spaces.Discrete(self._episode.game.cells)

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> tuple[Planes, Info]:
        """Start a new playthrough; the seed determines the agent's side and a built-in opponent's moves."""
        super().reset(seed=seed)
        self._player = _player(self._opponent, int(self.np_random.integers(SEEDS)))
        self.side = self._wanted_side or list(Side)[int(self.np_random.integers(2))]
        self._episode.reset()
        self._reply()
        return self._observe()

    def step(self, action: int | np.int64) -> tuple[Planes, float, bool, bool, Info]:
        """Make a move, and the opponent's reply."""
        if self._episode.is_over:
            raise gymnasium.error.ResetNeeded("the playthrough is over: call reset before the next step")
        self._episode.play(operator.index(action))
        self._reply()
        planes, info = self._observe()
        return planes, self._episode.reward(self.side), self._episode.is_over, False, info

    def _reply(self) -> None:
        """Let the opponent move if it is its turn."""
        if not self._episode.is_over and self._episode.position.turn is not self.side:
            self._episode.play(self._player.choose(self._episode.position.copy()))

    def _observe(self) -> tuple[Planes, Info]:
        info: Info = {"action_mask": self._episode.action_mask(self.side), **self._episode.info(self.side)}
        if self._episode.illegal is not None:
            info["illegal"] = self._episode.illegal
        return self._episode.observe(self.side), info

    def render(self) -> str:
        """Return the board as text."""
        return self._episode.position.draw()


class GameVectorEnv(VectorEnv[Planes, NDArray[np.int64], NDArray[Any]]):
    """Many playthroughs against an opponent, stepped in the core by a ``Batch``.

    The opponent is ``random``, played in the core; a function from observations and masks to moves, such as an earlier
    version of the agent; or a level or a player, which is asked for each move in turn and is far slower. A playthrough
    that ends starts again in the same step; its last observation is in ``info["final_obs"]``. Raises IllegalMove, which
    names the index, for a move that is not legal; then none has been played. With ``copy=False`` observations are views
    of the batch's memory, which the next step overwrites.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - declared like this by the base class

    def __init__(
        self,
        game: Game | str = "3x3",
        num_envs: int = 1,
        side: Side | str = "X",
        opponent: Opponent | Policy = RANDOM,
        *,
        threads: int | None = None,
        copy: bool = True,
    ) -> None:
        self.batch = Batch(game, num_envs, threads=threads)
        self.num_envs = num_envs
        self.side = _as_side(side)
        self._opponent, self._choose = opponent, _batch_policy(self.batch, opponent, None)
        self._copy = copy
        self._seen_by_opponent = opponents_planes(self.batch.game)
        self.single_observation_space = spaces.Box(0, 1, self.batch.game.observation_shape, np.uint8)
        self.single_action_space = spaces.Discrete(self.batch.game.cells)
        self.observation_space = spaces.Box(0, 1, self.batch.observations.shape, np.uint8)
        self.action_space = spaces.MultiDiscrete(np.full(num_envs, self.batch.game.cells))

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> tuple[Planes, Info]:
        """Start all playthroughs again; the seed determines the moves of a built-in opponent."""
        super().reset(seed=seed)
        self.batch.reset(seed)
        if seed is not None:
            self._choose = _batch_policy(self.batch, self._opponent, seed)
        self._reply(np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_))
        return self._observations(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Planes, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Make the agent's moves, and the opponent's replies."""
        step = self.batch.step(actions)
        rewards, ended = step.rewards.copy(), step.terminated.copy()
        ended_by_agent = np.flatnonzero(ended)
        self._reply(rewards, ended)
        info = self._info()
        if ended.any():
            final = self.batch.final_observations.copy()
            final[ended_by_agent] = final[ended_by_agent][:, self._seen_by_opponent]
            info |= {"final_obs": final, "_final_obs": ended}
        return self._observations(), rewards, ended, np.zeros_like(ended), info

    def _reply(self, rewards: NDArray[np.float32], ended: NDArray[np.bool_]) -> None:
        """Let the opponent move until it is the agent's turn everywhere; notes the results in both arrays."""
        number = self.side.number
        while (waiting := self.batch.to_move != number).any():
            step = self.batch.step(self._choose(waiting), waiting)
            rewards -= step.rewards
            if (ended & step.terminated).any():
                raise ValueError(f"expected a game in which {self.side} gets to move, but the opponent won at once")
            ended |= step.terminated

    def _observations(self) -> Planes:
        return self.batch.observations.copy() if self._copy else self.batch.observations

    def _info(self) -> Info:
        masks = self.batch.masks.view(np.int8)
        return {"action_mask": masks.copy() if self._copy else masks}


def _as_side(side: Side | str) -> Side:
    if side not in list(Side):
        raise ValueError(f"expected X or O as side, got {quote(side)}")
    return Side(side)


def _player(opponent: Opponent, seed: int | None) -> Player:
    if not isinstance(opponent, str):
        if not hasattr(opponent, "choose"):
            raise TypeError(f"expected a name or a player with choose as opponent, got {type(opponent).__name__}")
        return opponent
    player = make_builtin(opponent, seed)
    if player is None:
        raise ValueError(f"expected a level, a rating such as elo:1500 or random as opponent, got {quote(opponent)}")
    return player


def _batch_policy(
    batch: Batch, opponent: Opponent | Policy, seed: int | None
) -> Callable[[NDArray[np.bool_]], ArrayLike]:
    """A function from the playthroughs in which the opponent is to move to an array with its moves."""
    if opponent == RANDOM:
        return lambda waiting: batch.random_moves()
    if callable(opponent):
        return lambda waiting: opponent(batch.observations, batch.masks)
    player = _player(opponent, seed)

    def ask(waiting: NDArray[np.bool_]) -> NDArray[np.int64]:
        moves = np.zeros(len(batch), np.int64)
        for index in np.flatnonzero(waiting):
            moves[index] = player.choose(batch.position(int(index)))
        return moves

    return ask


if ID not in gymnasium.registry:
    gymnasium.register(ID, f"{__name__}:GameEnv", vector_entry_point=f"{__name__}:GameVectorEnv")
