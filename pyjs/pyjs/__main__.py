"""Translate Python modules, and everything they import, to one JavaScript module."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pyjs import LIBRARY, RUNTIME, TranslationError, __version__, find_closure, translate_program


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="pyjs", description=__doc__)
    parser.add_argument("entry", nargs="+", help="name of a module to translate")
    parser.add_argument("--source", type=Path, default=Path(), metavar="FOLDER", help="folder of the modules")
    parser.add_argument(
        "--library",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="folder of modules that replace others; can be given several times",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="file to write")
    parser.add_argument("--version", action="version", version=__version__)
    options = parser.parse_args(arguments)
    try:
        modules = find_closure(options.entry, [*options.library, LIBRARY, options.source])
        program = translate_program(modules, RUNTIME, options.output.parent)
    except TranslationError as error:
        parser.exit(2, f"{error}\n")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(program, encoding="utf-8")
    print(f"{len(modules)} modules, {len(program):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
