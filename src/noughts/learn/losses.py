"""The losses of a network in training. Needs neither torch nor the core."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Losses"]


class Losses(NamedTuple):
    """Log losses on the rows held back: of the network and of the evaluation that played, by target and by result.

    The loss of the search, by result, is about the least that can be expected.
    """

    step: int
    loss: float
    played_loss: float
    result_loss: float
    played_result_loss: float
    search_result_loss: float
    trained: float | None = None
    """The mean loss on the rows trained on since the last validation, if it is known."""
