"""``python -m translate``: translate a module and everything it imports."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from translate.closure import find_closure
from translate.program import translate_program
from translate.source import TranslationError

ROOT = Path(__file__).parent.parent


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="translate", description=__doc__)
    parser.add_argument("entry", nargs="+", help="name of a module to translate")
    parser.add_argument("--source", type=Path, default=ROOT.parent / "src", help="folder of the package")
    parser.add_argument("--library", type=Path, default=ROOT / "library", help="folder of the standard modules")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file to write")
    options = parser.parse_args(arguments)
    try:
        modules = find_closure(options.entry, [options.library, options.source])
        program = translate_program(modules, ROOT / "runtime", options.output.parent)
    except TranslationError as error:
        parser.exit(2, f"{error}\n")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(program, encoding="utf-8")
    print(f"{len(modules)} modules, {len(program):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
