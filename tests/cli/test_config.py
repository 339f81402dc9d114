"""Settings: from the environment, from the file or by default, and ``noughts config``, which shows and changes them."""

from __future__ import annotations

import json
import tomllib
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from noughts.cli.config import command
from noughts.cli.main import group
from noughts.cli.output import board_style, capabilities_of
from noughts.cli.play import command as play
from noughts.cli.settings import SettingOption, value_of
from noughts.cli.web import command as web
from noughts.games.rendering.text import BOXES, PLAIN
from noughts.settings import SETTINGS, ConfigError, SettingSource, find_setting, resolve
from noughts.settings.table import DATA, DRAWING, PLAY_AGAINST, PLAY_GAME, WEB_PORT
from noughts.store import data_folder
from paths import ROOT
from terminals import in_process

EXAMPLES: dict[str, str] = {
    "data": "/srv/noughts",
    "drawing": "ascii",
    "colour": "no",
    "play.game": "qubic",
    "play.against": "elo:1300",
    "play.first": "coin",
    "play.save": "off",
    "web.host": "0.0.0.0",
    "web.port": "9000",
    "web.open": "false",
    "web.name": "a.example,b.example",
    "web.proxy": "10.0.0.0/8,::1",
    "web.lobby": "on",
    "web.workers": "4",
    "web.worker-memory": "2048",
    "web.max-connections": "12",
    "web.max-sockets": "13",
    "web.max-requests": "14",
    "web.max-messages": "15",
    "web.max-games": "16",
    "web.log-level": "info",
    "web.log-format": "json",
    "web.access-log": "yes",
    "web.log-addresses": "network",
    "web.metrics": "0.0.0.0:9100",
}
"""A text for each setting that is not its default."""
WRONG: dict[str, str] = {
    "drawing": "braille",
    "colour": "perhaps",
    "play.game": "no-such-game",
    "play.against": "wizard",
    "play.first": "neither",
    "play.save": "2",
    "web.port": "65536",
    "web.open": "maybe",
    "web.name": "a.example:443",
    "web.proxy": "proxy.example",
    "web.lobby": "closed",
    "web.workers": "1",
    "web.worker-memory": "8",
    "web.max-connections": "0",
    "web.max-sockets": "none",
    "web.max-requests": "0.5",
    "web.max-messages": "1.5",
    "web.max-games": "auto",
    "web.log-level": "loud",
    "web.log-format": "xml",
    "web.access-log": "all",
    "web.log-addresses": "half",
    "web.metrics": ":9100",
}
"""A text for each setting that it refuses."""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "folder" / "config.toml"
    monkeypatch.setenv("NOUGHTS_CONFIG", str(path))
    monkeypatch.delenv("NOUGHTS_DATA")
    return path


def run(*words: str) -> Result:
    return CliRunner().invoke(command, words)


def write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)


def test_examples_cover_every_setting() -> None:
    assert list(EXAMPLES) == [setting.name for setting in SETTINGS]


@pytest.mark.parametrize("name", EXAMPLES)
def test_environment_takes_precedence_over_the_file_and_the_file_over_the_default(
    name: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = find_setting(name)
    assert resolve(setting).source is SettingSource.DEFAULT
    assert run("set", name, EXAMPLES[name]).exit_code == 0
    in_file = resolve(setting)
    assert in_file.source is SettingSource.FILE
    assert in_file.value == setting.parse(EXAMPLES[name]) != setting.default
    monkeypatch.setenv(setting.variable, setting.format(setting.default) or EXAMPLES[name])
    assert resolve(setting).source is SettingSource.ENVIRONMENT
    monkeypatch.setenv(setting.variable, "")
    assert resolve(setting) == in_file, "an empty variable is not set"
    assert run("unset", name).exit_code == 0
    assert resolve(setting).value == setting.default


@pytest.mark.parametrize("name", EXAMPLES)
def test_value_in_the_file_has_the_type_of_its_setting(name: str, file: Path) -> None:
    setting = find_setting(name)
    run("set", name, EXAMPLES[name])
    table, _, key = name.rpartition(".")
    data = tomllib.loads(file.read_text())
    assert (data[table] if table else data)[key] == setting.dump(setting.parse(EXAMPLES[name]))


@pytest.mark.parametrize("name", WRONG)
def test_wrong_value_is_refused_in_one_line_and_the_file_stays_as_it_was(
    name: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("set", name, WRONG[name])
    assert isinstance(done.exception, ConfigError)
    assert str(done.exception).startswith(f"{name}: expected ")
    assert not file.exists()
    setting = find_setting(name)
    monkeypatch.setenv(setting.variable, WRONG[name])
    with pytest.raises(ConfigError, match=f"^{setting.variable}: expected "):
        value_of(setting)
    assert "\n" not in str(done.exception)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("web.port = '80'", "web.port: expected a whole number from 0 to 65535, got '80'"),
        ("web.port = true", "web.port: expected a whole number from 0 to 65535, got true"),
        ("[web]\nproxy = '10.0.0.0/8'", "web.proxy: expected a list, got '10.0.0.0/8'"),
        ("colour = 'yes'", "colour: expected true or false, got 'yes'"),
        ("data = 'relative/path'", "data: expected an absolute path, got 'relative/path'"),
        ("drawing = 3", "drawing: expected 'auto', 'ascii' or 'unicode', got 3"),
        ("[web]\nprot = 80", "unknown setting 'web.prot'; did you mean web.port?"),
        ("[web]\nlog_port = 80\n[zzz]\nq = 1", "unknown setting 'web.log_port'"),
        ("zzz = 1", "unknown setting 'zzz'; noughts config unset zzz removes it"),
        ("[web\nport = 80", "expected TOML: expected"),
        ("\0", "expected TOML: invalid"),
    ],
)
def test_damaged_file_is_reported_with_its_path_and_the_setting(text: str, message: str, file: Path) -> None:
    write(file, text)
    done = run()
    assert isinstance(done.exception, ConfigError)
    assert str(done.exception).startswith(f"{file}: {message}")
    assert done.stdout == ""


