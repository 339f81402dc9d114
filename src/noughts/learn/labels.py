"""The labels of rows on a device: what a network must learn to predict. Needs torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from noughts.learn.rows import UNKNOWN, Rows

__all__ = ["Labels", "log_loss"]

MIN_DECISIVE_SCORE = 400_000
"""Scores beyond this are wins that the search has found, if not proven."""
DEFAULT_SPREAD = 400.0
MIN_ROWS_FOR_SPREAD = 200


class Labels:
    """Score, static evaluation, best move, result, and whether the score is proven or decides, of each row."""

    def __init__(self, rows: Rows, device: torch.device) -> None:
        data = rows.rows
        self.score, self.evaluation, self.result = (
            torch.from_numpy(data[name].astype(np.float32)).to(device) for name in ("score", "evaluation", "result")
        )
        self.is_decided = torch.from_numpy((data["proven"] != 0) | (abs(data["score"]) >= MIN_DECISIVE_SCORE)).to(
            device
        )
        self.move = torch.from_numpy(data["move"].astype(np.int64)).to(device)

    def __len__(self) -> int:
        return len(self.score)

    @property
    def is_known(self) -> Tensor:
        """Whether each row has a result."""
        return self.result != UNKNOWN

    @staticmethod
    def fitted_spread(games: Sequence[Labels]) -> float:
        """Return the spread for which ``sigmoid(score / spread)`` predicts the results of undecided rows best."""
        usable = [each.is_known & ~each.is_decided for each in games]
        scores = torch.cat([each.score[use] for each, use in zip(games, usable, strict=True)])
        return _fitted_spread(scores, torch.cat([each.result[use] for each, use in zip(games, usable, strict=True)]))

    def target(self, spread: float, result_share: float) -> Tensor:
        """Return the chance of a win: the search's, mixed with the result where it is known and not decided."""
        searched = torch.sigmoid(self.score / spread)
        mixed = (1 - result_share) * searched + result_share * (self.result + 1) / 2
        return torch.where(self.is_known & ~self.is_decided, mixed, searched)

    def agrees(self, spread: float, clear_chance: float) -> Tensor:
        """Return whether the result of each row does not contradict a chance of ``clear_chance`` or more for one side.

        The results of decided positions do not count.
        """
        chance = torch.sigmoid(self.score / spread)
        contradicts = ((chance >= clear_chance) & (self.result == -1)) | (
            (chance <= 1 - clear_chance) & (self.result == 1)
        )
        return ~contradicts | self.is_decided

    def played_logits(self) -> Tensor:
        """Return the logits of the static evaluation that the rows were made with."""
        usable = self.is_known & ~self.is_decided
        return self.evaluation / _fitted_spread(self.evaluation[usable], self.result[usable])


def _fitted_spread(scores: Tensor, results: Tensor) -> float:
    if len(scores) < MIN_ROWS_FOR_SPREAD:
        return DEFAULT_SPREAD
    won = (results + 1) / 2
    return min(map(float, np.geomspace(50, 20_000, 60)), key=lambda spread: log_loss(scores / spread, won))


def log_loss(logits: Tensor, chances: Tensor) -> float:
    """Return the cross entropy of predicted chances; 0 if there are none."""
    if not len(logits):
        return 0.0
    loss: float = binary_cross_entropy_with_logits(logits, chances).item()
    return loss
