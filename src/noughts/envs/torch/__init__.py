"""Batches of playthroughs as tensors, on a GPU or any other device of PyTorch (``pip install 'noughts[train]'``)."""

from noughts.envs.torch.batch import TensorBatch, TensorStep

__all__ = ["TensorBatch", "TensorStep"]