def test_file_that_cannot_be_read_is_reported(file: Path) -> None:
    write(file, "")
    file.write_bytes(b"\xff")
    assert str(run().exception) == f"{file}: expected a text in UTF-8"
    file.unlink()
    file.mkdir()
    assert str(run().exception) == f"cannot read {file}: is a directory"


def test_damaged_file_is_never_overwritten(file: Path) -> None:
    write(file, "[web\nport = 80")
    assert isinstance(run("set", "web.port", "81").exception, ConfigError)
    assert isinstance(run("unset", "web.port").exception, ConfigError)
    assert file.read_text() == "[web\nport = 80"


@pytest.mark.parametrize("text", ["web.port = 80\n", "web = {port = 80}\n", "[web]\n'port' = 80\n"])
def test_notation_that_cannot_be_changed_safely_is_left_to_an_editor(text: str, file: Path) -> None:
    write(file, text)
    assert resolve(WEB_PORT).value == 80
    assert str(run("set", "web.port", "81").exception).endswith("written in a way that only an editor can change")
    assert file.read_text() == text


def test_changes_leave_comments_and_other_settings_as_they_are(file: Path) -> None:
    write(file, '# mine\n\n[web] # server\nport = 1 # free\nname = [\n  "a.b", # old\n]\n\n[play]\nfirst = "coin"')
    for words in (
        ("set", "web.port", "8080"),
        ("set", "web.name", "x.y"),
        ("set", "drawing", "ascii"),
        ("unset", "play.first"),
    ):
        assert run(*words).exit_code == 0
    assert file.read_text() == (
        '# mine\ndrawing = "ascii"\n\n[web] # server\nport = 8080 # free\nname = ["x.y"]\n\n[play]\n'
    )


def test_unknown_name_in_the_file_can_be_removed(file: Path) -> None:
    write(file, "[web]\nprot = 80\n")
    assert run("unset", "web.prot").exit_code == 0
    assert run().exit_code == 0


@pytest.mark.parametrize("words", [("get", "web.prot"), ("set", "web.prot", "1"), ("unset", "web.prot")])
def test_unknown_name_gets_the_nearest_one(words: tuple[str, ...], file: Path) -> None:
    assert str(run(*words).exception) == "unknown setting 'web.prot'; did you mean web.port?"


def test_list_shows_every_setting_with_its_source(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("set", "play.against", "insane")
    monkeypatch.setenv("NOUGHTS_WEB_PORT", "81")
    monkeypatch.setenv("COLUMNS", "200")  # on a narrow terminal the rows are stacked
    done = run()
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines()[1:] if not line.startswith(" ")}
    assert [*rows] == [setting.name for setting in SETTINGS]
    assert rows["play.against"][1:3] == ["insane", "file"]
    assert rows["web.port"][1:3] == ["81", "environment"]
    assert rows["web.workers"][2] == "default"
    assert str(file) in done.stderr


