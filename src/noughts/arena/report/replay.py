"""The data with which the page replays playthroughs: the empty board, and the moves of each with their effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noughts.arena.plan import Plan
from noughts.arena.tournaments import Result
from noughts.games import Game, Position, Side
from noughts.games.rendering.svg import SvgCanvas, template

__all__ = ["board_data", "result_data"]


def board_data(game: Game) -> dict[str, Any]:
    """Return the empty board as SVG, and the places of marks on it."""
    drawn = template(game)
    return {
        "svg": drawn.svg,
        "names": [game.format_cell(cell) for cell in range(game.cells)],
        "centres": [[round(at, 1) for at in drawn.centres[cell]] for cell in range(game.cells)],
        "blocks": [[*map(round, drawn.blocks[block][0]), drawn.blocks[block][1]] for block in sorted(drawn.blocks)],
        "shapes": _shapes(game, [size for _, size in drawn.blocks.values()]),
    }


def _shapes(game: Game, block_sizes: Sequence[float]) -> dict[str, str]:
    """The marks, drawn at the origin; the page moves them to their places."""
    found = {}
    for side in Side:
        sheet = SvgCanvas()
        if game.is_custom:
            sheet.cover((0, 0), False)
        sheet.mark(side, (0, 0))
        found[side.lower()] = sheet.shapes
        if block_sizes:
            large = SvgCanvas()
            large.big_mark(side, (0, 0), block_sizes[0], faint=game.keeps_won_blocks_open)
            found[f"block-{side.lower()}"] = large.shapes
    for name in ("last", "glow", "target"):
        found[name] = _shape(name, block_sizes[0] if block_sizes else 0)
    return found


def _shape(name: str, block_size: float) -> str:
    sheet = SvgCanvas()
    if name == "last":
        sheet.last((0, 0), 32)
    elif name == "glow":
        sheet.glow((0, 0))
    else:
        sheet.target((0, 0), block_size)
    return sheet.shapes


def result_data(plan: Plan, result: Result) -> dict[str, Any]:
    """Return one playthrough with short keys; empty values are left out."""
    names = plan.names
    data: dict[str, Any] = {
        "x": names.index(result.x),
        "o": names.index(result.o),
        "n": f"{result.key.pairing + 1}.{result.key.pair + 1}.{result.key.leg + 1}",
        "m": " ".join(map(str, result.moves)),
        "b": result.opening,
        "w": result.winner or "",
        "r": result.reason,
        "p": list(result.points),
    }
    data |= _replay(plan.game, result)
    extras = {"f": result.failure, "d": result.detail, "e": result.stderr}
    return data | {key: value for key, value in extras.items() if value}


def _replay(game: Game, result: Result) -> dict[str, Any]:
    """The effects of the moves that a page without rules needs: first marks, blocks won, blocks to play in."""
    position = game.start() if result.start is None else game.parse(result.start)
    found: dict[str, Any] = {}
    if result.start is not None:
        found["s"] = "".join("." if mark is None else str(mark) for mark in position.cells)
        found["t"] = str(position.turn)
    blocks: list[list[Any]] = []
    targets = [_target(position)]
    owners = [None if owner is None else str(owner) for owner in position.blocks]
    for block, owner in enumerate(owners):
        if owner is not None and game.is_ultimate:
            blocks.append([0, block, owner])
    for ply, move in enumerate(result.moves, 1):
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
