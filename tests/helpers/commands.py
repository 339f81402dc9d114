"""Commands of noughts, run in this process: starting another one takes longer than most of them."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from noughts.cli import main


class Done(NamedTuple):
    """The exit code of a command, and the text that it printed."""

    code: int
    stdout: str
    stderr: str


def run_command(*words: str | Path) -> Done:
    """Run ``noughts`` with some words."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["noughts", *map(str, words)]),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as left,
    ):
        main()
    return Done(int(left.value.code or 0), out.getvalue(), err.getvalue())