def test_json_has_values_with_their_types(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_WEB_PROXY", "10.0.0.0/8, ::1")
    found = json.loads(run("--json").stdout)
    values = {each["name"]: each["value"] for each in found["settings"]}
    assert found["path"] == str(file)
    assert values["web.port"] == 8000
    assert values["web.proxy"] == ["10.0.0.0/8", "::1"]
    assert values["web.open"] is True
    one = json.loads(run("get", "web.proxy", "--json").stdout)
    assert (one["source"], one["variable"]) == ("environment", "NOUGHTS_WEB_PROXY")


def test_path_and_single_values_are_printed_alone(file: Path) -> None:
    assert run("--path").stdout == f"{file}\n"
    assert run("get", "play.against").stdout == "difficult\n"


def test_changing_a_setting_that_the_environment_overrides_says_so(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_WEB_PORT", "7")
    done = run("set", "web.port", "8")
    assert done.stdout == "web.port = 7 (environment)\n"
    assert "NOUGHTS_WEB_PORT is set, and takes precedence over the file" in done.stderr


@pytest.mark.parametrize("words", [("config",), ("play", "3x3"), ("web", "--port", "0")])
def test_commands_report_a_damaged_file_in_one_line(words: tuple[str, ...], file: Path, tmp_path: Path) -> None:
    write(file, "drawing = 'oil'\nwed.port = 1\n")
    done = in_process(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"noughts: {file}: unknown setting 'wed.port'; did you mean web.port?\n"


# --- the commands ----------------------------------------------------------------------------------------------------


def options() -> dict[str, SettingOption]:
    commands = {"play": play, "web": web}
    return {
        f"{name}.{option.opts[0].removeprefix('--')}": option
        for name, each in commands.items()
        for option in each.params
        if isinstance(option, SettingOption)
    }


def test_settings_of_a_command_are_named_after_its_options() -> None:
    for name, option in options().items():
        assert option.setting is find_setting(name)
        assert option.help == option.setting.about
    without_option = {"data", "drawing", "colour", "play.game", "play.against"}
    assert {setting.name for setting in SETTINGS} - {*options()} == without_option


@pytest.mark.parametrize("name", options())
def test_option_takes_precedence_over_the_settings(name: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    option, given = options()[name], EXAMPLES[name]
    monkeypatch.setenv(option.setting.variable, given)

    def parse(*words: str) -> Any:
        found: dict[str, Any] = {}

        @click.command(params=[option])
        def probe(**values: object) -> None:
            found.update(values)

        assert CliRunner().invoke(probe, words, catch_exceptions=False).exit_code == 0
        return found.popitem()[1]

    assert parse() == option.setting.parse(given)
    default = option.setting.default
    if isinstance(default, bool):
        assert parse(option.opts[0]) is True
        assert parse(option.secondary_opts[0]) is False
    elif default == ():
        assert parse(option.opts[0], given.split(",")[0]) == (given.split(",")[0],)
    else:
        assert parse(option.opts[0], option.setting.format(default)) == default


def test_help_works_with_a_damaged_file(file: Path) -> None:
    write(file, "[web\n")
    done = CliRunner().invoke(group, ["web", "--help"])
    assert done.exit_code == 0
    assert "[default: 8000]" in done.stdout


def test_play_offers_the_usual_game_and_opponent(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLAY_GAME.variable, "4x4:3")
    monkeypatch.setenv(PLAY_AGAINST.variable, "easy")
    asked = CliRunner().invoke(play, ["--no-save"], input="\n\n\nquit\n")
    assert "[4x4:3]" in asked.stdout
    assert "[easy]" in asked.stdout
    assert "X: you. O: easy." in asked.stdout
    named = CliRunner().invoke(play, ["3x3", "--o", "you", "--no-save", "--seed", "1"], input="quit\n")
    assert "X: easy. O: you." in named.stdout


def test_data_folder_is_a_setting_of_the_library_too(file: Path, tmp_path: Path) -> None:
    run("set", "data", str(tmp_path / "here"))
    assert data_folder() == tmp_path / "here"
    run("unset", "data")
    assert data_folder() == DATA.default


class Screen(TextIOWrapper):
    """A terminal that shows UTF-8."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("drawing", "style", "is_unicode"), [("auto", BOXES, True), ("ascii", PLAIN, False), ("unicode", BOXES, True)]
)
def test_boards_are_drawn_as_the_settings_say(
    drawing: str, style: object, is_unicode: bool, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv(DRAWING.variable, drawing)
    screen = Screen(BytesIO(), encoding="utf-8")
    assert capabilities_of(screen).colours
    monkeypatch.setenv("NOUGHTS_COLOUR", "no")
    found = capabilities_of(screen)
    assert not found.colours
    assert found.unicode is is_unicode
    assert board_style(found) is style


def test_every_setting_is_documented_with_its_variable_and_default() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text()
    for setting in SETTINGS:
        row = f"| `{setting.name}` | `{setting.variable}` | {setting.describe_default()} | {setting.about} |"
        assert row in page
    assert page.count("| `NOUGHTS_") == len(SETTINGS)
