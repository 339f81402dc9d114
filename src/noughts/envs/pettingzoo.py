"""PettingZoo: two agents, ``X`` and ``O``, that move in turn. Needs ``pip install 'noughts[pettingzoo]'``.

>>> connect4 = env("connect4")
>>> connect4.reset(seed=1)
>>> observation, reward, terminated, truncated, info = connect4.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum()), info
((4, 6, 7), 7, {'value': 1, 'regret': None})
"""

from __future__ import annotations

from typing import Any, ClassVar

from noughts.engine import Limit
from noughts.envs.batch import as_game
from noughts.envs.episode import Episode, check_render_mode
from noughts.games import Game, Side

try:
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise ImportError("PettingZoo is not installed: pip install 'noughts[pettingzoo]'") from None

__all__ = ["GameEnv", "env"]

Observation = dict[str, NDArray[Any]]


def env(game: Game | str = "3x3", render_mode: str | None = None, values: bool | Limit = True) -> AECEnv[str, Any, Any]:
    """Return the environment of a game, in which an illegal move loses.

    ``values`` adds the exact ``value`` and ``regret`` to each ``info`` where they are known; a limit bounds each proof,
    False turns it off. Render modes: ``ansi`` returns the board as text, ``human`` prints it.
    """
    wrapped = wrappers.TerminateIllegalWrapper(GameEnv(game, render_mode, values), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class GameEnv(AECEnv[str, Observation, int]):
    """A game without the wrappers of ``env``. Observations are planes with an action mask; an action is a move."""

    metadata: ClassVar[dict[str, object]] = {
        "name": "noughts_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, game: Game | str = "3x3", render_mode: str | None = None, values: bool | Limit = True) -> None:
        super().__init__()
        self._episode = Episode(as_game(game), values)
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.possible_agents = list(Side)
        cells, shape = self._episode.game.cells, self._episode.game.observation_shape
        self._action_space = spaces.Discrete(cells)
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape, np.uint8),
                "action_mask": spaces.Box(0, 1, (cells,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, the same for both agents."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of moves, the same for both agents."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Start a new playthrough. Nothing in it is random, so the seed changes nothing."""
        self._episode.reset()
        self.agents = self.possible_agents[:]
        self.agent_selection = Side.X
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._note_infos()

    def observe(self, agent: str) -> Observation:
        """Return the position as an agent sees it, and its legal moves."""
        side = Side(agent)
        return {"observation": self._episode.observe(side), "action_mask": self._episode.action_mask(side)}

    def step(self, action: int) -> None:
        """Make a move."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        mover = self.agent_selection
        self._cumulative_rewards[mover] = 0.0
        self._episode.play(action)
        self.rewards = {agent: self._episode.reward(Side(agent)) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, self._episode.is_over)
        self.agent_selection = Side(mover).opponent
        self._note_infos()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _note_infos(self) -> None:
        self.infos = {agent: self._episode.info(Side(agent)) for agent in self.agents}

    def render(self) -> str | None:
        """Return the board as text, or print it."""
        board = self._episode.position.draw()
        if self.render_mode != "human":
            return board
        print(board)
        return None
