"""Environments for learning: batches of playthroughs, and adapters for PettingZoo, Gymnasium and OpenSpiel.

The adapters are the modules ``gymnasium``, ``noughts_v0`` (PettingZoo) and ``openspiel``; each needs the extra of its
library.
"""

from noughts.envs.batch import Batch, BatchStep, Policy
from noughts.games.planes import Plane

__all__ = ["Batch", "BatchStep", "Plane", "Policy"]
