"""One SQLite file for everything kept: each move is on disk before the next is thought about.

>>> import tempfile, pathlib
>>> from noughts import Game
>>> with Store(pathlib.Path(tempfile.mkdtemp()) / "kept.sqlite3") as store:
...     number = store.begin(Game("3x3").start(), "you", "random")
...     store.add_move(number, ply=1, side="X", move=4)
...     store.get(number).playthrough().moves
(4,)
"""

from noughts.store.location import data_folder, store_path
from noughts.store.records import Kept, Summary
from noughts.store.schema import Busy, Conflict, StoreError
from noughts.store.statistics import Record, records
from noughts.store.store import Store, open_store_if_possible

__all__ = [
    "Busy",
    "Conflict",
    "Kept",
    "Record",
    "Store",
    "StoreError",
    "Summary",
    "data_folder",
    "open_store_if_possible",
    "records",
    "store_path",
]
