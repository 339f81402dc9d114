"""How a submission is run: finds the program in its folder, and compiles it if it is a source."""

from __future__ import annotations

import ast
import shlex
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

from noughts.arena.plan import BOT_PROTOCOLS
from noughts.games.quoting import quote
from noughts.players.python_bot import is_python_spec
from noughts.players.registry import is_builtin_name
from noughts.process.bubblewrap import HOME
from noughts.process.environment import find_command
from noughts.process.failure import FailureReason, PlayerFailed
from noughts.process.limits import MEGABYTE, Limits
from noughts.process.program import Program, split_command
from noughts.process.sandbox import Sandbox
from noughts.schema import Expected, OneOf
from noughts.teaching.cup.submissions import InvalidSubmission, describe_files, printable
from noughts.toml_table import Text, parse_toml, read_table

__all__ = ["CupProgram", "find_program"]

INTERPRETERS: dict[str, tuple[str, ...]] = {
    ".js": ("node",),
    ".mjs": ("node",),
    ".cjs": ("node",),
    ".sh": ("bash", "sh"),
    ".rb": ("ruby",),
    ".pl": ("perl",),
    ".lua": ("lua", "lua5.4", "lua5.3", "luajit"),
    ".php": ("php",),
    ".r": ("Rscript",),
    ".jl": ("julia",),
    ".java": ("java",),
    ".jar": ("java -jar",),
}
"""The commands that run files of a suffix, the best first."""
COMPILERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    ".c": (("cc", "gcc", "clang"), ("-O2", "-pthread")),
    ".cpp": (("c++", "g++", "clang++"), ("-O2", "-std=c++20", "-pthread")),
    ".cc": (("c++", "g++", "clang++"), ("-O2", "-std=c++20", "-pthread")),
    ".cxx": (("c++", "g++", "clang++"), ("-O2", "-std=c++20", "-pthread")),
    ".rs": (("rustc",), ("-O",)),
}
"""The compilers of a suffix, the best first, and their flags."""
LIBRARIES = {".c": ("-lm",)}
PYTHON = "python3"
SETTINGS, COMMAND, RUN = "bot.toml", "command", "run"
MAIN_STEMS = ("main", "bot", "player")
CLASS_NAMES = ("Bot", "Player")
PYTHON_PLAYER = "choose"
MAX_PARSED_BYTES = 100_000
"""A longer source in Python is not parsed: that can take 500 times its size."""
MAX_SETTINGS_BYTES = 4_000
COMPILE_SECONDS = 120
COMPILED = "compiled-bot"
COMPILER_LIMITS = Limits(memory_mb=4096, file_mb=64, output_bytes=64 * MEGABYTE)
MAX_MESSAGE_CHARACTERS = 2_000


class CupProgram(NamedTuple):
    """``run`` for an entrant, the command as its author would type it, the protocol, and the folder it runs in."""

    run: str
    typed: str
    protocol: str
    folder: Path


def find_program(folder: Path, sandbox: Sandbox) -> CupProgram:
    """Return how to run the submission in a folder; a source in C, C++ or Rust is compiled first.

    Raises InvalidSubmission.
    """
    folder = _innermost(folder)
    if (folder / SETTINGS).is_file():
        return _declared_program(folder, _read_settings(folder / SETTINGS))
    if (folder / COMMAND).is_file():
        lines = [line.strip() for line in _read_settings(folder / COMMAND).splitlines()]
        command = next((line for line in lines if line and not line.startswith("#")), "")
        return _command_program(folder, command, "auto")
    if _is_executable(folder / RUN):
        return _command_program(folder, f"./{RUN}", "auto")
    return _file_program(folder, _main_file(folder), sandbox)


def _innermost(folder: Path) -> Path:
    """The folder itself, or the one it contains and nothing else, as unpacked archives often do."""
    for _ in range(8):
        inside = [path for path in folder.iterdir() if not path.name.startswith(".")]
        if len(inside) != 1 or not inside[0].is_dir():
            break
        folder = inside[0]
    return folder


