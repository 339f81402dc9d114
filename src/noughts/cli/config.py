"""``noughts config``: the settings, where their values come from, and changes to the configuration file."""

from __future__ import annotations

from dataclasses import dataclass

import click
from click.shell_completion import CompletionItem

from noughts.cli.groups import HelpfulGroup
from noughts.cli.options import json_option
from noughts.cli.output import print_json, print_result, say, table_width
from noughts.cli.settings import AnySetting, check_value, complete_value, resolve_checked
from noughts.cli.tables import Words, format_table
from noughts.settings import (
    SETTINGS,
    ConfigError,
    SettingSource,
    change_file,
    config_path,
    find_setting,
    read_file,
    read_known,
)

HEADERS = ("setting", "value", "from", "about")


@dataclass(frozen=True)
class SettingAnswer:
    """A setting with its value, as data and as a text, and where that comes from."""

    name: str
    value: object
    text: str
    source: SettingSource
    variable: str
    default: str
    about: str

    @classmethod
    def of(cls, setting: AnySetting) -> SettingAnswer:
        """Return the answer about a setting; raises ConfigError."""
        resolved, default = resolve_checked(setting), setting.describe_default()
        value, text = setting.dump(resolved.value), setting.format(resolved.value) or default
        return cls(setting.name, value, text, resolved.source, setting.variable, default, setting.about)


@click.group(name="config", cls=HelpfulGroup, invoke_without_command=True)
@click.option("--path", "shows_path", is_flag=True, help="Print only the path of the configuration file.")
@json_option()
@click.pass_context
def command(context: click.Context, shows_path: bool, as_json: bool) -> None:
    """Show every setting with its value and where it comes from; read and change single ones.

    An option of a command takes precedence over the environment, the environment over the file, and the file over the
    default. The variable of web.port is NOUGHTS_WEB_PORT; NOUGHTS_CONFIG names another file.

    \b
    noughts config set play.against insane
    noughts config get web.port
    NOUGHTS_DRAWING=ascii noughts play
    """
    if context.invoked_subcommand is not None:
        return
    path = config_path()
    if shows_path:
        print_result({"path": str(path)}, str(path), as_json)
        return
    read_known(path)  # a damaged file is reported before anything is printed
    found = [SettingAnswer.of(setting) for setting in SETTINGS]
    if as_json:
        print_json({"path": str(path), "settings": found})
        return
    click.echo(_format_list(found, table_width()))
    say(f"\n{path}{'' if path.exists() else ' (does not exist)'}", err=True)


def _format_list(found: list[SettingAnswer], width: int) -> str:
    """Return a table of settings; the explanations have the room that is left."""
    rows = [(each.name, each.text, each.source, each.about) for each in found]
    return format_table(HEADERS, rows, width, words=Words.WRAPPED)


def _complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(each.name, help=each.about) for each in SETTINGS if each.name.startswith(incomplete)]


def _complete_value(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return complete_value(find_setting(ctx.params["name"]), ctx, param, incomplete)


name_argument = click.argument("name", shell_complete=_complete_name)


@command.command("get", short_help="Print the value of a setting.")
@name_argument
@json_option()
def get(name: str, as_json: bool) -> None:
    """Print the value of the setting NAME."""
    found = SettingAnswer.of(find_setting(name))
    print_result(found, found.text, as_json)


@command.command("set", short_help="Set a setting in the configuration file.")
@name_argument
@click.argument("value", shell_complete=_complete_value)
@json_option()
def set_value(name: str, value: str, as_json: bool) -> None:
    """Set NAME to VALUE in the configuration file; several values are separated by commas."""
    setting = find_setting(name)
    try:
        parsed = setting.parse(value)
        check_value(setting, parsed)
    except (ValueError, OSError) as error:
        raise ConfigError(f"{name}: {error}") from None
    change_file(config_path(), name, setting.dump(parsed))
    _report(setting, as_json)


@command.command("unset", short_help="Remove a setting from the configuration file.")
@name_argument
@json_option()
def unset(name: str, as_json: bool) -> None:
    """Remove NAME from the configuration file, so that its default applies; unknown names can be removed, too."""
    path = config_path()
    if name not in read_file(path):
        find_setting(name)
        raise ConfigError(f"{path}: {name} is not set")
    change_file(path, name, None)
    if name in {setting.name for setting in SETTINGS}:
        _report(find_setting(name), as_json)
    else:
        say(f"{name} removed from {path}", err=True)


def _report(setting: AnySetting, as_json: bool) -> None:
    """Print the value that now holds, and warn if the environment overrides the file."""
    found = SettingAnswer.of(setting)
    print_result(found, f"{found.name} = {found.text} ({found.source})", as_json)
    if found.source is SettingSource.ENVIRONMENT:
        click.echo(f"noughts: {setting.variable} is set, and takes precedence over the file", err=True)
