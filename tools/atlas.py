"""The page of the atlas: MkDocs calls these hooks, which fill in the tables from the records of the package.

They are written into the finished page, since neither the Markdown parser nor the search index should read them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from noughts.atlas import DISAGREEMENTS, FAMILIES, SOURCES, Record, Records, known_value, make_game
from noughts.atlas.known import BOARD_NUMBERS
from noughts.atlas.polyominoes import ANIMALS, Shape

PAGE = "atlas/index.md"
COLUMNS = ("game", "value", "opening", "nodes", "time", "certificate", "published")
MIN_CELLS, MAX_CELLS, MAX_SIDE = 3, 5, 12
"""Polyominoes and boards in the table of smallest boards."""
CELL = 6
"""Pixels of a cell in the picture of a polyomino."""


def on_files(files: Any, config: Any) -> Any:
    """Add the records to the site; MkDocs calls this."""
    from mkdocs.structure.files import File

    text = Records().path.read_text(encoding="utf-8")
    files.append(File.generated(config, "atlas/games.jsonl", content=text))
    return files


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Fill in the tables; MkDocs calls this with every finished page."""
    return fill_in(output, list(Records())) if page.file.src_uri == PAGE else output


def fill_in(text: str, records: list[Record]) -> str:
    """Replace the placeholders of a text."""
    parts: dict[str, Callable[[list[Record]], str]] = {
        "summary": summary,
        "table": table,
        "animals": animals,
        "board numbers": board_numbers,
        "sources": sources,
        "disagreements": disagreements,
    }
    for name, make in parts.items():
        placeholder = f"<!-- atlas: {name} -->"
        if placeholder not in text:
            raise ValueError(f"expected {placeholder} in {PAGE}")
        text = text.replace(placeholder, make(records))
    return text


# Summary


def summary(records: list[Record]) -> str:
    """Return the figures of all families as a table."""
    proven = [record for record in records if record.is_proven]
    new = sum(known_value(record.game) is None for record in proven)
    seconds = sum(record.seconds for record in records)
    begin = (
        f"<p><strong>{len(proven):,} games</strong> in {len(_by_family(records))} families are proven; for {new:,} of "
        f"them no published value is known to us. Solving took {seconds:,.0f} s of processor time.</p>"
    )
    heads = ("family", "games", "wins", "draws", "losses", "open", "largest", "hardest")
    rows = "".join(_summary_row(name, some) for name, some in _by_family(records).items())
    return begin + _scrolling(
        f'<table class="atlas-summary"><thead>{_cells(heads, "th")}</thead><tbody>{rows}</tbody></table>'
    )


