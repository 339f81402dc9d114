"""The configuration file: where it is, its contents, and changes that leave the rest of it as it is."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from noughts.games.atomic_file import write_file

__all__ = ["ConfigError", "change_file", "config_path", "parse_text", "read_file"]

FILE_VARIABLE = "NOUGHTS_CONFIG"
FILE_NAME = "config.toml"
HEADER = re.compile(r"\s*\[")
COMMENT = re.compile(r"\s+#[^\"']*$")


class ConfigError(ValueError):
    """The configuration cannot be used; the message names the file or the variable, and the setting."""


def config_path() -> Path:
    """Return the path of the file: ``NOUGHTS_CONFIG``, or ``config.toml`` in the user's configuration folder."""
    named = os.environ.get(FILE_VARIABLE)
    if named:
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_config_dir("noughts", appauthor=False)) / FILE_NAME


def read_file(path: Path) -> dict[str, object]:
    """Return the items of a file by name, such as ``web.port``; a file that does not exist has none.

    Raises ConfigError.
    """
    return parse_text(_read_text(path), path)


def parse_text(text: str, path: Path) -> dict[str, object]:
    """Return the items of the text of a file by name; raises ConfigError, which names ``path``."""
    return _items(_parse(text, path))


def change_file(path: Path, name: str, data: object | None) -> None:
    """Set an item of a file, or with None remove it; comments and everything else remain. Raises ConfigError, OSError.

    The new text is read back before it is written: a notation that cannot be changed safely is refused.
    """
    old = _read_text(path)
    wanted = parse_text(old, path)
    wanted.pop(name, None)
    if data is not None:
        wanted[name] = data
    for text in _candidates(old, name, data):
        if _is_text_of(text, wanted):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, text)
            return
    raise ConfigError(f"{path}: {name} is written in a way that only an editor can change")


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: expected a text in UTF-8") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def _parse(text: str, path: Path) -> dict[str, object]:
    from noughts.toml_table import parse_toml

    try:
        return parse_toml(text)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


def _items(tables: dict[str, object], prefix: str = "") -> dict[str, object]:
    items: dict[str, object] = {}
    for key, data in tables.items():
        if isinstance(data, dict):
            items |= _items(data, f"{prefix}{key}.")
        else:
            items[prefix + key] = data
    return items


def _is_text_of(text: str, wanted: dict[str, object]) -> bool:
    try:
        return parse_text(text, Path()) == wanted
    except ConfigError:
        return False


def _candidates(text: str, name: str, data: object | None) -> Iterator[str]:
    """Yield texts that may have the change: in the place of the old item, however many lines it has, or added."""
    table, _, key = name.rpartition(".")
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    new = [] if data is None else [f"{key} = {json.dumps(data, ensure_ascii=False)}\n"]
    start, end = _range_of(lines, table)
    pattern = re.compile(rf"\s*{re.escape(key)}\s*=")
    for first in (number for number in range(start, end) if pattern.match(lines[number])):
        comment = COMMENT.search(lines[first])
        if new and comment:
            yield "".join([*lines[:first], new[0].rstrip("\n") + comment[0], *lines[first + 1 :]])
        for after in range(first + 1, end + 1):
            yield "".join(lines[:first] + new + lines[after:])
    while end > start and not lines[end - 1].strip():
        end -= 1
    head = [f"\n[{table}]\n" if lines else f"[{table}]\n"] if table and start == end == len(lines) else []
    gap = ["\n"] if end < len(lines) and HEADER.match(lines[end]) else []
    yield "".join(lines[:end] + (new and head + new + gap) + lines[end:])


def _range_of(lines: list[str], table: str) -> tuple[int, int]:
    """Return the lines of a table, without its header; at the end of the file if there is no such table."""
    headers = [number for number, line in enumerate(lines) if HEADER.match(line)]
    bounds = [*headers, len(lines)]
    if not table:
        return 0, bounds[0]
    pattern = re.compile(rf"\s*\[\s*{re.escape(table)}\s*\]")
    for number, after in zip(headers, bounds[1:], strict=True):
        if pattern.match(lines[number]):
            return number + 1, after
    return len(lines), len(lines)
