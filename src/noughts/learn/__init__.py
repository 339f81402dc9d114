"""Learns a network for any game by self-play: see ``noughts train`` and docs/training.md."""
