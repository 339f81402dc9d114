#!/usr/bin/env python3
"""The lessons: writes the notebooks of examples/lessons from their sources, and their pages of the documentation site.

Usage: tools/lessons.py

A source is Markdown. Its fenced blocks become cells:

    ```python             code
    ```python exercise    code for students, to be completed
    ```python solution    the same for teachers, completed
    ```answer             text for teachers

A line ``guess = ...  # answer: 42`` is ``guess = ...`` for students and ``guess = 42`` for teachers. MkDocs calls
``on_files``, which runs the students' notebooks and adds a page with the output of each.
"""

from __future__ import annotations

import ast
import contextlib
import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples" / "lessons"
SOLUTIONS = FOLDER / "solutions"
"""The notebooks for teachers, which are not committed."""
SOURCES = sorted((FOLDER / "source").glob("*.md"))
FENCE = re.compile(r"^```(python|python exercise|python solution|answer)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(?=## )", re.MULTILINE)
PREDICTION = re.compile(r"\.\.\.  # answer: (.*)$", re.MULTILINE)
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class Cell(NamedTuple):
    """A cell of a notebook: its source, and whether it is code or Markdown."""

    source: str
    is_code: bool


class Output(NamedTuple):
    """The output of a cell: what it printed, and the picture or the text of its last expression."""

    printed: str
    picture: str | None = None
    alt: str = ""
    text: str = ""


# Notebooks


def cells(source: Path, for_teachers: bool = False) -> Iterator[Cell]:
    """Yield the cells of a lesson, for students or for teachers."""
    others = "python exercise" if for_teachers else "python solution"
    parts = FENCE.split(source.read_text(encoding="utf-8"))
    for text, kind, block in zip(parts[::3], [*parts[1::3], None], [*parts[2::3], ""], strict=True):
        yield from (Cell(section.strip(), False) for section in HEADING.split(text) if section.strip())
        if kind == "answer":
            if for_teachers:
                yield Cell("> **Answer.** " + block.strip().replace("\n", "\n> "), False)
        elif kind is not None and kind != others:
            yield Cell(PREDICTION.sub(r"\1" if for_teachers else "...", block.strip()), True)


def notebook(source: Path, for_teachers: bool = False) -> str:
    """Return a lesson as a notebook without outputs."""
    made: list[dict[str, Any]] = [
        {
            "cell_type": "code" if cell.is_code else "markdown",
            **({"execution_count": None} if cell.is_code else {}),
            "id": f"cell-{number}",
            "metadata": {},
            **({"outputs": []} if cell.is_code else {}),
            "source": cell.source.splitlines(keepends=True),
        }
        for number, cell in enumerate(cells(source, for_teachers))
    ]
    data = {"cells": made, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def notebooks(for_teachers: bool = False) -> dict[Path, str]:
    """Return the notebooks of all lessons by their path."""
    folder = SOLUTIONS if for_teachers else FOLDER
    return {folder / f"{source.stem}.ipynb": notebook(source, for_teachers) for source in SOURCES}


def write_notebooks() -> None:
    """Write the notebooks for students and those for teachers."""
    SOLUTIONS.mkdir(exist_ok=True)
    for path, text in (notebooks() | notebooks(for_teachers=True)).items():
        path.write_text(text, encoding="utf-8")


# Running


def run(lesson: list[Cell], name: str, sizes: dict[str, int] | None = None) -> Iterator[Output | None]:
    """Run the code cells in order and yield the output of each cell, None for text.

    ``sizes`` replaces the numbers assigned by lines such as ``SIMULATIONS = 2_000``.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(lesson):
        source = cell.source
        for size, value in (sizes or {}).items():
            source = re.sub(rf"^{size} = .*$", f"{size} = {value}", source, flags=re.MULTILINE)
        yield _run_cell(source, f"{name}, cell {number}", names) if cell.is_code else None


def _run_cell(source: str, name: str, names: dict[str, Any]) -> Output:
    """Run the statements of a cell as Jupyter does, which shows the value of the last one if it is an expression."""
    body = ast.parse(source, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    return _output(printed.getvalue(), value)


def _output(printed: str, value: object) -> Output:
    if hasattr(value, "_repr_mimebundle_"):
        bundle, metadata = value._repr_mimebundle_()
        return Output(printed, bundle["image/svg+xml"], metadata["image/svg+xml"]["alt"], bundle["text/plain"])
    if hasattr(value, "_repr_svg_"):
        return Output(printed, value._repr_svg_(), repr(value), repr(value))
    return Output(printed, text="" if value is None else repr(value))


# Pages


def on_files(files: Any, config: Any) -> Any:
    """Add a page, its pictures and the notebook of each lesson to the site; MkDocs calls this."""
    from mkdocs.structure.files import File

    for source in SOURCES:
        for uri, content in _page_files(source).items():
            files.append(File.generated(config, f"lessons/{uri}", content=content))
    return files


def _page_files(source: Path) -> dict[str, str]:
    lesson = list(cells(source))
    files = {f"{source.stem}.ipynb": notebook(source)}
    parts = []
    for number, (cell, output) in enumerate(zip(lesson, run(lesson, source.name), strict=True)):
        parts.append(f"```python\n{cell.source}\n```" if cell.is_code else cell.source)
        if output is not None:
            picture = f"{source.stem}-{number}.svg"
            parts += _output_parts(output, picture, is_answer="reveal(" in cell.source)
            files |= {picture: output.picture} if output.picture else {}
    download = f"\n\n[Download the notebook]({source.stem}.ipynb){{ .md-button download }}\n\n"
    title, text = "\n\n".join(parts).split("\n", 1)
    return files | {f"{source.stem}.md": title + download + text.lstrip() + "\n"}


def _output_parts(output: Output, picture: str, is_answer: bool) -> list[str]:
    """Return an output as Markdown; an answer is folded, so that the reader can predict it."""
    parts = []
    shown = output.printed.rstrip() or ("" if output.picture else output.text)
    if shown:
        parts.append(f'```text title="Output"\n{shown}\n```')
    if output.picture:
        parts.append(f"![{html.escape(output.alt)}]({picture})")
    if parts and is_answer:
        return ['<details markdown="1"><summary>Predict first, then open</summary>', *parts, "</details>"]
    return parts


if __name__ == "__main__":
    write_notebooks()
