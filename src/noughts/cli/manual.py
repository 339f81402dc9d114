"""The manual: a page for ``noughts`` and one for each command, in roff, made from the help texts.

A page has the sections of man-pages(7). The macros are those of man(7), which groff and mandoc both know.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap

import click

from noughts.cli.main import COMMANDS
from noughts.games.spec import ALIASES, BOARD_OPTIONS, ULTIMATE_OPTIONS, catalogue
from noughts.players import PEOPLE, TREE_SEARCHES, player_names
from noughts.settings import SETTINGS

__all__ = ["format_pages"]

WIDTH = 100
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
EXAMPLE_MARK = "\b"
"""Click's sign for a paragraph that is not to be wrapped; ours are all examples."""
SPECIAL = {"\\": r"\e", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", '"': r"\(dq"}
EXIT_CODES = {
    "0": "Success.",
    "1": "A check or a write failed; a test of noughts arena sprt accepted H0.",
    "2": "Wrong usage or bad input.",
    "3": "The command could not decide: noughts solve, noughts book and noughts arena sprt.",
    "130": "Interrupted by Ctrl-C. A solve ended by SIGHUP or SIGTERM exits with 129 or 143.",
}
DESCRIPTION = (
    "It plays in the terminal (noughts play) and in the browser (noughts web), proves values (noughts solve), runs"
    " tournaments between programs (noughts arena) and grades searches of students (noughts grade). Each command has a"
    " page of its own, which noughts man COMMAND shows."
)
GAMES = (
    "A GAME is an id, an alias, or a .json file with a custom game. An id has the sides of the board, the length of a"
    " line after a colon unless it is the shortest side, and options: 3x3, 5x5:4, 4x4x4, 7x6:4+gravity,"
    f" ultimate:3+open. The options of boards are {', '.join(f'+{option}' for option in BOARD_OPTIONS)},"
    f" those of Ultimate {', '.join(f'+{option}' for option in ULTIMATE_OPTIONS)}."
)
PLAYERS = (
    "A player is one of the names below; elo:N, an opponent of this rating; FILE.py:NAME, a player in Python; or a"
    " program, as bot:COMMAND or after the name of its protocol, such as ugi:COMMAND."
)
VARIABLES = {
    "NOUGHTS_CONFIG": "The configuration file, instead of that in your configuration folder.",
    "NO_COLOR": "If it is set, nothing is printed in colours.",
}
FILES = {
    "config.toml": "The settings, in your configuration folder; noughts config --path prints the path.",
    "noughts.sqlite3": "Saved games, solved positions and tournaments, in your data folder; noughts doctor shows it.",
}


def format_pages(group: click.Group, version: str) -> dict[str, str]:
    """Return all pages by file name: ``noughts.1``, ``noughts-play.1`` and so on."""
    context = click.Context(group, info_name="noughts")
    pages = {"noughts.1": _main_page(group, context, version)}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, context, name)
        pages[f"noughts-{name}.1"] = _command_page(command, inner, COMMANDS[name], version)
    return pages


def _main_page(group: click.Group, context: click.Context, version: str) -> str:
    names = group.list_commands(context)
    aliases = {entry.name: f"{entry.id}. {entry.about}" for entry in catalogue() if entry.name in ALIASES}
    variables = {each.variable: f"{each.about} Default: {each.describe_default()}." for each in SETTINGS}
    players = {**PEOPLE, **player_names(), **TREE_SEARCHES}
    lines = [
        *_title("noughts", _about(group), version),
        *_synopsis(context),
        ".SH DESCRIPTION",
        *_paragraphs([*_text(group), DESCRIPTION], ("COMMAND",)),
        ".SH COMMANDS",
        *_definitions({f"noughts-{name}(1)": COMMANDS[name] for name in names}),
        *_options(context),
        ".SH GAMES",
        *_paragraphs([GAMES, "The games with an alias:"], ("GAME",)),
        *_definitions(aliases),
        ".SH PLAYERS",
        *_paragraphs([PLAYERS], ("N", "COMMAND")),
        *_definitions(players),
        ".SH EXIT STATUS",
        *_definitions(EXIT_CODES),
        ".SH ENVIRONMENT",
        *_paragraphs(
            ["An option takes precedence over the environment, the environment over the configuration file."], ()
        ),
        *_definitions(variables | VARIABLES),
        ".SH FILES",
        *_definitions(FILES),
        *_see_also(f"noughts-{name}" for name in names),
    ]
    return _join(lines)


def _command_page(command: click.Command, context: click.Context, about: str, version: str) -> str:
    lines = [
        *_title(context.command_path.replace(" ", "-"), about, version),
        *_synopsis(context),
        ".SH DESCRIPTION",
        *_paragraphs(_text(command), _metavars(command)),
        *_options(context),
        *_subcommands(command, context),
        *_examples(command, ".SH"),
        *_see_also(["noughts"]),
    ]
    return _join(lines)


