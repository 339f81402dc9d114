"""Completion in the shell: the words typed so far come as arguments, one candidate goes out on each line.

A line has a kind and, after tabs, a value and its help::

    plain	connect4	Connect Four: four in a row, marks fall.
    file	.ngn .sgf

``file`` and ``dir`` ask the shell for paths. The scripts in ``completions`` read these lines. They are written for
noughts because those of click split a word at ``:`` and ``=`` in bash, and cannot ask for files by suffix.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import ClassVar

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

from noughts.games.quoting import escape_control_characters
from noughts.packaged import read_packaged

__all__ = ["SHELLS", "Shell"]


class Shell(ShellComplete):
    """A shell whose script passes the words before the cursor as arguments, the unfinished one last."""

    file: ClassVar[str]
    """The script in the folder ``completions``."""
    installed: ClassVar[str]
    """The name that the shell expects it to have in its folders."""

    @classmethod
    def read_script(cls) -> str:
        """Return the script that makes the shell ask noughts for candidates."""
        return read_packaged(f"cli/completions/{cls.file}").decode()

    def source(self) -> str:
        return self.read_script()

    def complete(self) -> str:
        """Return a line for each candidate; none after an error, which would only disturb the command being typed."""
        try:
            args, incomplete = self.get_completion_args()
            return "\n".join(map(self.format_completion, self.get_completions(args, incomplete)))
        except Exception:
            return ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the unfinished one, and that one."""
        return sys.argv[1:-1], sys.argv[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """Return the line of a candidate."""
        value = self.replacement(str(item.value)) if item.type == "plain" else str(item.value)
        return "\t".join(map(escape_control_characters, filter(None, (item.type, value, item.help))))

    def replacement(self, value: str) -> str:
        """Return the text that replaces the word under the cursor; click completes only the value in ``--x=easy``."""
        _, word = self.get_completion_args()
        option, equals, _ = word.partition("=")
        return f"{option}={value}" if word.startswith("-") and equals else value


class Bash(Shell):
    """Bash passes the line, and the part of the last word that it replaces: that after the last ``:`` or ``=``."""

    name, file, installed = "bash", "noughts.bash", "noughts"

    def get_completion_args(self) -> tuple[list[str], str]:
        """Split the line as the shell will, not at every ``:`` and ``=``."""
        line = sys.argv[1]
        words = split_arg_string(line)
        if not line or line[-1].isspace():
            words.append("")
        return words[1:-1], words[-1]

    def replacement(self, value: str) -> str:
        """Return the value without the part of the word that bash keeps."""
        _, word = self.get_completion_args()
        kept = max(0, len(word) - len(sys.argv[2]))  # the part may have backslashes that the word lacks
        return super().replacement(value)[kept:]


class Zsh(Shell):
    """Zsh passes the words without their quotes."""

    name, file, installed = "zsh", "_noughts", "_noughts"


class Fish(Shell):
    """Fish passes the last word as it was typed."""

    name, file, installed = "fish", "noughts.fish", "noughts.fish"

    def get_completion_args(self) -> tuple[list[str], str]:
        """Remove the quotes of the last word."""
        words, word = super().get_completion_args()
        return words, "".join(split_arg_string(word))


SHELLS: Sequence[type[Shell]] = (Bash, Zsh, Fish)
for shell in SHELLS:
    add_completion_class(shell)
