"""What a page needs to replay playthroughs: an empty board, and for each play its moves and what they change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noughts.arena.plan import Plan
from noughts.arena.records import Played
from noughts.games import Game, Position, Side
from noughts.games.shapes import Sheet
from noughts.games.svg import template

__all__ = ["board_data", "play_data"]


def board_data(game: Game) -> dict[str, Any]:
    """Return the empty board as SVG, and where marks go on it."""
    drawn = template(game)
    return {
        "svg": drawn.svg,
        "names": [game.format_cell(cell) for cell in range(game.cells)],
        "centres": [[round(at, 1) for at in drawn.centres[cell]] for cell in range(game.cells)],
        "blocks": [[*map(round, drawn.blocks[block][0]), drawn.blocks[block][1]] for block in sorted(drawn.blocks)],
        "shapes": _shapes(game, [size for _, size in drawn.blocks.values()]),
    }


def _shapes(game: Game, block_sizes: Sequence[float]) -> dict[str, str]:
    """The marks at the origin, for a page to put where they belong."""
    found = {}
    for side in Side:
        sheet = Sheet()
        if game.is_custom:
            sheet.cover((0, 0), False)
        sheet.mark(side, (0, 0))
        found[side.lower()] = sheet.shapes
        if block_sizes:
            large = Sheet()
            large.big_mark(side, (0, 0), block_sizes[0], faint=game.keeps_won_blocks_open)
            found[f"block-{side.lower()}"] = large.shapes
    for name in ("last", "glow", "target"):
        found[name] = _shape(name, block_sizes[0] if block_sizes else 0)
    return found


def _shape(name: str, block_size: float) -> str:
    sheet = Sheet()
    if name == "last":
        sheet.last((0, 0), 32)
    elif name == "glow":
        sheet.glow((0, 0))
    else:
        sheet.target((0, 0), block_size)
    return sheet.shapes


def play_data(plan: Plan, played: Played) -> dict[str, Any]:
    """Return one playthrough, short: what is empty is left out."""
    names = plan.names
    data: dict[str, Any] = {
        "x": names.index(played.x),
        "o": names.index(played.o),
        "n": f"{played.key.pairing + 1}.{played.key.pair + 1}.{played.key.leg + 1}",
        "m": " ".join(map(str, played.moves)),
        "b": played.opening,
        "w": played.winner or "",
        "r": played.reason,
        "p": list(played.points),
    }
    data |= _replayed(plan.game, played)
    extras = {"f": played.failure, "d": played.detail, "e": played.stderr}
    return data | {key: value for key, value in extras.items() if value}


def _replayed(game: Game, played: Played) -> dict[str, Any]:
    """What the moves alone do not tell a page that knows no rules: first marks, blocks won, where one must play."""
    position = game.start() if played.start is None else game.parse(played.start)
    found: dict[str, Any] = {}
    if played.start is not None:
        found["s"] = "".join("." if mark is None else str(mark) for mark in position.cells)
        found["t"] = str(position.turn)
    blocks: list[list[Any]] = []
    targets = [_target(position)]
    owners = [None if owner is None else str(owner) for owner in position.blocks]
    for block, owner in enumerate(owners):
        if owner is not None and game.is_ultimate:
            blocks.append([0, block, owner])
    for ply, move in enumerate(played.moves, 1):
        position.play(move)
        if not game.is_ultimate:
            continue
        targets.append(_target(position))
        block = game.block_of(move)
        owner = position.blocks[block]
        if owner is not None and owners[block] is None:
            owners[block] = str(owner)
            blocks.append([ply, block, str(owner)])
    if game.is_ultimate:
        found |= {"B": blocks, "T": targets}
    if line := position.winning_line:
        found["l"] = list(line)
    return found


def _target(position: Position) -> int:
    return -1 if position.block_to_play is None else position.block_to_play