def _read_settings(path: Path) -> str:
    """Return a file that the host parses: in a long one, keys of many parts would take all its memory."""
    if path.stat().st_size > MAX_SETTINGS_BYTES:
        raise InvalidSubmission(f"{path.name}: expected at most {MAX_SETTINGS_BYTES:,} bytes, got more")
    return _read(path)


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(MAX_PARSED_BYTES).decode(errors="replace")


@dataclass(frozen=True)
class _DeclaredProgram:
    run: Annotated[Text, Expected('a command such as "python3 bot.py"', is_required=True)] = ""
    protocol: Annotated[str, OneOf(BOT_PROTOCOLS)] = "auto"


def _declared_program(folder: Path, text: str) -> CupProgram:
    try:
        data = parse_toml(text)
    except ValueError as error:
        raise InvalidSubmission(f"{SETTINGS}: {error}") from None
    mistakes: list[str] = []
    declared = read_table(_DeclaredProgram, data, mistakes)
    if mistakes:
        raise InvalidSubmission(f"{SETTINGS}: {mistakes[0]}")
    return _command_program(folder, declared.run, declared.protocol)


def _command_program(folder: Path, command: str, protocol: str) -> CupProgram:
    if protocol == "python":
        if is_builtin_name(command) or not is_python_spec(command):
            raise InvalidSubmission(f"expected a player such as bot.py:choose, got {quote(command)}")
        if not _is_inside(folder / command.rpartition(":")[0], folder):
            raise InvalidSubmission(f"expected a file of the submission, got {quote(command)}")
        return CupProgram(command, command, protocol, folder)
    try:
        words = split_command(command)
    except ValueError as error:
        raise InvalidSubmission(str(error)) from None
    local = folder / words[0]
    if _is_file(local) and _is_inside(local, folder):
        local.chmod(0o755)
        words[0] = f"./{words[0]}" if "/" not in words[0] else words[0]
    elif words[0] in ("python", PYTHON):
        words[0] = sys.executable
    elif find_command(words[0]) is None:
        raise InvalidSubmission(f"expected a command that exists here, got {quote(words[0])}")
    return CupProgram(shlex.join(words), command, protocol, folder)


def _main_file(folder: Path) -> Path:
    """The program of a folder: ``main.*``, ``bot.*``, ``player.*``, or the only one."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    files = [path for path in files if path.name != COMPILED]
    found = [path for path in files if _can_run(path)]
    for stem in MAIN_STEMS:
        if named := [path for path in found if path.stem.lower() == stem]:
            return named[0]
    if len(found) == 1:
        return found[0]
    suffixes = {path.suffix.lower() for path in found}
    if len(suffixes) == 1 and suffixes <= COMPILERS.keys() - {".rs"}:
        return found[0]
    names = describe_files([printable(path.name) for path in found or files])
    if found:
        raise InvalidSubmission(f"expected one program, or main.py, `run` or bot.toml to say which, got {names}")
    raise InvalidSubmission(
        f"expected a program: a file that ends in {', '.join(['.py', *INTERPRETERS, *COMPILERS])}, or an executable;"
        f" got {names}"
    )


def _can_run(path: Path) -> bool:
    return path.suffix.lower() in (".py", *INTERPRETERS, *COMPILERS) or _is_executable(path)


def _is_executable(path: Path) -> bool:
    """Whether a file is a program by its first bytes, even if a download has lost its permission."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4).startswith((b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"))


def _file_program(folder: Path, file: Path, sandbox: Sandbox) -> CupProgram:
    suffix = file.suffix.lower()
    if suffix == ".py":
        return _python_program(folder, file)
    if suffix in COMPILERS:
        compiled = _compile(folder, file, sandbox)
        return CupProgram(f"./{compiled.name}", f"./{file.stem}", "auto", folder)
    if suffix in INTERPRETERS:
        interpreter = _first_installed(INTERPRETERS[suffix], f"a program ending in {suffix}", sandbox)
        command = f"{interpreter} {shlex.quote(file.name)}"
        return CupProgram(command, command, "auto", folder)
    return _command_program(folder, shlex.quote(file.name), "auto")