def _subcommands(command: click.Command, context: click.Context) -> Iterator[str]:
    if not isinstance(command, click.Group):
        return
    yield ".SH COMMANDS"
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        inner = click.Context(found, context, name)
        yield f".SS {_escape(inner.command_path)} {_usage(inner)}".rstrip()
        yield from _paragraphs(_text(found), _metavars(found))
        yield from _definitions(_option_texts(inner), bold_terms=False)
        yield from _examples(found, ".P")


# --- sections ---------------------------------------------------------------------------------------------------------


def _title(name: str, about: str, version: str) -> list[str]:
    first = about[:1].lower() + about[1:] if about[1:2].islower() else about
    title = f'.TH {name.upper()} 1 "" "noughts {version}" "The noughts manual"'
    return [title, ".SH NAME", f"{_escape(name)} \\- {_escape(first.removesuffix('.'))}"]


def _synopsis(context: click.Context) -> list[str]:
    return [".SH SYNOPSIS", f"\\fB{_escape(context.command_path)}\\fP {_usage(context)}".rstrip()]


def _options(context: click.Context) -> list[str]:
    options = _option_texts(context)
    return [".SH OPTIONS", *_definitions(options, bold_terms=False)] if options else []


def _examples(command: click.Command, heading: str) -> list[str]:
    blocks = [text for text in _help_blocks(command) if text.startswith(EXAMPLE_MARK)]
    if not blocks:
        return []
    lines = [line for block in blocks for line in block.splitlines()[1:]]
    title = [f"{heading} EXAMPLES"] if heading == ".SH" else [heading, "Examples:", ".P"]
    return [*title, ".nf", *(_literal(line) for line in lines), ".fi"]


def _see_also(names: Iterable[str]) -> list[str]:
    return [".SH SEE ALSO", ",\n".join(f"\\fB{_escape(name)}\\fP(1)" for name in names)]


def _definitions(items: Mapping[str, str], bold_terms: bool = True) -> Iterator[str]:
    for term, text in items.items():
        yield ".TP"
        yield f"\\fB{_escape(term)}\\fP" if bold_terms else term
        yield from _wrapped(text, ())


def _paragraphs(texts: Iterable[str], metavars: Iterable[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        if number:
            yield ".P"
        yield from _wrapped(text, metavars)


# --- help texts -------------------------------------------------------------------------------------------------------


def _help_blocks(command: click.Command) -> list[str]:
    return inspect.cleandoc(command.help or "").split("\n\n")


def _text(command: click.Command) -> list[str]:
    """Return the paragraphs of the help, without examples."""
    return [" ".join(text.split()) for text in _help_blocks(command) if not text.startswith(EXAMPLE_MARK)]


def _about(command: click.Command) -> str:
    return _text(command)[0]


def _metavars(command: click.Command) -> list[str]:
    names = (param.metavar or param.name or "" for param in command.params if isinstance(param, click.Argument))
    return [word for name in names for word in re.findall(r"[A-Z]+", name.upper())]


def _usage(context: click.Context) -> str:
    """Return what follows the command in its usage, with placeholders in italics."""
    pieces = context.command.collect_usage_pieces(context)
    return re.sub(r"[A-Z]{2,}", r"\\fI\g<0>\\fP", _escape(" ".join(pieces)))


def _option_texts(context: click.Context) -> dict[str, str]:
    """Return the options, marked up, with their help. All commands but noughts leave out --help."""
    found = {}
    for param in context.command.params:
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record is not None:
            found[_option_term(record[0])] = record[1]
    if context.parent is None:
        found[_option_term("-h, --help")] = "Show the help of noughts or of a command."
    return found


def _option_term(text: str) -> str:
    """Return ``-s, --seconds FLOAT`` with the names in bold and the value in italics."""
    last = [found.end() for found in OPTION.finditer(text)][-1]
    value = text[last:].strip()
    return _bold_options(_escape(text[:last])) + (f" \\fI{_escape(value)}\\fP" if value else "")


# --- roff -------------------------------------------------------------------------------------------------------------


def _wrapped(text: str, metavars: Iterable[str]) -> Iterator[str]:
    """Yield lines of running text with options in bold and placeholders in italics."""
    placeholders = "|".join(map(re.escape, metavars))
    for line in wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False):
        marked = _bold_options(_escape(line))
        yield _protect(re.sub(rf"\b(?:{placeholders})\b", r"\\fI\g<0>\\fP", marked) if placeholders else marked)


def _bold_options(escaped: str) -> str:
    return OPTION.sub(lambda found: f"\\fB{found[0].replace('-', chr(92) + '-')}\\fP", escaped)


def _literal(line: str) -> str:
    """Return a line of an example, with hyphens that can be copied."""
    return _protect(_escape(line).replace("-", r"\-"))


def _protect(line: str) -> str:
    """Keep a line that begins with a dot from being a request."""
    return rf"\&{line}" if line.startswith((".", "'")) else line


def _escape(text: str) -> str:
    return "".join(
        SPECIAL.get(letter) or (letter if letter.isascii() else f"\\[u{ord(letter):04X}]") for letter in text
    )


def _join(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
