"""One SQLite file for everything kept."""

from noughts.store.location import data_folder, store_path

__all__ = ["data_folder", "store_path"]
