"""Measurements of speed, strength and reliability."""
