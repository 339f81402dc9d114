"""Exercises as cells of a notebook."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

from noughts.teaching.autograder.settings import AutograderSettings

__all__ = ["Exercise", "load_exercise"]

FOLDER = Path(__file__).parent / "exercises"
SOLUTION = re.compile(r"^( *)# BEGIN SOLUTION\n", re.MULTILINE)
PROMPT = r'''\1""" # BEGIN PROMPT
\1raise NotImplementedError
\1""" # END PROMPT
\1# BEGIN SOLUTION NO PROMPT
'''


class Exercise(NamedTuple):
    """The text of an exercise, and its code with the solution between ``# BEGIN SOLUTION`` and ``# END SOLUTION``."""

    text: str
    code: str

    def with_prompt(self) -> str:
        """Return the code with Otter's mark of the line that replaces each solution."""
        return SOLUTION.sub(PROMPT, self.code)


def load_exercise(settings: AutograderSettings) -> Exercise:
    """Return the exercise of a task in a style; raises ValueError if there is none."""
    style = settings.style or "noughts"
    if style != "noughts" and (style, settings.task) != ("cs50", "minimax"):
        raise ValueError(f"expected the style noughts, or cs50 for minimax, in a notebook, got {style}")
    name = "cs50" if style == "cs50" else settings.name
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    docstring = ast.parse(source).body[0]
    text = ast.get_docstring(ast.parse(source)) or ""
    code = "\n".join(source.splitlines()[docstring.end_lineno :]).strip() + "\n"
    return Exercise(text, code)
