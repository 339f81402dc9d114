"""The tab key completes commands, options, games, players, saved games and files, in bash, zsh and fish."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pytest
from click.shell_completion import CompletionItem

from noughts import Game
from noughts.cli.main import COMPLETE_VARIABLE, group
from noughts.cli.shells import SHELLS, Bash
from noughts.cli.types import File, GameType
from noughts.store import Store
from terminals import PROGRAM, environment, in_process, parameters, through_pipe

FILES = ("game.json", "my proof.ngp", "notes.txt", "qubic.ngp", "ultra.txt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files and a saved game, and the command itself."""
    for name in FILES:
        (tmp_path / name).touch()
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "noughts"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{PROGRAM}" "$@"\n')
    program.chmod(0o755)
    return tmp_path


def keep_a_game(data: Path) -> None:
    with Store(data / "noughts.sqlite3") as store:
        for opponent in ("easy", "random"):
            number = store.begin(Game("3x3").start(), "you", opponent)
            store.add_move(number, ply=1, side="X", move=4)


def items(*words: str) -> list[CompletionItem]:
    """Return the candidates for the last word."""
    return Bash(group, {}, "noughts", COMPLETE_VARIABLE).get_completions([*words[:-1]], words[-1])


def names(*words: str) -> list[str]:
    return [item.value for item in items(*words) if item.type == "plain"]


def suffixes(*words: str) -> str:
    (found,) = [item.value for item in items(*words) if item.type == "file"]
    return str(found)


# --- candidates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("pl",), ["play"]),
        (("play", "qu"), ["qubic"]),
        (("play", "CONN"), ["connect4"]),
        (("play", "15x15:5+e"), ["15x15:5+exact"]),
        (("play", "9x9:5+exact+m"), ["9x9:5+exact+misere"]),
        (("hint", "ultimate:3+open"), ["ultimate:3+open", "ultimate:3+open+misere", "ultimate:3+open+count"]),
        (("play", "--against", "in"), ["insane"]),
        (("play", "--against=in"), ["insane"]),
        (("play", "3x3", "--o", "f"), ["friend"]),
        (("stats", "--player", "mas"), ["master"]),
        (("engine", "--level", "d"), ["difficult"]),
        (("arena", "sprt", "mine=./bot", "ea"), ["easy"]),
        (("arena", "run", "--bot", "mine=mcts:n"), ["mine=mcts:network"]),
        (("arena", "run", "--format", "k"), ["knockout"]),
        (("arena", "check", "bot", "--protocol", "u"), ["ugi", "uci"]),
        (("grade", "--task", "mi"), ["minimax"]),
        (("tree", "3x3", "--algorithm", "neg"), ["negamax", "negascout"]),
        (("hint", "3x3", "--search", "mcts:"), ["mcts:rollouts", "mcts:network", "mcts:weights"]),
        (("hint", "3x3", "--network", ""), ["none"]),
        (("classic", "s"), ["selfplay"]),
        (("config", "set", "play.ga"), ["play.game"]),
        (("config", "set", "play.game", "conn"), ["connect4"]),
        (("config", "set", "drawing", "u"), ["unicode"]),
        (("play", "--first", "c"), ["coin"]),
        (("book", "show", "--a"), ["--all"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
    ],
    ids=lambda words: " ".join(words),
)
def test_words_are_completed(words: tuple[str, ...], expected: list[str]) -> None:
    assert names(*words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("play", ""), ".json"),
        (("analyse", ""), ".json .ngn .sgf"),
        (("review", ""), ".ngn .sgf"),
        (("play", "--load", ""), ".ngn .sgf"),
        (("hint", "3x3", "--network", ""), ".net"),
        (("verify", ""), ".ngp"),
        (("solve", "3x3", "--resume", ""), ".solve"),
        (("book", "show", "--file", ""), ".ngb"),
        (("arena", "run", ""), ".toml"),
        (("arena", "run", "--report", ""), ".html .ngn"),
        (("stats", "--plot", ""), ".pdf .png .svg"),
        (("grade", ""), ".py"),
        (("arena", "run", "--openings", ""), ""),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else words,
)
def test_files_are_completed_by_suffix(words: tuple[str, ...], expected: str) -> None:
    assert suffixes(*words) == expected


def test_games_are_described() -> None:
    (found,) = [item for item in items("play", "conn") if item.type == "plain"]
    assert found.help == "Connect Four: discs drop to the lowest free space; four in a row wins."


def test_saved_games_are_described_and_the_latest_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_a_game(tmp_path)
    monkeypatch.setenv("NOUGHTS_DATA", str(tmp_path))
    found = [(item.value, item.help) for item in items("games", "show", "")]
    assert found == [
        ("2", "3x3: you against random, 1 ply, unfinished"),
        ("1", "3x3: you against easy, 1 ply, unfinished"),
    ]
    assert names("games", "resume", "") == ["2", "1"]
    assert names("games", "delete", "2", "") == ["1"]


def test_every_game_and_every_file_of_every_command_is_completed() -> None:
    found = dict(parameters(group))
    games = {name for name, parameter in found.items() if (parameter.metavar or parameter.name) in ("GAME", "game")}
    files = {name for name, parameter in found.items() if (parameter.metavar or parameter.name) in ("FILE", "file")}
    assert len(games) > 15
    assert len(files) > 5
    assert {name for name in games if not isinstance(found[name].type, GameType)} == set()
    assert {name for name in files if not isinstance(found[name].type, File)} == set()


