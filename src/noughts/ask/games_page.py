"""The games in Markdown: ``python -m noughts.ask.games_page FILE`` brings FILE up to date."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from noughts.games import Game, catalogue
from noughts.games.rendering.text import draw
from noughts.games.rules import rules_of
from noughts.games.spec import ALIASES
from noughts.games.titles import title_of

__all__ = ["games_page", "with_games"]

START, END = "<!-- The games: written by `make reference`. -->", "<!-- End of the games. -->"
FANO = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]]
FANO_POINTS: list[list[float]] = [[2, 0], [1, 1.75], [0, 3.5], [3, 1.75], [4, 3.5], [2, 3.5], [2, 2.35]]


class Section(NamedTuple):
    """A kind of games: its title, a game of this kind, and the rule whose board is drawn."""

    title: str
    game: str
    shown: str
    is_option: bool = True


SECTIONS = (
    Section("Flat boards", "3x3", "direction", False),
    Section("Gravity: `+gravity`", "7x6:4+gravity", "direction"),
    Section("Misère: `+misere`", "3x3+misere", "line"),
    Section("Exactly K in a row: `+exact`", "9x9:5+exact", "exact"),
    Section("A torus: `+wrap`", "6x6:4+wrap", "direction"),
    Section("Cubes", "4x4x4", "direction", False),
    Section("Cubes with gravity", "4x4x4+gravity", "direction"),
    Section("Four dimensions and more", "3x3x3x3", "direction", False),
    Section("Ultimate", "ultimate:3", "sent", False),
    Section("More boards win: `+count`", "ultimate:3+count", "count"),
    Section("Won boards stay open: `+open`", "ultimate:3+open", "sent"),
    Section("Ultimate misère", "ultimate:3+misere", "line"),
)


def games_page() -> str:
    """Return a section for each family of games and each option, and the catalogue."""
    sections = [_section(each, Game(each.game)) for each in SECTIONS]
    fano = Game.from_lines("fano", cells=7, lines=FANO, layout=FANO_POINTS)
    sections.append(_section(Section("Boards of your own", "fano.json", "direction", False), fano))
    return "\n".join([*sections, "## Well-known games\n", _catalogue()])


def _section(section: Section, game: Game) -> str:
    """The rules of a game with one board: the last one of the rule that is shown."""
    steps = rules_of(game)
    last = [step for step in steps if step.name == section.shown][-1]
    board = draw(last.position(game), notes=False)
    names = [f"`{section.game}`", *[f"`{alias}`" for alias, id in ALIASES.items() if id == section.game]]
    title = f"{'###' if section.is_option else '##'} {section.title}"
    words = " ".join(step.text for step in steps)
    about = f"{' or '.join(names)}, {title_of(game)}: {words}"
    return f"{title}\n\n{about}\n\n```\n{board}\n```\n"


def _catalogue() -> str:
    names = {id: f"`{alias}`" for alias, id in ALIASES.items()}
    rows = [f"| `{entry.id}` | {names.get(entry.id, '')} | {entry.about} |" for entry in catalogue()]
    return "\n".join(["| id | name | |", "|---|---|---|", *rows, ""])


def with_games(page: str) -> str:
    """Return a page with the games between its two marks."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{games_page()}\n{END}{after}"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_games(path.read_text(encoding="utf-8")), encoding="utf-8")
