"""The pages that noughts writes to files, in one style, light and dark: skeleton, sections, tables and scripts.

Texts are escaped; what is HTML already is marked as ``Html``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from noughts.games.quoting import script_json
from noughts.packaged import read_packaged

__all__ = ["Html", "document", "figure", "items", "page", "pre", "scripts", "section", "source", "table"]

LOADS_NOTHING = "Made by noughts. This page loads nothing from the network."
DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body{kind}>
{body}</body>
</html>
"""


class Html(str):
    """A text that is HTML."""


def page(title: str, facts: str, main: str, script: str = "", style: str = "", footer: str = LOADS_NOTHING) -> str:
    """Return a page with a title and a line of facts; ``main`` and ``script`` are HTML, ``style`` is CSS."""
    header = f"<header><h1>{escape(title)}</h1><p>{escape(facts)}</p></header>"
    body = f"{header}\n<main>\n{main}</main>\n<footer><p>{escape(footer)}</p></footer>\n{script}"
    return document(title, body, style)


def document(title: str, body: str, style: str = "", kind: str = "") -> str:
    """Return an HTML file with the common style and its own; ``kind`` is the class of the body."""
    kind = f' class="{escape(kind)}"' if kind else ""
    return DOCUMENT.format(title=escape(title), style=source("html_page.css") + style, kind=kind, body=body)


def source(name: str) -> str:
    """Return a script or a style of the pages, by its name in the package."""
    return read_packaged(name).decode()


def scripts(data_id: str, data: Any, script: str) -> str:
    """Return data, as an element with this id, and the script that shows it."""
    return f'<script type="application/json" id="{data_id}">{script_json(data)}</script>\n<script>{script}</script>\n'


def section(name: str, title: str, *parts: str) -> Html:
    """Return a section with a heading; the parts are HTML."""
    heading = f'<section aria-labelledby="{name}-title"><h2 id="{name}-title">{escape(title)}</h2>'
    return Html(f"{heading}\n{''.join(parts)}</section>\n")


def table(
    label: str, columns: Sequence[str], rows: Iterable[Sequence[object]], heading: int = 0, kind: str = ""
) -> Html:
    """Return a table that can be scrolled; the column ``heading`` names the rows, ``kind`` is a class of its frame."""
    head = "".join(_cell(name, "th", ' scope="col"') for name in columns)
    body = "".join(f"<tr>{''.join(_row_cell(cell, at == heading) for at, cell in enumerate(row))}</tr>" for row in rows)
    return Html(
        f'<div class="{f"wide {kind}".strip()}" tabindex="0" role="region" aria-label="{escape(label)}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row_cell(cell: object, is_heading: bool) -> str:
    return _cell(cell, "th", ' scope="row"') if is_heading else _cell(cell, "td")


def _cell(cell: object, tag: str, attributes: str = "") -> str:
    """Return a cell; HTML that is a cell already stays as it is."""
    text = cell if isinstance(cell, Html) else escape(str(cell))
    return text if text.startswith(("<td", "<th")) else f"<{tag}{attributes}>{text}</{tag}>"


def items(lines: Iterable[str], kind: str = "notes") -> Html:
    """Return a list; empty without lines."""
    found = "".join(f"<li>{line if isinstance(line, Html) else escape(line)}</li>" for line in lines)
    return Html(f'<ul class="{kind}">{found}</ul>' if found else "")


def figure(title: str, picture: str) -> Html:
    """Return a picture, which is SVG, with its title."""
    return Html(f"<figure><figcaption>{escape(title)}</figcaption>{picture}</figure>")


def pre(text: str, label: str) -> Html:
    """Return lines as they are, which can be scrolled."""
    return Html(f'<pre tabindex="0" aria-label="{escape(label)}">{escape(text)}</pre>')
