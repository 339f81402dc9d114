"""The regret of an evaluation against the solver: how much of a position's value a simple player gives away.

The player looks one move ahead. It follows forced moves: a side that can complete a line does so, and a side that must
stop one does that. In the first position where neither is the case it trusts the evaluation. So it has no search that
could make up for a wrong evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic

from noughts import _core
from noughts.analysis.exact import ExactValues
from noughts.engine import Limit
from noughts.games import Game, Position, Side, Value
from noughts.games.quoting import count

__all__ = ["Regret", "choose_by_estimate", "measure_regret"]

SOLVER_LIMIT = Limit(nodes=20_000)
RANDOM_SHARE = 0.5
"""The share of random moves in the playthroughs from which positions are taken."""
HOPELESS_POSITIONS = 30
"""If the solver knows none of this many positions, the measurement ends."""


@dataclass
class Regret:
    """Counts of different positions; a choice is one in which some moves have a lower value than others."""

    positions: int = 0
    choices: int = 0
    mistakes: int = 0
    lost: int = 0
    """The sum of what the mistakes gave away: 1 for a win that became a draw or a draw that was lost, 2 for both."""
    unknown: int = 0
    """Positions of which the solver did not know every move in time."""

    @property
    def is_known(self) -> bool:
        """Whether the solver knew at least one position with a choice."""
        return self.choices > 0

    @property
    def text(self) -> str:
        if not self.is_known:
            return f"the solver knew none of {self.unknown} positions"
        share = f"{count(self.mistakes, 'mistake')} in {count(self.choices, 'position')} with a choice"
        return f"{share}, regret {self.lost / self.choices:.4f}" + (
            f"; {self.unknown:,} positions unknown to the solver" if self.unknown else ""
        )


def measure_regret(
    game: Game,
    network: bytes | None,
    playthroughs: int,
    seed: int,
    seconds: float,
    progress: Callable[[int], object] = lambda _: None,
) -> Regret:
    """Return the regret in the positions of playthroughs, half of whose moves are random.

    Ends early after some seconds, or when the solver does not know the game. ``progress`` is called with the number of
    playthroughs done, and may raise to end the measurement.
    """
    found, random = Regret(), Random(f"regret {seed}")
    values = (ExactValues(), ExactValues(SOLVER_LIMIT))  # the second costs more, and finds more
    seen: set[int] = set()
    end = monotonic() + seconds
    for number in range(playthroughs):
        position = game.start()
        while not position.is_over:
            move = choose_by_estimate(position, network)
            if position.hash not in seen:
                seen.add(position.hash)
                _count(found, values, position, move)
            if monotonic() > end or (not found.positions and found.unknown >= HOPELESS_POSITIONS):
                return found
            position.play(random.choice(position.legal_moves) if random.random() < RANDOM_SHARE else move)
        progress(number + 1)
    return found


def _count(found: Regret, values: Sequence[ExactValues], position: Position, chosen: int) -> None:
    known: dict[int, Value] = {}
    for move in position.legal_moves:
        answers = (each.of_move(position, move) for each in values)
        value = next((answer for answer in answers if answer is not None), None)
        if value is None:
            found.unknown += 1
            return
        known[move] = value
    numbers = [value.number for value in known.values()]
    lost = max(numbers) - known[chosen].number
    found.positions += 1
    found.choices += min(numbers) < max(numbers)
    found.mistakes += lost > 0
    found.lost += lost


def choose_by_estimate(position: Position, network: bytes | None) -> int:
    """Return the move of the player described above; the first of equal ones."""
    return max(position.legal_moves, key=lambda move: (-_settled_estimate(position.after(move), network), -move))


def _settled_estimate(position: Position, network: bytes | None) -> int:
    """The estimate for the side to move after forced moves, which are made in ``position``."""
    sign, game = 1, position.game
    has_threats = game.blocks == 1 and not game.is_misere
    while position.turn is not None:
        own, others = (0, 1) if position.turn is Side.X else (1, 0)
        if has_threats and position._completing(own, True):
            return sign * _core.WIN
        threats = position._completing(others, True) if has_threats else []
        if not threats:
            return sign * _core.estimate(position, network)
        if len(threats) > 1:
            return -sign * _core.WIN
        position.play(threats[0])
        sign = -sign
    if position.winner is None:
        return 0
    return sign * (_core.WIN if position.winner is position.side_to_move else -_core.WIN)
