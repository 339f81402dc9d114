"""Settings: the defaults that people and administrators change, by environment variables or in a file."""

from noughts.settings.config_file import ConfigError, change_file, config_path, read_file
from noughts.settings.setting import Setting
from noughts.settings.sources import Resolved, SettingSource, find_setting, read_known, resolve
from noughts.settings.table import SETTINGS

__all__ = [
    "SETTINGS",
    "ConfigError",
    "Resolved",
    "Setting",
    "SettingSource",
    "change_file",
    "config_path",
    "find_setting",
    "read_file",
    "read_known",
    "resolve",
]
