"""The folders of the repository that tests use."""

from pathlib import Path

__all__ = ["HELPERS", "ROOT", "TESTS"]

HELPERS = Path(__file__).parent
TESTS = HELPERS.parent
ROOT = TESTS.parent
