"""Grades as HTML with pictures: the page of a class, and the parts that Gradescope shows to a student.

Pictures are images with their data in the address: their style touches no other part of the page around them, and
nothing in them is executed. All texts are escaped, since parts of them come from the submission.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from itertools import takewhile
from pathlib import PurePath

from noughts.games import Game, Position
from noughts.games.quoting import count
from noughts.games.rendering.svg import svg
from noughts.html_page import Html, figure, items, page, pre, section, table
from noughts.process.sandbox import NO_SANDBOX
from noughts.teaching.grading.diagnosis.diagnoses import DIAGNOSES
from noughts.teaching.grading.report import NODES_SHOWN, Grade, PropertyFailure
from noughts.teaching.grading.styles import STYLES
from noughts.teaching.grading.tasks import Property
from noughts.teaching.tree.svg import tree_svg

__all__ = ["class_html", "failure_html", "summary_html"]

BOARD_WIDTH = 170
STYLE = """
thead th:first-child, thead th:last-child { text-align: left; }
th[scope=row] { white-space: normal; overflow-wrap: anywhere; }
td.words { text-align: left; white-space: normal; min-width: 20rem; }
.properties { list-style: none; padding-left: 0; }
.properties > li { margin: .3rem 0; }
.properties pre { overflow-wrap: anywhere; }
.properties pre, .properties img { margin: .3rem 0 .6rem 1.2rem; }
@media (max-width: 600px) {  /* each submission in two lines, the second with the reason */
  .wide thead { position: absolute; clip-path: inset(50%); }
  .wide tbody tr { display: grid; grid-template-columns: 1fr auto auto; border-bottom: 1px solid var(--rule); }
  .wide tbody :is(th, td) { position: static; max-width: none; min-width: 0; border: 0; }
  .wide td.words { grid-column: 1 / -1; padding-top: 0; }
  .wide td.words:empty { display: none; }
}
img { max-width: 100%; height: auto; }
"""


def _image(picture: str, words: str) -> Html:
    """Return an SVG as an image that stands alone."""
    data = b64encode(picture.encode()).decode()
    return Html(f'<img style="max-width:100%" alt="{escape(words)}" src="data:image/svg+xml;base64,{data}">')


def failure_html(grade: Grade, property: str, reason: str) -> Html:
    """Return the reason why a property does not hold, and the position on which it fails as a picture."""
    return Html(f'<pre style="white-space:pre-wrap">{escape(reason)}</pre>{_failure_picture(grade, property)}')


def _failure_picture(grade: Grade, property: str) -> Html:
    failure = grade.failures.get(property)
    position = None if failure is None else _position(grade, failure)
    if position is None:
        return Html("")
    return _image(svg(position, BOARD_WIDTH, STYLES[grade.style].first_on_boards), f"the position {position.text}")


def _position(grade: Grade, failure: PropertyFailure) -> Position | None:
    for game in (grade.game, "3x3"):  # the rules are graded on 3x3
        with suppress(ValueError):
            return Game(game).parse(failure.position)
    return None


def _tree_picture(grade: Grade) -> Html:
    trace = grade.shown_tree
    if trace is None:
        return Html("")
    words = "the tree of the program's own search" + ("" if grade.departure is None else f"; {grade.departure}")
    return _image(tree_svg(trace, NODES_SHOWN), words)


def summary_html(grade: Grade) -> Html:
    """Return the mistake and the tree of a submission; the whole report follows as text, folded up."""
    title, *_ = str(grade).split("\n")
    parts = [f"<p>{escape(title)}</p>", *_findings(grade)]
    text = f"<pre>{escape(str(grade))}</pre>"
    return Html("".join([*parts, f"<details><summary>The report as text</summary>{text}</details>"]))


def _findings(grade: Grade) -> list[str]:
    """Return the mistake, the functions that were taken or replaced, the first wrong node and the tree."""
    parts = [] if grade.diagnosis is None else [f"<p><strong>{escape(grade.diagnosis.text)}</strong></p>"]
    parts += [f"<p>{escape(note)}</p>" for note in grade.choices]
    parts += [] if grade.departure is None else [f"<p>{escape(str(grade.departure))}</p>"]
    picture = _tree_picture(grade)
    return [*parts, figure("The tree of the program's own search", picture)] if picture else parts


# A class


def class_html(grades: Sequence[Grade]) -> str:
    """Return a page with a table of the submissions, the commonest mistakes, and a report for each that failed."""
    passed = sum(grade.passed for grade in grades)
    tasks = ", ".join(sorted({grade.task for grade in grades}))
    names = _short_names(grades)
    failed = [(number, grade) for number, grade in enumerate(grades) if not grade.passed]
    main = [
        section("class", "Submissions", *_sandbox_note(grades), _class_table(grades, names)),
        _mistakes(grades),
        *(section(f"submission-{number}", names[number], *_report(grade)) for number, grade in failed),
    ]
    facts = f"{passed} of {count(len(grades), 'submission')} passed"
    return page(f"Grades: {tasks}", facts, "".join(main), style=STYLE)


def _sandbox_note(grades: Sequence[Grade]) -> list[str]:
    return [f"<p>{escape(NO_SANDBOX.capitalize())}.</p>"] if any(grade.sandbox is False for grade in grades) else []


def _short_names(grades: Sequence[Grade]) -> list[str]:
    """Return the names of submissions without the folder that they share."""
    paths = [PurePath(grade.name).parts for grade in grades]
    levels = zip(*(path[:-1] for path in paths), strict=False)
    shared = len(list(takewhile(lambda level: len(set(level)) == 1, levels)))
    return [PurePath(*path[shared:]).as_posix() for path in paths]


def _class_table(grades: Sequence[Grade], names: Sequence[str]) -> Html:
    rows = [_class_row(number, names[number], grade) for number, grade in enumerate(grades)]
    return table("the submissions", ("submission", "points", "result", "why"), rows)


def _class_row(number: int, name: str, grade: Grade) -> list[object]:
    result = "passed" if grade.passed else "failed"
    link = escape(name) if grade.passed else f'<a href="#submission-{number}-title">{escape(name)}</a>'
    return [
        Html(link),
        f"{grade.points}/{grade.max_points}",
        Html(f'<td class="{result}">{result}</td>'),
        Html(f'<td class="words">{escape(grade.reason)}</td>'),
    ]


def _mistakes(grades: Sequence[Grade]) -> str:
    """Return the mistakes that several submissions make."""
    found = Counter(grade.diagnosis.id for grade in grades if grade.diagnosis is not None)
    lines = [f"{number} × {id}: {DIAGNOSES[id]}" for id, number in found.most_common() if number > 1]
    return section("mistakes", "Common mistakes", items(lines)) if lines else ""


def _report(grade: Grade) -> list[str]:
    lines = [_property_html(grade, each) for each in grade.properties]
    return [items(lines, "properties"), *_findings(grade)]


def _property_html(grade: Grade, each: Property) -> Html:
    words = escape(grade.describe(each))
    if each.id not in grade.failures:
        return Html(words)
    failure = "\n".join(grade.failures[each.id].lines())
    return Html(f'<span class="failed">{words}</span>{pre(failure, each.id)}{_failure_picture(grade, each.id)}')
