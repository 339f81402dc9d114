"""Where things are kept: a folder of the user's, or the one named by ``NOUGHTS_DATA``."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["data_folder", "store_path"]

VARIABLE = "NOUGHTS_DATA"
FILE_NAME = "noughts.sqlite3"


def data_folder() -> Path:
    """Return the folder for everything kept; it need not exist yet."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("noughts", appauthor=False))


def store_path() -> Path:
    """Return the path of the one file in it."""
    return data_folder() / FILE_NAME
