"""``python -m bench.train.describe GAME > FILE``: a game as the self-play program reads it.

Self-play can then run on a machine that has a compiler but not the package.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from noughts import Game
from noughts.games.geometry import build
from noughts.games.spec import parse_id

__all__ = ["description"]


def description(game: Game) -> str:
    """Return the rules and the weights of a game as text: a word and numbers on each line."""
    return "".join(f"{line}\n" for line in _lines(game))


def _lines(game: Game) -> Iterator[str]:
    data = build(parse_id(game.id))
    yield _line("cells", [data.cells])
    for cells, guards in zip(data.lines, data.guards, strict=True):
        yield _line("line", cells)
        if guards:
            yield _line("guards", guards)
    yield from (_line("rests_on", below) for below in data.rests_on)
    for name in ("block_of", "sends"):
        if numbers := getattr(data, name):
            yield _line(name, numbers)
    yield from (_line("outer_line", blocks) for blocks in data.outer_lines)
    flags = {"misere": data.misere, "counts_blocks": data.counts_blocks, "keeps_won_blocks_open": data.open}
    yield from (name for name, is_set in flags.items() if is_set)
    for name, worth in game.weights._asdict().items():
        yield _line(f"weight {name}", worth if isinstance(worth, tuple) else [worth])


def _line(word: str, numbers: Iterable[int]) -> str:
    return " ".join([word, *map(str, numbers)])


if __name__ == "__main__":
    sys.stdout.write(description(Game(sys.argv[1])))
