"""One playthrough as its agents see it: observations, masks, rewards, and exact values where they are known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from noughts.analysis.exact import ExactValues
from noughts.engine import Limit
from noughts.games import Game, IllegalMove, Position, Side, Value
from noughts.games.planes import opponents_planes
from noughts.games.quoting import quote

__all__ = ["Episode", "Info", "check_render_mode", "observe", "reward_of"]

Info = dict[str, "int | None"]
"""``value``: 1, 0 or -1 for the agent if play is perfect from here; ``regret``: how much of it the agent's last move
gave away, from 0 to 2. None if it is not known."""


def observe(position: Position, side: Side) -> NDArray[np.uint8]:
    """Return the planes of a position as a side sees them."""
    planes = position.planes()
    return planes if side is position.side_to_move else planes[opponents_planes(position.game)]


def reward_of(winner: Side | None, side: Side) -> float:
    """Return 1 for a win of a side, -1 for a loss, 0 otherwise."""
    return 0.0 if winner is None else 1.0 if winner is side else -1.0


def check_render_mode(mode: str | None, metadata: Mapping[str, object]) -> str | None:
    """Return a render mode; raises ValueError if the metadata of an environment do not list it."""
    modes = metadata["render_modes"]
    assert isinstance(modes, list)
    if mode is not None and mode not in modes:
        raise ValueError(f"expected {' or '.join(modes)} as render mode, got {quote(mode)}")
    return mode


class Episode:
    """One playthrough. ``values`` says whether exact values are looked up, or gives the limit of a proof."""

    position: Position
    illegal: str | None
    """Why the last move was not legal; it ended the playthrough."""

    def __init__(self, game: Game, values: bool | Limit) -> None:
        if not isinstance(values, bool | Limit):
            raise TypeError(f"expected values as True, False or a Limit, got {type(values).__name__}")
        self.game = game
        self._values = None if values is False else ExactValues(None if values is True else values)
        self.reset()

    def reset(self) -> None:
        self.position = self.game.start()
        self.illegal = None
        self._regrets: dict[Side, int | None] = dict.fromkeys(Side)

    def play(self, move: int) -> None:
        """Make a move; one that is not legal forfeits the playthrough."""
        side, before = self.position.side_to_move, self.position.copy()
        try:
            self.position.play(move)
        except IllegalMove as error:
            self.illegal = str(error)
        self._regrets[side] = self._regret(before, move)

    def _regret(self, before: Position, move: int) -> int | None:
        """The regret of the move that was made; an illegal one is a loss."""
        if self._values is None:
            return None
        if self.illegal is None:
            return self._values.regret(before, move)
        value = self._values.of(before)
        return None if value is None else value.number - Value.LOSS.number

    @property
    def is_over(self) -> bool:
        """Whether the playthrough is over, by its moves or by a forfeit."""
        return self.illegal is not None or self.position.is_over

    def reward(self, side: Side) -> float:
        """Return the reward of a side: 1 for a win, -1 for a loss, 0 otherwise."""
        winner = self.position.winner if self.illegal is None else self.position.side_to_move.opponent
        return reward_of(winner, side)

    def observe(self, side: Side) -> NDArray[np.uint8]:
        """Return the planes as a side sees them."""
        return observe(self.position, side)

    def action_mask(self, side: Side) -> NDArray[np.int8]:
        """Return the legal moves of a side: none if it is not to move. An array of int8, as spaces sample with it."""
        mask = self.position.legal_mask().view(np.int8)
        return mask if side is self.position.turn and not self.is_over else np.zeros_like(mask)

    def info(self, side: Side) -> Info:
        """Return the value of the position for a side and the regret of its last move; empty without values."""
        return {} if self._values is None else {"value": self._value(self._values, side), "regret": self._regrets[side]}

    def _value(self, values: ExactValues, side: Side) -> int | None:
        if self.is_over:
            return int(self.reward(side))
        value = values.of(self.position)
        return None if value is None else value.number * (1 if side is self.position.turn else -1)