def _first_installed(commands: Sequence[str], purpose: str, sandbox: Sandbox) -> str:
    found = next((command for command in commands if sandbox.finds(command.split()[0])), None)
    if found is None:
        is_outside = any(find_command(command.split()[0]) for command in commands)
        why = "lies outside the sandbox" if is_outside else "is not installed here"
        raise InvalidSubmission(f"{purpose} needs {' or '.join(commands)}, which {why}")
    return found


def _is_file(path: Path) -> bool:
    """Whether a file exists: a name can be too long for the system."""
    try:
        return path.is_file()
    except OSError:
        return False


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path that a submission names lies in its folder: the host touches no other."""
    return path.resolve().is_relative_to(folder.resolve())


# Python


def _python_program(folder: Path, file: Path) -> CupProgram:
    """A file with a function or class that chooses moves is a Python player, any other a program."""
    player = _python_player(file)
    if player is not None:
        return CupProgram(f"{file.name}:{player}", f"{file.name}:{player}", "python", folder)
    name = shlex.quote(file.name)
    return CupProgram(f"{shlex.quote(sys.executable)} {name}", f"{PYTHON} {name}", "auto", folder)


def _python_player(file: Path) -> str | None:
    """The function ``choose``, or the class with a method of that name, defined in a file; it is not run."""
    if file.stat().st_size > MAX_PARSED_BYTES:
        expected = f"expected at most {MAX_PARSED_BYTES:,} bytes, got more; {SETTINGS} can say how to run it"
        raise InvalidSubmission(f"{printable(file.name)}: {expected}")
    try:
        tree = ast.parse(_read(file), file.name)
    except SyntaxError as error:
        place = printable(file.name) if error.lineno is None else f"{printable(file.name)}, line {error.lineno}"
        raise InvalidSubmission(f"{place}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError):
        return None
    names = {name for node in tree.body for name in _names_of(node)}
    if PYTHON_PLAYER in names:
        return PYTHON_PLAYER
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and _has_choose(node)]
    if len(classes) > 1:
        named = next((name for name in CLASS_NAMES if name in classes), None)
        if named is None:
            raise InvalidSubmission(f"expected one class with choose, or one named Bot, got {', '.join(classes[:4])}")
        return named
    return classes[0] if classes else None


def _names_of(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    if isinstance(node, ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def _has_choose(node: ast.ClassDef) -> bool:
    return any(isinstance(each, ast.FunctionDef) and each.name == PYTHON_PLAYER for each in node.body)


# Compilers


def _compile(folder: Path, file: Path, sandbox: Sandbox) -> Path:
    """Compile all sources beside a file that have its suffix (of Rust, the file alone); returns the program."""
    suffix = file.suffix.lower()
    compilers, flags = COMPILERS[suffix]
    compiler = _first_installed(compilers, f"a source ending in {suffix}", sandbox)
    sources = [file] if suffix == ".rs" else sorted(path for path in folder.iterdir() if path.suffix.lower() == suffix)
    with tempfile.TemporaryDirectory() as scratch:
        # The folder is read-only in the sandbox, and /tmp is private, so the program comes out by standard output.
        target = f"{HOME if sandbox.is_on else scratch}/{COMPILED}"
        script = f'{compiler} "$@" {shlex.join(LIBRARIES.get(suffix, ()))} >&2 && cat {shlex.quote(target)}'
        names = [f"./{path.name}" for path in sources]
        compiled = _run_compiler(["sh", "-c", script, "sh", *flags, "-o", target, *names], folder, sandbox)
    program = folder / COMPILED
    program.write_bytes(compiled)
    program.chmod(0o755)
    return program


def _run_compiler(words: list[str], folder: Path, sandbox: Sandbox) -> bytes:
    program = Program(words, COMPILER_LIMITS, sandbox, folder, {"LC_ALL": "C"})
    try:
        return program.run(COMPILE_SECONDS)
    except PlayerFailed as failed:
        if failed.reason is FailureReason.TIME:
            raise InvalidSubmission(f"could not be compiled within {COMPILE_SECONDS} s") from None
        message = program.stderr_tail[:MAX_MESSAGE_CHARACTERS]
        raise InvalidSubmission(f"could not be compiled:\n{message or failed}") from None
