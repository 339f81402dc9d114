"""The value of a setting: from the environment, else from the file, else the default."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar

from noughts.games.quoting import nearest, quote
from noughts.invocation import command_line
from noughts.settings.config_file import ConfigError, config_path, read_file
from noughts.settings.setting import Setting
from noughts.settings.table import SETTINGS

__all__ = ["Resolved", "SettingSource", "find_setting", "read_known", "resolve"]

T = TypeVar("T")


class SettingSource(StrEnum):
    """Where a value comes from; later ones take precedence."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"


@dataclass(frozen=True)
class Resolved(Generic[T]):
    """The value of a setting, and where it comes from."""

    value: T
    source: SettingSource


def resolve(setting: Setting[T], check: Callable[[T], object] | None = None) -> Resolved[T]:
    """Return the value of a setting; raises ConfigError.

    ``check`` raises ValueError or OSError for a value that is not allowed.
    """
    text = os.environ.get(setting.variable)
    if text:
        return Resolved(_convert(setting.parse, text, check, setting.variable), SettingSource.ENVIRONMENT)
    path = config_path()
    items = read_known(path)
    if setting.name in items:
        where = f"{path}: {setting.name}"
        return Resolved(_convert(setting.load, items[setting.name], check, where), SettingSource.FILE)
    return Resolved(setting.default, SettingSource.DEFAULT)


def _convert(convert: Callable[[Any], T], data: object, check: Callable[[T], object] | None, where: str) -> T:
    try:
        value = convert(data)
        if check is not None:
            check(value)
    except (ValueError, OSError) as error:
        raise ConfigError(f"{where}: {error}") from None
    return value


def read_known(path: Path) -> dict[str, object]:
    """Return the items of a file by name; raises ConfigError for a damaged file and for an unknown name."""
    items = read_file(path)
    for name in items:
        try:
            find_setting(name, advice=f"{command_line('config', 'unset', name)} removes it")
        except ValueError as error:
            raise ConfigError(f"{path}: {error}") from None
    return items


def find_setting(name: str, advice: str = "") -> Setting[Any]:
    """Return a setting by its name; raises ValueError, with the name that was probably meant, or the advice."""
    known = {setting.name: setting for setting in SETTINGS}
    if name in known:
        return known[name]
    near = nearest(name, known)
    hint = f"did you mean {near}?" if near else advice or f"{command_line('config')} lists them"
    raise ValueError(f"unknown setting {quote(name)}; {hint}")