# --- the protocol -----------------------------------------------------------------------------------------------------


def ask(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Ask the command for candidates as the script of zsh does."""
    return through_pipe(folder, *words, **{COMPLETE_VARIABLE: "zsh_complete"})


def test_a_damaged_store_gives_no_candidates_and_no_message(tmp_path: Path) -> None:
    (tmp_path / "noughts.sqlite3").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    done = ask(tmp_path, "games", "show", "")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_names_from_a_store_cannot_break_a_line(tmp_path: Path) -> None:
    with Store(tmp_path / "noughts.sqlite3") as store:
        number = store.begin(Game("3x3").start(), "you", "evil\n\x1b[31mplain\tx")
        store.add_move(number, ply=1, side="X", move=4)
    (line,) = ask(tmp_path, "games", "show", "").stdout.splitlines()
    assert line.startswith("plain\t1\t3x3: you against evil")
    assert line.count("\t") == 2
    assert "\x1b" not in line


# --- shells -----------------------------------------------------------------------------------------------------------


def shell_environment(folder: Path) -> dict[str, str]:
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return environment(folder, PATH=path, HOME=str(folder), HISTFILE="", TERM="dumb")


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def spawn(folder: Path, shell: str, *arguments: str) -> Any:
    return pexpect.spawn(
        shell,
        [*arguments, "-i"],
        env=shell_environment(folder),
        cwd=folder,
        encoding="utf-8",
        dimensions=(50, 160),
        timeout=60,
    )


def press_tab(shell: Any, completions: dict[str, str]) -> None:
    """Type each line and the tab key, and wait for the text that must appear."""
    with closing(shell):
        shell.expect_exact("ready> ")
        for typed, completed in completions.items():
            shell.send(f"{typed}\t")
            shell.expect_exact(completed)
            shell.sendcontrol("u")


@needs("bash")
def test_bash_completes_words_with_colons_signs_and_spaces(folder: Path) -> None:
    bash = spawn(folder, "bash", "--norc", "--noprofile")
    bash.sendline("bind 'set bell-style none'; source <(noughts completion bash); PS1='read''y> '")
    completions = {
        "noughts play 15x15:5+e": "15x15:5+exact ",
        "noughts play --against=in": "--against=insane ",
        "noughts verify q": "qubic.ngp ",
        "noughts verify my": r"my\ proof.ngp ",
        "noughts play ga": "game.json ",
        "noughts play ul": "ultimate",
    }
    press_tab(bash, completions)


@needs("zsh")
def test_zsh_completes_words_and_shows_descriptions(folder: Path) -> None:
    zsh = spawn(folder, "zsh", "-f")
    zsh.sendline(
        "autoload -Uz compinit; compinit -u -D; source <(noughts completion zsh); unsetopt beep; PS1='read''y> '"
    )
    completions = {
        "noughts play 15x15:5+e": "15x15:5+exact ",
        "noughts play --against=in": "--against=insane ",
        "noughts verify my": r"my\ proof.ngp ",
        "noughts play ul": "ultimate",
        "noughts play ultimate:3+": "Ultimate where a line of boards loses",
    }
    press_tab(zsh, completions)


@needs("fish")
def test_fish_completes_words_with_their_descriptions(folder: Path) -> None:
    lines = ["play 15x15:5+e", "play --against=in", "verify ", "games show ", "play ult"]
    keep_a_game(folder)
    script = "; echo next; ".join(f"complete -C 'noughts {line}'" for line in lines)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"noughts completion fish | source; {script}"],
        env=shell_environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    game, level, files, saved, games = done.stdout.split("next\n")
    assert game == "15x15:5+exact\tStandard Gomoku: exactly five in a row; six do not count.\n"
    assert level == "--against=insane\ta short search of the engine, rarely a mistake\n"
    assert files.splitlines() == ["bin/", "my proof.ngp", "qubic.ngp"]
    assert "ultra.txt" not in games
    assert saved.splitlines()[0] == "2\t3x3: you against random, 1 ply, unfinished"


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: shell.name)
def test_the_script_is_printed_and_its_syntax_is_right(shell: type[Bash], tmp_path: Path) -> None:
    done = in_process(tmp_path, "completion", shell.name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == shell.read_script()
    if shutil.which(shell.name) is not None:
        command = [shell.name, *(["--no-config"] if shell.name == "fish" else []), "-n"]
        subprocess.run(command, input=done.stdout, text=True, check=True, timeout=60)


@pytest.mark.parametrize(
    ("shell", "file", "step"),
    [
        ("bash", ".local/share/bash-completion/completions/noughts", "add to ~/.bashrc"),
        ("zsh", ".local/share/zsh/site-functions/_noughts", "add to ~/.zshrc"),
        ("fish", ".config/fish/completions/noughts.fish", "fish loads it"),
    ],
)
def test_install_writes_one_file_and_says_what_is_left_to_do(
    shell: str, file: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    done = in_process(tmp_path, "completion", shell, "--install")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{tmp_path / file}: written\n")
    assert step in done.stdout
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / file]


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    done = in_process(tmp_path, "completion", "bash", "--install")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"noughts: cannot write {tmp_path}")
