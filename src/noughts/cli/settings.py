"""Settings as the defaults of options: an option of the command line takes precedence over all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from noughts.cli.options import Decorator
from noughts.cli.types import GAME, PLAYER, File
from noughts.games import find_game
from noughts.games.quoting import quote
from noughts.settings import Resolved, Setting, resolve
from noughts.settings.kinds import parse_text
from noughts.settings.table import DATA, PLAY_AGAINST, PLAY_GAME

__all__ = ["AnySetting", "check_value", "complete_value", "resolve_checked", "setting_option", "value_of"]

T = TypeVar("T")
AnySetting = Setting[Any]


def check_value(setting: AnySetting, value: object) -> None:
    """Raise ValueError or OSError for a value that the rest of the package refuses: an unknown game or opponent."""
    if setting.name in CHECKS:
        CHECKS[setting.name](value)


def resolve_checked(setting: Setting[T]) -> Resolved[T]:
    """Return the value of a setting, and where it comes from; raises ConfigError."""
    return resolve(setting, lambda value: check_value(setting, value))


def value_of(setting: Setting[T]) -> T:
    """Return the value of a setting; raises ConfigError."""
    return resolve_checked(setting).value


def setting_option(setting: AnySetting) -> Decorator:
    """Return an option whose name, help, values and default are those of a setting."""
    name = setting.name.rpartition(".")[2]
    if setting.is_flag:
        return click.option(f"--{name}/--no-{name}", cls=SettingOption, setting=setting)
    return click.option(
        f"--{name}",
        cls=SettingOption,
        setting=setting,
        type=click.UNPROCESSED,
        metavar=f"[{'|'.join(setting.words)}]" if setting.words else setting.metavar,
        multiple=setting.is_list,
        callback=_parse,
        shell_complete=_complete,
    )


def _parse(_: click.Context, option: click.Parameter, value: Any) -> object:
    """Return the value of an option; defaults have been converted."""
    assert isinstance(option, SettingOption)
    try:
        if option.multiple:
            return tuple(parse_text(option.setting.kind, each) for each in value)
        return option.setting.parse(value) if isinstance(value, str) else value
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _complete(ctx: click.Context, option: click.Parameter, incomplete: str) -> list[CompletionItem]:
    assert isinstance(option, SettingOption)
    return complete_value(option.setting, ctx, option, incomplete)


def complete_value(
    setting: AnySetting, ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the values of a setting that begin with the text, for the tab key."""
    if setting.name in TYPES:
        return TYPES[setting.name].shell_complete(ctx, param, incomplete)
    return [CompletionItem(word) for word in setting.words if word.startswith(incomplete.lower())]


class SettingOption(click.Option):
    """An option whose default is the value of a setting."""

    def __init__(self, *arguments: Any, setting: AnySetting, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.setting, self.help = setting, setting.about

    def get_default(self, ctx: click.Context, call: bool = True) -> object:
        """Return the value of the setting; raises ConfigError unless only the help is wanted."""
        try:
            return value_of(self.setting)
        except ValueError:
            if not ctx.resilient_parsing:
                raise
            return self.setting.default

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Describe the default without looking at this machine."""
        return {**super().get_help_extra(ctx), "default": self.setting.describe_default()}


def _check_opponent(name: str) -> None:
    """Raise ValueError for a word that is no opponent; files and programs are checked when they are opened."""
    from noughts.players import is_builtin_name, player_names

    if name.lower() != "friend" and ":" not in name and not is_builtin_name(name):
        raise ValueError(f"expected friend, {', '.join(player_names())}, elo:N or a program, got {quote(name)}")


CHECKS: dict[str, Callable[[Any], object]] = {PLAY_GAME.name: find_game, PLAY_AGAINST.name: _check_opponent}
"""What only the layers below the settings can check."""
TYPES: dict[str, click.ParamType[Any]] = {
    DATA.name: File(file_okay=False, dir_okay=True),
    PLAY_AGAINST.name: PLAYER,
    PLAY_GAME.name: GAME,
}
"""The settings whose values the tab key completes as those of an argument."""
