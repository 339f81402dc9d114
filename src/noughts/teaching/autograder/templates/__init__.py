"""Templates of the files in autograders; ``@name@`` stands for a value that is filled in."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["read_template"]

FOLDER = Path(__file__).parent


def read_template(template: str, /, **values: object) -> str:
    """Return a file of this folder with its values filled in."""
    text = (FOLDER / template).read_text(encoding="utf-8")
    return re.sub(r"@([a-z_]+)@", lambda found: str(values[found[1]]), text)
