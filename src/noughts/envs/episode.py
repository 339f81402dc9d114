"""One playthrough as its agents see it: observations, masks, rewards, and exact values where they are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from noughts.analysis.exact import ExactValues
from noughts.engine import Limit
from noughts.envs.batch import ILLEGAL, Starts, as_start, as_starts, check_choice
from noughts.envs.pixels import pixels
from noughts.envs.views import ActionNumbering, Mask, Observation, ObservationFormat
from noughts.games import Game, Position, Side, Value
from noughts.games.planes import opponents_planes
from noughts.games.quoting import quote

__all__ = [
    "Episode",
    "Frame",
    "Info",
    "Values",
    "as_exact_values",
    "check_render_mode",
    "mean_known_regret",
    "observe",
    "regret_of",
    "render",
    "reward_of",
    "start_in",
]

Info = dict[str, Any]
"""``value``: 1, 0 or -1 for the agent if play is perfect from here; ``regret``: how much of it the agent's last move
gave away, from 0 to 2. None if it is not known. At the end, ``known_steps`` is the number of the agent's moves whose
regret is known, and ``mean_known_regret`` the mean over them alone."""
Values = bool | str | Limit
"""Which exact values are looked for: False for none, ``"book"``, ``"solve"``, or the limit of a proof."""
Frame = str | NDArray[np.uint8] | None


def start_in(options: Mapping[str, object] | None) -> Any:
    """Return the position in the options of a reset, unchecked; None if there is none, ValueError for other options."""
    for name in options or {}:
        check_choice("the options of a reset", name, ["position"])
    return (options or {}).get("position")


def as_exact_values(values: Values) -> ExactValues | None:
    """Return the source of exact values that an option names; None for False."""
    if values is False:
        return None
    if isinstance(values, Limit):
        return ExactValues(values)
    if values not in ("book", "solve"):
        given = quote(values) if isinstance(values, str) else repr(values)
        raise ValueError(f"expected values as False, 'book', 'solve' or a Limit, got {given}")
    return ExactValues(proves=values == "solve")


def regret_of(values: ExactValues, before: Position, move: int) -> int | None:
    """Return how much of its value a side gives away by a move; an illegal one is a loss."""
    if before.is_legal(move):
        return values.regret(before, move)
    value = values.of(before)
    return None if value is None else value.number - Value.LOSS.number


def mean_known_regret(regrets: Iterable[int | None]) -> tuple[int, float | None]:
    """Return the number of regrets that are known, and their mean."""
    known = [regret for regret in regrets if regret is not None]
    return len(known), sum(known) / len(known) if known else None


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


def render(position: Position, mode: str | None) -> Frame:
    """Return the board as text (``ansi``) or as pixels (``rgb_array``); ``human`` prints the text."""
    if mode == "rgb_array":
        return pixels(position)
    if mode != "human":
        return position.draw()
    print(position.draw())
    return None


class Episode:
    """One playthrough. ``illegal`` is ``"lose"``, where an illegal move ends it, or ``"raise"``."""

    position: Position
    illegal: str | None
    """Why the last move was not legal; it ended the playthrough."""

    def __init__(
        self, game: Game, *, values: Values, illegal: str, actions: str, observation: str, starts: Starts | None
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        self.game = game
        self.actions = ActionNumbering(game, actions)
        self.format = ObservationFormat(game, observation)
        self._values = as_exact_values(values)
        self._loses = illegal == "lose"
        self._starts = [game.start()] if starts is None else as_starts(game, starts)
        self._next_start = 0
        self.reset()
        self.rewind_starts()

    def rewind_starts(self) -> None:
        """Let the next playthrough begin at the first start."""
        self._next_start = 0

    def reset(self, position: object = None) -> None:
        """Begin again: at a position or a position string, or else at the next start."""
        if position is None:
            self.position = self._starts[self._next_start].copy()
            self._next_start = (self._next_start + 1) % len(self._starts)
        else:
            if not isinstance(position, str | Position):
                raise TypeError(f"expected a position or a position string, got {type(position).__name__}")
            self.position = as_start(self.game, position)
        self.illegal = None
        self._regrets: dict[Side, list[int | None]] = {side: [] for side in Side}

    def act(self, action: SupportsIndex) -> None:
        """Carry out an action; one that is not legal forfeits the playthrough, or raises IllegalMove."""
        move = self.actions.move(action, self.position.legal_mask())
        if self._loses and not self.position.is_legal(move):
            self._note_regret(self.position, move)
            self.illegal = self.position._reason_against(move)
        else:
            self.play(move)

    def play(self, move: int) -> None:
        """Make a move; raises IllegalMove."""
        before = self.position.copy()
        self.position.play(move)
        self._note_regret(before, move)

    def _note_regret(self, before: Position, move: int) -> None:
        if self._values is not None:
            self._regrets[before.side_to_move].append(regret_of(self._values, before, move))

    @property
    def is_over(self) -> bool:
        """Whether the playthrough is over, by its moves or by a forfeit."""
        return self.illegal is not None or self.position.is_over

    def reward(self, side: Side) -> float:
        """Return the reward of a side: 1 for a win, -1 for a loss, 0 otherwise."""
        winner = self.position.winner if self.illegal is None else self.position.side_to_move.opponent
        return reward_of(winner, side)

    def observe(self, side: Side) -> Observation:
        """Return the position as a side sees it."""
        return self.format.convert(observe(self.position, side))

    def action_mask(self, side: Side) -> Mask:
        """Return the legal actions of a side: none if it is not to move."""
        mask = self.actions.mask(self.position.legal_mask())
        return mask if side is self.position.turn and not self.is_over else np.zeros_like(mask)

    def info(self, side: Side) -> Info:
        """Return why the last move was illegal, if it was, and the exact values for a side where they are wanted."""
        info: Info = {} if self.illegal is None else {"illegal": self.illegal}
        if self._values is not None:
            regrets = self._regrets[side]
            info |= {"value": self._value(self._values, side), "regret": regrets[-1] if regrets else None}
            if self.is_over:
                info["known_steps"], info["mean_known_regret"] = mean_known_regret(regrets)
        return info

    def _value(self, values: ExactValues, side: Side) -> int | None:
        if self.is_over:
            return int(self.reward(side))
        value = values.of(self.position)
        return None if value is None else value.number * (1 if side is self.position.turn else -1)
