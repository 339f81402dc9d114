"""Checks proofs by the rules alone, in plain Python."""

from noughts.engine.verify.check import Report, verify

__all__ = ["Report", "verify"]
