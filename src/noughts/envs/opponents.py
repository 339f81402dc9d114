"""The opponents of a learning agent: names, players, and functions for whole batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noughts.envs.batch import RANDOM, Batch
from noughts.envs.views import ActionNumbering, Mask, Observation, ObservationFormat
from noughts.games.quoting import quote
from noughts.players import Player
from noughts.players.registry import make_builtin

__all__ = ["SELF", "BatchOpponents", "Opponent", "OpponentPolicy", "as_player"]

SELF = "self"
"""The name of the opponent that is the agent itself."""
Opponent = str | Player
OpponentPolicy = Callable[[Observation, Mask], ArrayLike]
"""Takes the observations and the action masks of an environment and returns an action for each playthrough."""
Choice = Callable[[NDArray[np.intp]], ArrayLike]
"""Takes the indices of playthroughs and returns the opponent's moves there."""


def as_player(opponent: Opponent, seed: int | None) -> Player:
    """Return a player itself, or a new built-in one of a name; raises ValueError or TypeError."""
    if not isinstance(opponent, str):
        if not hasattr(opponent, "choose"):
            raise TypeError(f"expected a name or a player with choose as opponent, got {type(opponent).__name__}")
        return opponent
    player = make_builtin(opponent, seed)
    if player is None:
        raise ValueError(
            f"expected a level, a rating such as elo:1500, random or self as opponent, got {quote(opponent)}"
        )
    return player


class BatchOpponents:
    """The opponents in a batch: playthrough ``i`` is played against opponent ``i``, after the last comes the first."""

    def __init__(
        self,
        batch: Batch,
        opponents: Sequence[Opponent | OpponentPolicy],
        actions: ActionNumbering,
        format: ObservationFormat,
    ) -> None:
        if not opponents:
            raise ValueError("expected at least one opponent, got none")
        if any(isinstance(opponent, str) and opponent == SELF for opponent in opponents):
            raise ValueError("expected other opponents than self in a list of opponents")
        self._batch, self._opponents, self._actions, self._format = batch, opponents, actions, format
        self._number = np.arange(len(batch)) % len(opponents)
        self.seed(None)

    def seed(self, seed: int | None) -> None:
        """Give built-in players this seed, or a random one."""
        self._choices = [self._choice(opponent, seed) for opponent in self._opponents]

    def choose(self, waiting: Mask) -> NDArray[np.int64]:
        """Return the opponents' moves where they are to move; elsewhere the numbers have no meaning."""
        moves = np.zeros(len(waiting), np.int64)
        for number, choice in enumerate(self._choices):
            rows = np.flatnonzero(waiting & (self._number == number))
            if len(rows):
                moves[rows] = choice(rows)
        return moves

    def _choice(self, opponent: Opponent | OpponentPolicy, seed: int | None) -> Choice:
        if isinstance(opponent, str) and opponent == RANDOM:
            return lambda rows: self._batch.random_moves()[rows]
        if callable(opponent):
            return lambda rows: self._ask(opponent)[rows]
        player = as_player(opponent, seed)
        return lambda rows: [player.choose(self._batch.position(row)) for row in rows]

    def _ask(self, policy: OpponentPolicy) -> NDArray[np.int64]:
        """The moves of a function for all playthroughs, so that it always gets arrays of the same shape."""
        legal = self._batch.masks
        actions = policy(self._format.convert(self._batch.observations), self._actions.mask(legal))
        return self._actions.moves(actions, legal)