def _by_family(records: Iterable[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {name: [] for name in FAMILIES}
    for record in records:
        found[record.family].append(record)
    return {name: some for name, some in found.items() if some}


def _summary_row(name: str, records: list[Record]) -> str:
    proven = [record for record in records if record.is_proven]
    values = Counter(str(record.value) for record in proven)
    largest = max(proven, key=lambda record: make_game(record.game).cells, default=None)
    hardest = max(proven, key=lambda record: record.nodes, default=None)
    cells = [
        f'<a href="#{name}">{name}</a>',
        f"{len(records):,}",
        *(f"{values[value]:,}" for value in ("win", "draw", "loss")),
        f"{len(records) - len(proven):,}",
        largest.game if largest else "",
        f"{hardest.game} ({hardest.nodes:,} nodes)" if hardest else "",
    ]
    return _cells(cells)


# Table


def table(records: list[Record]) -> str:
    """Return the games as a table grouped by family, with the style and the script that sorts and filters it."""
    heads = "".join(f'<th scope="col" data-key="{name}">{name}</th>' for name in COLUMNS)
    groups = "".join(_group(name, some) for name, some in _by_family(records).items())
    whole = f'<table class="atlas"><thead><tr>{heads}</tr></thead>{groups}</table>'
    return f'<link rel="stylesheet" href="atlas.css">{_scrolling(whole)}<script type="module" src="page.js"></script>'


def _group(name: str, records: list[Record]) -> str:
    about = f"{escape(FAMILIES[name].about)} {len(records):,} games."
    head = f'<tr class="family" id="{name}"><th colspan="{len(COLUMNS)}">{name} <small>{about}</small></th></tr>'
    return f'<tbody data-family="{name}">{head}{"".join(map(_row, records))}</tbody>'


def _row(record: Record) -> str:
    certificate = record.certificate
    kilobytes = f"{certificate.bytes / 1000:.1f} kB" if certificate else ""
    cells = {
        "game": f"<details><summary>{record.game}</summary>{_details(record)}</details>",
        "value": f'<span class="{record.value}">{record.value}</span>' if record.is_proven else "open",
        "opening": (record.opening or "") if record.is_proven else "",
        "nodes": f"{record.nodes:,}",
        "time": f"{record.seconds * 1000:,.1f} ms",
        "certificate": kilobytes,
        "published": _published(record),
    }
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells.values()) + "</tr>"


def _published(record: Record) -> str:
    known = known_value(record.game)
    if known is None:
        return "new"
    link = f'<a href="#{_anchor(known.source)}">{known.source}</a>'
    return f'{link}: <a href="#disagreements">{known.value}</a>' if record.game in DISAGREEMENTS else link


def _details(record: Record) -> str:
    commands = "\n".join(record.command.split(" && "))
    certificate = record.certificate
    text = (
        f"SHA-256 {certificate.sha256}, {certificate.nodes:,} nodes, checked by {' and '.join(certificate.checked_by)}"
        if certificate
        else f"no certificate: {record.reason}" + (f"; the search alone says {record.value}" if record.value else "")
    )
    return f"<pre>{escape(commands)}</pre><p>{escape(text)}</p>"


# Legend


def animals(_: list[Record]) -> str:
    """Return pictures of the polyominoes with their names."""
    pictures = (f"<li>{_picture(shape)}<code>{name}</code></li>" for name, shape in ANIMALS.items())
    return f'<ul class="atlas-animals">{"".join(pictures)}</ul>'


def _picture(shape: Shape) -> str:
    width, height = (CELL * (1 + max(axis)) for axis in zip(*shape, strict=True))
    squares = "".join(f"M{x * CELL} {y * CELL}h{CELL - 1}v{CELL - 1}h-{CELL - 1}z" for x, y in shape)
    return f'<svg width="{width}" height="{height}" aria-hidden="true"><path d="{squares}"/></svg>'


def board_numbers(records: list[Record]) -> str:
    """Return the smallest square boards on which the first player achieves each polyomino, published and ours."""
    heads = _cells(("polyomino", "published", "proven here"), "th")
    rows = (
        _cells(
            (
                f"{_picture(shape)} <code>{name}</code>",
                str(BOARD_NUMBERS.get(name, "none")),
                _smallest_win(name, records),
            )
        )
        for name, shape in ANIMALS.items()
        if MIN_CELLS <= len(shape) <= MAX_CELLS
    )
    return f'<table class="atlas-numbers"><thead>{heads}</thead><tbody>{"".join(rows)}</tbody></table>'


def _smallest_win(name: str, records: list[Record]) -> str:
    """The result of all square boards, in words."""
    squares = {f"{name}:{side}x{side}": side for side in range(1, MAX_SIDE + 1)}
    values = {squares[record.game]: record for record in records if record.game in squares}
    wins = [side for side, record in values.items() if record.is_proven and record.value == "win"]
    smaller = [side for side in sorted(values) if not wins or side < min(wins)]
    unknown = [side for side in smaller if not values[side].is_proven]
    if wins:
        return f"{min(wins)}, or less: {_squares(unknown)} open" if unknown else str(min(wins))
    if unknown:
        return f"none below {unknown[0]}×{unknown[0]}; {_squares(unknown)} open"
    return f"none up to {max(values)}×{max(values)}" if values else "unknown"


def _squares(sides: list[int]) -> str:
    return " and ".join(f"{side}×{side}" for side in sides) + (" is" if len(sides) == 1 else " are")


def sources(records: list[Record]) -> str:
    """Return the works cited, with the number of games that they have values for."""
    used = Counter(known.source for record in records if (known := known_value(record.game)))
    items = (
        f'<li id="{_anchor(name)}"><strong>{name}</strong> ({used[name]:,} games): {escape(text)}</li>'
        for name, text in SOURCES.items()
    )
    return f"<ul>{''.join(items)}</ul>"


def disagreements(_: list[Record]) -> str:
    """Return the published values that certificates contradict."""
    items = (f"<li><code>{game}</code>: {escape(text)}</li>" for game, text in DISAGREEMENTS.items())
    return f"<ul>{''.join(items)}</ul>"


def _anchor(source: str) -> str:
    return "source-" + source.lower().replace(" ", "-")


def _cells(cells: Iterable[str], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _scrolling(html: str) -> str:
    return f'<div class="atlas-scroll">{html}</div>'
