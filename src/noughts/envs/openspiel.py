"""OpenSpiel: every game as ``noughts(game=...)``, for its algorithms. Needs ``pip install 'noughts[openspiel]'``.

Importing this module registers the game. An action is a move or, with ``actions=columns``, a column of a game with
gravity; ``state.position`` is the position.

>>> import pyspiel
>>> state = pyspiel.load_game("noughts(game=4x4x4)").new_initial_state()
>>> state.apply_action(0)
>>> len(state.legal_actions()), state.action_to_string(63), state.position.turn
(63, '4d1', <Side.O: 'O'>)
"""

from __future__ import annotations

from typing import Any

from noughts.envs.batch import as_game, as_start
from noughts.envs.episode import observe, reward_of
from noughts.envs.views import ActionNumbering
from noughts.games import Position, Side
from noughts.invocation import install_line

try:
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError:
    raise ImportError(f"OpenSpiel is not installed: {install_line('openspiel')}") from None

__all__ = ["SpielGame", "SpielState", "register"]

NAME = "noughts"
PARAMETERS = {"game": "3x3", "actions": "cells"}
GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Noughts",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


def register() -> None:
    """Register the game with OpenSpiel. Importing this module does so; another call changes nothing."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, SpielGame)


class SpielGame(pyspiel.Game):
    """A game for OpenSpiel: ``game`` is an id, an alias or the path of a game file, ``actions`` cells or columns."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = PARAMETERS | (params or {})
        self.rules = as_game(params["game"])
        self.actions = ActionNumbering(self.rules, params["actions"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.cells,
        )
        super().__init__(GAME_TYPE, info, params)

    def new_initial_state(self, text: str | None = None) -> SpielState:
        """Return the state before the first move: the empty board, or a position string such as ``str(state)``."""
        state = SpielState(self)
        if text is not None:
            state.position = as_start(self.rules, text)
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Return an observer, which writes a state as a tensor: planes as the player sees them."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A position for OpenSpiel."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.rules.start()
        self._actions = game.actions

    def current_player(self) -> int:
        """Return the number of the side to move: 0 for X, 1 for O."""
        turn = self.position.turn
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn.number

    def _legal_actions(self, player: int) -> list[int]:
        return self._actions.legal_actions(self.position.legal_mask())

    def _apply_action(self, action: int) -> None:
        self.position.play(self._actions.move(action, self.position.legal_mask()))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.format_move(self._actions.move(action, self.position.legal_mask()))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Return the results of X and O: 1, 0 or -1."""
        return [reward_of(self.position.winner, side) for side in Side]

    def __str__(self) -> str:
        return self.position.text


class PlanesObserver:
    """Writes states as planes."""

    def __init__(self, game: SpielGame) -> None:
        self.tensor: NDArray[np.float32] = np.zeros(np.prod(game.rules.observation_shape), np.float32)
        self.dict = {"planes": self.tensor.reshape(game.rules.observation_shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a state as a player sees it."""
        self.dict["planes"][:] = observe(state.position, list(Side)[player])

    def string_from(self, state: SpielState, player: int) -> str:
        """Return a state as text, the same for both players."""
        return str(state)


register()
