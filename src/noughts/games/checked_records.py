r"""Files of JSON lines that programs append to, with a checksum in each line.

The checksum is the last field of a line, so that every reader of JSON can read the file:

>>> format_record({"ply": 1})
b'{"ply":1,"check":"79240c992901ad6b"}\n'
>>> parse_record(b'{"ply":2,"check":"79240c992901ad6b"}\n')
Traceback (most recent call last):
    ...
ValueError: the checksum does not fit the line

A line is complete when it ends: what a killed process has left of the next one is removed by the next append.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from io import FileIO

from noughts.games.atomic_file import FilePath, flush_folder, flush_to_disk
from noughts.json_types import JsonObject

__all__ = ["append_records", "format_record", "parse_record"]

CHECK = re.compile(rb',"check":"([0-9a-f]{16})"\}\n')
CHUNK_BYTES = 1 << 16


def format_record(data: Mapping[str, object]) -> bytes:
    """Return data, which must not be empty, as a line with its checksum."""
    body = json.dumps(data, separators=(",", ":")).encode()[:-1]
    return body + f',"check":"{_checksum(body)}"}}\n'.encode()


def parse_record(line: bytes, requires_check: bool = True) -> JsonObject:
    """Return the data of a line; raises ValueError if it is damaged, not finished, or not an object.

    Without ``requires_check`` a line may lack the checksum, but not have a wrong one.
    """
    check = CHECK.search(line)
    if check is not None and _checksum(line[: check.start()]).encode() != check[1]:
        raise ValueError("the checksum does not fit the line")
    if not line.endswith(b"\n") or (requires_check and check is None):
        raise ValueError("expected a line with its checksum")
    data = json.loads(line)
    if not isinstance(data, dict):
        raise ValueError(f"expected an object, got {type(data).__name__}")
    data.pop("check", None)
    return data


def _checksum(body: bytes) -> str:
    return blake2b(body, digest_size=8).hexdigest()


def append_records(path: FilePath, lines: Iterable[bytes]) -> None:
    """Append lines to a file, which is made if necessary; when this returns, they are on disk.

    Raises OSError, and then has added nothing. A line at the end that was not finished is removed first.
    """
    try:
        with FileIO(os.fspath(path), "a+") as file:
            end = _end_of_last_record(file)
            file.truncate(end)
            try:
                _write(file, b"".join(lines))
                flush_to_disk(file)
            except OSError:
                with suppress(OSError):
                    file.truncate(end)
                raise
        if end == 0:
            flush_folder(path)
    except OSError as error:
        if error.filename is None:
            error.filename = os.fspath(path)
        raise


def _end_of_last_record(file: FileIO) -> int:
    """The size of the file without a line that was not finished."""
    at = file.seek(0, os.SEEK_END)
    while at > 0:
        start = max(0, at - CHUNK_BYTES)
        file.seek(start)
        chunk = file.read(at - start)
        newline = chunk.rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        at = start
    return 0


def _write(file: FileIO, data: bytes) -> None:
    while data:
        data = data[file.write(data) :]
