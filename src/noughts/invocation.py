"""How this program was started: the commands that messages advise work when they are pasted into the same shell."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

__all__ = ["command_line", "install_line"]

NAME = "noughts"
"""The name of the script and of the package."""


def command_line(*words: object) -> str:
    """Return a command of this installation, quoted for a shell: ``.venv/bin/noughts games resume 3``."""
    return " ".join([_program(sys.argv[0], os.getcwd()), *(shlex.quote(str(word)) for word in words)])


def install_line(extra: str) -> str:
    """Return the command that installs an extra for the running interpreter; an empty text is the package itself.

    If the package is installed, from an index, a wheel or a source tree, pip only adds the packages that are missing.
    """
    what = f"{NAME if _is_installed() else Path(__file__).parents[2]}{extra and f'[{extra}]'}"
    if find_spec("pip") is None:  # uv makes environments without pip
        return f"uv pip install --python {shlex.quote(_python())} {shlex.quote(what)}"
    return f"{shlex.quote(_python())} -m pip install {shlex.quote(what)}"


@cache
def _program(started: str, folder: str) -> str:
    """Return the words that start ``noughts`` in a shell in this folder, from ``sys.argv[0]``."""
    if Path(started).stem == NAME:
        return NAME if _is_on_path(started) else shlex.quote(started)
    script = str(Path(sys.executable).with_name(NAME))  # python -m noughts, or another program that uses the package
    return NAME if _is_on_path(script) else f"{shlex.quote(_python())} -m {NAME}"


def _is_on_path(script: str) -> bool:
    """Whether typing ``noughts`` starts this script."""
    found = shutil.which(NAME)
    try:
        return found is not None and os.path.samefile(found, script)
    except OSError:
        return False


def _python() -> str:
    """Return a word that starts this interpreter, in its environment: the folder tells environments apart."""
    folder = Path(os.path.abspath(sys.executable)).parent
    for name in ("python", "python3"):
        found = shutil.which(name)
        if (
            found is not None
            and Path(os.path.abspath(found)).parent == folder
            and os.path.samefile(found, sys.executable)
        ):
            return name
    return sys.executable


def _is_installed() -> bool:
    from importlib.metadata import PackageNotFoundError, distribution  # here: it takes long to import

    try:
        distribution(NAME)
    except PackageNotFoundError:
        return False
    return True
