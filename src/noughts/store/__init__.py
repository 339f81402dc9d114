"""One SQLite file for everything that is saved.

>>> import tempfile, pathlib
>>> from noughts import Game
>>> with Store(pathlib.Path(tempfile.mkdtemp()) / "noughts.sqlite3") as store:
...     number = store.begin(Game("3x3").start(), "you", "random")
...     store.add_move(number, ply=1, side="X", move=4)
...     store.get(number).playthrough().moves
(4,)
"""

from noughts.lazy import public_names
from noughts.store.database import Busy, Conflict, StoreError, data_folder, store_path
from noughts.store.store import (
    PlayerRecord,
    PuzzleTry,
    SavedPlaythrough,
    SolvedPositions,
    Store,
    Summary,
    open_store_if_possible,
)

__all__ = [
    "Busy",
    "Conflict",
    "PlayerRecord",
    "PuzzleTry",
    "SavedPlaythrough",
    "SolvedPositions",
    "Store",
    "StoreError",
    "Summary",
    "data_folder",
    "open_store_if_possible",
    "store_path",
]

__dir__ = public_names(__name__)
