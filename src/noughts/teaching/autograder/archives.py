"""Zip archives whose bytes depend on nothing but their contents."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Mapping
from io import BytesIO

__all__ = ["make_zip"]

ENTRY_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that equal contents give equal bytes."""


def make_zip(files: Mapping[str, bytes], programs: Collection[str] = ()) -> bytes:
    """Return an archive of files by their names; those named in ``programs`` can be executed."""
    archived = BytesIO()
    with zipfile.ZipFile(archived, "w") as archive:
        for name, content in files.items():
            archive.writestr(_entry(name, is_program=name in programs), content)
    return archived.getvalue()


def _entry(name: str, is_program: bool) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, ENTRY_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, whose permissions follow
    entry.external_attr = (0o100755 if is_program else 0o100644) << 16
    return entry
