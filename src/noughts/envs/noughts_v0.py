"""PettingZoo: two agents, ``X`` and ``O``, that move in turn. Needs ``pip install 'noughts[pettingzoo]'``.

>>> from noughts.envs import noughts_v0
>>> connect4 = noughts_v0.env("connect4", actions="columns")
>>> connect4.reset(seed=1)
>>> observation, reward, terminated, truncated, info = connect4.last()
>>> observation["observation"].shape, observation["action_mask"]
((4, 6, 7), array([1, 1, 1, 1, 1, 1, 1], dtype=int8))
"""

from __future__ import annotations

from typing import Any, ClassVar

from noughts.envs.batch import Starts, as_game
from noughts.envs.episode import Episode, Frame, Values, check_render_mode, render
from noughts.games import Game, Side
from noughts.invocation import install_line

try:
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise ImportError(f"PettingZoo is not installed: {install_line('pettingzoo')}") from None

__all__ = ["env", "raw_env"]

Observed = dict[str, NDArray[np.generic]]


def env(game: Game | str = "3x3", **options: Any) -> AECEnv[str, Observed, int]:
    """Return the environment of a game; the options are those of ``raw_env``. Steps before a reset are refused."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, **options))


class raw_env(AECEnv[str, Observed, int]):
    """The environment of a game without the wrapper of ``env``.

    Observations have an action mask. ``actions`` are ``"cells"`` or, with gravity, ``"columns"``; ``observation`` is
    ``"planes"`` (uint8), ``"float"`` or ``"flat"`` (float32). An illegal move loses, with the reason in
    ``info["illegal"]``; with ``illegal="raise"`` it raises IllegalMove. ``values`` adds the exact ``value`` and
    ``regret`` to each ``info``, None where they are not known: ``"book"`` looks them up, ``"solve"`` also tries a proof
    of some milliseconds in each step, and a limit bounds longer ones.

    Episodes begin at the empty board or, in turn, at ``starts``; ``reset(options={"position": ...})`` begins one at a
    position or a position string. Render modes: ``ansi`` returns the board as text, ``rgb_array`` as pixels, ``human``
    prints it. There is no parallel environment, since the agents never move at the same time.
    """

    metadata: ClassVar[dict[str, object]] = {
        "name": "noughts_v0",
        "render_modes": ["ansi", "human", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: Game | str = "3x3",
        render_mode: str | None = None,
        *,
        values: Values = False,
        illegal: str = "lose",
        actions: str = "cells",
        observation: str = "planes",
        starts: Starts | None = None,
    ) -> None:
        super().__init__()
        self._episode = Episode(
            as_game(game), values=values, illegal=illegal, actions=actions, observation=observation, starts=starts
        )
        self.render_mode = check_render_mode(render_mode, self.metadata)
        self.possible_agents = list(Side)
        count, format = self._episode.actions.count, self._episode.format
        self._action_space = spaces.Discrete(count)
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, format.shape, format.dtype),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, the same for both agents."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of moves, the same for both agents."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Start a new playthrough. Nothing in it is random; with a seed, it begins at the first of several starts."""
        if seed is not None:
            self._episode.rewind_starts()
        self._episode.reset((options or {}).get("position"))
        self.agents = self.possible_agents[:]
        self.agent_selection = self._episode.position.side_to_move
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._note_infos()

    def observe(self, agent: str) -> Observed:
        """Return the position as an agent sees it, and its legal moves."""
        side = Side(agent)
        mask = self._episode.action_mask(side).view(np.int8)
        return {"observation": self._episode.observe(side), "action_mask": mask}

    def step(self, action: int) -> None:
        """Make a move."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        mover = self.agent_selection
        self._episode.act(action)
        self._cumulative_rewards[mover] = 0.0
        self.rewards = {agent: self._episode.reward(Side(agent)) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, self._episode.is_over)
        self.agent_selection = Side(mover).opponent
        self._note_infos()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _note_infos(self) -> None:
        self.infos = {agent: self._episode.info(Side(agent)) for agent in self.agents}

    def render(self) -> Frame:
        """Return the board as text or pixels, or print it."""
        return render(self._episode.position, self.render_mode)
