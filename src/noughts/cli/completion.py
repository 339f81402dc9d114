"""``noughts completion``: the tab key completes commands, games, players, saved games and files."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote

import click

from noughts.cli.output import explained
from noughts.cli.shells import SHELLS, Shell
from noughts.games.atomic_file import write_file

SHELL_TYPES = {shell.name: shell for shell in SHELLS}


@click.command(name="completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(list(SHELL_TYPES)))
@click.option("--install", is_flag=True, help="Write the script to your folder for completions of this shell.")
def command(shell: str, install: bool) -> None:
    """Print the script with which SHELL (bash, zsh or fish) completes commands, games, players, saved games and files.

    --install writes it to a file and prints what is left to do; no start-up file of the shell is changed.

    \b
    noughts completion fish --install
    source <(noughts completion bash)
    source <(noughts completion zsh)
    noughts completion fish | source
    """
    chosen = SHELL_TYPES[shell]
    if install:
        _install(chosen)
    else:
        click.echo(chosen.read_script(), nl=False)


def _install(shell: type[Shell]) -> None:
    path = _user_folder(shell.name) / shell.installed
    with explained(f"cannot write {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, shell.read_script())
    click.echo(f"{path}: written\n{_next_step(shell.name, path)}")


def _user_folder(shell: str) -> Path:
    """Return the user's folder for completions, in which the shell looks by itself; zsh has none."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return {
        "bash": data / "bash-completion/completions",
        "zsh": data / "zsh/site-functions",
        "fish": settings / "fish/completions",
    }[shell]


def _next_step(shell: str, path: Path) -> str:
    file, folder = quote(str(path)), quote(str(path.parent))
    return {
        "bash": f"the package bash-completion loads it in new shells; without that, add to ~/.bashrc:\nsource {file}",
        "zsh": f"add to ~/.zshrc, before compinit:\nfpath=({folder} $fpath)",
        "fish": "fish loads it by itself",
    }[shell]
