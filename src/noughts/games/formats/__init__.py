"""File formats: playthroughs as ``.ngn`` and ``.sgf``, custom games as ``.json``. See docs/formats.md."""
