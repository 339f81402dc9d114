"""Fits evaluation weights and win probabilities to self-play."""
