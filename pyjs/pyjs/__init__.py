"""Translates typed Python modules to one JavaScript module. See README.md."""

from pathlib import Path

from pyjs.closure import Module, find_closure
from pyjs.program import translate_program
from pyjs.source import TranslationError

__all__ = ["LIBRARY", "RUNTIME", "Module", "TranslationError", "__version__", "find_closure", "translate_program"]

__version__ = "1.0.0"

RUNTIME = Path(__file__).parent.parent / "runtime"
"""The JavaScript modules that every translated program imports."""
LIBRARY = Path(__file__).parent.parent / "library"
"""The modules that replace those of the standard library."""
